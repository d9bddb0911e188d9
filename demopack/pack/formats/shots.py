"""The pictures of an export: linked as they are, or drawn with the elements' numbers."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from demopack.pack.formats.base import ExportOptions
from demopack.pack.formats.output import Output
from demopack.pack.rows import ElementRow, StepRow, StoredFrame
from demopack.pack.stream import DemoRows

if TYPE_CHECKING:  # a list of formats must not pay for Pillow
    from PIL import ImageFont

__all__ = ["Shots", "picture_name"]

_COLOURS = ((224, 27, 106), (0, 112, 192), (0, 128, 64), (176, 80, 0), (112, 48, 160))


def picture_name(file: str, prefix: str = "images/") -> str:
    """Where a picture of the pack goes in an export: ``frames/demo/0001.png`` becomes ``images/demo/0001.png``."""
    return prefix + file.removeprefix("frames/")


class Shots:
    """Brings pictures into one export.

    Args:
        output: the export.
        options: whether numbers are drawn.
        prefix: folder inside the export, ending with a slash; ``{part}`` in it is the side of the demo at hand.
    """

    def __init__(self, output: Output, options: ExportOptions, *, prefix: str = "images/") -> None:
        self._output = output
        self._marks = options.marks
        self._prefix = prefix

    def before(self, demo: DemoRows, row: StepRow, *, name: str = "") -> str | None:
        """The picture before a step; None where it has none.

        Args:
            demo: the demo.
            row: the step.
            name: path inside the export; by default made from the pack's.
        """
        return None if row.before is None else self.frame(demo, row.before, name=name)

    def frame(self, demo: DemoRows, frame: StoredFrame, *, name: str = "") -> str:
        """One picture; its path inside the export."""
        name = name or picture_name(frame.file, self._prefix.replace("{part}", self._output.part))
        found = demo.elements.get(frame.id, ())
        if not self._marks or not found or self._output.has(name):
            return self._output.picture(demo, frame.file, name)
        return self._output.draw(name, numbered(demo.pictures.read(frame.file), found))


@functools.cache
def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size=12)


def numbered(png: bytes, elements: Sequence[ElementRow]) -> bytes:
    """A picture with a frame and the number of every element on it."""
    from PIL import Image, ImageDraw

    with Image.open(io.BytesIO(png), formats=["PNG"]) as opened:
        picture = opened.convert("RGB")
    pen = ImageDraw.Draw(picture)
    font = _font()
    for element in elements:
        colour = _COLOURS[(element.element_id or 0) % len(_COLOURS)]
        x1, y1, x2, y2 = element.box
        if x2 <= x1 or y2 <= y1:
            continue
        pen.rectangle((x1, y1, x2 - 1, y2 - 1), outline=colour)
        label = str(element.element_id)
        left, top, right, bottom = pen.textbbox((x1 + 1, y1), label, font=font)
        pen.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill=colour)
        pen.text((x1 + 1, y1), label, font=font, fill=(255, 255, 255))
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG", compress_level=3)
    return buffer.getvalue()
