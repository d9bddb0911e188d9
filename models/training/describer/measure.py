"""How good a describer is on the validation samples, while it is trained."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ELEMENT_TYPES
from models.training.describer.batches import Batch, Batches
from models.training.describer.network import Network
from models.vision.describer_words import Vocabulary
from models.vision.grammar import NOTHING, SUBTYPE

__all__ = ["measure"]

_BATCH = 64


class _Tally:
    def __init__(self) -> None:
        self._right: defaultdict[str, int] = defaultdict(int)
        self._all: defaultdict[str, int] = defaultdict(int)

    def add(self, name: str, *, right: bool) -> None:
        self._right[name] += right
        self._all[name] += 1

    def shares(self) -> dict[str, float]:
        return {name: self._right[name] / count for name, count in self._all.items()}


def measure(network: Network, batches: Batches, words: Vocabulary) -> dict[str, float]:
    """Loss and shares of right words, each asked for with the right words before it.

    Returns:
        ``loss``; ``type``; ``type_mean``, the mean over the types; ``nothing``; ``state`` and ``state_yes``, of those
        that are true; ``subtype``; ``character``. Names without samples are left out.
    """
    tally = _Tally()
    loss, counted = 0.0, 0
    for start in range(0, len(batches.validation), _BATCH):
        batch = batches.measuring(batches.validation[start : start + _BATCH])
        summed, guesses = network.measure(batch)
        loss += summed
        counted += int(((batch.labels != -100) & ~batch.text).sum())
        _count(tally, batch, guesses, words)
    shares = tally.shares()
    types = [shares.pop(kind) for kind in ELEMENT_TYPES if kind in shares]
    figures = {"loss": loss / max(1, counted), **shares}
    if types:
        figures["type_mean"] = sum(types) / len(types)
    return {name: round(value, 5) for name, value in figures.items()}


def _count(tally: _Tally, batch: Batch, guesses: npt.NDArray[np.intp], words: Vocabulary) -> None:
    for row, place in np.argwhere(batch.labels >= 0):
        right = bool(guesses[row, place] == batch.labels[row, place])
        word = words.words[batch.labels[row, place]]
        if batch.text[row, place]:
            tally.add("character", right=right)
        elif word == NOTHING:
            tally.add("nothing", right=right)
        elif place == 0:
            tally.add("type", right=right)
            tally.add(word, right=right)
        elif word.startswith(SUBTYPE):
            tally.add("subtype", right=right)
        elif word.endswith(("=yes", "=no")):
            tally.add("state", right=right)
            if word.endswith("=yes"):
                tally.add("state_yes", right=right)
