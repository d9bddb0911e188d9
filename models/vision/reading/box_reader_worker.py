"""Reads one cut-out element, or says what an icon means: the worker's part of :mod:`models.vision.box_reader`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect, Size
from demopack.errors import ModelError
from demopack.pixels.colours import to_gray
from demopack.settings import VisionSettings
from models.vision.description import IconGuesses
from models.vision.detection import Detection
from models.vision.icons import IconNamer, open_icon_namer
from models.vision.model_choice import is_off
from models.vision.reading.ocr import OcrReader
from models.vision.reading.text_reader import TextReader

_MAX_MEANINGS: Final = 5
_MIN_MEANING_CONFIDENCE: Final = 0.02
"""Meanings of one icon that are told at most, and how likely they are at least."""
_CLEAR_RATIO: Final = 2.0
"""An icon that is asked about alone has its name only where that is so many times likelier than the next: on its own, a
dash may be a button of a title bar or not."""


class BoxReader:
    """Loads what reads, and what names icons, with the first question that needs it."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Load nothing yet.

        Args:
            options: ``threads``, ``min_confidence`` below which a line is left out, and ``icons``, the network that
                names them.
        """
        self._options = options
        self._threads = int(options["threads"])

    @cached_property
    def _reader(self) -> TextReader:
        return TextReader(OcrReader(threads=self._threads), min_confidence=float(self._options["min_confidence"]))

    @cached_property
    def _namer(self) -> IconNamer | None:
        """None where there is no network that can be used: guesses are a help that can be done without."""
        settings = VisionSettings(icons=str(self._options["icons"]))
        try:
            return None if is_off("icons", settings.icons) else open_icon_namer(settings, threads=self._threads)
        except ModelError:
            return None

    def __call__(self, image: RgbImage, near: Sequence[Point] = ()) -> list[Detection]:  # noqa: ARG002 - see worker.py
        """The lines of text of a small picture, from the top; the whole of it is tried as one line where none is seen.

        Raises:
            ModelError: rapidocr or one of its models is missing.
        """
        gray, size = to_gray(image), Size(image.shape[1], image.shape[0])
        boxes = self._reader.boxes(image, gray, None, size) or [Rect(0, 0, size.width, size.height)]
        found = [one for one in self._reader.lines(image, gray, boxes) if one.text]
        return sorted(found, key=lambda one: (one.box.center.y // max(one.box.height, 1), one.box.x1))

    def meanings(self, image: RgbImage, box: Rect) -> IconGuesses:
        """What the icon in a box may mean, and its name where that is sure; nothing where no network can be used."""
        if self._namer is None:
            return IconGuesses()
        (likely,) = self._namer.guesses(image, [box], count=_MAX_MEANINGS, least=_MIN_MEANING_CONFIDENCE)
        (name,) = self._namer.meanings(image, [box])
        if name is not None and len(likely) > 1 and likely[0][1] < _CLEAR_RATIO * likely[1][1]:
            name = None
        return IconGuesses(name=name, likely=likely)
