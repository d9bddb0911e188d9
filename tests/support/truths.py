"""Small screens with truth, and a finder that says what it is told to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.records import new_id
from demopack.jobs import JobControl
from models.training.labelled_screens import GroundTruth, LabelledScreen, LabelledScreenSet

Box = tuple[int, int, int, int]


def truth(kind: str, box: Box, **fields: Any) -> GroundTruth:
    """A true element."""
    return GroundTruth.model_validate({"type": kind, "box": box, **fields})


def found(kind: str, box: Box, **fields: Any) -> Element:
    """An element as a finder gives it."""
    given = {"source": "detector", "confidence": 0.9, "frame": "f", **fields}
    return Element.model_validate({"uid": new_id("el"), "type": kind, "box": box, **given})


def as_found(one: GroundTruth, frame: str = "f") -> Element:
    """The element that says exactly what is true."""
    fields = {"text": one.text, "subtype": one.subtype, "states": one.states}
    box = one.box
    return found(one.type, (box.x1, box.y1, box.x2, box.y2), frame=frame, **fields)


def screen(*elements: GroundTruth, name: str = "one", group: str = "page", **fields: Any) -> LabelledScreen:
    """A screen of 100 x 80 pixels; of the test side and the source ``web`` unless told otherwise."""
    given = {"source": "web", "side": "test", "seed": 1, "width": 100, "height": 80, **fields}
    return LabelledScreen.model_validate({"name": name, "group": group, "elements": elements, **given})


def put_screen(folder: Path, one: LabelledScreen, *, seed: int | None = None) -> Path:
    """Store it with a picture of its own: its elements as dark boxes on noise; returns the picture's path."""
    rng = np.random.default_rng(one.seed if seed is None else seed)
    image = rng.integers(180, 255, (one.height, one.width, 3), dtype=np.uint8)
    for element in one.elements:
        box = element.box
        image[box.y1 : box.y2, box.x1 : box.x2] = 40
    origin = LabelledScreenSet(folder)
    origin.put(one, image)
    return origin.picture_path(one)


class HandFinder:
    """Answers with what ``answer`` makes of a picture; counts how often it was asked."""

    def __init__(self, answer: Callable[[RgbImage], Sequence[Element]], *, name: str = "hand-1") -> None:
        self._answer = answer
        self._name = name
        self.asked = 0

    @property
    def name(self) -> str:
        return self._name

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:
        del frame, control, near
        self.asked += 1
        return list(self._answer(image))


def dark_boxes(image: RgbImage) -> list[Element]:
    """The boxes of :func:`put_screen` where they do not touch each other, as elements of type ``text``."""
    dark = (image == 40).all(axis=2)
    boxes: list[Element] = []
    while dark.any():
        y, x = (int(v) for v in np.argwhere(dark)[0])
        right, below = x, y
        while right < dark.shape[1] and dark[y, right]:
            right += 1
        while below < dark.shape[0] and dark[below, x]:
            below += 1
        dark[y:below, x:right] = False
        box = Rect(x, y, right, below)
        boxes.append(found("text", (box.x1, box.y1, box.x2, box.y2)))
    return boxes
