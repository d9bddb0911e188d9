"""Reads one element, or names an icon, while a person looks at it: in a worker process, so that the app stays small."""

from __future__ import annotations

import importlib.util

import numpy as np

from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.jobs import CancelToken, JobControl
from demopack.settings import VisionSettings
from models.vision.description import IconGuesses
from models.vision.finder import WorkerFinder

_BUILDER = "models.vision.reading.box_reader_worker:BoxReader"
_AIR = 4
"""Pixels of the crop's own edge that are put around it: letters at the very edge are read badly."""
_LIMIT_S = 60.0


class WorkerBoxReader:
    """One worker that only reads and names icons; it starts with the first crop."""

    def __init__(self, *, min_confidence: float, icons: str = "shipped") -> None:
        """Nothing is started yet.

        Args:
            min_confidence: lines that are read less surely are left out.
            icons: the network that names icons, as in the settings; without one there are no guesses.
        """
        options = {"threads": 1, "min_confidence": min_confidence, "icons": icons}
        self._finder = WorkerFinder("read", builder=_BUILDER, options=options, limit_s=_LIMIT_S)
        self._token = CancelToken()

    def read(self, crop: RgbImage) -> str:
        """What is written on a crop of shape (height, width, 3), uint8, its lines joined by blanks; empty for nothing.

        Raises:
            ModelError: the reader is missing, or its worker died twice.
            CancelledError: it was closed meanwhile.
        """
        padded = np.pad(crop, ((_AIR, _AIR), (_AIR, _AIR), (0, 0)), mode="edge")
        frame = Frame(id="crop", width=padded.shape[1], height=padded.shape[0])
        found = self._finder.find(padded, frame, control=JobControl(token=self._token))
        return " ".join(element.text for element in found if element.text)

    def meanings(self, crop: RgbImage, box: Rect) -> IconGuesses:
        """What an icon may mean.

        Args:
            crop: shape (height, width, 3), uint8: the icon and what is around it, see ``icons.guesses.surroundings``.
            box: the icon, in pixels of the crop.

        Raises:
            ModelError: the worker died twice.
            CancelledError: it was closed meanwhile.
        """
        corners = [box.x1, box.y1, box.x2, box.y2]
        told = self._finder.ask("meanings", crop, control=JobControl(token=self._token), box=corners)
        return IconGuesses(name=told["name"], likely=tuple((str(name), float(at)) for name, at in told["likely"]))

    def close(self) -> None:
        """End the worker, also in the middle of a crop; calling it twice is harmless."""
        self._token.cancel()
        self._finder.close()


def open_box_reader(settings: VisionSettings) -> WorkerBoxReader | None:
    """The reader; None where the settings say that no text is read, or rapidocr is not installed."""
    if not settings.ocr:
        return None
    installed = importlib.util.find_spec("rapidocr") is not None
    return WorkerBoxReader(min_confidence=settings.ocr_confidence, icons=settings.icons) if installed else None
