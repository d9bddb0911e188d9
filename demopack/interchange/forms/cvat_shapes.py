"""The box of every kind of shape in CVAT's files that has an area."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from xml.etree.ElementTree import Element as Tag

from demopack.interchange.form import Reading
from demopack.interchange.reading import floats, number_of
from demopack.interchange.turned import around

__all__ = ["edges_of"]

_Four = tuple[float, float, float, float]


def edges_of(shape: Tag, where: str, reading: Reading) -> _Four | None:
    """Left, top, right and bottom of a shape in pixels; None for one without an area, which is counted.

    Raises:
        BadInputError: a number is missing, or none.
    """
    if shape.tag == "attribute":
        return None
    measure = _MEASURES.get(shape.tag)
    edges = None if measure is None else measure(shape, where)
    if edges is None:
        reading.left_out.add(f"shape {shape.tag}", f"shapes of the kind {shape.tag}", where)
        return None
    turned = number_of(shape.get("rotation")) or 0.0
    if turned or shape.tag != "box":
        reading.lost.add("shape", "shapes that became the box around them", where)
    return around(edges, turned) if turned else edges


def _numbers(shape: Tag, where: str, *names: str) -> tuple[float, ...]:
    return floats(tuple(shape.get(name) for name in names), len(names), where, ", ".join(names))


def _box(shape: Tag, where: str) -> _Four:
    x1, y1, x2, y2 = _numbers(shape, where, "xtl", "ytl", "xbr", "ybr")
    return (x1, y1, x2, y2)


def _polygon(shape: Tag, where: str) -> _Four | None:
    pairs = (shape.get("points") or "").split(";")
    points = [floats(pair.split(","), 2, where, "points") for pair in pairs if pair]
    if len(points) < 2:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys))


def _ellipse(shape: Tag, where: str) -> _Four:
    x, y, across, down = _numbers(shape, where, "cx", "cy", "rx", "ry")
    return (x - across, y - down, x + across, y + down)


def _mask(shape: Tag, where: str) -> _Four | None:
    """Around the pixels that belong to the mask: some programs give every mask the whole picture as its place."""
    left, top, width, height = (int(value) for value in _numbers(shape, where, "left", "top", "width", "height"))
    parts = (shape.get("rle") or "").split(",")
    runs = [int(value) for value in floats(parts, len(parts), where, "rle")]
    if width <= 0 or height <= 0 or min(runs) < 0 or sum(runs) > width * height:
        return None
    rows: list[int] = []
    columns: list[int] = []
    start = 0
    for number, length in enumerate(runs):
        if number % 2 and length:  # the first run is of pixels beside it
            last = start + length - 1
            rows += [start // width, last // width]
            one = start // width == last // width
            columns += [start % width, last % width] if one else [0, width - 1]
        start += length
    if not rows:
        return None
    return (left + min(columns), top + min(rows), left + max(columns) + 1, top + max(rows) + 1)


_MEASURES: Final[dict[str, Callable[[Tag, str], _Four | None]]] = {
    "box": _box,
    "polygon": _polygon,
    "ellipse": _ellipse,
    "mask": _mask,
}
