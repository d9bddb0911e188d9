"""Drawing of what a step did on its picture: target box, pointer's way, direction, caption; as SVG, too."""

from __future__ import annotations

import functools
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Rect, Size
from demopack.domain.steps import Pointer
from demopack.markup import Markup, tag

if TYPE_CHECKING:
    from PIL import ImageFont


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMarks:
    """Everything in pixels of the picture.

    Attributes:
        width: of the picture.
        height: of the picture.
        box: the target, when it has an area.
        end_box: where a drag ends, when that has an area.
        way: the pointer's way: one point for a click, start to end for a drag; empty for the keyboard.
        direction: of a scroll: up, down, left or right; empty otherwise.
        caption: what was typed or pressed; empty for the pointer.
    """

    width: int
    height: int
    box: Rect | None
    end_box: Rect | None
    way: tuple[tuple[int, int], ...]
    direction: str
    caption: str

    @property
    def radius(self) -> float:
        """Of the pointer's ring: large enough to be seen when the whole picture is."""
        return max(9.0, self.width * 0.011)


def step_marks(
    size: Size,
    parameters: Mapping[str, Any],
    *,
    target: Rect | None,
    end: Rect | None,
    pointer: Pointer | None,
) -> StepMarks:
    """The marks of a step.

    Args:
        size: of the picture.
        parameters: of the action, in wire form.
        target: box of the response's target; of size zero for a point.
        end: where a drag ends, as ``target``.
        pointer: None for the keyboard.
    """
    if pointer is None:
        way = [(box.x1, box.y1) for box in (target, end) if box is not None and not _has_area(box)]
    else:
        way = [(pointer.x, pointer.y), *((p.x, p.y) for p in pointer.path)]
        if pointer.end_x is not None and pointer.end_y is not None:
            way.append((pointer.end_x, pointer.end_y))
    return StepMarks(
        width=size.width,
        height=size.height,
        box=target if _has_area(target) else None,
        end_box=end if _has_area(end) else None,
        way=tuple((min(max(x, 0), size.width), min(max(y, 0), size.height)) for x, y in way),
        direction=str(parameters.get("scroll_direction", "")),
        caption=str(parameters.get("text_to_type", parameters.get("key_info", ""))),
    )


def _has_area(box: Rect | None) -> bool:
    return box is not None and bool(box.area)


_TURNS = {"right": 0.0, "down": 90.0, "left": 180.0, "up": 270.0}


def overlay(marks: StepMarks, elements: Sequence[tuple[Rect, str]] = ()) -> Markup:
    """The SVG that lies over the picture, in its pixels.

    Args:
        marks: what was done.
        elements: their boxes, and what is told about each.
    """
    parts = [tag("g", *(_rect(box, "element", tag("title", words)) for box, words in elements), class_="elements")]
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


def _rect(box: Rect, kind: str, *children: Markup, radius: float = 0) -> Markup:
    size = {"width": _short(box.width), "height": _short(box.height)}
    return tag("rect", *children, class_=kind, x=_short(box.x1), y=_short(box.y1), **size, rx=radius or None)


def _box(box: Rect) -> Markup:
    around = Rect(box.x1 - 2, box.y1 - 2, box.x2 + 2, box.y2 + 2)
    parts = [_rect(box, "fill"), _rect(around, "halo", radius=3), _rect(around, "line", radius=3)]
    return Markup("".join(parts))


def _ring(marks: StepMarks) -> Markup:
    x, y = marks.way[0]
    at = {"cx": x, "cy": y}
    circles = [tag("circle", class_=kind, r=_short(marks.radius), **at) for kind in ("halo", "line")]
    return Markup("".join([*circles, tag("circle", class_="dot", r=_short(marks.radius * 0.28), **at)]))


def _arrow(marks: StepMarks) -> Markup:
    """The pointer's way with a head at its end."""
    points = " ".join(f"{x},{y}" for x, y in marks.way)
    (x0, y0), (x1, y1) = marks.way[-2], marks.way[-1]
    angle = math.atan2(y1 - y0, x1 - x0)
    length = marks.radius * 1.3
    wings = [(x1 - length * math.cos(angle + turn), y1 - length * math.sin(angle + turn)) for turn in (-0.5, 0.5)]
    head = f"{_short(wings[0][0])},{_short(wings[0][1])} {x1},{y1} {_short(wings[1][0])},{_short(wings[1][1])}"
    lines = [tag("polyline", class_=kind, points=way) for kind in ("halo", "line") for way in (points, head)]
    return Markup("".join(lines))


def _scroll(marks: StepMarks) -> Markup:
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


_COLOURS = ((224, 27, 106), (0, 112, 192), (0, 128, 64), (176, 80, 0), (112, 48, 160))


@functools.cache
def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size=12)


def numbered(png: bytes, elements: Sequence[NumberedElement]) -> bytes:
    """A picture with a frame and the number of every element on it."""
    from PIL import Image, ImageDraw

    with Image.open(io.BytesIO(png), formats=["PNG"]) as opened:
        picture = opened.convert("RGB")
    pen = ImageDraw.Draw(picture)
    font = _font()
    for element in elements:
        colour = _COLOURS[element.number % len(_COLOURS)]
        if not element.box.area:
            continue
        x1, y1, x2, y2 = element.box.x1, element.box.y1, element.box.x2, element.box.y2
        pen.rectangle((x1, y1, x2 - 1, y2 - 1), outline=colour)
        label = str(element.number)
        left, top, right, bottom = pen.textbbox((x1 + 1, y1), label, font=font)
        pen.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill=colour)
        pen.text((x1 + 1, y1), label, font=font, fill=(255, 255, 255))
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG", compress_level=3)
    return buffer.getvalue()
