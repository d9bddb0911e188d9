"""A screen as a set of names: what may be said of it, and which element is meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, iou
from models.language.check.text import fold, same_name, spread, within
from models.language.quoting import plain

__all__ = ["ScreenIndex", "beside_each_other"]

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

    @cached_property
    def _plain(self) -> list[str]:
        return [plain(e.text, limit=10_000) for e in self.elements if e.text]

    @cached_property
    def _named(self) -> list[tuple[Element, tuple[str, ...]]]:
        texts = [(e, fold(e.text)) for e in self.elements if (e.text or "").strip()]
        return texts + [(e, fold(e.subtype)) for e in self.elements if e.subtype]

    def has(self, name: str) -> bool:
        """Whether something on the screen accounts for a name: in full, cut short, in part, or misread."""
        if name in self._plain or self.called(name):
            return True
        start = _cut(name)
        return start is not None and any(text.startswith(start) for text in self._plain)

    def called(self, name: str) -> list[Element]:
        """The elements that a name may mean, those only that it fits best; empty when it fits none."""
        folded, start = fold(name), _cut(name)
        if start is not None and (begun := "".join(fold(start))):
            return [e for e, text in self._named if "".join(text).startswith(begun)]
        tests = (
            lambda text: text == folded,
            lambda text: same_name(folded, text),
            lambda text: within(folded, text),
            lambda text: len(text) > 1 and len(folded) > 2 and spread(folded, text),
        )
        for test in tests:
            found = [element for element, text in self._named if test(text)]
            if found:
                return found
        return []

    def around(self, element: Element) -> list[Element]:
        """Elements that stand beside, above, below, in or around another."""
        return [e for e in self.elements if e.uid != element.uid and beside_each_other(e.box, element.box)]

    def names(self, element: Element) -> list[tuple[str, ...]]:
        """Everything that an element may be called by, folded: its text, its subtype, the words around it."""
        own = [fold(text) for text in (element.text, element.subtype) if (text or "").strip() and text is not None]
        return own + [fold(e.text) for e in self.around(element) if (e.text or "").strip() and e.text is not None]

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
