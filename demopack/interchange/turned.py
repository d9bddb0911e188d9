"""The upright box around one that is turned."""

from __future__ import annotations

import math

__all__ = ["around"]

_Four = tuple[float, float, float, float]


def around(edges: _Four, degrees: float) -> _Four:
    """The box around a box that is turned about its middle; left, top, right, bottom in pixels."""
    x1, y1, x2, y2 = edges
    cos, sin = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    width, height = abs(x2 - x1), abs(y2 - y1)
    cx, cy = (x1 + x2) / 2, (y1 + y2) / 2
    half, tall = (width * cos + height * sin) / 2, (width * sin + height * cos) / 2
    return (cx - half, cy - tall, cx + half, cy + tall)
