"""Samples as talks between a person and a model; what every chat format is written from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from demopack.pack.formats.base import ExportOptions
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import answer_text, element_line, question
from demopack.pack.formats.shots import Shots
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows, named

__all__ = ["LEFT_OUT", "Chat", "ChatWriter", "Speak", "Turn", "speak_native"]

LEFT_OUT = {
    "no_picture": "the step has no picture of the screen before it",
    "no_word": "the vocabulary has no word for the action",
    "no_place": "the vocabulary needs a place, and none is known",
    "not_parsed": "nobody has looked for elements on this picture",
    "no_steps": "no step of the demo can be written",
}
"""Why a row is not written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question with its picture, and the answer.

    Attributes:
        row: the step.
        picture: path inside the export.
        asks: the question in words.
        says: the answer in words.
    """

    row: StepRow
    picture: str
    asks: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One sample.

    Attributes:
        demo: the demo.
        turns: one for each step; a single one in samples per step.
    """

    demo: DemoRows
    turns: tuple[Turn, ...]

    @property
    def key(self) -> str:
        """A name for the sample: the demo, or the step where there is one alone."""
        return self.demo.head.demo if len(self.turns) != 1 else named(self.turns[0].row)


Speak = Callable[[DemoRows, StepRow], "str | None"]
"""Says a step's answer; None when it cannot be said, which the callable has counted."""


def speak_native(options: ExportOptions) -> Speak:
    """The contract's own vocabulary: the LLMResponse as JSON."""
    return lambda _, row: answer_text(row, options)


class ChatWriter(ABC):
    """Makes talks of demos; a format writes each as it likes.

    Args:
        output: the export.
        options: as chosen; the unit decides between samples per step and per demo.
        speak: says the answers; the contract's vocabulary by default.
        shots: where pictures go.
    """

    def __init__(
        self, output: Output, options: ExportOptions, *, speak: Speak | None = None, shots: Shots | None = None
    ) -> None:
        self.output = output
        self.options = options
        self._speak = speak or speak_native(options)
        self._shots = shots or Shots(output, options)
        self._samples = 0

    def add(self, demo: DemoRows) -> None:
        """Write one demo."""
        turns: list[Turn] = []
        for row in demo.steps:
            self.output.rows_in += 1
            turn = self._turn(demo, row, first=not turns)
            if turn is None:
                continue
            if self.options.unit == "step":
                self._write(Chat(demo=demo, turns=(turn,)))
            else:
                turns.append(turn)
        if turns:
            self._write(Chat(demo=demo, turns=tuple(turns)))

    def _turn(self, demo: DemoRows, row: StepRow, *, first: bool) -> Turn | None:
        where = named(row)
        if row.before is None:
            self.output.left_out.add("no_picture", LEFT_OUT["no_picture"], where)
            return None
        says = self._speak(demo, row)
        if says is None:
            return None
        picture = self._shots.frame(demo, row.before)
        if self.options.unit == "step" or first:
            asks = question(demo, row, self.options)
        else:
            # What was done before stands above, in the talk itself.
            found = demo.on(row) if self.options.elements else ()
            asks = "\n".join(["Elements:", *(element_line(e) for e in found)]) if found else "What is next?"
        return Turn(row=row, picture=picture, asks=asks, says=says)

    def _write(self, chat: Chat) -> None:
        self.write(chat)
        self._samples += 1
        self.output.rows_out += len(chat.turns)

    @abstractmethod
    def write(self, chat: Chat) -> None:
        """Write one sample."""

    def finish(self) -> None:
        """Note how many samples there are."""
        self.output.notes.append(f"{self._samples} samples, one for each {self.options.unit}")
