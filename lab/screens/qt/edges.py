"""Edges of drawn frames: where a border or a ground begins, to the pixel, also on gradients."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect

_STEP = 7
"""Steps of a channel between two neighbouring lines that make an edge."""
_LENGTH = 0.7
"""Share of a side along which the edge must be there."""
_CORNER = 0.15
"""Share of a side at each end that is not looked at: corners may be round."""
_REACH = 10
"""Pixels that a frame may be away from the edge of its region."""
_UNEVEN = 4
_SIDES = 3
"""Sides of four that make a frame."""


def drawn_frame(image: RgbImage, rough: Rect) -> Rect | None:
    """The outermost border or ground in a region; None when nothing is drawn around what stands there.

    Args:
        image: shape (height, width, 3), uint8.
        rough: the frame lies in it, at most a quarter of its smaller side away from its edges.
    """
    height, width = image.shape[:2]
    x1, y1, x2, y2 = max(0, rough.x1), max(0, rough.y1), min(width, rough.x2), min(height, rough.y2)
    if x2 - x1 < 4 or y2 - y1 < 4:
        return None
    reach = max(2, min(_REACH, min(x2 - x1, y2 - y1) // 4))
    columns = _middle(x1, x2)
    rows = _middle(y1, y2)
    top = _first(image[max(0, y1 - 1) : y1 + reach + 1, columns], outside=y1 > 0)
    bottom = _first(image[y2 - reach - 1 : y2 + 1, columns][::-1], outside=y2 < height)
    left = _first(image[rows, max(0, x1 - 1) : x1 + reach + 1].swapaxes(0, 1), outside=x1 > 0)
    right = _first(image[rows, x2 - reach - 1 : x2 + 1].swapaxes(0, 1)[::-1], outside=x2 < width)
    found = [side for side in (top, bottom, left, right) if side is not None]
    # A frame is about as far away on each side; a square sign in the middle is not.
    if len(found) < _SIDES or max(found) - min(found) > _UNEVEN:
        return None
    return Rect(x1 + (left or 0), y1 + (top or 0), x2 - (right or 0), y2 - (bottom or 0))


def _middle(start: int, end: int) -> slice:
    trim = int((end - start) * _CORNER)
    return slice(start + trim, end - trim)


def _first(lines: RgbImage, *, outside: bool) -> int | None:
    """How far inside the first edge lies, from outside inwards; None when there is none.

    Args:
        lines: shape (count, length, 3); the first one lies outside of the region, if anything does.
        outside: whether it does.
    """
    shares = _shares(lines)
    edges = np.flatnonzero(shares >= _LENGTH)
    if not edges.size:
        return None
    return int(edges[0]) if outside else int(edges[0]) + 1


def _shares(lines: RgbImage) -> NDArray[np.float64]:
    """For each pair of neighbouring lines, the share of their length along which they differ."""
    signed = lines.astype(np.int16)
    steps = np.abs(signed[1:] - signed[:-1]).max(axis=2)
    return np.asarray((steps >= _STEP).mean(axis=1), dtype=np.float64)


def has_edge(image: RgbImage, box: Rect) -> bool:
    """Whether a strip can be told from what is above or below it, along most of its length."""
    height, width = image.shape[:2]
    x1, x2 = max(0, box.x1 + 1), min(width, box.x2 - 1)
    if x2 <= x1:
        return False
    for y in (box.y1, box.y2):
        lines = image[max(0, y - 2) : min(height, y + 2), x1:x2]
        if lines.shape[0] > 1 and bool((_shares(lines) >= _LENGTH).any()):
            return True
    return False
