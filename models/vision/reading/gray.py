"""A picture as brightness, which is what text and shapes are told by."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage

__all__ = ["Gray", "to_gray"]

Gray: TypeAlias = npt.NDArray[np.int16]
"""Brightness, shape (height, width), 0..255; signed so that differences do not wrap."""


def to_gray(image: RgbImage) -> Gray:
    """Brightness of an RGB picture, by the weights of ITU-R 601."""
    # In whole numbers, three times as fast as a matrix product in floats.
    red, green, blue = (image[:, :, i].astype(np.int32) for i in range(3))
    return ((red * 299 + green * 587 + blue * 114 + 500) // 1000).astype(np.int16)
