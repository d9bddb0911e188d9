"""The drawing on a step's picture, as SVG: target box, pointer ring, drag arrow, scroll arrow, elements, caption."""

from __future__ import annotations

import math
from collections.abc import Sequence

from demopack.pack.html import Markup, tag
from demopack.pack.marks import Marks
from demopack.pack.rows import ElementRow

__all__ = ["caption", "overlay"]

_TURNS = {"right": 0.0, "down": 90.0, "left": 180.0, "up": 270.0}


def overlay(marks: Marks, elements: Sequence[ElementRow]) -> Markup:
    """The SVG that lies over the picture, in its pixels."""
    parts = [_elements(elements)]
    parts += [_box(box) for box in (marks.end_box, marks.box) if box is not None]
    if len(marks.way) > 1:
        parts.append(_arrow(marks))
    if marks.way:
        parts.append(_ring(marks))
        if marks.direction in _TURNS:
            parts.append(_scroll(marks))
    return tag(
        "svg", *parts, viewBox=f"0 0 {marks.width} {marks.height}", preserveAspectRatio="none", aria_hidden="true"
    )


def caption(marks: Marks, *, typed: bool) -> Markup:
    """What was typed or pressed, beside the field it went to, or at the bottom where that is unknown."""
    if not marks.caption:
        return Markup()
    words = f"⌨ {marks.caption}" if typed else marks.caption
    if marks.box is None:
        return tag("span", words, class_="caption free", dir="auto")
    x, top, bottom = marks.box[0] / marks.width, marks.box[1] / marks.height, marks.box[3] / marks.height
    low = bottom > 0.9
    style = f"left:{min(x, 0.6):.2%};top:{top if low else bottom:.2%}"
    return tag("span", words, class_="caption low" if low else "caption", style=style, dir="auto")


def _elements(elements: Sequence[ElementRow]) -> Markup:
    rects = [
        _rect(row.box, "element", tag("title", f"{row.element_id} {row.type}{f' “{row.text}”' if row.text else ''}"))
        for row in elements
        if row.review != "rejected"
    ]
    return tag("g", *rects, class_="elements")


def _rect(box: Sequence[float], kind: str, *children: Markup, radius: float = 0) -> Markup:
    x1, y1, x2, y2 = box
    size = {"width": _short(x2 - x1), "height": _short(y2 - y1)}
    return tag("rect", *children, class_=kind, x=_short(x1), y=_short(y1), **size, rx=radius or None)


def _box(box: list[int]) -> Markup:
    around = (box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2)
    parts = [_rect(box, "fill"), _rect(around, "halo", radius=3), _rect(around, "line", radius=3)]
    return Markup("".join(parts))


def _ring(marks: Marks) -> Markup:
    x, y = marks.way[0]
    at = {"cx": x, "cy": y}
    circles = [tag("circle", class_=kind, r=_short(marks.radius), **at) for kind in ("halo", "line")]
    return Markup("".join([*circles, tag("circle", class_="dot", r=_short(marks.radius * 0.28), **at)]))


def _arrow(marks: Marks) -> Markup:
    """The pointer's way with a head at its end."""
    points = " ".join(f"{x},{y}" for x, y in marks.way)
    (x0, y0), (x1, y1) = marks.way[-2], marks.way[-1]
    angle = math.atan2(y1 - y0, x1 - x0)
    length = marks.radius * 1.3
    wings = [(x1 - length * math.cos(angle + turn), y1 - length * math.sin(angle + turn)) for turn in (-0.5, 0.5)]
    head = f"{_short(wings[0][0])},{_short(wings[0][1])} {x1},{y1} {_short(wings[1][0])},{_short(wings[1][1])}"
    lines = [tag("polyline", class_=kind, points=way) for kind in ("halo", "line") for way in (points, head)]
    return Markup("".join(lines))


def _scroll(marks: Marks) -> Markup:
    """Two chevrons beside the ring, pointing where the view went."""
    x, y = marks.way[0]
    r = marks.radius
    chevrons = [
        f"{_short(r * a)},{_short(-r * 0.6)} {_short(r * (a + 0.6))},0 {_short(r * a)},{_short(r * 0.6)}"
        for a in (1.5, 2.1)
    ]
    lines = [tag("polyline", class_=kind, points=points) for kind in ("halo", "line") for points in chevrons]
    return tag("g", *lines, transform=f"translate({x} {y}) rotate({_TURNS[marks.direction]:g})")


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
