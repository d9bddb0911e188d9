"""Makes the answers of a small describer word by word, with onnxruntime: always the likeliest that may follow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import STATES, State
from models.vision.describer_words import END, PAD, DescriberTokenizer
from models.vision.description import Description
from models.vision.grammar import parse_description
from models.vision.patches import Floats
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
    answers = _Answers(words, len(patches), characters)
    kept = reader.look(patches)
    while not answers.done.all():
        logits, kept = reader.next(answers.last, kept)
        answers.add(logits)
    return [answers.description(row) for row in range(len(patches))]


@dataclass
class _Answers:
    words: DescriberTokenizer
    count: int
    characters: int

    def __post_init__(self) -> None:
        self.last = np.full((self.count, 1), PAD, dtype=np.int64)
        self.done = np.zeros(self.count, dtype=np.bool_)
        self._kinds = np.zeros(self.count, dtype=np.intp)
        self._stages = np.full(self.count, -1, dtype=np.intp)
        self._written = np.zeros(self.count, dtype=np.intp)
        self._said: list[list[tuple[int, float]]] = [[] for _ in range(self.count)]

    def add(self, logits: Floats) -> None:
        """One more word for each answer that is not done."""
        begun = bool(self._stages.max(initial=-1) >= 0)
        allowed = self.words.allowed[self._kinds, self._stages] if begun else self.words.stages == 0
        # A row that is done allows nothing any more; it is computed with the others and not looked at.
        masked = np.where(allowed | self.done[:, None], logits.astype(np.float64), -np.inf)
        best = masked.argmax(axis=1)
        sure = 1 / np.exp(masked - masked.max(axis=1, keepdims=True)).sum(axis=1)
        for row in np.flatnonzero(~self.done):
            self._said[row].append((int(best[row]), float(sure[row])))
        if not begun:
            self._kinds = best.astype(np.intp)
        self.last = np.where(self.done[:, None], self.last, best[:, None]).astype(np.int64)
        self._stages = np.where(self.done, self._stages, self.words.stages[self.last[:, 0]]).astype(np.intp)
        self._written += self.last[:, 0] != self.words.text
        self._finish()

    def _finish(self) -> None:
        """Answers are done at their end, before a text that nobody wants, and where nothing but the end may follow."""
        in_text = self._stages == self.words.stages[self.words.text]
        self._written = np.where(in_text, self._written, 0)
        full = in_text & (self._written >= self.characters)
        open_rows = self.words.allowed[self._kinds, self._stages]
        open_rows[:, END] = False
        if self.characters == 0:
            open_rows[:, self.words.text] = False
        self.done |= full | ~open_rows.any(axis=1)

    def description(self, row: int) -> Description | None:
        said = self._said[row]
        known = parse_description(self.words.decode([number for number, _ in said]))
        if known is None:
            return None
        sure: dict[str, float] = {"text": 1.0, "subtype": 1.0}
        states: dict[State, float] = {}
        names: tuple[str, ...] = ("type", "subtype", *STATES, "text", "end")
        for number, value in said:
            name = names[int(self.words.stages[number])]
            sure[name] = min(sure.get(name, 1.0), value)
        for state in known.states:
            states[state] = sure[state]
        text = known.text if self.characters else None
        return replace(
            known,
            type_confidence=sure["type"],
            subtype_confidence=sure["subtype"],
            state_confidence=states,
            text=text,
            text_confidence=sure["text"] if text else 1.0,
        )
