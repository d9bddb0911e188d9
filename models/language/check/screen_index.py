"""A screen as a set of names: what may be said of it, and which element is meant."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, iou
from models.language.check.text_spans import fold, same_name, spread, within
from models.language.phrases import gap_to, plain

LABELS: Final = frozenset({"text", "tabled_text", "draggable_text", "other"})
"""Types of mere words, that lend their name to what they stand beside."""
_LABEL_BEHIND: Final = frozenset({"checkbox", "radio", "toggle", "icon", "shape", "slider", "image"})
_MAX_NAMES: Final = 60
"""Neighbours that are looked at; a table has hundreds."""
_Fits = Callable[[tuple[str, ...], tuple[str, ...]], bool]
_ASIDE: Final = 240
"""Pixels between a label and what it stands beside of, at most."""
_APART: Final = 56
"""Pixels between a label and what stands below or above it, at most."""


class ScreenIndex:
    """The elements of one screen by what they are called; rejected ones are not there.

    Attributes:
        elements: in reading order.
    """

    def __init__(self, elements: Iterable[Element]) -> None:
        self.elements: Sequence[Element] = [e for e in elements if e.review != "rejected"]
        self._called: dict[str, list[Element]] = {}
        self._labels: dict[str, list[Element]] = {}

    @cached_property
    def _plain(self) -> list[str]:
        return [plain(e.text, limit=10_000) for e in self.elements if e.text]

    @cached_property
    def _running(self) -> tuple[str, ...]:
        """All words of the screen in reading order: a text may go on in the next element."""
        return tuple(word for e in self.elements if (e.text or "").strip() for word in fold(e.text or ""))

    @cached_property
    def _named(self) -> list[tuple[Element, tuple[str, ...]]]:
        texts = [(e, fold(e.text)) for e in self.elements if (e.text or "").strip()]
        return texts + [(e, fold(e.subtype)) for e in self.elements if e.subtype]

    def has(self, name: str) -> bool:
        """Whether something on the screen accounts for a name: in full, cut short, in part, or misread."""
        if name in self._plain or self.called(name):
            return True
        start = _cut(name)
        if start is not None and any(text.startswith(start) for text in self._plain):
            return True
        folded = fold(name)
        places = [i for i, word in enumerate(self._running) if word == folded[0]] if len(folded) > 1 else []
        return any(folded == self._running[i : i + len(folded)] for i in places)

    def called(self, name: str) -> list[Element]:
        """The elements that a name may mean, those only that it fits best; empty when it fits none."""
        if name not in self._called:
            self._called[name] = self._look_up(name)
        return self._called[name]

    def _look_up(self, name: str) -> list[Element]:
        folded, start = fold(name), _cut(name)
        if start is not None and (begun := "".join(fold(start))):
            return [e for e, text in self._named if "".join(text).startswith(begun)]
        tests: tuple[_Fits, ...] = (operator.eq, same_name, within, _scattered)
        for test in tests:
            found = [element for element, text in self._named if test(folded, text)]
            if found:
                return found
        return []

    def around(self, element: Element) -> list[Element]:
        """Elements that stand beside, above, below, in or around another."""
        return [e for e in self.elements if e.uid != element.uid and beside_each_other(e.box, element.box)]

    def labels(self, element: Element) -> list[Element]:
        """What lends its name to an element: the nearest words on its left, above it, on its right, and in it."""
        if element.uid in self._labels:
            return self._labels[element.uid]
        texts = [e for e in self.elements if e.uid != element.uid and (e.text or "").strip() and e.type in LABELS]
        box = element.box
        found = [e for e in texts if box.encloses(e.box)]
        behind = _ASIDE if element.type in _LABEL_BEHIND else 0
        for side, limit in (("right of", _ASIDE), ("below", _APART), ("left of", behind)):
            gaps = [(gap_to(box, e.box, side), e) for e in texts]
            near = [(gap, e) for gap, e in gaps if gap is not None and -4 <= gap <= limit]
            found += [min(near, key=lambda pair: pair[0])[1]] if near else []
        self._labels[element.uid] = found
        return found

    def labelled(self, label: Element) -> list[Element]:
        """The elements that a label lends its name to."""
        return [e for e in self.around(label)[:_MAX_NAMES] if any(one.uid == label.uid for one in self.labels(e))]

    def same(self, element: Element | None) -> Element | None:
        """What became of an element of another screen: the one with its track, else of its type in its place."""
        if element is None:
            return None
        for other in self.elements:
            if other.uid == element.uid or (element.track_id is not None and other.track_id == element.track_id):
                return other
        close = [(iou(e.box, element.box), e) for e in self.elements if e.type == element.type]
        best = max(close, key=lambda pair: pair[0], default=None)
        return best[1] if best is not None and best[0] >= 0.5 else None


def _scattered(name: tuple[str, ...], text: tuple[str, ...]) -> bool:
    return len(text) > 1 and len(name) > 2 and spread(name, text)


def beside_each_other(a: Rect, b: Rect) -> bool:
    """Whether two boxes are so close that one may be named by the other."""
    if a.intersection(b) is not None:
        return True
    across = min(a.y2, b.y2) - max(a.y1, b.y1)
    if across * 2 > min(a.height, b.height):
        return max(a.x1, b.x1) - min(a.x2, b.x2) <= _ASIDE
    along = min(a.x2, b.x2) - max(a.x1, b.x1)
    return along > 0 and max(a.y1, b.y1) - min(a.y2, b.y2) <= _APART


def _cut(name: str) -> str | None:
    """What stands before the dots of a name that was cut short; None when it was not."""
    for dots in ("…", "..."):
        if name.endswith(dots):
            return name.removesuffix(dots).rstrip() or None
    return None
