"""Boxes as a describer will get them: not quite where the element is, and sometimes where none is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demopack.domain.geometry import Rect, Size, iou

__all__ = ["empty_box", "shaken"]

_EXACT, _NEAR = 0.2, 0.9
_SHARED = 0.3
"""A box that shares more than this with an element may still be called by its name."""
_TRIES = 20
_LEAST = 4


def shaken(box: Rect, size: Size, rng: np.random.Generator) -> Rect:
    """The box with each edge up to 2 pixels off; sometimes exact, sometimes as far off as a detector's."""
    draw = rng.random()
    if draw < _EXACT:
        return box
    far = (2, 2) if draw < _NEAR else (max(3, box.width // 12), max(3, box.height // 12))
    moved = [int(rng.integers(-far[i % 2], far[i % 2] + 1)) for i in range(4)]
    edges = (box.x1 + moved[0], box.y1 + moved[1], box.x2 + moved[2], box.y2 + moved[3])
    if edges[2] - edges[0] < _LEAST or edges[3] - edges[1] < _LEAST:
        return box
    return Rect(*edges).clamped(size)


def empty_box(truths: Sequence[Rect], size: Size, rng: np.random.Generator) -> Rect | None:
    """A box that is no element: background, or half of two things; None when none was found on this screen.

    Args:
        truths: every element of the screen.
        size: of the screen.
        rng: draws it.
    """
    for _ in range(_TRIES):
        box = _straddling(truths, rng) if truths and rng.random() < 0.6 else _anywhere(truths, size, rng)
        box = box.clamped(size)
        if min(box.width, box.height) >= _LEAST and all(iou(box, truth) < _SHARED for truth in truths):
            return box
    return None


def _straddling(truths: Sequence[Rect], rng: np.random.Generator) -> Rect:
    """An element's box, moved by half its size or more: half of it, and half of what stands beside it."""
    box = truths[int(rng.integers(len(truths)))]
    along = rng.random() < 0.5
    sign = 1 if rng.random() < 0.5 else -1
    shift = sign * (0.55 + 0.4 * rng.random())
    return box.moved(round(box.width * shift) if along else 0, 0 if along else round(box.height * shift))


def _anywhere(truths: Sequence[Rect], size: Size, rng: np.random.Generator) -> Rect:
    """A box of an element's size anywhere on the screen."""
    model = truths[int(rng.integers(len(truths)))] if truths else Rect(0, 0, 80, 20)
    width, height = min(model.width, size.width), min(model.height, size.height)
    x = int(rng.integers(0, size.width - width + 1))
    y = int(rng.integers(0, size.height - height + 1))
    return Rect(x, y, x + width, y + height)
