"""Says what the elements of a screen are, those that matter first, within a time.

A small describer of ours answers word by word in onnxruntime: always the likeliest word that may follow.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import STATES
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.errors import ModelError
from demopack.pixels.masks import size_of
from demopack.settings import VisionSettings
from models.registry import ModelFolder, Options, is_foreign, resolve
from models.vision.describer_torch import ForeignEngine
from models.vision.describer_words import END, FILE, PAD, DescriberTokenizer
from models.vision.description import Description, parse_description
from models.vision.patches import Floats, PatchGeometry, PatchScales, cut, highlight, to_patches
from models.vision.weights import open_session, unusable


class OnnxReader:
    """The two graphs of a model folder; their weights lie in its safetensors file."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        """Load both.

        Raises:
            ModelError: onnxruntime is missing, or a file is no graph of ours.
        """
        message = f"The describer in {folder} cannot be loaded: a file is damaged or of another program."
        with unusable(message, hint='Copy the model again, or choose another one in "vision.describer".'):
            self._encoder, self._decoder = (
                open_session("Describing elements", str(folder / name), threads=threads)
                for name in ("encoder.onnx", "decoder.onnx")
            )
            self._seen: list[str] = [output.name for output in self._encoder.get_outputs()]
            inputs = {value.name: value.shape for value in self._decoder.get_inputs()}
            self._past = {name: (int(shape[1]), int(shape[3])) for name, shape in inputs.items() if "past_" in name}
            expected = {"word", *self._seen, *self._past}
            if set(inputs) != expected or not self._past:
                raise ValueError(f"inputs {sorted(inputs)} instead of {sorted(expected)}")

    def look(self, patches: Floats) -> dict[str, Floats]:
        """What the decoder needs of views of shape (n, patches, 770), float32, by the names of its inputs."""
        seen: list[Any] = self._encoder.run(self._seen, {"patches": patches})
        kept: dict[str, Floats] = dict(zip(self._seen, seen, strict=True))
        for name, (heads, depth) in self._past.items():
            kept[name] = np.zeros((len(patches), heads, 0, depth), dtype=np.float32)
        return kept

    def next(self, words: npt.NDArray[np.int64], kept: dict[str, Floats]) -> tuple[Floats, dict[str, Floats]]:
        """How likely each word comes next, shape (n, words), not yet normalised; and what to keep.

        Args:
            words: the last word of each answer, shape (n, 1).
            kept: of ``look`` or of the word before.
        """
        names = ["logits", *(f"new_{name}" for name in self._past)]
        logits, *fresh = self._decoder.run(names, {"word": words, **kept})
        return logits, {**kept, **dict(zip(self._past, fresh, strict=True))}


def decode(
    reader: OnnxReader, words: DescriberTokenizer, patches: Floats, *, characters: int
) -> list[Description | None]:
    """What the model says about each view.

    Args:
        reader: the model.
        words: its words.
        patches: shape (n, patches, 770), float32.
        characters: of text at most; 0 ends every answer before its text.
    """
    said: list[list[tuple[int, float]]] = [[] for _ in patches]
    last, kept = np.full((len(patches), 1), PAD, dtype=np.int64), reader.look(patches)
    unfinished: list[int] = list(range(len(patches)))
    while unfinished:
        logits, kept = reader.next(last, kept)
        allowed = np.stack([_following(words, said[row]) for row in unfinished])
        masked = np.where(allowed, logits[unfinished].astype(np.float64), -np.inf)
        sure = 1 / np.exp(masked - masked.max(axis=1, keepdims=True)).sum(axis=1)
        last[unfinished, 0] = masked.argmax(axis=1)
        for row, value in zip(unfinished, sure, strict=True):
            said[row].append((int(last[row, 0]), float(value)))
        unfinished = [row for row in unfinished if _goes_on(words, said[row], characters)]
    return [_description(words, one, characters) for one in said]


def _following(words: DescriberTokenizer, said: Sequence[tuple[int, float]]) -> npt.NDArray[np.bool_]:
    """The words that may come next, shape (words,)."""
    following: npt.NDArray[np.bool_] = words.stages == 0
    return words.allowed[said[0][0], words.stages[said[-1][0]]] if said else following


def _goes_on(words: DescriberTokenizer, said: Sequence[tuple[int, float]], characters: int) -> bool:
    """Whether more is wanted than the end, or a text that nobody wants or is long enough, and may follow."""
    numbers = [number for number, _ in said]
    if words.text in numbers and len(numbers) - numbers.index(words.text) > characters:
        return False
    following = _following(words, said).copy()
    following[END] = False
    if characters == 0:
        following[words.text] = False
    return bool(following.any())


def _description(words: DescriberTokenizer, said: Sequence[tuple[int, float]], characters: int) -> Description | None:
    known = parse_description(words.decode([number for number, _ in said]))
    if known is None:
        return None
    sure: dict[str, float] = {"text": 1.0, "subtype": 1.0}
    names: tuple[str, ...] = ("type", "subtype", *STATES, "text", "end")
    for number, value in said:
        name = names[int(words.stages[number])]
        sure[name] = min(sure.get(name, 1.0), value)
    text = known.text if characters else None
    return replace(
        known,
        type_confidence=sure["type"],
        subtype_confidence=sure["subtype"],
        state_confidence={state: sure[state] for state in known.states},
        text=text,
        text_confidence=sure["text"] if text else 1.0,
    )


_BATCH_SIZE = 16
_REMEMBERED = 20_000
"""Views whose descriptions are kept; most elements of a demo's next frame are those of the last one."""
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
        self._said: OrderedDict[bytes, Description | None] = OrderedDict()
        self._characters = int(options.get("text_length", 0)) if read else 0

    def answers(self, scales: PatchScales, boxes: Sequence[Rect]) -> list[Description | None]:
        """What the model says about each box on a picture."""
        if not boxes:
            return []
        cuts = cut(scales, boxes, patches=self._patches)
        # What looks the same, and stands in the same place of its view, is the same.
        views = [
            hashlib.blake2b(pixels.tobytes() + grid.tobytes() + place.tobytes(), digest_size=16).digest()
            for pixels, grid, place in zip(cuts.pixels, cuts.grids, cuts.boxes, strict=True)
        ]
        new = [i for i, view in enumerate(views) if view not in self._said]
        if new:
            some = PatchGeometry(cuts.pixels[new], cuts.grids[new], cuts.boxes[new])
            patches = to_patches(highlight(some), some.grids, some.boxes)
            answers = decode(self._reader, self._words, patches, characters=self._characters)
            self._said.update(zip((views[i] for i in new), answers, strict=True))
        said = [self._said[view] for view in views]
        for view in views:
            self._said.move_to_end(view)
        while len(self._said) > _REMEMBERED:
            self._said.popitem(last=False)
        return said


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
        said: dict[int, Description | None] = {}
        scales, size = PatchScales(image), size_of(image)
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
            said.update(zip(some, answers, strict=True))
            done += len(some)
            each = (self._clock() - began - spent) / len(some)
            self._each_s = each if not self._each_s else 0.5 * (self._each_s + each)
        return [said.get(i) for i in range(len(boxes))]


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
