"""Figures of a describer on the validation samples, while it is trained."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ELEMENT_TYPES
from models.training.describer.batches import PatchBatch
from models.vision.describer_words import DescriberTokenizer
from models.vision.grammar import NOTHING, SUBTYPE


class AnswerCounter:
    """Counts right words, each asked for with the right words before it."""

    def __init__(self, words: DescriberTokenizer) -> None:
        """Count words of this vocabulary."""
        self._words = words
        self._loss = 0.0
        self._counted = 0
        self._right: Counter[str] = Counter()
        self._all: Counter[str] = Counter()

    def add(self, batch: PatchBatch, guesses: npt.NDArray[np.intp], *, loss: float) -> None:
        """Count the guesses of a batch, shape (n, length), and the loss summed over its words before the text."""
        self._loss += loss
        self._counted += int(((batch.labels != -100) & ~batch.text).sum())
        for row, place in np.argwhere(batch.labels >= 0):
            right = bool(guesses[row, place] == batch.labels[row, place])
            word = self._words.words[batch.labels[row, place]]
            for name in _names(word, is_text=bool(batch.text[row, place]), is_first=place == 0):
                self._right[name] += right
                self._all[name] += 1

    def figures(self) -> dict[str, float]:
        """Mean loss and shares of right words.

        Returns:
            ``loss``; ``type``; ``type_mean``, the mean over the types; ``nothing``; ``state`` and ``state_yes``, of
            those that are true; ``subtype``; ``character``. Names without samples are left out.
        """
        shares = {name: self._right[name] / count for name, count in self._all.items()}
        types = [shares.pop(kind) for kind in ELEMENT_TYPES if kind in shares]
        told = {"loss": self._loss / max(1, self._counted), **shares}
        if types:
            told["type_mean"] = sum(types) / len(types)
        return {name: round(value, 5) for name, value in told.items()}


def _names(word: str, *, is_text: bool, is_first: bool) -> tuple[str, ...]:
    """The figures that a word counts for."""
    if is_text:
        return ("character",)
    if word == NOTHING:
        return ("nothing",)
    if is_first:
        return ("type", word)
    if word.startswith(SUBTYPE):
        return ("subtype",)
    if word.endswith("=yes"):
        return ("state", "state_yes")
    return ("state",) if word.endswith("=no") else ()
