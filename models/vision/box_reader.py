"""Reads the text of one element while a person looks at it: in a worker process, so that the app stays small."""

from __future__ import annotations

import importlib.util

import numpy as np

from demopack.domain.frames import Frame, RgbImage
from demopack.jobs import CancelToken, JobControl
from demopack.settings import VisionSettings
from models.vision.finder import WorkerFinder

__all__ = ["WorkerBoxReader", "open_box_reader"]

_BUILDER = "models.vision.reading.boxes:build"
_AIR = 4
"""Pixels of the crop's own edge that are put around it: letters at the very edge are read badly."""
_LIMIT_S = 60.0


class WorkerBoxReader:
    """One worker that only reads; it starts with the first crop."""

    def __init__(self, *, min_confidence: float) -> None:
        options = {"threads": 1, "min_confidence": min_confidence}
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

    def close(self) -> None:
        """End the worker, also in the middle of a crop; calling it twice is harmless."""
        self._token.cancel()
        self._finder.close()


def open_box_reader(settings: VisionSettings) -> WorkerBoxReader | None:
    """The reader; None where the settings say that no text is read, or rapidocr is not installed."""
    if not settings.ocr:
        return None
    installed = importlib.util.find_spec("rapidocr") is not None
    return WorkerBoxReader(min_confidence=settings.ocr_confidence) if installed else None
