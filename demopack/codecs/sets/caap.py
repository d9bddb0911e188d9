"""CAAP's demonstrations as plain text: each demo as a script, and all of them as they stand in a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from demopack.codecs.caap import CODEC
from demopack.codecs.losses import LOSS_WORDS, Loss
from demopack.codecs.placed_action import PlacedAction
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter
from demopack.codecs.sets.questions import demo_name, reasoning
from demopack.domain.rationale import START_REASON

ScriptLine: TypeAlias = tuple[dict[str, Any] | str, str]
"""A call of the CAAP vocabulary, or in words what was done where it has no call for that; and why."""
START_LINE: Final[ScriptLine] = ({"name": "start"}, START_REASON)


def lines_of_action(placed: PlacedAction, words: str, why: str = "") -> list[ScriptLine]:
    """An action in CAAP's script; what it has no call for is a note, so that no action is missing from a history.

    Of several calls the first tells why.

    Args:
        placed: the action.
        words: the same, in words.
        why: it was done.
    """
    calls: tuple[dict[str, Any] | str, ...] = CODEC.encode(placed).calls or (words,)
    return [(call, "" if number else why) for number, call in enumerate(calls)]


def lines_of_step(step: RecordedStep, why: str = "") -> list[ScriptLine]:
    """:func:`lines_of_action`; none for the end of a task that was done, as CAAP's tasks end by themselves."""
    return [] if _ends_well(step) else lines_of_action(step.placed, step.description, why)


def _ends_well(step: RecordedStep) -> bool:
    return step.ends and step.response.action.completes_goal


def script_lines(lines: Iterable[ScriptLine], *, label: str = "action", first: int = 1) -> list[str]:
    """The lines as text: ``action_2: {name: click_element, arg: {type: button, …}, reason: "…"}``.

    Args:
        lines: in order. Calls are numbered; notes are not, as ``Action_N`` of an answer is a call as well.
        label: what the actions are called; ``demo_action`` inside prompts.
        first: number of the first call.
    """
    written: list[str] = []
    for told, reason in lines:
        if isinstance(told, str):
            head, parts = label.replace("action", "note"), [f'done: "{" ".join(told.split())}"']
        else:
            head, parts = f"{label}_{first}", [f"name: {told['name']}"]
            parts += [f"arg: {told['arg']}"] if "arg" in told else []
            first += 1
        parts += [f'reason: "{reason}"'] if reason else []
        written.append(f"{head}: {{{', '.join(parts)}}}")
    return written


def script_text(task: str, lines: Sequence[ScriptLine], *, label: str = "action") -> str:
    """A demo as CAAP writes it: the task, then the numbered actions, the start first.

    Args:
        task: what was to be done.
        lines: the actions.
        label: as in :func:`script_lines`.
    """
    written = script_lines([START_LINE, *lines], label=label)
    return "\n".join([f"TASK: {' '.join(task.split())}", "Action History:", *written])


def demo_text(number: int, task: str, lines: Sequence[ScriptLine]) -> str:
    """A demo as it stands in a CAAP prompt: ``DEMO_1 = { … }``."""
    return f"DEMO_{number} = {{\n{script_text(task, lines, label='demo_action')}\n}}"


class _Writer(FormatWriter):
    table = "demos.txt"

    def add(self, demo: RecordedDemo) -> None:
        lines = [line for step in demo.steps for line in self._lines(step)]
        task = demo.head.task
        self.output.write(f"scripts/{demo_name(demo)}.txt", script_text(task, lines) + "\n")
        self.output.text("demos.txt").write(demo_text(self.demos, task, lines) + "\n")

    def _lines(self, step: RecordedStep) -> list[ScriptLine]:
        if _ends_well(step):
            self.output.left_out.add("no_word", LOSS_WORDS["no_word"], step.name)
            return []
        encoded = CODEC.encode(step.placed)
        for code in ("note",) if encoded.is_empty else encoded.losses:
            self.output.lost.add(code, LOSS_WORDS[code], step.name)
        self.output.rows_out += 1
        return lines_of_step(step, " ".join(reasoning(step, self.options).split()))


FORMAT: Final = Format(
    name="caap",
    title="CAAP demonstrations",
    files="scripts/*.txt, demos.txt",
    reads="prompts in CAAP's form",
    about="Demonstrations as the text that CAAP puts into its prompts.",
    load=('from pathlib import Path\n\ndemonstrations = Path("FOLDER/demos.txt").read_text(encoding="utf-8")'),
    writer=_Writer,
    units=("episode",),
    dialect="caap",
    losses=(
        Loss("picture", "the pictures", "CAAP's prompts are text alone"),
        Loss("end", "the end of the task", "CAAP's tasks end by themselves"),
    ),
    uses=frozenset({"rationale", "any_outcome"}),
    successful_only=True,
)
