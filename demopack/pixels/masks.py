"""Parts of pictures and masks: crops, stretches, tight boxes, connected components, groups of tiles that touch."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect, Size
from demopack.domain.overlap import Boxes, as_rect

Mask = npt.NDArray[np.bool_]
"""Shape (height, width) of the picture that it belongs to."""


_Pixel = TypeVar("_Pixel", bound=np.generic)


def size_of(pixels: npt.NDArray[Any]) -> Size:
    """Width and height of a picture or mask, whose first axis are the lines."""
    return Size(pixels.shape[1], pixels.shape[0])


def crop(pixels: npt.NDArray[_Pixel], box: Rect) -> npt.NDArray[_Pixel]:
    """The part of a picture or mask in a box that lies on it; a view, not a copy."""
    return pixels[box.y1 : box.y2, box.x1 : box.x2]


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """The connected parts of a mask, in the order of their first pixels, line by line.

    Attributes:
        labels: shape of the mask: 1 for the first part; 0 is the rest.
        boxes: tight box of each part; row 0 is that of label 1.
    """

    labels: npt.NDArray[np.int32]
    boxes: Boxes

    def sizes(self) -> npt.NDArray[np.int64]:
        """Pixels of each part, shape (n,)."""
        return np.bincount(self.labels.ravel(), minlength=len(self.boxes) + 1)[1:]


def components(mask: Mask, *, corners: bool) -> Components:
    """The connected parts of a mask.

    Args:
        mask: shape (height, width).
        corners: whether pixels that touch at a corner are connected, too.
    """
    ndimage = _ndimage()
    labels, _ = ndimage.label(mask, structure=np.ones((3, 3)) if corners else None)
    found = [(x.start, y.start, x.stop, y.stop) for y, x in ndimage.find_objects(labels)]
    return Components(labels, np.array(found, dtype=np.int64).reshape(-1, 4))


@lru_cache(maxsize=1)
def _ndimage() -> Any:  # noqa: ANN401 - scipy has no types
    """By name and late: it takes longer to import than the window to open."""
    return importlib.import_module("scipy.ndimage")


def runs(flags: npt.ArrayLike, *, step: float = 1) -> list[tuple[int, int]]:
    """Stretches of True, half-open.

    Args:
        flags: True or False, shape (n,).
        step: two that are at most so far apart belong to one stretch.
    """
    places = np.flatnonzero(flags)
    if not places.size:
        return []
    breaks = np.flatnonzero(np.diff(places) > step)
    starts, ends = [places[0], *places[breaks + 1]], [*places[breaks], places[-1]]
    return [(int(start), int(end) + 1) for start, end in zip(starts, ends, strict=True)]


def tight_box(mask: Mask) -> Rect | None:
    """The box around all pixels of a mask; None where there are none."""
    rows = np.flatnonzero(mask.any(axis=1))
    if not rows.size:
        return None
    columns = np.flatnonzero(mask.any(axis=0))
    return Rect(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)


def tiles_of(mask: Mask, side: int, *, min_pixels: int = 1) -> Mask:
    """Which tiles of ``side`` x ``side`` pixels hold at least so many of the mask's; the last ones may reach beyond."""
    height, width = mask.shape
    rows, columns = -(-height // side), -(-width // side)
    padded = np.zeros((rows * side, columns * side), dtype=np.bool_)
    padded[:height, :width] = mask
    parts = padded.reshape(rows, side, columns, side)
    if min_pixels == 1:
        return np.asarray(parts.any(axis=(1, 3)))
    return np.asarray(parts.sum(axis=(1, 3), dtype=np.int32) >= min_pixels)


def tile_boxes(tiles: Mask, side: int, size: Size) -> list[Rect]:
    """A box in pixels around each group of tiles that touch, also at a corner; cut at the picture's edges."""
    return [as_rect(row).clamped(size) for row in components(tiles, corners=True).boxes * side]


def group_boxes(mask: Mask, *, tile: int) -> list[Rect]:
    """A box, tight to the pixel, around each group of pixels that lie in tiles that touch, also at a corner.

    Args:
        mask: shape (height, width).
        tile: side of a tile in pixels.
    """
    if not mask.any():
        return []
    found: list[Rect] = []
    for area in tile_boxes(tiles_of(mask, tile), tile, size_of(mask)):
        box = tight_box(crop(mask, area))
        found += [] if box is None else [box.moved(area.x1, area.y1)]
    return found
