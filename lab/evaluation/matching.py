"""Matching of true and found boxes, so that the sum of all overlaps is the greatest possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demopack.domain.geometry import Rect
from demopack.domain.overlap import assign, box_array, iou_matrix

_PAIR, _SAME_KIND = 1e-6, 1e-8
"""Break ties, in this order: of equal sums the one with more pairs, then the one with more pairs of one kind."""


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
    overlap = iou_matrix(box_array(truth), box_array(found))
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
