"""Proves that a text is drawn, and where: what a program tells may be a name that nobody sees.

The text is drawn once more in the font that the program was told to use, and looked for in the picture. This is no OCR:
it can only say that a given text stands there, or that it does not.
"""

from __future__ import annotations

import contextlib
import importlib
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size

_PAD = 4
_FLAT = 2.5
_END = 0.4
_GOOD, _FAIR = 0.67, 0.6
_SOFT = 0.8
"""Both pictures are blurred by so many pixels, as every toolkit puts letters on pixels in its own way."""
_HEAD = 9
"""Characters that are looked for at once; of a longer text the beginning and the end."""
_SIZES = (1.0, 0.83, 1.2, 1.33, 1.6, 2.0)


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """A drawn text: its ink, and how many rows of it stand above the line; below it may be the mark of a shortcut."""

    ink: np.ndarray[tuple[int, int], np.dtype[np.float32]]
    above: int


class TextFinder:
    """Looks for texts in one font; widths and heights in pixels."""

    def __init__(self, family: str, pixels: float) -> None:
        """Take the font's family and its size in pixels."""
        self._family = family
        self._pixels = pixels

    def width(self, text: str, *, size: float = 1.0, bold: bool = False) -> float:
        """How wide a text is drawn."""
        return _font(self._family, bold, round(self._pixels * size, 2)).getlength(text)

    def find(self, image: RgbImage, region: Rect, text: str, *, more: bool = False) -> Rect | None:
        """The box of a text's ink in a region; None when it is not drawn there.

        Args:
            image: shape (height, width, 3), uint8.
            region: where it may stand.
            text: one line.
            more: whether it may be smaller, larger or bold.
        """
        words = " ".join(text.split())
        area = region.clamped(Size(image.shape[1], image.shape[0]))
        if not words or area.width < 3 or area.height < 5:
            return None
        shades = _shades(image[area.y1 : area.y2, area.x1 : area.x2])
        if shades is None:
            return None
        fonts: list[tuple[float, bool]] = [(1.0, False)] + (
            [(s, b) for s in _SIZES for b in (False, True)][1:] if more else [(1.0, True)]
        )
        for size, bold in fonts:
            if size > 1 and area.height < self._pixels * size * 1.1:
                continue
            if size != 1 and area.width < 2.2 * area.height:
                continue  # three bars look like a small word
            for whole in (True, False):
                found = self._find(shades, words, size=size, bold=bold, whole=whole)
                if found is not None:
                    return found.moved(area.x1, area.y1)
        return None

    def _find(self, shades: Any, words: str, *, size: float, bold: bool, whole: bool) -> Rect | None:  # noqa: ANN401
        key = (self._family, bold, round(self._pixels * size, 2))
        if self.width(words, size=size, bold=bold) > shades.shape[1] - 2 * _PAD + 2:
            return None
        if len(words) <= _HEAD + 3:
            glyphs = _draw(*key, whole, words)
            return _match(shades, glyphs.ink, _GOOD) or self._marked(shades, glyphs)
        head = _match(shades, _draw(*key, whole, words[:_HEAD]).ink, _FAIR)
        tail = _match(shades, _draw(*key, whole, words[-_HEAD:]).ink, _FAIR)
        if head is None or tail is None:
            return None
        wide, told = tail.x2 - head.x1, self.width(words, size=size, bold=bold)
        if abs(wide - told) > 3 + 0.04 * told or abs(head.y2 - tail.y2) > head.height:
            return None
        return head.union(tail)

    def _marked(self, shades: Any, glyphs: _Glyphs) -> Rect | None:  # noqa: ANN401 - an array
        """Where a text stands that has a letter underlined."""
        above = glyphs.ink[: glyphs.above]
        found = _match(shades, above, _GOOD + 0.04)
        return None if found is None else Rect(found.x1, found.y1, found.x2, found.y2 + 3)


def _match(shades: Any, ink: Any, least: float) -> Rect | None:  # noqa: ANN401 - cv2 has no types
    """Where a drawn text fits best, dark on light or light on dark; None when it fits nowhere well enough."""
    cv2: Any = importlib.import_module("cv2")
    height, width = ink.shape
    if height > shades.shape[0] or width > shades.shape[1] or height < 2 or width < 1:
        return None
    scores = np.abs(cv2.matchTemplate(shades, np.ascontiguousarray(ink), cv2.TM_CCOEFF_NORMED))
    # Where nothing is drawn any text seems to fit.
    scores[_spread(shades, width, height)[: scores.shape[0], : scores.shape[1]] < _FLAT] = 0
    scores[~np.isfinite(scores)] = 0
    _, best, _, (x, y) = cv2.minMaxLoc(scores)
    if best < least or not _ends_fit(shades[y : y + height, x : x + width], ink):
        return None
    pad = 1
    box = Rect(x + pad - _PAD, y + pad - _PAD, x + width - pad - _PAD, y + height - pad - _PAD)
    return Rect(max(0, box.x1), max(0, box.y1), max(1, box.x2), max(1, box.y2))


def _ends_fit(part: Any, ink: Any) -> bool:  # noqa: ANN401 - arrays
    """Whether both ends of a text are there as well: “Cancel” is not “Cancel all”."""
    third = max(8, ink.shape[1] // 3)
    if ink.shape[1] < 2 * third:
        return True
    for end in (slice(0, third), slice(-third, None)):
        a, b = part[:, end] - part[:, end].mean(), ink[:, end] - ink[:, end].mean()
        size = float(np.sqrt((a * a).sum() * (b * b).sum()))
        if size < _FLAT * 10 or abs(float((a * b).sum())) < _END * size:
            return False
    return True


def _spread(shades: Any, width: int, height: int) -> Any:  # noqa: ANN401 - arrays
    """How much the shades differ in the window that begins at each pixel."""
    cv2: Any = importlib.import_module("cv2")
    size, corner = (width, height), (0, 0)
    mean = cv2.boxFilter(shades, -1, size, anchor=corner, borderType=cv2.BORDER_REPLICATE)
    square = cv2.boxFilter(shades * shades, -1, size, anchor=corner, borderType=cv2.BORDER_REPLICATE)
    return np.sqrt(np.maximum(square - mean * mean, 0))


def _shades(part: RgbImage) -> Any:  # noqa: ANN401 - an array
    """The brightness of each pixel, 0 to 255; None when all are the same."""
    grey = part.mean(axis=2, dtype=np.float32)
    if float(grey.max() - grey.min()) < 12:
        return None
    return _blurred(np.pad(grey, _PAD, mode="edge"))


def _blurred(ink: Any) -> Any:  # noqa: ANN401 - arrays
    cv2: Any = importlib.import_module("cv2")
    return cv2.GaussianBlur(ink, (0, 0), _SOFT)


@lru_cache(maxsize=4096)
def _draw(family: str, bold: bool, pixels: float, whole: bool, text: str) -> _Glyphs:  # noqa: FBT001 - cached
    """Draw a text; ``whole``: every letter begins at a whole pixel, as GTK does it."""
    font = _font(family, bold, pixels)
    width, height = int(font.getlength(text)) + 8 + len(text), int(pixels * 2) + 4
    image = Image.new("L", (width, height))
    pen = ImageDraw.Draw(image)
    if whole:
        x = 4
        for letter in text:
            pen.text((x, 2), letter, font=font, fill=255)
            x += round(font.getlength(letter))
    else:
        pen.text((4, 2), text, font=font, fill=255)
    box = image.getbbox()
    if box is None:
        return _Glyphs(np.zeros((1, 1), dtype=np.float32), 1)
    top = max(0, box[1] - 1)
    cut = image.crop((box[0] - 1, top, box[2] + 1, min(height, box[3] + 1)))
    line = 2 + font.getmetrics()[0]
    return _Glyphs(_blurred(np.asarray(cut, dtype=np.float32) / 255), max(4, line - top))


@lru_cache(maxsize=256)
def _font(family: str, bold: bool, pixels: float) -> ImageFont.FreeTypeFont:  # noqa: FBT001 - cached by position
    font = ImageFont.truetype(_file(f"{family}:bold" if bold else f"{family}:regular"), pixels)
    with contextlib.suppress(OSError):  # only a few fonts have all weights in one file
        font.set_variation_by_name("Bold" if bold else "Regular")
    return font


@lru_cache(maxsize=64)
def _file(pattern: str) -> str:
    answer = subprocess.run(
        ["fc-match", "-f", "%{file}", pattern], capture_output=True, text=True, check=False, timeout=20
    )
    return answer.stdout.strip() or "DejaVuSans.ttf"
