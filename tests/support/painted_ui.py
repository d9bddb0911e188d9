"""A small user interface painted with Pillow: every widget's place and text is known to the pixel."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect


@dataclass
class PaintedUi:
    """Paint widgets one after the other, then take the picture.

    Attributes:
        truth: what was painted: kind, box, text.
    """

    width: int = 640
    height: int = 400
    dark: bool = False
    text_px: int = 14
    truth: list[tuple[str, Rect, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ground, self.paper, self.line, self.ink = (
            ((45, 45, 48), (30, 30, 30), (85, 85, 90), (235, 235, 235))
            if self.dark
            else ((240, 240, 240), (255, 255, 255), (150, 150, 150), (20, 20, 20))
        )
        self._picture = Image.new("RGB", (self.width, self.height), self.ground)
        self._draw = ImageDraw.Draw(self._picture)
        self._font = ImageFont.load_default(self.text_px)

    def picture(self) -> RgbImage:
        """Shape (height, width, 3), uint8."""
        return np.asarray(self._picture, dtype=np.uint8)

    def text(self, x: int, y: int, words: str, *, kind: str = "text") -> Rect:
        """Words with their left middle at a point."""
        self._draw.text((x, y), words, font=self._font, fill=self.ink, anchor="lm")
        left, top, right, bottom = self._draw.textbbox((x, y), words, font=self._font, anchor="lm")
        box = Rect(int(left), int(top), int(right), int(bottom))
        self.truth.append((kind, box, words))
        return box

    def button(self, box: Rect, words: str) -> None:
        """A rounded frame with words in its middle."""
        self._frame(box, fill=self.ground, radius=4)
        middle = ((box.x1 + box.x2) // 2, (box.y1 + box.y2) // 2)
        self._draw.text(middle, words, font=self._font, fill=self.ink, anchor="mm")
        self.truth.append(("button", box, words))

    def field(self, box: Rect, words: str = "", *, arrow: bool = False) -> None:
        """A frame with words at its left; with an arrow it is a drop-down list."""
        self._frame(box, fill=self.paper)
        if words:
            self._draw.text((box.x1 + 6, box.center.y), words, font=self._font, fill=self.ink, anchor="lm")
        if arrow:
            x, y = box.x2 - 14, box.center.y
            self._draw.polygon([(x, y - 2), (x + 8, y - 2), (x + 4, y + 2)], fill=self.ink)
        self.truth.append(("dropdown" if arrow else "input_field", box, words))

    def checkbox(self, x: int, y: int, words: str, *, ticked: bool = False) -> None:
        """A square of 14 pixels with a label behind it."""
        box = Rect(x, y, x + 14, y + 14)
        self._frame(box, fill=self.paper)
        if ticked:
            self._draw.line([(x + 3, y + 7), (x + 6, y + 10), (x + 11, y + 3)], fill=self.ink, width=2)
        self.truth.append(("checkbox", box, words))
        if words:
            self.text(x + 20, y + 7, words)

    def radio(self, x: int, y: int, words: str, *, on: bool = False) -> None:
        """A circle of 14 pixels with a label behind it."""
        self._draw.ellipse((x, y, x + 13, y + 13), fill=self.paper, outline=self.line)
        if on:
            self._draw.ellipse((x + 4, y + 4, x + 9, y + 9), fill=self.ink)
        self.truth.append(("radio", Rect(x, y, x + 14, y + 14), words))
        if words:
            self.text(x + 20, y + 7, words)

    def _frame(self, box: Rect, *, fill: tuple[int, int, int], radius: int = 0) -> None:
        corners = (box.x1, box.y1, box.x2 - 1, box.y2 - 1)
        self._draw.rounded_rectangle(corners, radius=radius, fill=fill, outline=self.line)
