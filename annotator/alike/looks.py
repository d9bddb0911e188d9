"""Whether boxes of a picture look the same: their gray values are compared, so that colour and fading do not count."""

from __future__ import annotations

from itertools import product
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage

__all__ = ["Boxes", "same_look", "similarity"]

Boxes: TypeAlias = npt.NDArray[np.int64]
"""Shape (count, 4): left, top, right, bottom of each, in pixels of the picture."""

_Floats: TypeAlias = npt.NDArray[np.float32]
_Flags: TypeAlias = npt.NDArray[np.bool_]

_LIKE: Final = 0.9
"""Least correlation, also of two that are each other's negative: a chosen row is often that of the others."""
_INSIDE: Final = ((0.15, 0.8), (0.3, 0.75))
"""Least correlation of the middle alone, by how much is left out on each side: frames around icons are the same."""
_NEAR, _SHARE = 2, 0.05
"""Pixels, or part of the side, by which sizes may differ."""
_POINTS, _ROWS = 400, 20
"""How many pixels of a box are looked at, in so many lines at most."""
_SHIFT: Final = 2
"""Pixels by which one box may lie otherwise about the same thing."""
_SHIFTED: Final = 80
"""Of those that are not alike at first sight, so many are tried in all shifts, the most alike first."""
_FLAT: Final = 2.5
"""Standard deviation of gray values, 0..255, below which nothing is to be seen."""
_WEIGHTS: Final = (0.299, 0.587, 0.114)
"""Of red, green and blue: as bright as the eye sees them."""
_FEWEST: Final = 25
"""Points; a smaller middle says nothing by itself."""


def same_look(image: RgbImage, boxes: Boxes, place: int) -> _Flags:
    """Which boxes look like one of them; that one does.

    Args:
        image: the frame's pixels, shape (height, width, 3), red first; or (height, width, 4), blue first, as the
            canvas has them.
        boxes: of the elements.
        place: index of the one.
    """
    alike: _Flags = np.zeros(len(boxes), dtype=np.bool_)
    near = np.flatnonzero(_same_size(boxes, place))
    alike[near] = similarity(image, boxes[near], boxes[place]) >= 1.0
    alike[place] = True
    return alike


def similarity(image: RgbImage, boxes: Boxes, one: npt.NDArray[np.int64]) -> _Floats:
    """How alike boxes of about the same size look, from 0; 1 and more is the same look.

    Args:
        image: the frame's pixels, as above.
        boxes: shape (count, 4).
        one: the four sides of the box that they are compared with.
    """
    columns, rows = _offsets(int(one[2] - one[0]), int(one[3] - one[1]))
    middles = [(_middle(len(columns), len(rows), margin), least) for margin, least in _INSIDE]
    wanted = _gray(image, one[:1], one[1:2], columns, rows)
    # Boxes of other sizes are laid on it by their middles.
    left = (boxes[:, 0] + boxes[:, 2] - (one[2] - one[0])) // 2
    top = (boxes[:, 1] + boxes[:, 3] - (one[3] - one[1])) // 2
    best = _scores(_gray(image, left, top, columns, rows), wanted, middles)
    open_ = np.flatnonzero(best < 1.0)
    if len(open_) > _SHIFTED:
        open_ = open_[np.argsort(-best[open_], kind="stable")[:_SHIFTED]]
    for dx, dy in product(range(-_SHIFT, _SHIFT + 1), repeat=2):
        open_ = open_[best[open_] < 1.0]
        if (dx, dy) == (0, 0) or not len(open_):
            continue
        found = _scores(_gray(image, left[open_] + dx, top[open_] + dy, columns, rows), wanted, middles)
        best[open_] = np.maximum(best[open_], found)
    return best


def _same_size(boxes: Boxes, place: int) -> _Flags:
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    w, h = int(width[place]), int(height[place])
    near = np.abs(width - w) <= max(_NEAR, _SHARE * w)
    alike: _Flags = near & (np.abs(height - h) <= max(_NEAR, _SHARE * h))
    return alike


def _offsets(width: int, height: int) -> tuple[Boxes, Boxes]:
    """Which columns and rows of a box are looked at, from its corner."""
    rows = min(height, _ROWS)
    columns = min(width, _POINTS // max(rows, 1))
    return _spread(width, columns), _spread(height, rows)


def _spread(length: int, count: int) -> Boxes:
    return ((np.arange(count) * 2 + 1) * length // max(2 * count, 1)).astype(np.int64)


def _middle(columns: int, rows: int, margin: float) -> _Flags:
    """Which of the points belong to the middle; flat, row by row."""
    across, down = (np.arange(columns) + 0.5) / max(columns, 1), (np.arange(rows) + 0.5) / max(rows, 1)
    inside = [(one >= margin) & (one <= 1 - margin) for one in (down, across)]
    return (inside[0][:, None] & inside[1][None, :]).ravel()


def _gray(image: RgbImage, left: Boxes, top: Boxes, columns: Boxes, rows: Boxes) -> _Floats:
    """Gray values, shape (boxes, points); what lies outside is the picture's edge."""
    height, width = image.shape[:2]
    x = np.clip(left[:, None] + columns, 0, width - 1)
    y = np.clip(top[:, None] + rows, 0, height - 1)
    flat = (y[:, :, None] * width + x[:, None, :]).reshape(len(left), -1)
    colours = np.take(image.reshape(-1, image.shape[2]), flat, axis=0)[..., :3]
    weights = _WEIGHTS if image.shape[2] == 3 else _WEIGHTS[::-1]
    gray: _Floats = colours @ np.array(weights, dtype=np.float32)
    return gray


def _scores(points: _Floats, wanted: _Floats, middles: list[tuple[_Flags, float]]) -> _Floats:
    """1 and more where both the whole and its middles are alike."""
    found: _Floats = _correlation(points, wanted) / _LIKE
    for middle, least in middles:
        if middle.sum() >= _FEWEST:
            found = np.minimum(found, _correlation(points[:, middle], wanted[:, middle]) / least)
    return found


def _correlation(points: _Floats, wanted: _Floats) -> _Floats:
    """The size of the correlation of each row with the one wanted; of two that are flat it is 1, of one it is 0."""
    a, b = points - points.mean(axis=1, keepdims=True), wanted - wanted.mean(axis=1, keepdims=True)
    size_a, size_b = np.sqrt((a * a).mean(axis=1)), np.sqrt((b * b).mean(axis=1))
    flat_a, flat_b = size_a < _FLAT, size_b < _FLAT
    found = np.abs((a * b).mean(axis=1)) / np.maximum(size_a * size_b, 1e-6)
    both: _Floats = np.multiply(flat_a, flat_b, dtype=np.float32)
    values: _Floats = np.where(flat_a | flat_b, both, found)
    return values
