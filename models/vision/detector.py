"""Finds elements with a trained model; runs in the worker process.

A model of ours is ONNX: it is run by onnxruntime alone, whole frames at their own scale, large frames in tiles. A
``.pt`` of one's own is run by ultralytics, at the size it was trained at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.errors import ModelError
from demopack.pixels.masks import crop, size_of
from demopack.settings import VisionSettings
from models.registry import Options, resolve
from models.vision.description import TYPE_WORDS
from models.vision.detection import Detection
from models.vision.detector_boxes import Detections, decode, join, network_input, suppress, tiles_of
from models.vision.weights import OnnxModel, load_onnx, load_yolo

CLASSES: Final[tuple[ElementType, ...]] = (
    "text", "hyperlink", "tabled_text", "draggable_text",
    "button", "radio", "checkbox", "toggle", "dropdown", "input_field", "text_area", "spinner", "slider",
    "resize_handle", "scrollbar", "shape", "icon", "image",
    "menu", "menu_item", "tab", "list_item", "tree_item", "window", "dialog", "toolbar",
)  # fmt: skip
CLASS_OF: Final[Mapping[ElementType, int]] = {name: number for number, name in enumerate(CLASSES)}

AGNOSTIC: Final = ("element",)
"""The classes of a model that finds boxes without saying what they are; its finds are ``other``."""


def type_of(name: str) -> ElementType:
    """The element type that a class of a model means; ``other`` for a word outside the vocabulary."""
    return TYPE_WORDS.get(name.strip().lower().replace(" ", "_").replace("-", "_"), "other")


_MAX_DETECTIONS = 1000
"""Boxes on one picture; the default of 300 is less than a full table."""


class Detector:
    """A loaded model; of what it sees, what is sure enough, and of boxes that overlap the surest.

    A class whose name is no element type becomes ``other`` with that name as subtype; a model of one class that says
    nothing about types gives ``other``.

    Attributes:
        sees_parts: whether it finds on a part of a screen what it finds there on the whole of it. Ours do, because they
            look at pixels at their own scale; a YOLO file of one's own sees every picture at its size.
        options: what its card says about its use; nothing where it has no card.
    """

    def __init__(
        self, names: Sequence[str], look: Callable[[RgbImage], Detections], *, sees_parts: bool, options: Options
    ) -> None:
        """Look with this function; the classes stand in the order of their numbers."""
        self._names, self._look = tuple(names), look
        self.sees_parts, self.options = sees_parts, options

    def detect(self, image: RgbImage) -> list[Detection]:
        """Elements with type, box and confidence.

        Args:
            image: shape (height, width, 3), uint8; at least 1 x 1.

        Returns:
            Surest first; ``source`` is ``detector``; at most 1000.
        """
        detections = self._look(image)
        found: list[Detection] = []
        for corners, score, number in zip(detections.boxes, detections.scores, detections.classes, strict=True):
            box = Rect(*(round(float(v)) for v in corners)).clamped(size_of(image))
            if box.area > 0:
                name = self._names[int(number)]
                kind = type_of(name)
                subtype = name if kind == "other" and name not in {"other", *AGNOSTIC} else None
                sure = min(1.0, float(score))
                found.append(Detection(type=kind, box=box, source="detector", confidence=sure, subtype=subtype))
        return found


def open_detector(settings: VisionSettings, *, threads: int) -> Detector:
    """The detector that ``settings.detector`` names: ``shipped``, a registry name, a folder, ``.onnx`` or ``.pt``.

    Args:
        settings: the model and the thresholds.
        threads: for inference on the CPU.

    Raises:
        ModelError: none is named or shipped, or it cannot be used; the message names the file.
        NewerVersionError: a newer demopack made the model.
    """
    weights = Path(settings.detector)
    classes: tuple[str, ...] = ()
    options: Options = {}
    if weights.suffix not in {".pt", ".onnx"}:
        folder = resolve("detector", settings.detector)
        if folder is None:
            raise ModelError(
                "There is no detector: the settings name none, or none came with this installation.",
                hint='Set "vision.detector" to a model folder or a weights file.',
            )
        files = [file for file in sorted(folder.card.files) if file.endswith((".onnx", ".pt"))]
        if not files:
            raise ModelError(
                f"The model {folder.card.id} in {folder.folder} has no weights to run.",
                hint='Train or copy it again, or choose another "vision.detector".',
            )
        weights, classes, options = folder.file(files[0]), folder.card.classes, folder.card.options
    if weights.suffix == ".pt":
        yolo: Any = load_yolo(weights, threads=threads)
        names = [str(name) for _, name in sorted(dict(yolo.names).items())]
        return Detector(names, _yolo(yolo, settings), sees_parts=False, options=options)
    model = load_onnx(weights, threads=threads)
    if classes and classes != model.names:
        raise ModelError(
            f"The classes in {weights} are not those of its card, so nobody knows what it finds.",
            details=f"file: {', '.join(model.names)}; card: {', '.join(classes)}",
            hint='Copy the model again, or choose another "vision.detector".',
        )
    return Detector(model.names, partial(_look_in_tiles, model, settings), sees_parts=True, options=options)


def _look_in_tiles(model: OnnxModel, settings: VisionSettings, image: RgbImage) -> Detections:
    tiles, found = tiles_of(size_of(image)), list[Detections]()
    for tile in tiles:
        part = network_input(crop(image, tile), stride=model.stride)
        candidates = decode(model.run(part), confidence=settings.confidence)
        seen = suppress(candidates, iou=settings.iou, most=_MAX_DETECTIONS)
        # What reaches into the padding ends at the picture's edge.
        boxes = seen.boxes.clip(0, np.array([tile.width, tile.height] * 2, dtype=np.float32))
        shift = np.array([tile.x1, tile.y1] * 2, dtype=np.float32)
        found.append(Detections(boxes + shift, seen.scores, seen.classes))
    return found[0] if len(tiles) == 1 else join(found, tiles, size_of(image), iou=settings.iou, most=_MAX_DETECTIONS)


def _yolo(model: Any, settings: VisionSettings) -> Callable[[RgbImage], Detections]:  # noqa: ANN401 - untyped
    arguments: Any = getattr(model.model, "args", None) or {}
    # The size it was trained at: elements are as large to it as they were then.
    size = int(np.max(dict(arguments).get("imgsz", 640)))

    def look(image: RgbImage) -> Detections:
        results: Any = model.predict(
            np.ascontiguousarray(image[:, :, ::-1]),
            conf=settings.confidence,
            iou=settings.iou,
            imgsz=size,
            max_det=_MAX_DETECTIONS,
            agnostic_nms=True,
            verbose=False,
        )
        boxes = results[0].boxes
        return Detections(
            np.asarray(boxes.xyxy.cpu().numpy(), dtype=np.float32),
            np.asarray(boxes.conf.cpu().numpy(), dtype=np.float32),
            np.asarray(boxes.cls.cpu().numpy(), dtype=np.intp),
        )

    return look
