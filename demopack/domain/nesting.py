"""Which box lies in which: on arrays, and only among neighbours. Imported where it is needed; it brings numpy along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["smallest_around"]

_PER_CELL: Final = 8
_CROWDED: Final = 64
"""Cells a box lies in, on average, from which on neighbours are no help."""

Boxes = npt.NDArray[np.int64]
Places = npt.NDArray[np.int64]


def smallest_around(boxes: Boxes) -> Places:
    """For each box the place of the smallest one around it, edges may touch; -1 where there is none.

    Of two equal boxes the first lies around the second; of several that are as small the last one counts.

    Args:
        boxes: array of shape (n, 4): x1, y1, x2, y2.

    Returns:
        Array of shape (n,).
    """
    found = np.full(len(boxes), -1, dtype=np.int64)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    # In this order each box can only lie in later ones, and the first later one around it is the one that is wanted.
    order = np.lexsort((-np.arange(len(boxes)), areas))
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
    if touched.sum() > _CROWDED * count:
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
