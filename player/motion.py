"""The way a pointer takes: short, eased, ending exactly where it should. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from demopack.domain.geometry import Point

__all__ = ["TICK_S", "eased_path", "through"]

TICK_S: Final = 0.008
"""Time between two points of a way; screens and mice tick about as fast."""
_SHORTEST_S: Final = 0.04
_LONGEST_S: Final = 0.8


def eased_path(start: Point, end: Point, *, px_s: float) -> list[Point]:
    """Points from ``start`` (left out) to ``end`` (always the last), slow at both ends, one per ``TICK_S``.

    Args:
        start: where the pointer is.
        end: where it goes.
        px_s: mean speed in pixels per second; long ways are sped up so that none takes longer than 0.8 s.
    """
    distance = math.hypot(end.x - start.x, end.y - start.y)
    if distance == 0:
        return [end]
    seconds = min(max(distance / px_s, _SHORTEST_S), _LONGEST_S)
    count = max(2, round(seconds / TICK_S))
    points: list[Point] = []
    for i in range(1, count + 1):
        t = i / count
        part = t * t * (3 - 2 * t)
        point = Point(round(start.x + (end.x - start.x) * part), round(start.y + (end.y - start.y) * part))
        if not points or point != points[-1]:
            points.append(point)
    if points[-1] != end:
        points.append(end)
    return points


def through(points: Sequence[Point], start: Point, end: Point) -> list[Point]:
    """A recorded way, shifted so that it leads from ``start`` to ``end``.

    The first point moves by as much as ``start`` differs from it, the last by as much as ``end`` does, those between
    by something between; so a drag keeps its shape when its target or its goal has moved.
    """
    if len(points) < 2:
        return [start, end]
    first, last = points[0], points[-1]
    count = len(points) - 1
    moved: list[Point] = []
    for i, point in enumerate(points):
        t = i / count
        dx = (start.x - first.x) * (1 - t) + (end.x - last.x) * t
        dy = (start.y - first.y) * (1 - t) + (end.y - last.y) * t
        moved.append(Point(round(point.x + dx), round(point.y + dy)))
    return moved
