"""Where a region of Label Studio lies: everything there is in percent of the picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, cast

from demopack.interchange.form import Reading
from demopack.interchange.reading import floats, items, number_of, objects

__all__ = ["DRAWN", "overlap", "percent", "region_edges"]

Four = tuple[float, float, float, float]
DRAWN: Final = frozenset(
    {"rectanglelabels", "rectangle", "labels", "polygonlabels", "polygon", "ellipselabels", "ellipse"}
)
"""Results that have an area."""


def percent(row: Mapping[str, Any]) -> Four | None:
    """The upright box of a result; None where it has none."""
    value = objects(row.get("value"))
    found = [number_of(value.get(name)) for name in ("x", "y", "width", "height")]
    if any(number is None for number in found):
        return None
    x, y, width, height = cast("list[float]", found)
    return (x, y, x + width, y + height)


def overlap(a: Four, b: Four) -> float:
    """Shared area by joined area."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    whole = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return width * height / (whole - width * height)


def region_edges(value: Mapping[str, Any], size: tuple[float, float], where: str, reading: Reading) -> Four:
    """Left, top, right and bottom of a region in fractions of the picture; other shapes become the box around them.

    Args:
        value: of the result.
        size: of the picture, in pixels; turned boxes need it.
        where: for messages.
        reading: counts what was taken less exactly.

    Raises:
        BadInputError: a number is missing, or none.
    """
    if "points" in value:
        points = [floats(point, 2, where, "points") for point in items(value["points"])]
        if points:
            reading.lost.add("shape", _BECAME, where)
            xs, ys = [x / 100 for x, _ in points], [y / 100 for _, y in points]
            return (min(xs), min(ys), max(xs), max(ys))
    if "radiusX" in value:
        names = ("x", "y", "radiusX", "radiusY")
        x, y, across, down = (v / 100 for v in floats([value.get(name) for name in names], 4, where, ", ".join(names)))
        reading.lost.add("shape", _BECAME, where)
        return (x - across, y - down, x + across, y + down)
    names = ("x", "y", "width", "height")
    x, y, width, height = (v / 100 for v in floats([value.get(name) for name in names], 4, where, ", ".join(names)))
    turned = number_of(value.get("rotation")) or 0.0
    if turned:
        reading.lost.add("shape", _BECAME, where)
        return _turned(x, y, width, height, math.radians(turned), size)
    return (x, y, x + width, y + height)


_BECAME: Final = "shapes that became the box around them"


def _turned(x: float, y: float, width: float, height: float, angle: float, size: tuple[float, float]) -> Four:
    """The box around a box that is turned about its top left corner; fractions of a picture of some pixels."""
    across, down = size
    cos, sin = math.cos(angle), math.sin(angle)
    corners = [(a * width * across, b * height * down) for a in (0, 1) for b in (0, 1)]
    xs = [x + (dx * cos - dy * sin) / across for dx, dy in corners]
    ys = [y + (dx * sin + dy * cos) / down for dx, dy in corners]
    return (min(xs), min(ys), max(xs), max(ys))
