"""Says what the elements of a screen are: loads a describer, and shares out the time among the boxes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect, Size
from demopack.errors import ModelError
from demopack.settings import VisionSettings
from models.registry import ModelFolder, Options, resolve
from models.vision.describer_decoding import OnnxReader, decode
from models.vision.describer_torch import ForeignEngine
from models.vision.describer_words import FILE, DescriberTokenizer
from models.vision.description import Description
from models.vision.model_choice import is_foreign
from models.vision.patches import PatchScales, cut, highlight, to_patches

_BATCH_SIZE = 16
_NEAR_DISTANCE_PX = 150
"""Pixels from a point within which an element is near it."""


class SmallEngine:
    """A model of our own: views of a fixed number of patches, words of its own, run by onnxruntime."""

    batch = _BATCH_SIZE

    def __init__(self, model: ModelFolder, *, threads: int, read: bool) -> None:
        """Load it.

        Args:
            model: from the registry.
            threads: for computing.
            read: whether answers go on to their text, for models that learned to read.

        Raises:
            ModelError: it cannot be used.
        """
        options = model.card.options
        self._words = DescriberTokenizer.load(model.file(FILE))
        self._reader = OnnxReader(model.folder, threads=threads)
        self._patches = int(options.get("patches", 96))
        self._characters = int(options.get("text_length", 0)) if read else 0

    def answers(self, scales: PatchScales, boxes: Sequence[Rect]) -> list[Description | None]:
        """What the model says about each box on a picture."""
        if not boxes:
            return []
        cuts = cut(scales, boxes, patches=self._patches)
        patches = to_patches(highlight(cuts), cuts.grids, cuts.boxes)
        return decode(self._reader, self._words, patches, characters=self._characters)


Engine: TypeAlias = SmallEngine | ForeignEngine


class Describer:
    """Describes as many elements as there is time for, those that matter first.

    Attributes:
        reads_text: whether its texts are meant to be used: measured on held-out screens, stated in the model's card.
        options: what its card says about its use; nothing for a model from elsewhere.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        reads_text: bool = False,
        options: Options | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self.reads_text, self.options = reads_text, options or {}
        self._clock = clock
        self._each_s = 0.0

    def describe(
        self, image: RgbImage, boxes: Sequence[Rect], *, limit_s: float, near: Sequence[Point] = ()
    ) -> list[Description | None]:
        """What each box holds, in the order of the boxes.

        Those near the points are looked at first, then the others in reading order, until the time is up.

        Args:
            image: shape (height, width, 3), uint8.
            boxes: integer pixels of the picture.
            limit_s: seconds after which no further batch is begun.
            near: where the user acts.

        Returns:
            None for a box that there was no time for, or whose answer could not be read.
        """
        said: list[Description | None] = [None] * len(boxes)
        scales = PatchScales(image)
        size = Size(image.shape[1], image.shape[0])
        order = [i for i in looking_order(boxes, near) if boxes[i].clamped(size).area > 0]
        began = self._clock()
        done = 0
        while done < len(order):
            spent = self._clock() - began
            # The first few are described in any case: a limit that lets nothing through helps nobody.
            fits = int((limit_s - spent) / self._each_s) if done and self._each_s else self._engine.batch
            some = order[done : done + min(self._engine.batch, fits)]
            if limit_s <= 0 or not some:
                break
            answers = self._engine.answers(scales, [boxes[i].clamped(size) for i in some])
            for i, answer in zip(some, answers, strict=True):
                said[i] = answer
            done += len(some)
            each = (self._clock() - began - spent) / len(some)
            self._each_s = each if not self._each_s else 0.5 * (self._each_s + each)
        return said


def looking_order(boxes: Sequence[Rect], near: Sequence[Point]) -> list[int]:
    """Numbers of the boxes: those near a point by distance, the smaller of equals first; then rows from the top."""

    def key(i: int) -> tuple[float, ...]:
        box = boxes[i]
        away = min((_distance(box, point) for point in near), default=float("inf"))
        if away <= _NEAR_DISTANCE_PX:
            return (0.0, away, box.area, i)
        # Rows of a line's height: what stands side by side is read from left to right.
        return (1.0, (box.y1 + box.y2) // 2 // 24, box.x1, i)

    return sorted(range(len(boxes)), key=key)


def _distance(box: Rect, point: Point) -> float:
    across = max(box.x1 - point.x, 0, point.x - box.x2)
    down = max(box.y1 - point.y, 0, point.y - box.y2)
    return float((across * across + down * down) ** 0.5)


def open_describer(settings: VisionSettings, *, threads: int) -> Describer:
    """The describer that the settings name: shipped, a model of one's own, or any Pix2Struct folder or hub name.

    Raises:
        ModelError: none is set, or it cannot be used.
    """
    name = settings.describer
    if is_foreign("describer", name):
        return Describer(ForeignEngine(name, threads=threads), reads_text=True)
    model = resolve("describer", name)
    if model is None:
        raise ModelError("There is no describer.", hint='Set "vision.describer", or clear it to do without.')
    reads = bool(model.card.options.get("reads_text", False))
    return Describer(SmallEngine(model, threads=threads, read=reads), reads_text=reads, options=model.card.options)
