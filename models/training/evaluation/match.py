"""Which found element is which true one: one to one, by overlap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect
from models.vision.assignment import assign

__all__ = ["match", "overlaps"]

_PAIR, _SAME_KIND = 1e-6, 1e-8
"""Break ties, in this order: of equal sums the one with more pairs, then the one with more pairs of one kind."""


def overlaps(first: Sequence[Rect], second: Sequence[Rect]) -> npt.NDArray[np.float64]:
    """Intersection over union of every pair, shape (first, second); 0 where a box has no area."""
    a, b = _corners(first), _corners(second)
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    common: npt.NDArray[np.float64] = np.clip(high - low, 0, None).prod(axis=2)
    areas = _areas(a)[:, None] + _areas(b)[None, :] - common
    shares = np.zeros_like(common)
    np.divide(common, areas, out=shares, where=areas > 0)
    return shares


def match(
    truth: Sequence[Rect],
    found: Sequence[Rect],
    *,
    least: float,
    truth_kinds: Sequence[str] = (),
    found_kinds: Sequence[str] = (),
) -> list[tuple[int, int, float]]:
    """Pairs (truth, found, overlap), each at most once, so that the sum of all overlaps is the greatest possible.

    Pairs that overlap less than ``least`` do not count. How many pairs there are does not depend on the order of either
    list; of equal boxes those of one kind are paired.

    Args:
        truth: true boxes.
        found: found boxes.
        least: least intersection over union of a pair.
        truth_kinds: what each true box is, or nothing.
        found_kinds: as ``truth_kinds``.
    """
    if not truth or not found:
        return []
    overlap = overlaps(truth, found)
    worth = np.where((overlap >= least) & (overlap > 0), overlap + _PAIR, 0.0)
    if truth_kinds and found_kinds:
        same = np.asarray(truth_kinds)[:, None] == np.asarray(found_kinds)[None, :]
        worth += _SAME_KIND * (same & (worth > 0))
    # Only boxes that overlap something can be paired; a dense screen then costs little.
    rows, columns = np.flatnonzero(worth.any(axis=1)), np.flatnonzero(worth.any(axis=0))
    if not rows.size:
        return []
    pairs = assign(-worth[np.ix_(rows, columns)])
    placed = [(int(rows[r]), int(columns[c])) for r, c in pairs]
    return [(t, f, float(overlap[t, f])) for t, f in placed if worth[t, f] > 0]


def _corners(boxes: Sequence[Rect]) -> npt.NDArray[np.float64]:
    return np.array([[b.x1, b.y1, b.x2, b.y2] for b in boxes], dtype=np.float64).reshape(-1, 4)


def _areas(corners: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    sides = corners[:, 2:] - corners[:, :2]
    return np.asarray(sides.prod(axis=1), dtype=np.float64)
