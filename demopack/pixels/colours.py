"""Colours of pixels: how far they differ, where edges run, what the background is, brightness, one number a pixel."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.pixels.masks import Mask

Codes = npt.NDArray[np.uint32]
"""A picture of shape (height, width): red, green and blue of a pixel in one number."""
Gray = npt.NDArray[np.int16]
"""Brightness, shape (height, width), 0..255; signed so that differences do not wrap."""
_Bytes = npt.NDArray[np.uint8]

_ROWS_AT_ONCE: Final = 256
_EDGE_TOLERANCE: Final = 4
"""Steps of a channel: above the gradients of themes, below the faint outlines of dark ones."""


def codes_of(image: RgbImage) -> Codes:
    """The picture with one number a pixel, so that comparing costs a third."""
    codes = image[..., 0].astype(np.uint32)
    codes <<= np.uint32(8)
    codes |= image[..., 1]
    codes <<= np.uint32(8)
    codes |= image[..., 2]
    return codes


def to_gray(image: RgbImage) -> Gray:
    """Brightness of an RGB picture, by the weights of ITU-R 601."""
    gray = np.empty(image.shape[:2], dtype=np.int16)
    # A few rows at a time: a very large screen would need half a gigabyte for what lies between.
    for top in range(0, image.shape[0], _ROWS_AT_ONCE):
        rows = image[top : top + _ROWS_AT_ONCE].astype(np.int32)
        gray[top : top + _ROWS_AT_ONCE] = (rows[..., 0] * 299 + rows[..., 1] * 587 + rows[..., 2] * 114 + 500) // 1000
    return gray


def steps(a: _Bytes, b: _Bytes) -> _Bytes:
    """Largest difference over the channels, which are the last axis, 0..255.

    Unsigned, and channel by channel, because inner loops of three are slow.
    """
    found = np.maximum(a[..., 0], b[..., 0]) - np.minimum(a[..., 0], b[..., 0])
    for channel in range(1, a.shape[-1]):
        one, other = a[..., channel], b[..., channel]
        np.maximum(found, np.maximum(one, other) - np.minimum(one, other), out=found)
    return np.asarray(found)


def differs(a: _Bytes, b: _Bytes, *, tolerance: int) -> Mask:
    """Where any channel differs by more than the tolerance, 0..255."""
    return np.asarray(steps(a, b) > tolerance)


def edges_of(image: _Bytes, *, tolerance: int = _EDGE_TOLERANCE) -> Mask:
    """Pixels that differ from their right or lower neighbour by more than the tolerance, in any channel.

    Args:
        image: shape (height, width, 3 or 4), uint8; a fourth channel must be even, as that of a screenshot is.
        tolerance: steps of a channel, 0..255.
    """
    height, width, channels = image.shape
    flat = np.ascontiguousarray(image).reshape(height, width * channels)
    edges = np.zeros((height, width), dtype=np.bool_)
    edges[:, :-1] = _any_channel(_apart(flat[:, channels:], flat[:, :-channels], tolerance), channels)
    edges[:-1] |= _any_channel(_apart(flat[1:], flat[:-1], tolerance), channels)
    return edges


def _apart(a: _Bytes, b: _Bytes, tolerance: int) -> Mask:
    """Over all channels at once, line by line: many times as fast as channel by channel."""
    found = np.maximum(a, b)
    found -= np.minimum(a, b)
    return np.asarray(found > tolerance)


def _any_channel(apart: Mask, channels: int) -> Mask:
    if channels == 4:
        return np.asarray(apart.view(np.uint32) != 0)
    found = apart[:, 0::channels].copy()
    for channel in range(1, channels):
        found |= apart[:, channel::channels]
    return found


def commonest_colour(image: RgbImage) -> RgbImage:
    """The most frequent colour of a picture, shape (1, 1, 3)."""
    codes, counts = np.unique(codes_of(image), return_counts=True)
    code = int(codes[counts.argmax()])
    return np.array([[[code >> 16, (code >> 8) & 255, code & 255]]], dtype=np.uint8)


def border_background(part: npt.NDArray[Any]) -> npt.NDArray[np.floating[Any]]:
    """The median of the outermost pixels, of each channel where there are several: the background of what is inside.

    Args:
        part: shape (height, width) or (height, width, channels), at least one pixel.
    """
    return np.asarray(np.median(np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]]), axis=0))
