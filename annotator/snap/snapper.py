"""Snapping of an edge that is being dragged: to an edge of the picture, or in line with a neighbour.

Runs at every move of the pointer, also among thousands of boxes: arrays, and a few columns of pixels.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from annotator.hit_testing import BoxIndex
from annotator.snap.tighten import Image
from demopack.domain.geometry import Rect
from demopack.domain.overlap import Boxes
from demopack.pixels.colours import differs

_EDGE_TOLERANCE: Final = 24
"""An edge to snap to may be fainter than one to tighten to: whoever drags sees what it does."""
_MIN_EDGE_SHARE: Final = 0.6
"""Of the side's length that has to lie on an edge of the picture."""
_MIN_SIDE_PX: Final = 5
_MAX_SAMPLES: Final = 256
"""Of a long side so many pixels are looked at, evenly spread."""
_NEIGHBOUR_REACHES: Final = 40
"""Times the reach: boxes further off are not in line by intention."""

Axis = Literal["x", "y"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapLine:
    """A line that something snapped to.

    Attributes:
        axis: ``x`` is a vertical line at an x.
        at: where, in pixels of the frame.
        low: where the line begins on the other axis.
        high: where it ends.
    """

    axis: Axis
    at: int
    low: int
    high: int


DraggedEdges: TypeAlias = tuple[Literal[-1, 0, 1] | None, Literal[-1, 0, 1] | None]
"""What moves in x and in y: -1 the left or top edge, 1 the right or bottom one, 0 the whole box, None nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snap:
    """How far to go on, and along which lines that is."""

    dx: int = 0
    dy: int = 0
    guides: tuple[SnapLine, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    cost: float
    shift: int
    guide: SnapLine


class Snapper:
    """Snaps on one frame, during one gesture."""

    def __init__(self, boxes: BoxIndex, image: Image | None, *, without: Collection[str] = ()) -> None:
        rows = boxes.boxes
        places = [place for uid in without if (place := boxes.place(uid)) is not None]
        self._boxes: Boxes = np.delete(rows, places, axis=0) if places else rows
        self._image = image

    def snap(self, box: Rect, grip: DraggedEdges, *, reach: float) -> Snap:
        """Where to put a box, or the moving edges of it.

        Args:
            box: where the pointer would have it.
            grip: what moves.
            reach: how far an edge may jump, in pixels of the frame.
        """
        x = None if grip[0] is None else self._on("x", box, grip[0], reach)
        y = None if grip[1] is None else self._on("y", box, grip[1], reach)
        guides = tuple(found.guide for found in (x, y) if found is not None)
        return Snap(dx=0 if x is None else x.shift, dy=0 if y is None else y.shift, guides=guides)

    def _on(self, axis: Axis, box: Rect, grip: Literal[-1, 0, 1], reach: float) -> _Found | None:
        image, rows = self._image, self._boxes
        # Turned for y, so that it is always the left and right edges that move.
        if axis == "y":
            box, rows = box.turned, rows[:, [1, 0, 3, 2]]
        edges = {-1: (box.x1,), 1: (box.x2,), 0: (box.x1, box.x2)}[grip]
        found: list[_Found | None] = []
        if image is not None:
            lines = image.swapaxes(0, 1) if axis == "x" else image
            found += [_in_picture(axis, lines, box, edge, reach) for edge in edges]
        far = reach * _NEIGHBOUR_REACHES
        near = rows[(rows[:, 1] <= box.y2 + far) & (rows[:, 3] >= box.y1 - far)]
        if len(near):
            sides, twice = np.concatenate([near[:, 0], near[:, 2]]), np.concatenate([near, near])
            found += [_nearest(axis, edge, sides, twice, box, reach) for edge in edges]
            if grip == 0:
                middles = (near[:, 0] + near[:, 2]) // 2
                found.append(_nearest(axis, (box.x1 + box.x2) // 2, middles, near, box, reach, extra=1.0))
        return min((one for one in found if one is not None), key=lambda one: one.cost, default=None)


def _in_picture(axis: Axis, pixels: Image, box: Rect, edge: int, reach: float) -> _Found | None:
    """The nearest edge of the picture that runs along most of the side; its lines across the axis come first."""
    low, high = max(box.y1, 0), min(box.y2, pixels.shape[1])
    first, last = max(edge - int(reach), 1), min(edge + int(reach), len(pixels) - 1)
    if high - low < _MIN_SIDE_PX or first > last:
        return None
    step = max((high - low) // _MAX_SAMPLES, 1)
    lines = pixels[first - 1 : last + 1, low:high:step, :3]
    stepped = differs(lines[1:], lines[:-1], tolerance=_EDGE_TOLERANCE)
    places = np.flatnonzero(stepped.mean(axis=1) >= _MIN_EDGE_SHARE) + first
    if not places.size:
        return None
    at = int(places[np.abs(places - edge).argmin()])
    return _Found(abs(at - edge), at - edge, SnapLine(axis=axis, at=at, low=low, high=high))


def _nearest(
    axis: Axis, edge: int, targets: Boxes, boxes: Boxes, box: Rect, reach: float, *, extra: float = 0.0
) -> _Found | None:
    """The target nearest to an edge; a neighbour costs a little more than the picture, a centre more than an edge."""
    place = int(np.abs(targets - edge).argmin())
    at, other = int(targets[place]), boxes[place]
    if abs(at - edge) > reach:
        return None
    guide = SnapLine(axis=axis, at=at, low=min(box.y1, int(other[1])), high=max(box.y2, int(other[3])))
    return _Found(abs(at - edge) + 0.5 + extra, at - edge, guide)
