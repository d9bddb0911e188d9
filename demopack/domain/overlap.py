"""Overlap, nesting and pairing of many boxes, on arrays. Imported where it is needed; it brings numpy along."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect

_PER_CELL: Final = 8
_MAX_CELLS_PER_BOX: Final = 64
"""Cells a box lies in, on average, from which on neighbours are no help."""

Boxes = npt.NDArray[np.int64]
"""Shape (n, 4): x1 y1 x2 y2 in pixels, ends exclusive."""
Places = npt.NDArray[np.int64]
_Number = TypeVar("_Number", np.int64, np.float32, np.float64)


def box_array(boxes: Iterable[Rect]) -> Boxes:
    """Boxes as rows of an array."""
    return np.array([(box.x1, box.y1, box.x2, box.y2) for box in boxes], dtype=np.int64).reshape(-1, 4)


def as_rect(row: Boxes) -> Rect:
    """One row as a box."""
    x1, y1, x2, y2 = row.tolist()
    return Rect(x1, y1, x2, y2)


def areas(boxes: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Covered pixels of each box, shape (n,)."""
    sides: Any = boxes[:, 2:] - boxes[:, :2]
    return np.asarray(sides[:, 0] * sides[:, 1])


def common_areas(a: npt.NDArray[_Number], b: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Pixels that each pair of boxes has in common, shape (len(a), len(b))."""
    width: Any = np.minimum(a[:, None, 2], b[None, :, 2]) - np.maximum(a[:, None, 0], b[None, :, 0])
    height: Any = np.minimum(a[:, None, 3], b[None, :, 3]) - np.maximum(a[:, None, 1], b[None, :, 1])
    np.maximum(width, 0, out=width)
    width *= np.maximum(height, 0, out=height)
    return np.asarray(width)


def meeting(boxes: Boxes, area: Rect, *, dx: float = 0, dy: float = 0) -> npt.NDArray[np.bool_]:
    """Which boxes have a pixel in an area that is grown by ``dx`` pixels to both sides, ``dy`` above and below."""
    level = (boxes[:, 1] < area.y2 + dy) & (boxes[:, 3] > area.y1 - dy)
    return np.asarray(level & (boxes[:, 0] < area.x2 + dx) & (boxes[:, 2] > area.x1 - dx))


def enclosed(boxes: Boxes, area: Rect, *, dy: int = 0) -> npt.NDArray[np.bool_]:
    """Which boxes lie completely in an area that is grown by ``dy`` pixels above and below."""
    level = (boxes[:, 1] >= area.y1 - dy) & (boxes[:, 3] <= area.y2 + dy)
    return np.asarray(level & (boxes[:, 0] >= area.x1) & (boxes[:, 2] <= area.x2))


def around(boxes: Boxes, x: float, y: float, *, slack: float = 0.0) -> npt.NDArray[np.bool_]:
    """Which boxes lie around a position, or at most ``slack`` pixels beside it."""
    level = (boxes[:, 1] - slack <= y) & (y < boxes[:, 3] + slack)
    return np.asarray(level & (boxes[:, 0] - slack <= x) & (x < boxes[:, 2] + slack))


def iou_matrix(a: npt.NDArray[_Number], b: npt.NDArray[_Number]) -> npt.NDArray[np.floating[Any]]:
    """Intersection over union of each pair of boxes, shape (len(a), len(b)); 0 where a box has no area."""
    return iou_of(common_areas(a, b), areas(a), areas(b))


def iou_of(
    common: npt.NDArray[_Number], areas_a: npt.NDArray[_Number], areas_b: npt.NDArray[_Number]
) -> npt.NDArray[np.floating[Any]]:
    """As :func:`iou_matrix`, from the areas that pairs have in common and those of the boxes, where these are known."""
    union: Any = areas_a[:, None] + areas_b[None, :]
    union -= common
    least = 1 if union.dtype.kind == "i" else np.finfo(union.dtype).tiny
    return np.asarray(common / np.maximum(union, least, out=union))


def assign(costs: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pairs (row, column), each row and column at most once, with the least sum of costs.

    Args:
        costs: shape (rows, columns), finite.
    """
    # By name: scipy ships no types, and importing it takes longer than most programs need.
    optimize: Any = importlib.import_module("scipy.optimize")
    rows, columns = optimize.linear_sum_assignment(costs)
    return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True)]


def smallest_around(boxes: Boxes) -> Places:
    """For each box the place of the smallest one around it, edges may touch; -1 where there is none.

    Of two equal boxes the first lies around the second; of several that are as small the last one counts.

    Args:
        boxes: shape (n, 4).

    Returns:
        Shape (n,).
    """
    found = np.full(len(boxes), -1, dtype=np.int64)
    # In this order each box can only lie in later ones, and the first later one around it is the one that is wanted.
    order = np.lexsort((-np.arange(len(boxes)), areas(boxes)))
    ranked = boxes[order]
    for inner, outer in _cells(ranked):
        small, large = ranked[inner][:, None, :], ranked[outer][None, :, :]
        around = (large[..., 0] <= small[..., 0]) & (large[..., 1] <= small[..., 1])
        around &= (large[..., 2] >= small[..., 2]) & (large[..., 3] >= small[..., 3])
        around &= outer[None, :] > inner[:, None]
        first = around.argmax(axis=1)
        held = around[np.arange(len(inner)), first]
        found[order[inner[held]]] = order[outer[first[held]]]
    return found


def _cells(boxes: Boxes) -> Iterator[tuple[Places, Places]]:
    """Places of boxes that may lie in each other: those with a corner in one cell of a grid, those that touch it."""
    count = len(boxes)
    origin = boxes[:, :2].min(axis=0)
    extent = np.maximum(boxes[:, 2:].max(axis=0) - origin, 1)
    side = max(int((count / _PER_CELL) ** 0.5), 1)
    spans = np.minimum((boxes - np.tile(origin, 2)) * side // np.tile(extent, 2), side - 1)
    wide, high = spans[:, 2] - spans[:, 0] + 1, spans[:, 3] - spans[:, 1] + 1
    touched = wide * high
    places = np.arange(count)
    if touched.sum() > _MAX_CELLS_PER_BOX * count:
        for start in range(0, count, _PER_CELL):
            yield places[start : start + _PER_CELL], places[start:]
        return
    members = np.repeat(places, touched)
    nth = np.arange(len(members)) - np.repeat(np.cumsum(touched) - touched, touched)
    x = spans[members, 0] + nth % wide[members]
    y = spans[members, 1] + nth // wide[members]
    outer_of = _grouped(y * side + x, members, side * side)
    inner_of = _grouped(spans[:, 1] * side + spans[:, 0], places, side * side)
    for inner, outer in zip(inner_of, outer_of, strict=True):
        if len(inner) and len(outer) > 1:
            yield inner, outer


def _grouped(cells: Places, places: Places, count: int) -> list[Places]:
    """Places by cell, each group in ascending order."""
    order = np.argsort(cells, kind="stable")
    return np.split(places[order], np.searchsorted(cells[order], np.arange(1, count)))
