"""A picture as brightness, which is what text and shapes are told by."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage

__all__ = ["Gray", "to_gray"]

Gray: TypeAlias = npt.NDArray[np.int16]
"""Brightness, shape (height, width), 0..255; signed so that differences do not wrap."""

_ROWS = 256


def to_gray(image: RgbImage) -> Gray:
    """Brightness of an RGB picture, by the weights of ITU-R 601."""
    gray = np.empty(image.shape[:2], dtype=np.int16)
    # A few rows at a time: a very large screen would need half a gigabyte for what lies between.
    for top in range(0, image.shape[0], _ROWS):
        rows = image[top : top + _ROWS].astype(np.int32)
        gray[top : top + _ROWS] = (rows[..., 0] * 299 + rows[..., 1] * 587 + rows[..., 2] * 114 + 500) // 1000
    return gray
