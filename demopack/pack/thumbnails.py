"""Small pictures of the first steps for the card, the target and the pointer marked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from PIL import Image, ImageDraw

from demopack.codecs.step_marks import StepMarks
from demopack.domain.ports import FrameStore
from demopack.pack.picture import encode_png
from demopack.pack.rows import StepRow

_COUNT = 4
_WIDTH = 720
_FINE = 2  # the marks are drawn this much larger and then shrunk, for smooth edges
_MARK, _HALO = (224, 27, 106), (255, 255, 255)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thumbnail:
    """One picture of the card.

    Attributes:
        file: path inside the pack.
        data: the PNG.
        row: the step that it shows.
    """

    file: str
    data: bytes
    row: StepRow


def draw_thumbnails(rows: Iterable[StepRow], images: FrameStore, *, drawn: int = 0) -> list[Thumbnail]:
    """Pictures of the first steps that have something to mark, as many as are wanted beside those ``drawn`` already."""
    thumbnails: list[Thumbnail] = []
    for row in rows:
        if drawn + len(thumbnails) == _COUNT:
            break
        marks = row.marks
        if marks is None or row.before is None or not (marks.way or marks.box):
            continue
        picture = Image.fromarray(images.get_image(row.before.id))
        number = drawn + len(thumbnails) + 1
        thumbnails.append(Thumbnail(file=f"media/step-{number}.png", data=_draw(picture, marks), row=row))
    return thumbnails


def _draw(picture: Image.Image, marks: StepMarks) -> bytes:
    import numpy as np

    scale = min(1.0, _WIDTH / marks.width)
    size = (max(1, round(marks.width * scale)), max(1, round(marks.height * scale)))
    small = picture.resize(size, Image.Resampling.LANCZOS).convert("RGBA")
    layer = Image.new("RGBA", (size[0] * _FINE, size[1] * _FINE), (*_MARK, 0))
    _draw_marks(ImageDraw.Draw(layer), marks, scale * _FINE)
    small.alpha_composite(layer.resize(size, Image.Resampling.BOX))
    return encode_png(np.asarray(small.convert("RGB"), dtype=np.uint8))


def _draw_marks(pen: ImageDraw.ImageDraw, marks: StepMarks, scale: float) -> None:
    for box in (marks.box, marks.end_box):
        if box is not None:
            x1, y1, x2, y2 = (v * scale for v in (box.x1, box.y1, box.x2, box.y2))
            pen.rounded_rectangle((x1 - 5, y1 - 5, x2 + 5, y2 + 5), 8, outline=(*_HALO, 230), width=9)
            pen.rounded_rectangle((x1 - 3, y1 - 3, x2 + 3, y2 + 3), 6, outline=(*_MARK, 255), width=5)
    way = [(x * scale, y * scale) for x, y in marks.way]
    radius = max(16.0, marks.radius * scale)
    if len(way) > 1:
        for colour, width in ((_HALO, 10), (_MARK, 5)):
            pen.line(way, fill=(*colour, 255), width=width, joint="curve")
        _arrow_head(pen, way[-2], way[-1])
    if way:
        _ring(pen, way[0], radius)


def _ring(pen: ImageDraw.ImageDraw, at: tuple[float, float], radius: float) -> None:
    x, y = at
    for r, colour, width in ((radius + 2, _HALO, 9), (radius, _MARK, 5)):
        pen.ellipse((x - r, y - r, x + r, y + r), outline=(*colour, 255), width=width)
    for r, colour in ((7, _HALO), (4, _MARK)):
        pen.ellipse((x - r, y - r, x + r, y + r), fill=(*colour, 255))


def _arrow_head(pen: ImageDraw.ImageDraw, start: tuple[float, float], end: tuple[float, float]) -> None:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    wings = [(end[0] - 26 * math.cos(angle + turn), end[1] - 26 * math.sin(angle + turn)) for turn in (-0.45, 0.45)]
    pen.polygon([end, *wings], fill=(*_MARK, 255), outline=(*_HALO, 255))
