"""Boxes to tick, round buttons and switches own their labels: which line is whose, and both as one box.

Until version 3 of a library a mark and its label were two elements, and so they are still found in pixels.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import reduce
from typing import Final, Protocol

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step

MARKS: Final[frozenset[ElementType]] = frozenset({"checkbox", "radio", "toggle"})
"""Types whose label stands beside a mark."""
_LINES: Final[frozenset[ElementType]] = frozenset({"text", "tabled_text"})
_ROWS: Final[frozenset[ElementType]] = frozenset({"list_item", "tree_item", "menu_item"})
_LEAST_REACH_PX: Final = 12
_REACH: Final = 1.5
"""A label begins at most so many heights of its mark behind it."""
_FAR_REACH: Final = 4.0
"""The same for a label before a switch, in its widths: in a row of settings both stand at the ends."""
_SAID_REACH: Final = 12.0
"""The same where the label is known to be the mark's, because both say the same."""
_MOST_WIDTH: Final = 3.0
"""What is wider, in its heights, is a mark with its label already."""
_ALIGNED_PX: Final = 4
_OVERLAP_PX: Final = 4
"""Lines and marks reach into each other by so many pixels: both have some air around them."""
_LEADING: Final = 0.5
"""The next line of a label begins at most so many of its heights below the last one."""
_SAID_LEADING: Final = 1.0
"""The same where the label is known to be the mark's."""
_HIGHEST: Final = 1.45
"""Of two lines of one label the higher one is at most so many times as high as the other, for its tails and accents."""
_WRAPPED: Final = 0.97
"""Share of the widest line that a line would have filled with the first word of the next one."""


class Marked(Protocol):
    """An element, or what will be one."""

    @property
    def type(self) -> ElementType:
        """What it is."""
        ...

    @property
    def box(self) -> Rect:
        """Where it is."""
        ...

    @property
    def text(self) -> str | None:
        """What is written on it, or beside it."""
        ...

    @property
    def mark_box(self) -> Rect | None:
        """The mark alone, where the box holds the label, too."""
        ...


def label_box(mark: Rect, lines: Sequence[Rect], *, reach: float | None = None) -> int | None:
    """The place of the line that labels a mark: the nearest behind it, at its height; None where there is none.

    Args:
        mark: its box.
        lines: boxes of lines of text.
        reach: pixels behind the mark at which the line begins at most; 1.5 of its heights unless given.
    """
    most = _reach(mark) if reach is None else reach
    near = [place for place, box in enumerate(lines) if -_OVERLAP_PX <= box.x1 - mark.x2 <= most and _level(mark, box)]
    return min(near, key=lambda place: lines[place].x1, default=None)


def labels_beside(marks: Sequence[Marked], lines: Sequence[Marked]) -> dict[int, tuple[int, ...]]:
    """The lines that label each mark, as they stand there, from the first: places of lines by those of their marks.

    A label stands behind its mark, of one line or of several that were wrapped; where nothing is behind it, before it;
    of a switch also above it. A line labels the mark to which it is nearest.

    Args:
        marks: boxes to tick, round buttons and switches, each the mark alone.
        lines: lines of text with what is written there.
    """
    boxes = [one.box for one in lines]
    behind = {i: place for i, one in enumerate(marks) if (place := label_box(one.box, boxes)) is not None}
    # What stands close by takes its lines before what is far away.
    wanted: list[tuple[float, int, int, tuple[int, ...]]] = []
    for i, one in enumerate(marks):
        others = {place for j, place in behind.items() if j != i}
        for first, box in enumerate(boxes):
            label: tuple[int, ...] = (first,)
            if -_OVERLAP_PX <= box.x1 - one.box.x2 <= _reach(one.box):
                label = () if first in others else _wrapped(first, lines, others)
            whole = reduce(Rect.union, [boxes[line] for line in label], box)
            gap = _distance(one, box, whole) if label else None
            if gap is not None:
                wanted.append((gap // _ALIGNED_PX, -len(label), i, label))
    found: dict[int, tuple[int, ...]] = {}
    for _, _, i, label in sorted(wanted):
        if i not in found and not any(line in other for other in found.values() for line in label):
            found[i] = label
    return found


def _wrapped(first: int, lines: Sequence[Marked], others: Container[int]) -> tuple[int, ...]:
    """A line, and those below it on which its words go on because they did not fit; ``others`` are other labels."""
    label = [first]
    while True:
        last, widest = lines[label[-1]], max(lines[line].box.width for line in label)
        below = [
            place
            for place, one in enumerate(lines)
            if place not in others
            and _goes_on(lines[first].box, last.box, one.box, leading=_LEADING)
            and _did_not_fit(last, one, max(widest, one.box.width))
        ]
        if not below:
            return tuple(label)
        label.append(min(below, key=lambda place: lines[place].box.y1))


def _goes_on(first: Rect, last: Rect, box: Rect, *, leading: float, left: int | None = None) -> bool:
    """Whether a line stands right below the last one of a label, at the left edge of its first one, or at ``left``."""
    low, high = sorted((last.height, box.height))
    aligned = min(abs(box.x1 - edge) for edge in (first.x1, first.x1 if left is None else left)) <= _ALIGNED_PX
    below = box.center.y - last.center.y >= 0.6 * low and box.y1 - last.y2 <= leading * low
    return aligned and below and high <= _HIGHEST * low


def _did_not_fit(last: Marked, one: Marked, widest: float) -> bool:
    """Whether the first word of a line would have made the last one wider than all others."""
    text = one.text or ""
    word = text.split()[:1]
    letters = len(word[0]) + 1 if word else 0
    return bool(letters) and last.box.width + one.box.width * letters / len(text) >= _WRAPPED * widest


def _distance(mark: Marked, first: Rect, whole: Rect) -> float | None:
    """How far a label is from its mark, pixels, as a rank; None where it does not stand where labels do.

    Before a mark, and above it, a label is seldom: what is behind it at the same distance has the better right.

    Args:
        mark: the mark alone.
        first: the label's first line.
        whole: all its lines.
    """
    box, reach, is_switch = mark.box, _reach(mark.box), mark.type == "toggle"
    if _level(box, first) or _level(box, whole):
        if -_OVERLAP_PX <= first.x1 - box.x2 <= reach:
            return max(0, first.x1 - box.x2)
        if -_OVERLAP_PX <= box.x1 - whole.x2 <= (_FAR_REACH * box.width if is_switch else reach):
            return 2.0 * max(0, box.x1 - whole.x2) + reach
    if is_switch and -_OVERLAP_PX <= box.y1 - whole.y2 <= reach and abs(whole.x1 - box.x1) <= _ALIGNED_PX:
        return 2.0 * max(0, box.y1 - whole.y2) + 2.0 * reach
    return None


def _level(mark: Rect, box: Rect) -> bool:
    return abs(box.y1 + box.y2 - mark.y1 - mark.y2) <= mark.height


def _reach(mark: Rect) -> float:
    return max(_LEAST_REACH_PX, _REACH * mark.height)


def owned_labels(elements: Sequence[Marked]) -> dict[int, tuple[int, ...]]:
    """The places of marks that stand apart from their labels, and of these: the lines beside it that say its text.

    A mark in a row of a list is the row's, and so are the words there.
    """
    lines = [i for i, one in enumerate(elements) if one.type in _LINES]
    rows = [one.box for one in elements if one.type in _ROWS]
    found: dict[int, tuple[int, ...]] = {}
    for i, one in enumerate(elements):
        apart = one.type in MARKS and one.mark_box is None and one.box.width <= _MOST_WIDTH * one.box.height
        if not apart or not one.text or any(row.contains(one.box.center) for row in rows):
            continue
        taken = {j for label in found.values() for j in label}
        free = [j for j in lines if j not in taken]
        near: list[tuple[bool, float, tuple[int, ...]]] = []
        for first in free:
            label, rest = _saying(elements, one, first, free)
            gap = _said_distance(one.box, [elements[j].box for j in label]) if label else None
            # Of a label that is cut off, what can be seen stands behind its mark.
            if gap is not None and (not rest or label_box(one.box, [elements[first].box]) is not None):
                near.append((bool(rest), gap, label))
        if near:
            found[i] = min(near)[2]
    return found


def _saying(elements: Sequence[Marked], mark: Marked, first: int, lines: Sequence[int]) -> tuple[tuple[int, ...], str]:
    """Lines below one another that together say the text of a mark, from a given one on, and what is left of it."""
    said, label = " ".join((mark.text or "").split()), list[int]()
    at: int | None = first
    while said and at is not None:
        text = " ".join((elements[at].text or "").split())
        if not text or not said.startswith(text):
            break
        label.append(at)
        said = said[len(text) :].lstrip()
        top, last = elements[first].box, elements[at].box
        below = [j for j in lines if _goes_on(top, last, elements[j].box, leading=_SAID_LEADING, left=mark.box.x1)]
        at = min(below, key=lambda j: elements[j].box.y1, default=None)
    return tuple(label), said


def _said_distance(mark: Rect, lines: Sequence[Rect]) -> float | None:
    """How far a label that says a mark's text is from it, pixels; None where it does not stand beside it."""
    first, whole = lines[0], reduce(Rect.union, lines)
    reach = _SAID_REACH * mark.height
    if _level(mark, first) or _level(mark, whole):
        if -_OVERLAP_PX <= first.x1 - mark.x2 <= _reach(mark):
            return max(0, first.x1 - mark.x2)
        if -_OVERLAP_PX <= mark.x1 - whole.x2 <= reach:
            return max(0, mark.x1 - whole.x2)
    if -_OVERLAP_PX <= mark.y1 - whole.y2 <= _reach(mark) and whole.x1 - _ALIGNED_PX <= mark.x1 < whole.x2:
        return max(0, mark.y1 - whole.y2)
    return None


def certain_labels(elements: Sequence[Element]) -> dict[str, str]:
    """As :func:`owned_labels`, by uid, of elements on one frame: those about which a person said the same of both.

    Also left as they are: what a person drew, what a person put elsewhere in the tree, and what somebody rejected.
    """
    owned = owned_labels(elements)
    # The form that stood apart knew labels of one line.
    pairs = ((elements[mark], elements[label[0]]) for mark, label in owned.items())
    return {
        mark.uid: label.uid
        for mark, label in pairs
        if mark.text == label.text
        and mark.review == label.review != "rejected"
        and "human" not in {mark.source, label.source}
        and mark.parent is None
        and label.parent is None
    }


def with_labels(elements: Sequence[Element], owned: Mapping[str, str]) -> tuple[Element, ...]:
    """The elements, marks and the labels that they own as one each."""
    by_uid = {one.uid: one for one in elements}
    lines = set(owned.values())
    whole = {
        mark: by_uid[mark].but(box=by_uid[mark].box.union(by_uid[label].box), mark_box=by_uid[mark].box)
        for mark, label in owned.items()
    }
    return tuple(whole.get(one.uid, one) for one in elements if one.uid not in lines)


def rebound(step: Step, owned: Mapping[str, str]) -> Step:
    """The step, bound to the controls whose labels it was bound to; ``owned``: labels by the uids of their marks."""
    control = {label: mark for mark, label in owned.items()}
    named = {step.target_uid, step.end_uid, *step.alternatives}
    if not named & control.keys():
        return step
    return step.but(
        target_uid=control.get(step.target_uid or "", step.target_uid),
        end_uid=control.get(step.end_uid or "", step.end_uid),
        alternatives=tuple(dict.fromkeys(control.get(uid, uid) for uid in step.alternatives)),
    )
