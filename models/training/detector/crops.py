"""Windows of screens at their own scale, and the boxes that can still be seen in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from demopack.domain.geometry import Rect
from demopack.domain.overlap import areas

Boxes = NDArray[np.float32]
"""Shape (n, 4): left, top, right, bottom edge in pixels."""

MIN_SHARE = 0.4
"""A box of which less than this share is in the crop is not marked: nobody could say what it is."""
_CROP_TRIES = 8
_WHOLE_SHARE = 0.98
_MIN_SIDE_PX = 3.0


def clip_boxes(boxes: Boxes, window: Rect, *, min_share: float = MIN_SHARE) -> tuple[Boxes, NDArray[np.intp]]:
    """The boxes seen in a window, in the window's own pixels, and which of the given ones they are.

    Boxes of which less than ``min_share`` of the area is seen are left out, and so is what is thinner than 3 pixels.
    """
    if not len(boxes):
        return np.zeros((0, 4), dtype=np.float32), np.zeros(0, dtype=np.intp)
    clipped = _clipped(boxes, window)
    sides = clipped[:, 2:] - clipped[:, :2]
    kept = np.flatnonzero((_shares(boxes, clipped) >= min_share) & (sides.min(axis=1) >= _MIN_SIDE_PX))
    return clipped[kept], kept


def choose_window(
    size: tuple[int, int],
    boxes: Boxes,
    want: tuple[int, int],
    random: np.random.Generator,
    *,
    around: int | None = None,
) -> Rect:
    """A place for a crop, of a few tried the one that cuts fewest boxes.

    Args:
        size: width and height of the screen.
        boxes: everything on it.
        want: width and height of the crop; where the screen is smaller, the whole of it is taken.
        random: draws the places to try.
        around: a box that shall be in the crop, its index; anywhere when None.
    """
    width, height = min(want[0], size[0]), min(want[1], size[1])
    spare = (size[0] - width, size[1] - height)
    if spare == (0, 0):
        return Rect(0, 0, width, height)
    best, fewest = Rect(0, 0, width, height), np.inf
    for _ in range(_CROP_TRIES):
        x, y = _place(boxes, (width, height), spare, random, around)
        tried = Rect(x, y, x + width, y + height)
        cut = _cut(boxes, tried)
        if cut < fewest:
            best, fewest = tried, cut
        if not cut:
            break
    return best


def _place(
    boxes: Boxes, side: tuple[int, int], spare: tuple[int, int], random: np.random.Generator, around: int | None
) -> tuple[int, int]:
    if around is None:
        return int(random.integers(0, spare[0] + 1)), int(random.integers(0, spare[1] + 1))
    place: list[int] = []
    for axis in (0, 1):
        start, end = float(boxes[around, axis]), float(boxes[around, axis + 2])
        # Anywhere from "its end is just inside" to "its start is just inside"; a box larger than the crop is cut.
        low, high = sorted((end - side[axis], start))
        at = random.uniform(low, high) if high > low else low
        place.append(min(max(round(at), 0), spare[axis]))
    return place[0], place[1]


def _cut(boxes: Boxes, window: Rect) -> float:
    """How many boxes the edges of a window cut that would have fitted into it."""
    if not len(boxes):
        return 0.0
    fits = (boxes[:, 2] - boxes[:, 0] <= window.width) & (boxes[:, 3] - boxes[:, 1] <= window.height)
    shares = _shares(boxes, _clipped(boxes, window))
    return float(np.count_nonzero(fits & (shares > 0) & (shares < _WHOLE_SHARE)))


def _clipped(boxes: Boxes, window: Rect) -> Boxes:
    clipped = boxes - np.array([window.x1, window.y1] * 2, dtype=np.float32)
    clipped[:, 0::2] = clipped[:, 0::2].clip(0, window.width)
    clipped[:, 1::2] = clipped[:, 1::2].clip(0, window.height)
    return clipped


def _shares(boxes: Boxes, clipped: Boxes) -> Boxes:
    shares: Boxes = (areas(clipped) / np.maximum(areas(boxes), 1e-6)).astype(np.float32)
    return shares
