"""Batches for each step, prepared in other threads while the network learns."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.training.augmentation import augmented
from models.training.describer.sample_selection import weights_of
from models.training.describer.samples import Samples
from models.training.options import DescriberTraining
from models.vision.describer_words import END, PAD, DescriberTokenizer
from models.vision.grammar import parse_description
from models.vision.patches import Floats, highlight, to_patches

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
        self._answers: list[list[int]] = [_numbers(words, answer, length) for answer in samples.answers]
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


def _numbers(words: DescriberTokenizer, answer: str, length: int) -> list[int]:
    description = parse_description(answer)
    assert description is not None  # printed by our own grammar
    numbers = words.encode(description, characters=length)
    # Without text the answer simply ends there: whether any is written is not asked.
    return numbers if length or numbers[-2:] != [words.text, END] else [*numbers[:-2], END]
