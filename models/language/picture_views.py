"""Pictures for a language model that sees: the frame with the target marked, and parts of it at their own scale."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect, Size
from demopack.pixels.masks import crop, size_of
from models.language.port import PromptImage

_LONG_SIDE: Final = 1280
"""Pixels; a larger frame is shown smaller, because models do so themselves and bill what they were sent."""
_CROP: Final = Size(512, 320)
_CROP_MOST: Final = Size(1000, 700)
"""Pixels; a drag that goes further is shown whole only on the frame."""
_MARK: Final = (255, 0, 200)
_LINE: Final = 3
_GAP: Final = 3
_POINT: Final = 12


def target_pictures(image: RgbImage, box: Rect | None, end: Rect | None = None) -> tuple[PromptImage, ...]:
    """The frame before an action, marked; and what lies around its target, as it is.

    Args:
        image: shape (height, width, 3), uint8.
        box: of what is acted on, pixels; None when that is unknown: then the plain frame alone is shown.
        end: of what a drag ends on.
    """
    boxes = [one for one in (box, end) if one is not None]
    whole = _picture(marked(image, boxes), "the screen before, target marked")
    if box is None:
        return (whole,)
    way = box if end is None else box.union(end)
    near = way if way.width <= _CROP_MOST.width and way.height <= _CROP_MOST.height else box
    part = crop(image, crop_around(near, size_of(image)))
    return (whole, _picture(part, "the target, at its own scale", own_scale=True))


def change_pictures(before: RgbImage, after: RgbImage, changed: Sequence[Rect]) -> tuple[PromptImage, ...]:
    """The largest change, before and after, as it is; empty when nothing can be compared.

    Args:
        before: shape (height, width, 3), uint8.
        after: as ``before``.
        changed: where they differ, largest first.
    """
    if before.shape != after.shape or not changed:
        return ()
    area = crop_around(changed[0], size_of(before))
    return (
        _picture(crop(before, area), "what changed, before"),
        _picture(crop(after, area), "what changed, after"),
    )


def marked(image: RgbImage, boxes: Sequence[Rect]) -> RgbImage:
    """A copy with a line around each box; what is inside a box stays as it is."""
    copy = np.array(image)
    size = size_of(image)
    for box in boxes:
        grow = _POINT if box.area == 0 else _GAP
        inner = crop(copy, box.grown(grow).clamped(size))
        kept = inner.copy()
        crop(copy, box.grown(grow + _LINE).clamped(size))[:] = _MARK
        inner[:] = kept
    return copy


def crop_around(box: Rect, size: Size) -> Rect:
    """The part of a frame around a box: the box whole, at least so much around it, and never beyond the frame."""
    width = min(size.width, max(_CROP.width, box.width + 32))
    height = min(size.height, max(_CROP.height, box.height + 32))
    center: Point = box.center
    left = min(max(0, center.x - width // 2), size.width - width)
    top = min(max(0, center.y - height // 2), size.height - height)
    return Rect(left, top, left + width, top + height)


def _picture(image: RgbImage, what: str, *, own_scale: bool = False) -> PromptImage:
    from PIL import Image

    shown = Image.fromarray(np.ascontiguousarray(image))
    factor = _LONG_SIDE / max(shown.size)
    if factor < 1 and not own_scale:
        width, height = (max(1, round(side * factor)) for side in shown.size)
        shown = shown.resize((width, height), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    shown.save(file, format="PNG", optimize=False)
    return PromptImage(png=file.getvalue(), what=what)
