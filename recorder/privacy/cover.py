"""Paints over what a picture must not show, before it is stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, ScreenSpace, Size

__all__ = ["FILL", "cover"]

FILL = (128, 128, 128)
"""Colour of what was painted over, red, green, blue."""


def cover(image: RgbImage, boxes: Iterable[Rect], space: ScreenSpace) -> tuple[RgbImage, tuple[Rect, ...]]:
    """A copy of a picture in which these boxes are one flat colour.

    Args:
        image: shape (height, width, 3), uint8; it is not changed.
        boxes: in units of the virtual desktop.
        space: of the picture. Edges are covered outwards: half a pixel of a secret is too much.

    Returns:
        The picture, and what was covered in its pixels: clipped to it, the outermost boxes only, from the top. Without
        any such box the picture itself is returned.
    """
    height, width = image.shape[:2]
    size = Size(width, height)
    found = {part for box in boxes if (part := space.to_pixels(box).clamped(size)).area}
    kept = sorted(_outermost(list(found)), key=lambda box: (box.y1, box.x1, box.y2, box.x2))
    if not kept:
        return image, ()
    painted = np.ascontiguousarray(image).copy()
    for box in kept:
        painted[box.y1 : box.y2, box.x1 : box.x2] = FILL
    return painted, tuple(kept)


def _outermost(boxes: Sequence[Rect]) -> list[Rect]:
    return [box for box in boxes if not any(other != box and other.encloses(box) for other in boxes)]
