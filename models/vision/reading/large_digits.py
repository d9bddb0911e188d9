"""Large digits that stand alone or begin a line: a detector takes them for icons, as they are about as large."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.pixels.foreground import foreground_box
from models.vision.detection import Detection
from models.vision.reading.ocr import OcrReader
from models.vision.reading.text_lines import TEXT_MARGIN_PX

_HEIGHT: Final = (20, 96)
"""Pixels of a digit that is worth a look; lower ones are read with the lines that they are in."""
_MOST_WIDE: Final = 2.2
"""Width of a number of a few digits, in its heights."""
_ZERO_WIDE: Final = 0.75
"""Width of a zero, in its heights, at most; a letter O is wider."""
_MIN_CONFIDENCE: Final = 0.9
_NUMBER = re.compile(r"-?\d{1,3}")
_TERM = re.compile(r"[-+(]?\d+[).,%]?|[-+*/=\u00d7\u00f7<>xX]+")
_ROUND: Final = frozenset("oO")


def large_digits(image: RgbImage, ocr: OcrReader, detections: Sequence[Detection]) -> dict[int, Rect]:
    """Which of the detections are digits and no icons, by their places, and the boxes of their ink.

    Args:
        image: shape (height, width, 3), uint8.
        ocr: reads them.
        detections: of the whole picture.
    """
    inks: dict[int, Rect] = {}
    for place, one in enumerate(detections):
        if one.type == "icon" and one.box.height <= _HEIGHT[1]:
            ink = foreground_box(image, one.box, margin=0)
            if ink is not None and ink.height >= _HEIGHT[0] and ink.width <= _MOST_WIDE * ink.height:
                inks[place] = ink
    size = (image.shape[1], image.shape[0])
    boxes = [ink.grown(TEXT_MARGIN_PX) for ink in inks.values()]
    boxes = [Rect(max(0, b.x1), max(0, b.y1), min(size[0], b.x2), min(size[1], b.y2)) for b in boxes]
    found: dict[int, Rect] = {}
    for (place, ink), box, (text, sure) in zip(inks.items(), boxes, ocr.read(image, boxes), strict=True):
        zero = text in _ROUND and _is_zero(ink)
        if sure >= _MIN_CONFIDENCE and (_NUMBER.fullmatch(text) or zero):
            found[place] = box
    return found


def with_zeros(text: str, box: Rect) -> str:
    """A line of numbers and signs between them, and a narrow large letter alone, where an O is the zero that it is.

    Args:
        text: as read.
        box: its letters with ``TEXT_MARGIN_PX`` around them.
    """
    if not _ROUND.intersection(text):
        return text
    terms = text.split()
    if len(terms) == 1 and len(text) == 1:
        is_high = min(box.width, box.height) > 2 * TEXT_MARGIN_PX
        return "0" if is_high and _is_zero(box.grown(-TEXT_MARGIN_PX)) else text
    is_sum = any(term[-1:].isdecimal() for term in terms)
    if is_sum and all(term in _ROUND or _TERM.fullmatch(term) for term in terms):
        return " ".join("0" if term in _ROUND else term for term in terms)
    return text


def _is_zero(ink: Rect) -> bool:
    """Whether a round letter is as slim as a zero and high enough to tell."""
    return ink.height >= _HEIGHT[0] and ink.width <= _ZERO_WIDE * ink.height
