"""Reads one element, or names an icon, while a person looks at it: in a worker process, so that the app stays small."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.errors import ModelError
from demopack.jobs import CancelToken, JobControl
from demopack.pixels.colours import to_gray
from demopack.settings import VisionSettings
from models.registry import is_off
from models.vision.description import IconGuesses
from models.vision.finder import WorkerFinder
from models.vision.icons import IconNamer, open_icon_namer
from models.vision.reading.text_reader import TextReader, open_text_reader

_BUILDER = "models.vision.box_reader:BoxReader"
_AIR = 4
"""Pixels of the crop's own edge that are put around it: letters at the very edge are read badly."""
_LIMIT_S = 60.0


class WorkerBoxReader:
    """One worker that only reads and names icons; it starts with the first crop."""

    def __init__(self, *, min_confidence: float, icons: str = "shipped", tesseract: str = "") -> None:
        """Nothing is started yet.

        Args:
            min_confidence: lines that are read less surely are left out.
            icons: the network that names icons, as in the settings; without one there are no guesses.
            tesseract: the program that reads other scripts, as in the settings.
        """
        options = {"threads": 1, "min_confidence": min_confidence, "icons": icons, "tesseract": tesseract}
        self._finder = WorkerFinder("read", builder=_BUILDER, options=options, limit_s=_LIMIT_S)
        self._token = CancelToken()

    def read(self, crop: RgbImage) -> str:
        """What is written on a crop of shape (height, width, 3), uint8, its lines joined by blanks; empty for nothing.

        Raises:
            ModelError: the reader is missing, or its worker died twice.
            CancelledError: it was closed meanwhile.
        """
        padded = np.pad(crop, ((_AIR, _AIR), (_AIR, _AIR), (0, 0)), mode="edge")
        return str(self._finder.ask("read", padded, control=JobControl(token=self._token)))

    def meanings(self, crop: RgbImage, box: Rect) -> IconGuesses:
        """What an icon may mean.

        Args:
            crop: shape (height, width, 3), uint8: the icon and what is around it, see ``description.surroundings``.
            box: the icon, in pixels of the crop.

        Raises:
            ModelError: the worker died twice.
            CancelledError: it was closed meanwhile.
        """
        told = self._finder.ask("meanings", crop, control=JobControl(token=self._token), box=box.corners)
        return IconGuesses(name=told["name"], likely=tuple((name, sure) for name, sure in told["likely"]))

    def close(self) -> None:
        """End the worker, also in the middle of a crop; calling it twice is harmless."""
        self._token.cancel()
        self._finder.close()


def open_box_reader(settings: VisionSettings) -> WorkerBoxReader | None:
    """The reader; None where the settings say that no text is read, or rapidocr is not installed."""
    if not settings.ocr:
        return None
    installed = importlib.util.find_spec("rapidocr") is not None
    if not installed:
        return None
    return WorkerBoxReader(min_confidence=settings.ocr_confidence, icons=settings.icons, tesseract=settings.tesseract)


_MAX_MEANINGS: Final = 5
_MIN_MEANING_CONFIDENCE: Final = 0.02
"""Meanings of one icon that are told at most, and how likely they are at least."""
_CLEAR_RATIO: Final = 2.0
"""An icon that is asked about alone has its name only where that is so many times likelier than the next: on its own, a
dash may be a button of a title bar or not."""


class BoxReader:
    """The worker's part: loads what reads, and what names icons, with the first question that needs it."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Load nothing yet.

        Args:
            options: ``threads``, ``min_confidence`` below which a line is left out, ``icons``, the network that
                names them, and ``tesseract``, the program that reads other scripts.
        """
        self._options = options
        self._threads = int(options["threads"])

    @cached_property
    def _reader(self) -> TextReader:
        settings = VisionSettings(
            ocr_confidence=float(self._options["min_confidence"]), tesseract=str(self._options["tesseract"])
        )
        return open_text_reader(settings, threads=self._threads)

    @cached_property
    def _namer(self) -> IconNamer | None:
        """None where there is no network that can be used: guesses are a help that can be done without."""
        settings = VisionSettings(icons=str(self._options["icons"]))
        try:
            return None if is_off("icons", settings.icons) else open_icon_namer(settings, threads=self._threads)
        except ModelError:
            return None

    def read(self, image: RgbImage) -> str:
        """The lines of a small picture, from the top; the whole of it is tried as one line where none is seen.

        Raises:
            ModelError: rapidocr or one of its models is missing.
        """
        gray, size = to_gray(image), Size(image.shape[1], image.shape[0])
        boxes = self._reader.ocr.boxes(image, gray, None, size) or [Rect(0, 0, size.width, size.height)]
        found = self._reader.lines(image, gray, boxes)
        found.sort(key=lambda one: (one.box.center.y // max(one.box.height, 1), one.box.x1))
        return " ".join(one.text for one in found if one.text)

    def meanings(self, image: RgbImage, box: Sequence[int]) -> dict[str, Any]:
        """The fields of ``IconGuesses`` about the icon in a box, its name only where that is clear."""
        guesses = IconGuesses()
        if self._namer is not None:
            guesses = self._namer.guesses(image, Rect(*box), count=_MAX_MEANINGS, least=_MIN_MEANING_CONFIDENCE)
        likely = [sure for _, sure in guesses.likely]
        unclear = len(likely) > 1 and likely[0] < _CLEAR_RATIO * likely[1]
        return {"name": None if unclear else guesses.name, "likely": guesses.likely}
