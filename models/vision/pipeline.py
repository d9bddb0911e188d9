"""Everything that happens to one picture inside the worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point
from demopack.settings import VisionSettings
from models.vision.choice import is_off
from models.vision.detector import Detector
from models.vision.found import Found
from models.vision.merge import merge
from models.vision.reading.lines import Gray, to_gray
from models.vision.reading.ocr import OcrReader
from models.vision.shapes.closed import Shape, find_shapes
from models.vision.shapes.marks import clip_to_frames, separate_marks
from models.vision.shapes.widgets import widgets

__all__ = ["Pipeline", "build"]


class Pipeline:
    """Text and widgets: from a trained detector where its weights are set, from closed shapes otherwise."""

    def __init__(self, settings: VisionSettings, *, threads: int) -> None:
        """Load every model.

        Raises:
            ModelError: a library, a model file or the weights cannot be used.
        """
        self._detector = None if is_off("detector", settings.detector) else Detector(settings, threads=threads)
        self._reader = OcrReader(threads=threads, min_confidence=settings.ocr_confidence) if settings.ocr else None

    def __call__(self, image: RgbImage, near: Sequence[Point] = ()) -> list[Found]:
        """Proposals for a picture of shape (height, width, 3), uint8; what lies near these points first."""
        del near
        gray, shapes = to_gray(image), find_shapes(image)
        frames = [shape for shape in shapes if shape.kind == "frame"]
        marks = [shape for shape in shapes if shape.kind != "frame"]
        lines: list[Found] = []
        if self._reader is not None:
            boxes, marks = separate_marks(gray, self._reader.boxes(image), marks)
            boxes = clip_to_frames(gray, boxes, [shape.box for shape in frames])
            lines = self._reader.read(image, boxes)
        return merge(lines, self._widgets(image, gray, [*frames, *marks], lines))

    def _widgets(self, image: RgbImage, gray: Gray, shapes: list[Shape], lines: list[Found]) -> list[Found]:
        if self._detector is not None:
            return self._detector.detect(image)
        return widgets(gray, shapes, lines)


def build(options: dict[str, Any]) -> Pipeline:
    """The pipeline of these options: ``VisionSettings`` as JSON and ``threads``."""
    settings = VisionSettings.model_validate({name: value for name, value in options.items() if name != "threads"})
    return Pipeline(settings, threads=int(options["threads"]))
