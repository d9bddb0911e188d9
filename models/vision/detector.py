"""Finds widgets with an ultralytics YOLO model; runs in the worker process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from demopack.domain.elements import ELEMENT_TYPES, ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.settings import VisionSettings
from models.vision.found import Found
from models.vision.merge import unite_overlapping
from models.vision.weights import load_yolo

__all__ = ["Detector", "type_of"]

_MOST = 1000
"""Boxes on one picture; the default of 300 is less than a full table."""


def type_of(name: str) -> ElementType:
    """The element type that a class of the weights means; ``other`` for a word outside the vocabulary."""
    word = name.strip().lower().replace(" ", "_").replace("-", "_")
    for known in ELEMENT_TYPES:
        if known == word:
            return known
    return "other"


class Detector:
    """One loaded model.

    A class whose name is no element type becomes ``other`` with that name as subtype.
    """

    def __init__(self, settings: VisionSettings, *, threads: int) -> None:
        """Load the weights that the settings name.

        Raises:
            ModelError: they cannot be used.
        """
        self._settings = settings
        self._model = load_yolo(Path(settings.detector), threads=threads)
        self._names: dict[int, str] = {int(k): str(v) for k, v in dict(self._model.names).items()}
        arguments: Any = getattr(self._model.model, "args", None) or {}
        # The size it was trained at: elements are as large to it as they were then.
        self._size = int(np.max(dict(arguments).get("imgsz", 640)))

    def detect(self, image: RgbImage) -> list[Found]:
        """Widgets with type, box and confidence, on a picture of shape (height, width, 3), uint8."""
        results: Any = self._model.predict(
            np.ascontiguousarray(image[:, :, ::-1]),
            conf=self._settings.confidence,
            iou=self._settings.iou,
            imgsz=self._size,
            max_det=_MOST,
            verbose=False,
        )
        boxes = results[0].boxes
        size = Size(image.shape[1], image.shape[0])
        found: list[Found] = []
        for corners, confidence, number in zip(
            boxes.xyxy.cpu().numpy(), boxes.conf.cpu().numpy(), boxes.cls.cpu().numpy(), strict=True
        ):
            box = Rect(*(round(float(v)) for v in corners)).clamped(size)
            if box.area > 0:
                found.append(self._found(box, float(confidence), int(number)))
        return unite_overlapping(found, merge_iou=self._settings.merge_iou)

    def _found(self, box: Rect, confidence: float, number: int) -> Found:
        name = self._names.get(number, str(number))
        kind = type_of(name)
        subtype = name if kind == "other" and name != "other" else None
        return Found(type=kind, box=box, source="detector", confidence=min(1.0, confidence), subtype=subtype)
