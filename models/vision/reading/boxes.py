"""Reads what is written on one cut-out element: the worker's part of :mod:`models.vision.box_reader`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect, Size
from models.vision.found import Found
from models.vision.reading.gray import to_gray
from models.vision.reading.ocr import OcrReader
from models.vision.reading.text import TextReader

__all__ = ["build"]


class _Lines:
    """The lines of a small picture, from the top; the whole of it is tried as one line where none is seen."""

    def __init__(self, ocr: OcrReader, *, min_confidence: float) -> None:
        self._reader = TextReader(ocr, min_confidence=min_confidence)

    def __call__(self, image: RgbImage, near: Sequence[Point] = ()) -> list[Found]:
        """Found lines of a picture of shape (height, width, 3), uint8."""
        del near
        gray = to_gray(image)
        size = Size(image.shape[1], image.shape[0])
        boxes = self._reader.boxes(image, gray, None, size) or [Rect(0, 0, size.width, size.height)]
        found = [one for one in self._reader.lines(image, gray, boxes) if one.text]
        return sorted(found, key=lambda one: (one.box.center.y // max(one.box.height, 1), one.box.x1))


def build(options: Mapping[str, Any]) -> _Lines:
    """The reader that the worker runs.

    Args:
        options: ``threads``, and ``min_confidence`` below which a line is left out.

    Raises:
        ModelError: rapidocr or one of its models is missing.
    """
    return _Lines(OcrReader(threads=int(options["threads"])), min_confidence=float(options["min_confidence"]))
