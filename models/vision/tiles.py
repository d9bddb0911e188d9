"""Masks of single pixels as tiles, and tiles that touch as boxes."""

from __future__ import annotations

import importlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect, Size

__all__ = ["TILE", "boxes_of", "tiles_of"]

TILE: Final = 16
"""Pixels: what lies this close belongs together."""

_Mask = npt.NDArray[np.bool_]


def tiles_of(mask: _Mask, *, least: int = 1) -> _Mask:
    """Which tiles hold at least so many of the mask's pixels; shape (rows, columns), the last ones may reach beyond."""
    height, width = mask.shape
    rows, columns = -(-height // TILE), -(-width // TILE)
    padded = np.zeros((rows * TILE, columns * TILE), dtype=np.uint8)
    padded[:height, :width] = mask
    return np.asarray(padded.reshape(rows, TILE, columns, TILE).sum(axis=(1, 3), dtype=np.int32) >= least)


def boxes_of(tiles: _Mask, size: Size) -> list[Rect]:
    """A box in pixels around each group of tiles that touch, also at a corner; cut at the picture's edges."""
    cv2: Any = importlib.import_module("cv2")
    count, _, stats, _ = cv2.connectedComponentsWithStats(tiles.astype(np.uint8), connectivity=8)
    boxes: list[Rect] = []
    for label in range(1, count):
        x, y, width, height = (int(v) * TILE for v in stats[label, :4])
        boxes.append(Rect(x, y, x + width, y + height).clamped(size))
    return boxes
