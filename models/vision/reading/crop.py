"""Prepares the crop of a line for the recogniser: alone, and as high as it wants it."""

from __future__ import annotations

import importlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from models.vision.reading.lines import AIR

__all__ = ["HEIGHT", "enlarged", "without_neighbours"]

HEIGHT: Final = 48
"""Rows the recogniser looks at."""
_INK: Final = 40
_LEAST: Final = 8
"""A lower crop has no air that could be told from its letters."""


def without_neighbours(crop: RgbImage) -> RgbImage:
    """A crop without the ink of the lines above and below that reaches into its air.

    The foot of a letter above an ``e`` makes it an ``ē``.

    Args:
        crop: shape (height, width, 3), uint8, with ``AIR`` rows above and below its letters.
    """
    if crop.shape[0] < _LEAST:
        return crop
    brightness = crop.mean(axis=2)
    edge = np.concatenate([brightness[0], brightness[-1], brightness[:, 0], brightness[:, -1]])
    distance = np.abs(brightness - np.median(edge))
    ink = distance > _INK
    foreign = np.zeros_like(ink)
    foreign[:AIR] = _ending(ink)
    foreign[-AIR:] |= _ending(ink[::-1])
    if not foreign.any():
        return crop
    ground = crop.reshape(-1, 3)[int(distance.argmin())]
    return np.where(foreign[:, :, None], ground, crop).astype(np.uint8)


def _ending(ink: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Columns of the first ``AIR`` rows with ink that does not go on below them."""
    below = ink[AIR].copy()
    below[1:] |= ink[AIR][:-1]
    below[:-1] |= ink[AIR][1:]
    ends: npt.NDArray[np.bool_] = ink[:AIR].any(axis=0) & ~below
    return ends


def enlarged(crop: RgbImage) -> RgbImage:
    """A low crop at the recogniser's height, its strokes sharper than by the recogniser's own enlarging.

    Measured on 274 lines of MiniWoB++ pages: 0.934 instead of 0.923 are read exactly; elsewhere the same.
    """
    if crop.shape[0] >= HEIGHT:
        return crop
    cv2: Any = importlib.import_module("cv2")
    width = max(1, round(crop.shape[1] * HEIGHT / crop.shape[0]))
    large: RgbImage = cv2.resize(crop, (width, HEIGHT), interpolation=cv2.INTER_LANCZOS4)
    return large
