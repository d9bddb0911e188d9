"""The samples of a training: cut out once, kept on disk as bytes, and joined to batches while the network learns."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.atomic import disk_errors, write_text_atomic
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from demopack.jobs import JobControl, Progress
from demopack.json_text import object_in
from models.registry import Lineage
from models.training.augmentation import augmented
from models.training.describer.sample_selection import ScreenSamples, draw_samples, weights_of
from models.training.labelled_screens import LabelledScreenSet, lineage_of
from models.training.options import DescriberTraining
from models.vision.describer_words import END, PAD, DescriberTokenizer
from models.vision.description import parse_description
from models.vision.patches import (
    PATCH,
    Bytes,
    Floats,
    Ints,
    PatchGeometry,
    PatchScales,
    cut,
    highlight,
    to_patches,
)

_PIXELS: Final = "samples.u8"
_INDEX: Final = "samples.json"
_MAX_STRETCH: Final = 1.4


@dataclass(frozen=True, slots=True)
class Samples:
    """Cut-out elements with what a describer should say about them.

    Attributes:
        pixels: shape (n, patches * 768), uint8, on disk.
        grids: shape (n, 2).
        boxes: shape (n, 4).
        answers: n texts of the grammar.
        sources: n names of the screens' sources.
        validation: shape (n,), whether a sample is for measuring alone.
        lineage: the screens they come from.
    """

    pixels: Bytes
    grids: Ints
    boxes: Ints
    answers: tuple[str, ...]
    sources: tuple[str, ...]
    validation: npt.NDArray[np.bool_]
    lineage: tuple[Lineage, ...]

    def cuts(self, index: npt.NDArray[np.intp]) -> PatchGeometry:
        """Some of them, in memory."""
        return PatchGeometry(np.asarray(self.pixels[index]), self.grids[index], self.boxes[index])


def open_samples(sets: Sequence[Path], folder: Path, options: DescriberTraining, control: JobControl) -> Samples:
    """The samples of these screens: as they lie in the folder, or cut out now.

    Raises:
        BadInputError: the sets hold no screens to learn from, or one of them is damaged.
        CancelledError: stopped by the user; the next call begins again.
        DiskFullError: the samples could not be kept.
    """
    screens = [
        (home, screen)
        for home in sorted(sets)
        for screen in LabelledScreenSet(home).screens(sides=("train", "val"), labels_apart=True)
    ]
    if not any(screen.side == "train" and screen.elements for _, screen in screens):
        raise BadInputError(
            "There is nothing to learn from: " + (", ".join(map(str, sets)) or "no folder was given") + ".",
            details="No screen of the side train with an element was found.",
            hint="Draw screens first, or give the folders that hold them.",
        )
    lineage = lineage_of((screen, len(screen.elements)) for _, screen in screens)
    # The key changes whenever other samples would be cut.
    relevant = options.model_dump(include={"samples", "copies", "nothing", "rescaled", "validate_samples", "seed"})
    relevant |= {"patches": options.size.patches, "lineage": [entry.to_json() for entry in lineage]}
    key = hashlib.sha256(json.dumps(relevant, sort_keys=True).encode()).hexdigest()
    index: dict[str, Any] = {}
    with contextlib.suppress(OSError, ValueError):
        index = object_in(json.loads((folder / _INDEX).read_text(encoding="utf-8")))
    if index.get("key") != key:
        drawn = draw_samples(screens, options)
        index = _cut_out(drawn, folder, options, control)
        write_text_atomic(folder / _INDEX, json.dumps({"key": key, **index}, ensure_ascii=False))
    answers = tuple(index["answers"])
    shape = (len(answers), options.size.patches * PATCH * PATCH * 3)
    return Samples(
        pixels=np.memmap(folder / _PIXELS, dtype=np.uint8, mode="r", shape=shape),
        grids=np.array(index["grids"], dtype=np.int32).reshape(-1, 2),
        boxes=np.array(index["boxes"], dtype=np.int32).reshape(-1, 4),
        answers=answers,
        sources=tuple(index["sources"]),
        validation=np.array(index["validation"], dtype=np.bool_),
        lineage=lineage,
    )


def _cut_out(
    drawn: Sequence[ScreenSamples], folder: Path, options: DescriberTraining, control: JobControl
) -> dict[str, list[Any]]:
    """Write the pixels of every sample; returns what is known about each."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _INDEX).unlink(missing_ok=True)
    index: dict[str, list[Any]] = {name: [] for name in ("grids", "boxes", "answers", "sources", "validation")}
    with (
        disk_errors(folder),
        (folder / _PIXELS).open("wb") as file,
        ThreadPoolExecutor(options.threads or os.cpu_count() or 1) as pool,
    ):
        # In small groups, so that pictures do not pile up while the disk is slow.
        for start in range(0, len(drawn), 32):
            control.token.check()
            some = drawn[start : start + 32]
            work = pool.map(partial(_cuts, options=options), some, count(start))
            for one, cuts in zip(some, work, strict=True):
                file.write(cuts.pixels.tobytes())
                index["grids"] += cuts.grids.tolist()
                index["boxes"] += cuts.boxes.tolist()
                index["answers"] += one.answers
                index["sources"] += [one.screen.source] * len(one.answers)
                index["validation"] += [one.screen.side == "val"] * len(one.answers)
            control.report(Progress(done=start + len(some), total=len(drawn), text="Cutting out elements"))
    return index


def _cuts(drawn: ScreenSamples, number: int, *, options: DescriberTraining) -> PatchGeometry:
    """The samples of the screen with a number, of some training screens at another size than their own."""
    image, boxes = LabelledScreenSet(drawn.folder).image(drawn.screen), drawn.boxes
    rng = np.random.default_rng((options.seed, number, 7))
    if drawn.screen.side == "train" and rng.random() < options.rescaled:
        size = float(_MAX_STRETCH ** rng.uniform(-1, 1))
        wide, tall = round(image.shape[1] * size), round(image.shape[0] * size)
        resized = Image.fromarray(image).resize((wide, tall), Image.Resampling.LANCZOS)
        image = np.asarray(resized, dtype=np.uint8)
        across, down = wide / drawn.screen.width, tall / drawn.screen.height
        corners = ((round(b.x1 * across), round(b.y1 * down), round(b.x2 * across), round(b.y2 * down)) for b in boxes)
        boxes = [Rect(x1, y1, max(x1 + 1, x2), max(y1 + 1, y2)) for x1, y1, x2, y2 in corners]
    return cut(PatchScales(image), boxes, patches=options.size.patches)


_BATCHES_AHEAD = 2
_IGNORED = -100


@dataclass(frozen=True, slots=True)
class PatchBatch:
    """What one step learns from.

    Attributes:
        patches: shape (n, patches, 770), float32.
        inputs: shape (n, length), int64: the answer, shifted by one.
        labels: shape (n, length), int64; -100 after the end.
        text: shape (n, length), whether a label is a character of the text.
    """

    patches: Floats
    inputs: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int64]
    text: npt.NDArray[np.bool_]


class PatchBatches:
    """Batches by the number of the step alone: whoever goes on from a checkpoint gets the very same ones."""

    def __init__(self, samples: Samples, words: DescriberTokenizer, options: DescriberTraining) -> None:
        self._samples = samples
        self._words = words
        self._options = options
        length = options.text_length if options.text_weight > 0 else 0
        self._answers: list[list[int]] = []
        for answer in samples.answers:
            description = parse_description(answer)
            assert description is not None  # printed by our own grammar
            numbers = words.encode(description, characters=length)
            # Without text the answer simply ends there: whether any is written is not asked.
            self._answers.append(numbers if length or numbers[-2:] != [words.text, END] else [*numbers[:-2], END])
        self._train = np.flatnonzero(~samples.validation)
        weights = weights_of(
            [samples.answers[i] for i in self._train],
            [samples.sources[i] for i in self._train],
        )
        self._cumulated = np.cumsum(weights) / weights.sum()
        self.validation = np.flatnonzero(samples.validation)

    def learning(self, step: int) -> PatchBatch:
        """The batch of one step, varied."""
        rng = np.random.default_rng((self._options.seed, step))
        drawn = np.searchsorted(self._cumulated, rng.random(self._options.batch), side="right")
        index = self._train[np.minimum(drawn, len(self._train) - 1)]
        cuts = self._samples.cuts(index)
        return self._batch(index, to_patches(augmented(cuts, rng), cuts.grids, cuts.boxes))

    def measuring(self, index: npt.NDArray[np.intp]) -> PatchBatch:
        """Samples as they are."""
        cuts = self._samples.cuts(index)
        return self._batch(index, to_patches(highlight(cuts), cuts.grids, cuts.boxes))

    def ahead(self, first: int) -> Generator[PatchBatch]:
        """Batches from a step on, without end; the next ones are being prepared."""
        workers = max(1, (self._options.threads or os.cpu_count() or 1) - 1)
        with ThreadPoolExecutor(workers, thread_name_prefix="samples") as pool:
            waiting: deque[Future[PatchBatch]] = deque()
            step = first
            try:
                while True:
                    while len(waiting) < workers + _BATCHES_AHEAD:
                        waiting.append(pool.submit(self.learning, step))
                        step += 1
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()

    def _batch(self, index: npt.NDArray[np.intp], patches: Floats) -> PatchBatch:
        answers = [self._answers[int(i)] for i in index]
        shape = (len(answers), max(map(len, answers)))
        inputs = np.full(shape, PAD, dtype=np.int64)
        labels = np.full(shape, _IGNORED, dtype=np.int64)
        text = np.zeros(shape, dtype=np.bool_)
        for row, answer in enumerate(answers):
            labels[row, : len(answer)] = answer
            inputs[row, 1 : len(answer)] = answer[:-1]
            if self._words.text in answer:
                text[row, answer.index(self._words.text) + 1 : len(answer)] = True
        return PatchBatch(patches, inputs, labels, text)
