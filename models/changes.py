"""Where two pictures of one screen differ, as a few boxes. Pure numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect

__all__ = ["changed_boxes"]

_TILE = 8
"""Pixels: changes that lie this close are one."""
_THRESHOLD = 12
"""Steps of a channel below which a difference is noise of blending."""


def changed_boxes(before: RgbImage, after: RgbImage, *, limit: int = 12) -> tuple[Rect, ...] | None:
    """The boxes in which two pictures differ, largest first; None when their sizes differ.

    Tiles that touch, also at a corner, form one region; the box around it is tight to the pixel. When there are more
    than ``limit`` regions the smallest are left out.

    Args:
        before: shape (height, width, 3), uint8.
        after: as ``before``.
        limit: most boxes to return.
    """
    if before.shape != after.shape:
        return None
    difference = _differing(before, after)
    if difference is None:
        return ()
    tiles = _tiles(difference)
    boxes = [_tight(difference, region) for region in _regions(tiles)]
    return tuple(sorted(boxes, key=lambda box: (-box.area, box.y1, box.x1))[:limit])


def _differing(before: RgbImage, after: RgbImage) -> npt.NDArray[np.bool_] | None:
    """Where a channel differs by more than noise, shape (height, width); None where nothing does."""
    height, width = before.shape[:2]
    if not height or not width:
        return None
    # Most rows of most screens are the same: those are found by their bytes, and only the others are looked at.
    rows = (before.reshape(height, -1) != after.reshape(height, -1)).any(axis=1)
    found = np.flatnonzero(rows)
    if found.size == 0:
        return None
    part = slice(int(found[0]), int(found[-1]) + 1)
    # uint8 differences without widening: the larger minus the smaller.
    more = (np.maximum(before[part], after[part]) - np.minimum(before[part], after[part])) > _THRESHOLD
    difference = np.zeros((height, width), dtype=np.bool_)
    difference[part] = more[..., 0] | more[..., 1] | more[..., 2]
    return difference if difference.any() else None


def _tiles(difference: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    height, width = difference.shape
    padded = np.zeros((-(-height // _TILE) * _TILE, -(-width // _TILE) * _TILE), dtype=np.bool_)
    padded[:height, :width] = difference
    rows, columns = padded.shape[0] // _TILE, padded.shape[1] // _TILE
    return np.asarray(padded.reshape(rows, _TILE, columns, _TILE).any(axis=(1, 3)), dtype=np.bool_)


def _regions(tiles: npt.NDArray[np.bool_]) -> list[list[tuple[int, int]]]:
    """Tiles (row, column) that touch, by flood fill."""
    open_tiles = {(int(r), int(c)) for r, c in np.argwhere(tiles)}
    regions: list[list[tuple[int, int]]] = []
    while open_tiles:
        stack = [open_tiles.pop()]
        region: list[tuple[int, int]] = []
        while stack:
            row, column = stack.pop()
            region.append((row, column))
            for neighbour in ((row + dr, column + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)):
                if neighbour in open_tiles:
                    open_tiles.remove(neighbour)
                    stack.append(neighbour)
        regions.append(region)
    return regions


def _tight(difference: npt.NDArray[np.bool_], region: list[tuple[int, int]]) -> Rect:
    rows, columns = [r for r, _ in region], [c for _, c in region]
    top, left = min(rows) * _TILE, min(columns) * _TILE
    part = difference[top : (max(rows) + 1) * _TILE, left : (max(columns) + 1) * _TILE]
    ys, xs = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    return Rect(left + int(xs[0]), top + int(ys[0]), left + int(xs[-1]) + 1, top + int(ys[-1]) + 1)
