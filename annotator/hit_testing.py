"""Which box, and which part of it, lies under a position. Pure, on arrays: fast enough for every pointer move."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect

__all__ = ["BoxIndex", "Handle", "handle_at", "handle_points", "resized"]


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


class BoxIndex:
    """The boxes of one frame, rejected ones left out.

    Attributes:
        uids: of the boxes, in the order of ``boxes``.
        boxes: array of shape (n, 4), x1 y1 x2 y2 in pixels of the frame.
    """

    def __init__(self, elements: Sequence[Element]) -> None:
        kept = [element for element in elements if element.review != "rejected"]
        self.uids: list[str] = [element.uid for element in kept]
        self.boxes: npt.NDArray[np.int64] = np.array(
            [(e.box.x1, e.box.y1, e.box.x2, e.box.y2) for e in kept], dtype=np.int64
        ).reshape(-1, 4)
        self._areas = (self.boxes[:, 2] - self.boxes[:, 0]) * (self.boxes[:, 3] - self.boxes[:, 1])
        self._place = {uid: i for i, uid in enumerate(self.uids)}

    def box(self, uid: str) -> Rect | None:
        """The box of one element; None when it is not here."""
        place = self._place.get(uid)
        return None if place is None else Rect(*(int(v) for v in self.boxes[place]))

    def at(self, x: float, y: float, *, tolerance: float = 0.0) -> list[str]:
        """Uids of the boxes around a position, smallest first; of equal ones the later, which lies on top.

        Args:
            x: pixels of the frame.
            y: as ``x``.
            tolerance: a position this far outside still counts, where no box holds it exactly.
        """
        exact = self._around(x, y, 0.0)
        return exact if exact or tolerance <= 0 else self._around(x, y, tolerance)

    def _around(self, x: float, y: float, slack: float) -> list[str]:
        boxes = self.boxes
        inside = (boxes[:, 0] - slack <= x) & (boxes[:, 1] - slack <= y)
        inside &= (x < boxes[:, 2] + slack) & (y < boxes[:, 3] + slack)
        found = np.flatnonzero(inside)
        order = np.lexsort((-found, self._areas[found]))
        return [self.uids[int(i)] for i in found[order]]

    def next_at(self, x: float, y: float, current: str | None, *, tolerance: float = 0.0) -> str | None:
        """What a click selects: the smallest box, or the next larger one if the current one is under the position."""
        found = self.at(x, y, tolerance=tolerance)
        if not found:
            return None
        if current in found:
            return found[(found.index(current) + 1) % len(found)]
        return found[0]


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
