"""The pieces that a picture falls into around a place: even backgrounds, and connected foreground.

Where neighbouring pixels differ by more than a little runs an edge. Backgrounds are the connected areas without an
edge; foreground is everything else, connected over corners, too. Near the place both are exact; far from it, where only
panels and windows are of interest, backgrounds are looked for in cells of 4 x 4 pixels, and their sides are then put on
the edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect, Size
from demopack.domain.overlap import Boxes, around, as_rect, box_array
from demopack.pixels.masks import Mask, components, crop, size_of

_REACH_Y_PX: Final = 100
_REACH_X_PX: Final = 960
"""Pixels around the place that are looked at exactly; rows and lines are wide and low, so it is wider than high."""
_CELL_PX: Final = 4
_CORNER_SHARE: Final = 0.1
"""Of a side's length at each end that is not looked at: corners may be round."""


@dataclass(frozen=True, slots=True)
class PictureParts:
    """What lies around one place.

    Attributes:
        edges: shape of the whole picture: pixels that differ from their right or lower neighbour.
        window: the part that was looked at exactly.
        backgrounds: boxes of even areas around the place, exact ones first.
        foreground: boxes of all connected foreground in the window.
        filled: pixels of each piece of foreground.
    """

    edges: Mask
    window: Rect
    backgrounds: Boxes
    foreground: Boxes
    filled: npt.NDArray[np.int64]


def parts_around(edges: Mask, x: int, y: int) -> PictureParts:
    """The pieces around a place of the picture.

    Args:
        edges: of the whole picture, from :func:`demopack.pixels.colours.edges_of`.
        x: pixels of the frame, inside.
        y: as ``x``.
    """
    height, width = edges.shape
    window = Rect(
        max(x - _REACH_X_PX, 0), max(y - _REACH_Y_PX, 0), min(x + _REACH_X_PX, width), min(y + _REACH_Y_PX, height)
    )
    part = crop(edges, window)
    shift = np.array([window.x1, window.y1, window.x1, window.y1])
    flat = components(~part, corners=False).boxes
    # The last pixel before an edge is told as an edge: the background goes on to it.
    backgrounds = flat + shift + (0, 0, 1, 1)
    backgrounds = backgrounds[around(backgrounds, x, y)]
    # A background that reaches the edge of the window goes on, unless the picture ends there, too.
    right, bottom = window.x2 if window.x2 < width else width + 9, window.y2 if window.y2 < height else height + 9
    cut = (backgrounds[:, :2] <= (window.x1 or -9, window.y1 or -9)).any(axis=1)
    cut |= (backgrounds[:, 2:] >= (right, bottom)).any(axis=1)
    found = np.concatenate([backgrounds[~cut], _far(edges, x, y)])
    foreground = components(part, corners=True)
    # In the same way an edge begins one pixel before the foreground, on the left and above.
    boxes = foreground.boxes + shift + (1, 1, 0, 0)
    boxes[:, 2:] = np.maximum(boxes[:, 2:], boxes[:, :2] + 1)
    clipped = np.clip(found, 0, (width, height, width, height))
    return PictureParts(edges=edges, window=window, backgrounds=clipped, foreground=boxes, filled=foreground.sizes())


def _far(edges: Mask, x: int, y: int) -> Boxes:
    """Large backgrounds, found in cells; sides lie on the nearest edges."""
    high, wide = edges.shape[0] // _CELL_PX, edges.shape[1] // _CELL_PX
    if not high or not wide:
        return np.zeros((0, 4), dtype=np.int64)
    # Four pixels of a line are one number of 32 bits, which is zero where none is an edge.
    lines = np.ascontiguousarray(edges[: high * _CELL_PX, : wide * _CELL_PX]).view(np.uint32) != 0
    cells = lines.reshape(high, _CELL_PX, wide).any(axis=1)
    flat = components(~cells, corners=False).boxes
    flat = flat[around(flat, x // _CELL_PX, y // _CELL_PX)]
    flat = flat[(flat[:, 3] - flat[:, 1] >= 3) & (flat[:, 2] - flat[:, 0] >= 3)]
    return box_array(_onto_edges(edges, as_rect(row * _CELL_PX)) for row in flat)


def _onto_edges(edges: Mask, box: Rect) -> Rect:
    """A box of cells, each side on the first line outwards that is an edge along most of it."""
    height, width = edges.shape
    # On the right and below the line may also be the first one of the next cell.
    left, top, right, bottom = (
        next((d for d in range(_CELL_PX + side // 2) if side_support(edges, box, side, outwards=d) > 0.4), 0)
        for side in range(4)
    )
    x2, y2 = box.x2 + right, box.y2 + bottom
    x2, y2 = width if x2 > width - _CELL_PX else x2, height if y2 > height - _CELL_PX else y2
    return Rect(box.x1 - left, box.y1 - top, x2, y2)


def side_support(edges: Mask, box: Rect, side: int, *, outwards: int = 0) -> float:
    """Share of one side of a box, or of the line so many pixels outwards, that is edge; as :func:`support`.

    Args:
        edges: of the whole picture.
        box: pixels of the picture.
        side: 0 left, 1 top, 2 right, 3 bottom.
        outwards: pixels.
    """
    at = (box.x1, box.y1, box.x2, box.y2)[side] - 1 + (outwards if side > 1 else -outwards)
    return support(edges, at, box.x1, box.x2) if side % 2 else support(edges.T, at, box.y1, box.y2)


def support(lines: Mask, at: int, low: int, high: int) -> float:
    """Share of a line from ``low`` to ``high`` that is edge, corners left out; 0 outside the picture."""
    if not 0 <= at < len(lines):
        return 0.0
    corner = int((high - low) * _CORNER_SHARE)
    part = lines[at, max(low + corner, 0) : high - corner]
    return float(np.count_nonzero(part)) / part.size if part.size else 0.0


_MIN_SIDE_SHARE: Final = 0.5
"""Of each side that lies on an edge; less where something else touches it from inside or outside."""
_MIN_SIDES_SUM: Final = 2.8
_MIN_ROUND_SHARE: Final = 0.7
_MAX_BORDER_PX: Final = 3
"""Pixels; a border is this thick at most."""
_MIN_SHAPE_PX: Final = 6
"""Pixels; lower and narrower things are letters."""
_MIN_MARK_PX: Final = 9
"""Pixels; the smallest box to tick."""
_MAX_RING_SHARE: Final = 0.6
"""Of the box of an outline, foreground at most; the line of a small one is most of it, of joined letters even more."""
_MIN_PILL_PX: Final = 12
_MIN_PICTURE_PX, _MIN_PICTURE_SHARE = 24, 0.12
"""Pixels of a picture's sides, and how much of its box is foreground at least."""


def shapes_at(parts: PictureParts) -> list[Rect]:
    """Even areas with straight sides around the place, borders included."""
    size = size_of(parts.edges)
    found: list[Rect] = []
    for box in map(as_rect, parts.backgrounds):
        if min(box.width, box.height) < _MIN_SHAPE_PX:
            continue
        ends = (box.x1 <= 0, box.y1 <= 0, box.x2 >= size.width, box.y2 >= size.height)
        sides = zip(ends, _sides(parts.edges, box), strict=True)
        if _straight([1.0 if at_end else side for at_end, side in sides]):
            found.append(_bordered(parts.edges, box, size))
    return found


def outlines_at(parts: PictureParts, x: int, y: int) -> list[Rect]:
    """Connected foreground around the place that is more than a letter: outlines, and pictures."""
    foreground = parts.foreground
    size, window = size_of(parts.edges), parts.window
    found: list[Rect] = []
    for place in np.flatnonzero(around(foreground, x, y)):
        box = as_rect(foreground[place])
        cut = (box.x1 <= window.x1 + 1 and window.x1 > 0) or (box.x2 >= window.x2 and window.x2 < size.width)
        cut = cut or (box.y1 <= window.y1 + 1 and window.y1 > 0) or (box.y2 >= window.y2 and window.y2 < size.height)
        least = min(box.width, box.height)
        if cut or least < _MIN_SHAPE_PX:
            continue
        dense = int(parts.filled[place]) / box.area
        ringed = dense <= _MAX_RING_SHARE and least >= _MIN_MARK_PX and is_outline(parts.edges, box)
        if ringed or (dense >= _MIN_PICTURE_SHARE and least >= _MIN_PICTURE_PX):
            found.append(box)
    return found


def _sides(edges: Mask, box: Rect) -> list[float]:
    """How much of the boundary on the left, above, on the right and below is an edge."""
    return [side_support(edges, box, side) for side in range(4)]


def _straight(sides: Sequence[float]) -> bool:
    return min(sides) >= _MIN_SIDE_SHARE and sum(sides) >= _MIN_SIDES_SUM


def is_outline(edges: Mask, box: Rect) -> bool:
    """Whether a box of foreground is straight on all sides; where it is longer than high, its ends may be round."""
    sides = _sides(edges, box)
    if _straight(sides):
        return True
    if box.height < _MIN_PILL_PX or box.width < 1.5 * box.height:
        return False
    round_off = box.height // 2
    low, high = box.x1 + round_off, box.x2 - round_off
    return min(support(edges, box.y1 - 1, low, high), support(edges, box.y2 - 1, low, high)) >= _MIN_ROUND_SHARE


def _bordered(edges: Mask, box: Rect, size: Size) -> Rect:
    """The box with the line around it, as far as there is one."""
    left, top, right, bottom = thick = [_thickness(edges, box, side) for side in range(4)]
    if thick.count(0) > 1:
        return box
    return Rect(box.x1 - left, box.y1 - top, box.x2 + right, box.y2 + bottom).clamped(size)


def _thickness(edges: Mask, box: Rect, side: int) -> int:
    """How thick the line beside a boundary is, from how much of the boundaries beyond it is an edge."""
    straight = [side_support(edges, box, side, outwards=d) >= _MIN_SIDE_SHARE for d in range(1, _MAX_BORDER_PX + 1)]
    if straight[0]:
        return 2 if straight[1] else 1
    return next((d for d, one in enumerate(straight, 1) if one), 0)
