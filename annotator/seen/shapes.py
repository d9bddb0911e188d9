"""Controls and panels around a place: grounds with straight sides, with the border that is drawn around them."""

from __future__ import annotations

from typing import Final

import numpy as np

from annotator.seen.parts import Mask, Parts, as_rect, support
from demopack.domain.geometry import Rect

__all__ = ["is_outline", "outlines_at", "shapes_at"]

_STRAIGHT: Final = 0.5
"""Of each side that lies on an edge; less where something else touches it from inside or outside."""
_SUM: Final = 2.8
_ROUND: Final = 0.7
_BORDER: Final = 3
"""Pixels; a border is this thick at most."""
_LEAST: Final = 6
"""Pixels; lower and narrower things are letters."""
_MARK: Final = 9
"""Pixels; the smallest box to tick."""
_RING: Final = 0.6
"""Of an outline's box that is ink at most; of a small one the line is most of it, of connected letters even more."""
_PILL: Final = 12
_PICTURE, _DENSE = 24, 0.12
"""Pixels of a picture's sides, and how much of its box is ink at least."""


def shapes_at(parts: Parts) -> list[Rect]:
    """Even areas with straight sides around the place, borders included."""
    size = Rect(0, 0, parts.edges.shape[1], parts.edges.shape[0])
    found = [as_rect(row) for row in parts.grounds]
    return [_bordered(parts.edges, box, size) for box in found if _large(box) and _straight(parts.edges, box, size)]


def outlines_at(parts: Parts, x: int, y: int) -> list[Rect]:
    """Connected ink around the place that is more than a letter: outlines, and pictures."""
    ink = parts.ink
    inside = (ink[:, 0] <= x) & (x < ink[:, 2]) & (ink[:, 1] <= y) & (y < ink[:, 3])
    size, window = Rect(0, 0, parts.edges.shape[1], parts.edges.shape[0]), parts.window
    found: list[Rect] = []
    for place in np.flatnonzero(inside):
        box = as_rect(ink[place])
        cut = (box.x1 <= window.x1 + 1 and window.x1 > 0) or (box.x2 >= window.x2 and window.x2 < size.x2)
        cut = cut or (box.y1 <= window.y1 + 1 and window.y1 > 0) or (box.y2 >= window.y2 and window.y2 < size.y2)
        if cut or not _large(box):
            continue
        dense = int(parts.filled[place]) / box.area
        least = min(box.width, box.height)
        ringed = dense <= _RING and least >= _MARK and is_outline(parts.edges, box)
        if ringed or (dense >= _DENSE and least >= _PICTURE):
            found.append(box)
    return found


def _large(box: Rect) -> bool:
    return min(box.width, box.height) >= _LEAST


def _sides(edges: Mask, box: Rect) -> tuple[float, float, float, float]:
    """How much of the boundary on the left, above, on the right and below is an edge."""
    turned = edges.T
    return (
        support(turned, box.x1 - 1, box.y1, box.y2),
        support(edges, box.y1 - 1, box.x1, box.x2),
        support(turned, box.x2 - 1, box.y1, box.y2),
        support(edges, box.y2 - 1, box.x1, box.x2),
    )


def _straight(edges: Mask, box: Rect, size: Rect) -> bool:
    sides = _sides(edges, box)
    ends = (box.x1 <= 0, box.y1 <= 0, box.x2 >= size.x2, box.y2 >= size.y2)
    told = [1.0 if end else side for side, end in zip(sides, ends, strict=True)]
    return min(told) >= _STRAIGHT and sum(told) >= _SUM


def is_outline(edges: Mask, box: Rect) -> bool:
    """Whether a box of ink is straight on all sides; where it is longer than high, its ends may be round."""
    sides = _sides(edges, box)
    if min(sides) >= _STRAIGHT and sum(sides) >= _SUM:
        return True
    if box.height < _PILL or box.width < 1.5 * box.height:
        return False
    round_off = box.height // 2
    low, high = box.x1 + round_off, box.x2 - round_off
    return min(support(edges, box.y1 - 1, low, high), support(edges, box.y2 - 1, low, high)) >= _ROUND


def _bordered(edges: Mask, box: Rect, size: Rect) -> Rect:
    """The box with the line around it, as far as there is one."""
    turned = edges.T
    left = _thick([support(turned, box.x1 - 1 - d, box.y1, box.y2) for d in range(1, _BORDER + 1)])
    top = _thick([support(edges, box.y1 - 1 - d, box.x1, box.x2) for d in range(1, _BORDER + 1)])
    right = _thick([support(turned, box.x2 - 1 + d, box.y1, box.y2) for d in range(1, _BORDER + 1)])
    bottom = _thick([support(edges, box.y2 - 1 + d, box.x1, box.x2) for d in range(1, _BORDER + 1)])
    if sum(1 for thick in (left, top, right, bottom) if thick) < 3:
        return box
    return Rect(
        max(box.x1 - left, 0), max(box.y1 - top, 0), min(box.x2 + right, size.x2), min(box.y2 + bottom, size.y2)
    )


def _thick(told: list[float]) -> int:
    """How thick the line beside a boundary is, from how much of the boundaries beyond it is an edge."""
    straight = [one >= _STRAIGHT for one in told]
    if straight[0]:
        return 2 if straight[1] else 1
    return next((d for d, one in enumerate(straight, 1) if one), 0)
