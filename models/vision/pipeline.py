"""Everything that happens to one picture inside the worker."""

from __future__ import annotations

from typing import Any

from demopack.domain.frames import RgbImage
from demopack.settings import VisionSettings
from models.vision.found import Found
from models.vision.ocr import OcrReader

__all__ = ["build"]


class _Pipeline:
    def __init__(self, settings: VisionSettings, *, threads: int) -> None:
        self._reader = OcrReader(threads=threads, min_confidence=settings.ocr_confidence) if settings.ocr else None

    def __call__(self, image: RgbImage) -> list[Found]:
        return [] if self._reader is None else self._reader.read(image)


def build(options: dict[str, Any]) -> _Pipeline:
    """The pipeline of these options: ``VisionSettings`` as JSON and ``threads``."""
    settings = VisionSettings.model_validate({name: value for name, value in options.items() if name != "threads"})
    return _Pipeline(settings, threads=int(options["threads"]))
