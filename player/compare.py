"""Whether two screenshots show the same screen, and where they differ. Pure."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect

__all__ = ["Comparison", "compare", "looks_alike"]

_TOLERANCE: Final = 8  # of 255, per channel: dithering and sub-pixel text must not count
_SCALED_TOLERANCE: Final = 48  # a patch that was resized never has the same edges
_CELL: Final = 8
_MOST_BOXES: Final = 20
_CARET_WIDTH: Final = 4
_CARET_HEIGHT: Final = 64
_PATCH_MARGIN: Final = 12
_PATCH_LEAST: Final = 48
_PATCH_MOST: Final = 400

_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How much of two pictures is equal.

    Attributes:
        share: of the pixels that are equal, 0..1; 0 for pictures of different sizes.
        boxes: where they differ, largest first, at most 20; the whole picture for different sizes.
    """

    share: float
    boxes: tuple[Rect, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs but a blinking text cursor: at most two thin upright strokes."""
        return len(self.boxes) <= 2 and all(_is_caret(box) for box in self.boxes)


def _is_caret(box: Rect) -> bool:
    return box.width <= _CARET_WIDTH and box.height <= _CARET_HEIGHT


def compare(recorded: RgbImage, live: RgbImage) -> Comparison:
    """Compare two pictures of shape (height, width, 3), uint8, pixel by pixel with a small tolerance."""
    if recorded.shape != live.shape:
        return Comparison(share=0.0, boxes=(Rect(0, 0, live.shape[1], live.shape[0]),))
    if np.array_equal(recorded, live):
        return Comparison(share=1.0, boxes=())
    mask = _differs(recorded, live, tolerance=_TOLERANCE)
    share = 1.0 - float(np.count_nonzero(mask)) / mask.size
    return Comparison(share=share, boxes=_boxes(mask))


def looks_alike(recorded: RgbImage, live: RgbImage, box: Rect, *, at: Point | None = None) -> float:
    """How much a place looks as recorded, 0..1: the share of equal pixels, the common background left out.

    Most of a button is plain; what it says is a few pixels. So only those count that differ from the background, which
    is the most frequent colour, on either picture. Two plain places are alike.

    Args:
        recorded: the recorded picture.
        live: the live one; may have another size, then the place is scaled.
        box: pixels of the recorded picture; may be a point. A margin is added.
        at: the middle of the place on the live picture; None where it has not moved.
    """
    height, width = recorded.shape[:2]
    center = box.center
    half_w = min(max(box.width // 2 + _PATCH_MARGIN, _PATCH_LEAST // 2), _PATCH_MOST // 2)
    half_h = min(max(box.height // 2 + _PATCH_MARGIN, _PATCH_LEAST // 2), _PATCH_MOST // 2)
    x1, x2 = max(0, center.x - half_w), min(width, center.x + half_w)
    y1, y2 = max(0, center.y - half_h), min(height, center.y + half_h)
    if x1 >= x2 or y1 >= y2:
        return 0.0
    patch = recorded[y1:y2, x1:x2]
    fx, fy = live.shape[1] / width, live.shape[0] / height
    dx = 0.0 if at is None else at.x - center.x * fx
    dy = 0.0 if at is None else at.y - center.y * fy
    left, right, top, bottom = (round(v) for v in (x1 * fx + dx, x2 * fx + dx, y1 * fy + dy, y2 * fy + dy))
    there = live[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    tolerance = _TOLERANCE
    if there.shape != patch.shape:
        if 0 in there.shape or recorded.shape == live.shape:
            return 0.0  # partly off the screen
        resized = Image.fromarray(there).resize((x2 - x1, y2 - y1), Image.Resampling.BOX)
        there, tolerance = np.asarray(resized, dtype=np.uint8), _SCALED_TOLERANCE
    differs = _differs(patch, there, tolerance=tolerance)
    background = _background(patch)
    ink = _differs(patch, background, tolerance=tolerance) | _differs(there, background, tolerance=tolerance)
    drawn = int(np.count_nonzero(ink))
    return 1.0 if drawn == 0 else 1.0 - float(np.count_nonzero(differs & ink)) / drawn


def _background(patch: RgbImage) -> RgbImage:
    """The most frequent colour, shape (1, 1, 3)."""
    wide = patch.astype(np.uint32)
    packed = (wide[..., 0] << 16) | (wide[..., 1] << 8) | wide[..., 2]
    colours, counts = np.unique(packed, return_counts=True)
    colour = int(colours[counts.argmax()])
    return np.array([[[colour >> 16, (colour >> 8) & 255, colour & 255]]], dtype=np.uint8)


def _differs(a: RgbImage, b: RgbImage, *, tolerance: int) -> _Mask:
    """True where any channel differs by more than the tolerance."""
    # Maximum minus minimum stays in uint8; a signed difference would need four times the memory.
    gap = np.maximum(a, b) - np.minimum(a, b)
    return np.asarray((gap > tolerance).any(axis=2))


def _boxes(mask: _Mask) -> tuple[Rect, ...]:
    """Tight boxes around the differing regions; regions closer than a cell are one."""
    ndimage: Any = importlib.import_module("scipy.ndimage")  # untyped
    height, width = mask.shape
    padded = np.zeros((-(-height // _CELL) * _CELL, -(-width // _CELL) * _CELL), dtype=bool)
    padded[:height, :width] = mask
    cells = padded.reshape(padded.shape[0] // _CELL, _CELL, padded.shape[1] // _CELL, _CELL).any(axis=(1, 3))
    labels = ndimage.label(cells, structure=np.ones((3, 3)))[0]
    found: list[Rect] = []
    for rows, columns in ndimage.find_objects(labels):
        top, left = rows.start * _CELL, columns.start * _CELL
        part = padded[top : rows.stop * _CELL, left : columns.stop * _CELL]
        ys, xs = np.nonzero(part.any(axis=1))[0], np.nonzero(part.any(axis=0))[0]
        found.append(Rect(left + int(xs[0]), top + int(ys[0]), left + int(xs[-1]) + 1, top + int(ys[-1]) + 1))
    return tuple(sorted(found, key=lambda box: -box.area)[:_MOST_BOXES])
