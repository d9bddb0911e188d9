"""Boxes to tick, round buttons and switches own their labels: which line is whose, and both as one box.

Until version 3 of a library a mark and its label were two elements, and so they are still found in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
_MOST_WIDTH: Final = 3.0
"""What is wider, in its heights, is a mark with its label already."""


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
    most = max(_LEAST_REACH_PX, _REACH * mark.height) if reach is None else reach
    near = [
        place
        for place, box in enumerate(lines)
        if -4 <= box.x1 - mark.x2 <= most and abs(box.y1 + box.y2 - mark.y1 - mark.y2) <= mark.height
    ]
    return min(near, key=lambda place: lines[place].x1, default=None)


def owned_labels(elements: Sequence[Marked]) -> dict[int, int]:
    """The places of marks that stand apart from their labels, and of these: one that says the mark's text beside it.

    A mark in a row of a list is the row's, and so are the words there.
    """
    lines = [i for i, one in enumerate(elements) if one.type in _LINES and one.text]
    rows = [one.box for one in elements if one.type in _ROWS]
    found: dict[int, int] = {}
    for i, one in enumerate(elements):
        apart = one.type in MARKS and one.mark_box is None and one.box.width <= _MOST_WIDTH * one.box.height
        if not apart or not one.text or any(row.contains(one.box.center) for row in rows):
            continue
        said = [j for j in lines if elements[j].text == one.text and j not in found.values()]
        place = label_box(one.box, [elements[j].box for j in said])
        if place is not None:
            found[i] = said[place]
    return found


def certain_labels(elements: Sequence[Element]) -> dict[str, str]:
    """As :func:`owned_labels`, by uid, of elements on one frame: those about which a person said the same of both.

    Also left as they are: what a person drew, what a person put elsewhere in the tree, and what somebody rejected.
    """
    owned = owned_labels(elements)
    pairs = ((elements[mark], elements[label]) for mark, label in owned.items())
    return {
        mark.uid: label.uid
        for mark, label in pairs
        if mark.review == label.review != "rejected"
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
