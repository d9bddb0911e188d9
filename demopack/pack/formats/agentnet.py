"""AgentNet / OpenCUA: one line for each demo, PyAutoGUI calls with fractions of the picture."""

from __future__ import annotations

from typing import Any, Final

from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.dialects import pyautogui
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import observation, reasoning
from demopack.pack.formats.shots import Shots
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows

__all__ = ["FORMAT"]


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options
        self._shots = Shots(output, options)

    def add(self, demo: DemoRows) -> None:
        steps: list[dict[str, Any]] = []
        for row in demo.steps:
            self._output.rows_in += 1
            spoken = hear(self._output, pyautogui.AGENTNET, demo, row)
            if spoken is not None:
                value = {**self._words(row), "code": "\n".join(spoken.calls)}
                steps.append({"index": len(steps), "image": self._shots.before(demo, row), "value": value})
                self._output.rows_out += 1
        head = demo.head
        line: dict[str, Any] = {"task_id": head.demo, "instruction": head.task, "traj": steps}
        if head.outcome is not None:
            line["task_completed"] = head.outcome == "success"
        if head.outcome_reason:
            line["reason"] = head.outcome_reason
        self._output.line("agentnet.jsonl", line)

    def _words(self, row: StepRow) -> dict[str, str]:
        why = reasoning(row, self._options)
        return {"observation": observation(row, self._options), "thought": why, "action": row.description}

    def finish(self) -> None:
        """Nothing comes at the end."""
        self._output.text("agentnet.jsonl")


FORMAT: Final = Format(
    name="agentnet",
    title="AgentNet / OpenCUA",
    files="agentnet.jsonl, images/",
    reads="OpenCUA's tools",
    writer=_Writer,
    units=("episode",),
    dialect="agentnet",
    losses=(
        Loss(code="target", what="which element was meant", why="a call names a place alone"),
        Loss(code="judged", what="scores of steps and of the demo", why="nobody has judged them in a pack"),
    ),
    uses=frozenset({"rationale", "marks"}),
)
