"""Snapping of an edge that is being dragged: to an edge of the picture, or in line with a neighbour.

Runs at every move of the pointer, also among thousands of boxes: arrays, and a few columns of pixels.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from annotator.hit_testing import BoxIndex
from annotator.snap.tighten import Image
from demopack.domain.geometry import Rect
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
        self._boxes: npt.NDArray[np.int64] = np.delete(rows, places, axis=0) if places else rows
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
        low, high = (box.x1, box.x2) if axis == "x" else (box.y1, box.y2)
        edges = {-1: (low,), 1: (high,), 0: (low, high)}[grip]
        found = [one for edge in edges if (one := self._picture(axis, box, edge, reach)) is not None]
        found += self._neighbours(axis, box, edges, reach, middle=grip == 0)
        return min(found, key=lambda one: one.cost, default=None)

    def _picture(self, axis: Axis, box: Rect, edge: int, reach: float) -> _Found | None:
        """The nearest edge of the picture that runs along most of the side."""
        if self._image is None:
            return None
        pixels = self._image if axis == "y" else self._image.swapaxes(0, 1)
        low, high = (box.x1, box.x2) if axis == "y" else (box.y1, box.y2)
        low, high = max(low, 0), min(high, pixels.shape[1])
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

    def _neighbours(self, axis: Axis, box: Rect, edges: tuple[int, ...], reach: float, *, middle: bool) -> list[_Found]:
        # Boxes that lie beside the box, seen along the line that would be drawn.
        far, rows = reach * _NEIGHBOUR_REACHES, self._boxes
        low, high, first, last = (1, 3, box.y1, box.y2) if axis == "x" else (0, 2, box.x1, box.x2)
        near = rows[(rows[:, low] <= last + far) & (rows[:, high] >= first - far)]
        if not len(near):
            return []
        lows, highs = (near[:, 0], near[:, 2]) if axis == "x" else (near[:, 1], near[:, 3])
        found = [
            _nearest(axis, edge, np.concatenate([lows, highs]), np.concatenate([near, near]), box) for edge in edges
        ]
        if middle:
            centre = (edges[0] + edges[-1]) // 2
            found.append(_nearest(axis, centre, (lows + highs) // 2, near, box, extra=1.0))
        return [one for one in found if abs(one.shift) <= reach]


def _nearest(
    axis: Axis,
    edge: int,
    targets: npt.NDArray[np.int64],
    boxes: npt.NDArray[np.int64],
    box: Rect,
    *,
    extra: float = 0.0,
) -> _Found:
    """The target nearest to an edge; a neighbour costs a little more than the picture, a centre more than an edge."""
    place = int(np.abs(targets - edge).argmin())
    at, other = int(targets[place]), boxes[place]
    low, high = (1, 3) if axis == "x" else (0, 2)
    first, last = (box.y1, box.y2) if axis == "x" else (box.x1, box.x2)
    guide = SnapLine(axis=axis, at=at, low=min(first, int(other[low])), high=max(last, int(other[high])))
    return _Found(abs(at - edge) + 0.5 + extra, at - edge, guide)
