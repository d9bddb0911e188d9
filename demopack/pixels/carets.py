"""Text carets that blink: two pictures, on one of which a thin bar stands that is missing on the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.overlap import as_rect
from demopack.pixels.changes import changed_pixels
from demopack.pixels.masks import Mask, components, crop, size_of

_MAX_WIDTH_PX: Final = 4
_MIN_HEIGHT_PX, _MAX_HEIGHT_PX = 9, 120
_SLIMNESS: Final = 5
"""A caret is at least so many times as high as wide."""
_AIR_PX: Final = 3
"""Beside a caret nothing else changed; words that were typed change up to it."""
_GAP_SHARE: Final = 0.7
"""Share of its height in which a caret may lie on a letter of its own colour, and change nothing."""
_MAX_CHANGES: Final = 400
"""More pieces that changed are another screen."""
_FLAT: Final = 24
_CONTRAST: Final = 48
"""Steps of brightness within a caret, and between it and what is beside it."""


def without_carets(image: RgbImage, others: Iterable[RgbImage]) -> RgbImage:
    """The picture as it is while its carets are blinked off, as far as other pictures show that; itself if none does.

    Args:
        image: shape (height, width, 3), uint8; stays as it is.
        others: pictures of the same screen from shortly before or after; those of another size are left out.
    """
    clean = image
    for other in others:
        if other.shape != image.shape:
            continue
        changed = changed_pixels(clean, other, tolerance=_FLAT // 2)
        for bar in _bars(changed):
            if _is_caret(clean, other, bar, crop(changed, bar)):
                clean = clean.copy() if clean is image else clean
                crop(clean, bar)[:] = crop(other, bar)
    return clean


def _bars(changed: Mask) -> list[Rect]:
    """Upright thin bars that changed, and nothing beside them."""
    found = components(changed, corners=True).boxes
    if len(found) > _MAX_CHANGES:
        return []
    bars: list[Rect] = []
    for part in sorted((as_rect(row) for row in found), key=lambda box: (box.y1, box.x1)):
        if part.width > _MAX_WIDTH_PX:
            continue
        # Where it stands on a letter of its own colour, it does not change.
        above = [bar for bar in bars if bar.x1 <= part.x2 and part.x1 <= bar.x2 and part.y1 >= bar.y2]
        last = max(above, key=lambda bar: bar.y2, default=None)
        whole = part if last is None else last.union(part)
        near = last is not None and part.y1 - last.y2 <= _GAP_SHARE * whole.height
        if last is not None and near and whole.width <= _MAX_WIDTH_PX and whole.height <= _MAX_HEIGHT_PX:
            bars.remove(last)
            part = whole
        bars.append(part)
    return [bar for bar in bars if _is_slim(bar) and _is_alone(changed, bar)]


def _is_slim(bar: Rect) -> bool:
    return _MIN_HEIGHT_PX <= bar.height <= _MAX_HEIGHT_PX and bar.height >= _SLIMNESS * bar.width


def _is_alone(changed: Mask, bar: Rect) -> bool:
    around = crop(changed, bar.grown(_AIR_PX).clamped(size_of(changed)))
    return int(around.sum()) == int(crop(changed, bar).sum())


def _is_caret(image: RgbImage, other: RgbImage, bar: Rect, changed: Mask) -> bool:
    """Whether the bar is drawn on the picture, in one colour, and on the other one it is not.

    Args:
        image: the picture.
        other: the other one.
        bar: where both differ.
        changed: which of the bar's pixels differ.
    """
    drawn = crop(image, bar).astype(np.int16)
    if int((drawn.max(axis=(0, 1)) - drawn.min(axis=(0, 1))).max()) > _FLAT:
        return False
    beside = [Rect(x, bar.y1, x + 1, bar.y2) for x in (bar.x1 - 1, bar.x2) if 0 <= x < image.shape[1]]
    ground = np.median(np.concatenate([crop(image, side).reshape(-1, 3) for side in beside]), axis=0)
    colour, blank = (np.median(crop(one, bar)[changed], axis=0) for one in (image, other))
    return float(np.abs(colour - ground).max()) >= _CONTRAST > float(np.abs(blank - ground).max())
