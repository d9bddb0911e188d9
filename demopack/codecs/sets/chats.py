"""Samples as chats between a person and a model: the base of every chat format."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from demopack.codecs.output import Output
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import LEFT_OUT, ExportOptions, FormatWriter
from demopack.codecs.sets.questions import answer_text, element_lines, question


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question with its picture, and the answer.

    Attributes:
        step: the step.
        picture: path inside the export.
        asks: the question in words.
        says: the answer in words.
    """

    step: RecordedStep
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

    demo: RecordedDemo
    turns: Sequence[Turn]

    @property
    def key(self) -> str:
        """A name for the sample: the demo, or the step where there is one alone."""
        return self.demo.head.id if len(self.turns) != 1 else self.turns[0].step.name


class ChatWriter(FormatWriter):
    """Makes chats of demos; the unit decides between samples per step and per demo."""

    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options)
        self._samples = 0

    def add(self, demo: RecordedDemo) -> None:
        """Write one demo."""
        turns: list[Turn] = []
        for step in demo.steps:
            self.output.rows_in += 1
            turn = self._turn(demo, step, first=not turns)
            if turn is None:
                continue
            if self.options.unit == "step":
                self._write(Chat(demo=demo, turns=[turn]))
            else:
                turns.append(turn)
        if turns:
            self._write(Chat(demo=demo, turns=turns))

    def _turn(self, demo: RecordedDemo, step: RecordedStep, *, first: bool) -> Turn | None:
        if step.recorded.before is None:
            self.output.left_out.add("no_picture", LEFT_OUT["no_picture"], step.name)
            return None
        says = self.says(step)
        if says is None:
            return None
        picture = self.picture(demo, step.recorded.before)
        if self.options.unit == "step" or first:
            asks = question(demo, step, self.options)
        else:
            # What was done before stands above, in the chat itself.
            lines = element_lines(step, self.options)
            asks = "\n".join(["Elements:", *lines]) if lines else "What is next?"
        return Turn(step=step, picture=picture, asks=asks, says=says)

    def says(self, step: RecordedStep) -> str | None:
        """A step's answer, by default the LLMResponse as JSON; None where it has none, which is counted here."""
        return answer_text(step, self.options)

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
