"""What a describer looks at: the element in its neighbourhood, outlined, everything around it darkened.

A view is a crop of a fixed number of 16 x 16 patches around the element. Its shape follows the element: of all grids
with that many patches, the one that leaves most air on the tighter side. Small models can read it because it is at the
picture's own scale wherever that is possible. Two rules, in this order, for what is too large:

1. An element that is long but thin (a line, a field, a scroll bar) loses its middle: the view holds its two ends.
2. Anything else is shown at half the scale, a quarter, and so on, until it fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect

Ints: TypeAlias = "npt.NDArray[np.int32]"
Floats: TypeAlias = "npt.NDArray[np.float32]"
Bytes: TypeAlias = "npt.NDArray[np.uint8]"
Spans: TypeAlias = "list[tuple[slice, slice]]"

PATCH: Final = 16
CENTRE: Final = 36
"""Number of the row and column in the middle of an element; no grid of 96 patches reaches further than 35 from it."""
MARGIN: Final = 8
"""Least air around the element inside its view, so that the outline is seen."""
DARKNESS: Final = 100
"""Of what is around the element: 0 leaves it as it is, 255 makes it black."""
_COLOUR: Final = (0, 0, 255)
_GAP, _LINE = 3, 2
"""Pixels between the box and its outline, and the outline's own width: as CAAP draws it."""
_THIN_SIDE_PX = 64
"""A side that fits into this with its margins is thin."""
_MIN_PATCH_ROWS = 3
_SHOWN_WHOLE, _AROUND = 400, 64
_MAX_HALVINGS = 10


@dataclass(frozen=True, slots=True)
class PatchGeometry:
    """Neighbourhoods of n elements, not yet masked.

    Attributes:
        pixels: shape (n, patches * 768), uint8; each row is a picture of shape (rows * 16, columns * 16, 3).
        grids: shape (n, 2), columns and rows of patches.
        boxes: shape (n, 4), the element in pixels of its view.
    """

    pixels: Bytes
    grids: Ints
    boxes: Ints


@cache
def grids(patches: int) -> tuple[tuple[int, int], ...]:
    """All ``(columns, rows)`` that make up this number of patches; the squarer ones first, of two the wider one."""
    pairs = [
        (patches // r, r)
        for r in range(_MIN_PATCH_ROWS, patches)
        if patches % r == 0 and patches // r >= _MIN_PATCH_ROWS
    ]
    return tuple(sorted(pairs, key=lambda grid: (abs(grid[0] - grid[1]), -grid[0])))


class PatchScales:
    """A picture at its own size, half of it, a quarter and so on, each made when it is first asked for."""

    def __init__(self, image: RgbImage) -> None:
        self._levels = [np.ascontiguousarray(image)]

    def at(self, level: int) -> RgbImage:
        """The picture after so many halvings; never less than one pixel."""
        while len(self._levels) <= level:
            self._levels.append(np.asarray(Image.fromarray(self._levels[-1]).reduce(2), dtype=np.uint8))
        return self._levels[level]


def cut(scales: PatchScales, boxes: Sequence[Rect], *, patches: int) -> PatchGeometry:
    """The neighbourhoods of boxes on a picture; what lies outside the picture is black.

    Args:
        scales: the picture.
        boxes: on it.
        patches: of each view.
    """
    n = len(boxes)
    pixels = np.zeros((n, patches * PATCH * PATCH * 3), dtype=np.uint8)
    shapes, places = np.zeros((n, 2), dtype=np.int32), np.zeros((n, 4), dtype=np.int32)
    for i, box in enumerate(boxes):
        level, grid = _plan(box.width, box.height, patches)
        source = scales.at(level)
        step = 1 << level
        near, far = (box.x1 // step, box.y1 // step), (-(-box.x2 // step), -(-box.y2 // step))
        columns, x1, x2 = _axis(near[0], far[0], grid[0] * PATCH, source.shape[1])
        rows, y1, y2 = _axis(near[1], far[1], grid[1] * PATCH, source.shape[0])
        view = pixels[i].reshape(grid[1] * PATCH, grid[0] * PATCH, 3)
        for to_y, from_y in rows:
            for to_x, from_x in columns:
                view[to_y, to_x] = source[from_y, from_x]
        shapes[i], places[i] = grid, (x1, y1, x2, y2)
    return PatchGeometry(pixels, shapes, places)


@cache
def _plan(width: int, height: int, patches: int) -> tuple[int, tuple[int, int]]:
    """How often the picture is halved, and the grid."""
    air = 2 * MARGIN
    for level in range(_MAX_HALVINGS + 1):
        # One more, because a scaled box begins and ends inside pixels.
        w, h = ((side >> level) + (2 if level else 0) + air for side in (width, height))
        slack = [(min(c * PATCH - w, r * PATCH - h), -i) for i, (c, r) in enumerate(grids(patches))]
        best = max(slack)
        if best[0] >= 0:
            return level, grids(patches)[-best[1]]
        if level == 0 and min(w, h) <= _THIN_SIDE_PX:
            fits = [g for g in grids(patches) if g[w > h] * PATCH >= min(w, h)]
            if fits:
                return 0, max(fits, key=lambda g: g[w <= h])
    return _MAX_HALVINGS, grids(patches)[0]


def _axis(near: int, far: int, length: int, extent: int) -> tuple[Spans, int, int]:
    """Which pixels of the picture go where along one axis, and where the element lies in the view."""
    if far - near + 2 * MARGIN > length:
        half = length // 2
        head, tail = near - MARGIN, far + MARGIN - (length - half)
        spans = [_span(0, half, head, extent), _span(half, length, tail - half, extent)]
        return spans, MARGIN, length - MARGIN
    start = (near + far - length) // 2
    # As much of the picture as there is, rather than black: small pictures lie in the middle.
    start = -((length - extent) // 2) if extent <= length else min(max(start, 0), extent - length)
    return [_span(0, length, start, extent)], near - start, far - start


def _span(begin: int, end: int, offset: int, extent: int) -> tuple[slice, slice]:
    """View pixels ``begin`` to ``end`` come from ``begin + offset`` on, as far as the picture goes."""
    begin, end = max(begin, -offset), min(end, extent - offset)
    end = max(begin, end)
    return slice(begin, end), slice(begin + offset, end + offset)


def highlight(cuts: PatchGeometry, *, darkness: npt.NDArray[np.integer] | None = None) -> Bytes:
    """The masked views, shape (n, patches * 768), uint8; the cuts are left as they are.

    Args:
        cuts: what to mask.
        darkness: shape (n,), for each view its own, in place of ``DARKNESS``.
    """
    light = _light(np.full(len(cuts.grids), DARKNESS) if darkness is None else np.clip(darkness, 0, 255))
    masked = np.empty_like(cuts.pixels)
    for grid, rows in _by_grid(cuts.grids):
        shape = (len(rows), grid[1] * PATCH, grid[0] * PATCH, 3)
        views = cuts.pixels[rows].reshape(shape)
        masked[rows] = _masked(views, cuts.boxes[rows], light[rows]).reshape(len(rows), -1)
    return masked


def masked_region(image: RgbImage, box: Rect) -> RgbImage:
    """The masked neighbourhood of one box as a picture of any size, for models that scale what they see themselves.

    Small pictures are shown whole, as CAAP does; of larger ones the box and half its size around it, 64 pixels or more.

    Args:
        image: shape (height, width, 3), uint8.
        box: on it.
    """
    height, width = image.shape[:2]
    left = top = 0
    if max(width, height) > _SHOWN_WHOLE:
        air_x, air_y = max(_AROUND, box.width // 2), max(_AROUND, box.height // 2)
        left, top = max(0, box.x1 - air_x), max(0, box.y1 - air_y)
        width, height = min(width, box.x2 + air_x) - left, min(height, box.y2 + air_y) - top
    view = image[top : top + height, left : left + width]
    place = np.array([[box.x1 - left, box.y1 - top, box.x2 - left, box.y2 - top]], dtype=np.int32)
    shown: RgbImage = _masked(view[None], place, _light(np.array([DARKNESS])))[0]
    return shown


def _light(darkness: npt.NDArray[np.integer]) -> npt.NDArray[np.uint16]:
    light: npt.NDArray[np.uint16] = np.rint((255 - darkness) * 256 / 255).astype(np.uint16)
    return light


def _masked(views: Bytes, boxes: Ints, light: npt.NDArray[np.uint16]) -> Bytes:
    """Views of shape (n, height, width, 3), what is around the boxes darkened, the boxes outlined."""
    dark = ((views * light[:, None, None, None]) >> 8).astype(np.uint8)
    masked: Bytes = np.where(_inside(boxes, views.shape, 0)[..., None], views, dark)
    masked[_inside(boxes, views.shape, _GAP + _LINE) & ~_inside(boxes, views.shape, _GAP)] = _COLOUR
    return masked


def _inside(boxes: Ints, shape: tuple[int, ...], air: int) -> npt.NDArray[np.bool_]:
    x, y = np.arange(shape[2])[None, :], np.arange(shape[1])[None, :]
    across = (x >= boxes[:, 0:1] - air) & (x < boxes[:, 2:3] + air)
    down = (y >= boxes[:, 1:2] - air) & (y < boxes[:, 3:4] + air)
    return down[:, :, None] & across[:, None, :]


def to_patches(pixels: Bytes, shapes: Ints, boxes: Ints | None = None) -> Floats:
    """What Pix2Struct takes: shape (n, patches, 2 + 768), float32; row and column, then the patch.

    Equal to what transformers' own image processor makes of the same views: each is brought to mean 0 and variance 1.

    Args:
        pixels: shape (n, patches * 768), uint8.
        shapes: columns and rows of each view.
        boxes: the element in each view. Given them, rows and columns are counted from the patch at its middle, which
            is ``CENTRE``: the same number then means the same thing in every grid. Else from 1, as the processor does.
    """
    n, total = pixels.shape
    patches = total // (PATCH * PATCH * 3)
    out = np.empty((n, patches, 2 + PATCH * PATCH * 3), dtype=np.float32)
    index = np.arange(patches, dtype=np.intp)
    for (columns, rows), chosen in _by_grid(shapes):
        split = pixels[chosen].reshape(-1, rows, PATCH, columns, PATCH, 3).transpose(0, 1, 3, 2, 4, 5)
        out[chosen, :, 2:] = split.reshape(len(chosen), patches, -1)
        out[chosen, :, 0] = index // columns + 1
        out[chosen, :, 1] = index % columns + 1
    if boxes is not None:
        middle = (boxes[:, :2] + boxes[:, 2:]) // (2 * PATCH)
        out[:, :, :2] += (CENTRE - 1 - middle)[:, None, ::-1]
        np.clip(out[:, :, :2], 1, 2 * CENTRE - 1, out=out[:, :, :2])
    values = out[:, :, 2:]
    values -= (np.add.reduce(pixels, axis=1, dtype=np.uint32) / total).astype(np.float32)[:, None, None]
    spread = np.sqrt(np.einsum("ijk,ijk->i", values, values) / (total - 1))
    values /= np.maximum(spread, total**-0.5)[:, None, None]
    return out


def _by_grid(shapes: Ints) -> list[tuple[tuple[int, int], npt.NDArray[np.intp]]]:
    found: list[tuple[tuple[int, int], npt.NDArray[np.intp]]] = []
    for columns, rows in np.unique(shapes, axis=0):
        members = np.flatnonzero((shapes[:, 0] == columns) & (shapes[:, 1] == rows))
        found.append(((int(columns), int(rows)), members))
    return found
