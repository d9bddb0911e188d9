"""AgentNet / OpenCUA: one line for each demo, PyAutoGUI calls with fractions of the picture."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.verdicts import DemoVerdict
from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.dialects import pyautogui
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import observation, reasoning
from demopack.pack.formats.shots import Shots
from demopack.pack.rows import DemoRow, StepRow
from demopack.pack.stream import DemoRows, named

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
        if head.verdict is not None:
            line |= self._judged(head, head.verdict)
        self._output.line("agentnet.jsonl", line)

    def _words(self, row: StepRow) -> dict[str, Any]:
        why = reasoning(row, self._options)
        words = {"observation": observation(row, self._options), "thought": why, "action": row.description}
        return {**words, **self._reflected(row)}

    def _reflected(self, row: StepRow) -> dict[str, Any]:
        """What was said about the step itself: its "last step" is the one whose effect the judge looked at."""
        verdict = row.verdict
        if verdict is None:
            return {}
        said: dict[str, Any] = {}
        for name, answer in (("last_step_correct", verdict.correct), ("last_step_redundant", verdict.redundant)):
            if answer == "unsure":
                self._output.lost.add("unsure", "a judge was not sure; the field is left out", named(row))
            elif answer is not None:
                said[name] = answer == "yes"
        return {**said, "reflection": verdict.reflection} if verdict.reflection else said

    def _judged(self, head: DemoRow, verdict: DemoVerdict) -> dict[str, Any]:
        line: dict[str, Any] = {
            "alignment_score": verdict.alignment,
            "efficiency_score": verdict.efficiency,
            "task_difficulty": verdict.difficulty,
            "actual_task": verdict.actual_task,
        }
        if not head.outcome_reason and verdict.reason:
            line["reason"] = verdict.reason
        # The person who did the task knows better than a judge whether it was done.
        if head.outcome is None and verdict.complete == "unsure":
            self._output.lost.add("unsure", "a judge was not sure; the field is left out", head.demo)
        elif head.outcome is None:
            line["task_completed"] = verdict.complete == "yes"
        return line

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
        Loss(
            code="judged",
            what="a judge's labels, parts of the task and view of the task's wording",
            why="it has fields for right, needless, reflection and three scores alone",
        ),
    ),
    uses=frozenset({"rationale", "marks"}),
)
