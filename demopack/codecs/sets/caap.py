"""CAAP's demonstrations as plain text: each demo as a script, and all of them as they stand in a prompt."""

from __future__ import annotations

from typing import Any, Final

from demopack.codecs import caap
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo
from demopack.codecs.sets.base import Format, FormatWriter
from demopack.codecs.sets.questions import demo_name, reasoning
from demopack.domain.rationale import START_REASON

_START = {"name": "start"}


def action_line(label: str, call: dict[str, Any], reason: str) -> str:
    """One line: ``action_2: {name: click_element, arg: {type: button, …}, reason: "…"}``."""
    parts = [f"name: {call['name']}"]
    if "arg" in call:
        parts.append(f"arg: {call['arg']}")
    if reason:
        parts.append(f'reason: "{reason}"')
    return f"{label}: {{{', '.join(parts)}}}"


def script_text(task: str, actions: list[tuple[dict[str, Any], str]], *, label: str = "action") -> str:
    """A demo as CAAP writes it: the task, then the numbered actions, the start first.

    Args:
        task: what was to be done.
        actions: calls of the CAAP vocabulary, and why.
        label: what the actions are called; ``demo_action`` inside prompts.
    """
    whole = [(_START, START_REASON), *actions]
    lines = [action_line(f"{label}_{number}", *action) for number, action in enumerate(whole, start=1)]
    return "\n".join([f"TASK: {' '.join(task.split())}", "Action History:", *lines])


def demo_text(number: int, task: str, actions: list[tuple[dict[str, Any], str]]) -> str:
    """A demo as it stands in a CAAP prompt: ``DEMO_1 = { … }``."""
    return f"DEMO_{number} = {{\n{script_text(task, actions, label='demo_action')}\n}}"


class _Writer(FormatWriter):
    table = "demos.txt"

    def add(self, demo: RecordedDemo) -> None:
        actions: list[tuple[dict[str, Any], str]] = []
        for step, encoded in self.encoded(demo, caap.CODEC):
            why = " ".join(reasoning(step, self.options).split())
            # Of a step in several parts the first tells why.
            actions += [(call, why if number == 0 else "") for number, call in enumerate(encoded.calls)]
        task = demo.head.task
        self.output.write(f"scripts/{demo_name(demo)}.txt", script_text(task, actions) + "\n")
        self.output.text("demos.txt").write(demo_text(self.demos, task, actions) + "\n")


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
    uses=frozenset({"rationale"}),
)
