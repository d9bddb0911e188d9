"""Recognises content that moved up or down by its rows of pixels: scrolling."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage

__all__ = ["vertical_shift"]

_EDGE = 0.15
"""Share of the width on each side that does not count: a scroll bar stays where it is."""
_LEAST_ROWS = 12
_LEAST_SHARE = 0.3


def vertical_shift(old: RgbImage, new: RgbImage) -> int:
    """By how many rows the content of an area moved down (up: negative); 0 when it did not, or when nothing tells.

    Rows that look like another row of their own picture (blank ones) do not vote.

    Args:
        old: shape (height, width, 3), uint8.
        new: the same area afterwards.
    """
    width = old.shape[1]
    middle = slice(round(width * _EDGE), max(round(width * _EDGE) + 1, width - round(width * _EDGE)))
    before, after = _hashes(old[:, middle]), _hashes(new[:, middle])
    where = _unique(before)
    wanted = _unique(after)
    common = where.keys() & wanted.keys()
    if len(common) < _LEAST_ROWS:
        return 0
    votes = Counter(wanted[key] - where[key] for key in common)
    shift, count = votes.most_common(1)[0]
    enough = count >= _LEAST_ROWS and count >= _LEAST_SHARE * len(wanted)
    return shift if enough else 0


def _hashes(part: RgbImage) -> npt.NDArray[np.uint64]:
    """One number for each row; equal rows have equal numbers."""
    rows = np.ascontiguousarray(part).reshape(part.shape[0], -1).astype(np.uint64)
    weights = np.random.default_rng(1).integers(1, 2**63, rows.shape[1], dtype=np.uint64)
    # Wraps around on purpose: it is a hash.
    return np.asarray((rows * weights).sum(axis=1, dtype=np.uint64))


def _unique(hashes: npt.NDArray[np.uint64]) -> dict[int, int]:
    """Row numbers by hash, of the rows that look like no other."""
    values, first, counts = np.unique(hashes, return_index=True, return_counts=True)
    return {int(v): int(i) for v, i, n in zip(values, first, counts, strict=True) if n == 1}
