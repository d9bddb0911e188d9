"""How much of what is drawn in a box is still drawn there, in whatever colours."""

from __future__ import annotations

import numpy as np

from annotator.across.pixels import Codes, Mask

__all__ = ["drawn_alike", "edge_alike", "inside_alike"]

_RING = 3
"""Pixels of a control's edge."""
_INSIDE_SHARE = 0.96
"""A caret is no other text."""


def _outlines(codes: Codes) -> Mask:
    """Where a pixel differs from the one left of it, or above it."""
    drawn = np.zeros(codes.shape, dtype=np.bool_)
    drawn[:, 1:] |= codes[:, 1:] != codes[:, :-1]
    drawn[1:] |= codes[1:] != codes[:-1]
    return drawn


def drawn_alike(old: Codes, new: Codes) -> float:
    """How much of what is drawn in either is drawn in both, whatever its colours, 0..1."""
    a, b = _outlines(old), _outlines(new)
    both = int((a | b).sum())
    return float((a & b).sum()) / both if both else 0.0


def edge_alike(old: Codes, new: Codes) -> float:
    """How much of the outline around a control is there still, in whatever colour and a pixel thicker, 0..1."""
    a, b = _outlines(old), _outlines(new)
    edge = np.ones(a.shape, dtype=np.bool_)
    edge[_RING:-_RING, _RING:-_RING] = False
    drawn = int((a & edge).sum()) + int((b & edge).sum())
    near = int((a & edge & _wider(b)).sum()) + int((b & edge & _wider(a)).sum())
    return near / drawn if drawn else 0.0


def inside_alike(old: Codes, new: Codes) -> bool:
    """Whether what is written in a control is what was written there."""
    inner = (slice(_RING + 1, -_RING - 1), slice(_RING + 1, -_RING - 1))
    return drawn_alike(old[inner], new[inner]) >= _INSIDE_SHARE


def _wider(drawn: Mask) -> Mask:
    """A mask grown by a pixel to each side."""
    wide = drawn.copy()
    wide[1:] |= drawn[:-1]
    wide[:-1] |= drawn[1:]
    wide[:, 1:] |= wide[:, :-1].copy()
    wide[:, :-1] |= wide[:, 1:].copy()
    return wide
