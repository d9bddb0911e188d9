"""Boxes and handles under a position. Pure, on arrays: fast enough for every pointer move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from annotator.document import changed_span
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.overlap import areas, around, box_array, enclosed

_MAX_CHANGED = 64
"""Elements; where more differ, painting everything again is not slower than painting parts."""


class Handle(Enum):
    """One of the eight handles of a box; the value says which edges it moves, x then y, -1 for left or top."""

    TOP_LEFT = (-1, -1)
    TOP = (0, -1)
    TOP_RIGHT = (1, -1)
    RIGHT = (1, 0)
    BOTTOM_RIGHT = (1, 1)
    BOTTOM = (0, 1)
    BOTTOM_LEFT = (-1, 1)
    LEFT = (-1, 0)


# Corners first: on a box so small that handles overlap, a corner is what a person means.
_GRAB_ORDER = sorted(Handle, key=lambda h: abs(h.value[0]) + abs(h.value[1]), reverse=True)


@dataclass(frozen=True, slots=True)
class IndexChange:
    """Difference between two states of a frame; none by default.

    Attributes:
        removed: elements as they were.
        added: elements as they are; one that was edited is in both.
        whole: so much differs that both are left empty.
    """

    removed: tuple[Element, ...] = ()
    added: tuple[Element, ...] = ()
    whole: bool = False


class BoxIndex:
    """The boxes of one frame, rejected ones left out.

    Attributes:
        elements: whose boxes they are, in order.
        boxes: array of shape (n, 4), x1 y1 x2 y2 in pixels of the frame.
        codes: array of shape (n,): what ``code`` made of each element, or 0.
    """

    def __init__(self, elements: Sequence[Element], *, code: Callable[[Element], int] | None = None) -> None:
        self._code = code
        self._given: tuple[Element, ...] = ()
        self._kept: npt.NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self.elements: list[Element] = []
        self.boxes: npt.NDArray[np.int64] = np.zeros((0, 4), dtype=np.int64)
        self.codes: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._place: dict[str, int] | None = None
        self._last_around: tuple[tuple[str, ...], Rect | None] = ((), None)
        self.update(elements)

    def update(self, elements: Sequence[Element]) -> IndexChange:
        """Become the index of the frame's elements as they are now, by as little work as it takes."""
        before, after = self._given, tuple(elements)
        same, old_end, new_end = changed_span(before, after)
        if same == old_end == new_end:
            return IndexChange()
        first = int(np.count_nonzero(self._kept[:same]))
        end = first + int(np.count_nonzero(self._kept[same:old_end]))
        fresh = after[same:new_end]
        kept = np.array([element.review != "rejected" for element in fresh], dtype=np.bool_)
        self._given = after
        self._last_around = ((), None)
        self._kept = np.concatenate([self._kept[:same], kept, self._kept[old_end:]])
        removed, added = self.elements[first:end], [element for element in fresh if element.review != "rejected"]
        boxes = box_array(element.box for element in added)
        codes = np.array([self._code(element) if self._code else 0 for element in added], dtype=np.int64)
        self.boxes = np.concatenate([self.boxes[:first], boxes, self.boxes[end:]])
        self.codes = np.concatenate([self.codes[:first], codes, self.codes[end:]])
        self.elements[first:end] = added
        if [element.uid for element in removed] != [element.uid for element in added]:
            self._place = None
        return _change(removed, added)

    def place(self, uid: str) -> int | None:
        """The row of an element; None when it is not here."""
        if self._place is None:
            self._place = {element.uid: i for i, element in enumerate(self.elements)}
        return self._place.get(uid)

    def box(self, uid: str) -> Rect | None:
        """The box of one element; None when it is not here."""
        place = self.place(uid)
        return None if place is None else Rect(*(int(v) for v in self.boxes[place]))

    def around(self, uids: tuple[str, ...]) -> Rect | None:
        """The box around several boxes; None when none of them is here. The last answer is kept."""
        if self._last_around[0] is not uids:
            places = [place for uid in uids if (place := self.place(uid)) is not None]
            rows = self.boxes[places]
            low, high = (rows[:, :2].min(axis=0), rows[:, 2:].max(axis=0)) if places else ((), ())
            box = Rect(*(int(v) for v in (*low, *high))) if places else None
            self._last_around = (uids, box)
        return self._last_around[1]

    def at(self, x: float, y: float, *, tolerance: float = 0.0) -> list[str]:
        """Uids of the boxes around a position, smallest first; of equal ones the later, which lies on top.

        Args:
            x: pixels of the frame.
            y: as ``x``.
            tolerance: a position this far outside still counts, where no box holds it exactly.
        """
        found = np.flatnonzero(around(self.boxes, x, y, slack=0.0))
        if not found.size and tolerance > 0:
            found = np.flatnonzero(around(self.boxes, x, y, slack=tolerance))
        order = np.lexsort((-found, areas(self.boxes[found])))
        return [self.elements[int(i)].uid for i in found[order]]

    def enclosed_by(self, area: Rect) -> list[str]:
        """Uids of the boxes that lie completely in an area."""
        return [self.elements[place].uid for place in np.flatnonzero(enclosed(self.boxes, area)).tolist()]

    def next_at(self, x: float, y: float, current: str | None, *, tolerance: float = 0.0) -> str | None:
        """What a click selects: the smallest box, or the next larger one if the current one is under the position."""
        found = self.at(x, y, tolerance=tolerance)
        if not found:
            return None
        if current in found:
            return found[(found.index(current) + 1) % len(found)]
        return found[0]


def _change(removed: Sequence[Element], added: Sequence[Element]) -> IndexChange:
    before, after = {id(element) for element in removed}, {id(element) for element in added}
    left = tuple(element for element in removed if id(element) not in after)
    new = tuple(element for element in added if id(element) not in before)
    whole = len(left) + len(new) > _MAX_CHANGED
    return IndexChange(whole=True) if whole else IndexChange(removed=left, added=new)


def handle_points(box: Rect) -> dict[Handle, tuple[float, float]]:
    """Where the eight handles lie, in pixels of the frame."""
    return {
        handle: (
            (box.x1, (box.x1 + box.x2) / 2, box.x2)[handle.value[0] + 1],
            (box.y1, (box.y1 + box.y2) / 2, box.y2)[handle.value[1] + 1],
        )
        for handle in Handle
    }


def handle_at(box: Rect, x: float, y: float, *, tolerance: float) -> Handle | None:
    """The handle within ``tolerance`` pixels of a position, corners first.

    The middle of a small box stays free for moving it: handles reach inwards by a quarter of its side at most.
    """
    reach_x = min(tolerance, box.width / 4) if box.width else tolerance
    reach_y = min(tolerance, box.height / 4) if box.height else tolerance
    points = handle_points(box)
    for handle in _GRAB_ORDER:
        px, py = points[handle]
        inward_x = (x - px) * -handle.value[0] > 0
        inward_y = (y - py) * -handle.value[1] > 0
        if abs(x - px) <= (reach_x if inward_x else tolerance) and abs(y - py) <= (reach_y if inward_y else tolerance):
            return handle
    return None


def resized(box: Rect, handle: Handle, dx: int, dy: int) -> Rect:
    """The box after one of its handles moved; edges that pass each other change places."""
    move_x, move_y = handle.value
    x1, x2 = box.x1 + (dx if move_x < 0 else 0), box.x2 + (dx if move_x > 0 else 0)
    y1, y2 = box.y1 + (dy if move_y < 0 else 0), box.y2 + (dy if move_y > 0 else 0)
    return Rect(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


def scaled(box: Rect, old: Rect, new: Rect) -> Rect:
    """A box within a group, after the box around the group became another."""
    x1, x2 = (_scaled(v, (old.x1, old.x2), (new.x1, new.x2)) for v in (box.x1, box.x2))
    y1, y2 = (_scaled(v, (old.y1, old.y2), (new.y1, new.y2)) for v in (box.y1, box.y2))
    return Rect(x1, y1, x2, y2)


def _scaled(value: int, old: tuple[int, int], new: tuple[int, int]) -> int:
    length = old[1] - old[0]
    return new[0] if length == 0 else new[0] + round((value - old[0]) * (new[1] - new[0]) / length)
