"""AgentNet / OpenCUA: one line for each demo, PyAutoGUI calls with fractions of the picture."""

from __future__ import annotations

from typing import Any, Final

from demopack.codecs import pyautogui
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter, load_lines
from demopack.codecs.sets.questions import observation, reasoning
from demopack.domain.demos import DemoHead
from demopack.domain.verdicts import Answer, DemoVerdict


class _Writer(FormatWriter):
    table = "agentnet.jsonl"

    def add(self, demo: RecordedDemo) -> None:
        steps: list[dict[str, Any]] = []
        for step, encoded in self.encoded(demo, pyautogui.AGENTNET, pictured=True):
            value = {
                "observation": observation(step, self.options),
                "thought": reasoning(step, self.options),
                "action": step.description,
                **self._reflected(step),
                "code": "\n".join(encoded.calls),
            }
            steps.append({"index": len(steps), "image": self.picture_before(demo, step), "value": value})
        head = demo.head
        line: dict[str, Any] = {"task_id": head.id, "instruction": head.task, "traj": steps}
        if head.outcome is not None:
            line["task_completed"] = head.outcome == "success"
        if head.outcome_reason:
            line["reason"] = head.outcome_reason
        if head.verdict is not None:
            line |= self._judged(head, head.verdict)
        self.output.line(self.table, line)

    def _reflected(self, step: RecordedStep) -> dict[str, Any]:
        """What was said about the step itself: its "last step" is the one whose effect the judge looked at."""
        verdict = step.recorded.verdict
        if verdict is None:
            return {}
        said: dict[str, Any] = {}
        self._answer(said, "last_step_correct", verdict.correct, step.name)
        self._answer(said, "last_step_redundant", verdict.redundant, step.name)
        return {**said, "reflection": verdict.reflection} if verdict.reflection else said

    def _judged(self, head: DemoHead, verdict: DemoVerdict) -> dict[str, Any]:
        said = {
            "alignment_score": verdict.alignment,
            "efficiency_score": verdict.efficiency,
            "task_difficulty": verdict.difficulty,
            "actual_task": verdict.actual_task or None,
        }
        line: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        if not head.outcome_reason and verdict.reason:
            line["reason"] = verdict.reason
        # The person who did the task knows better than a judge whether it was done.
        if head.outcome is None:
            self._answer(line, "task_completed", verdict.complete, head.id)
        return line

    def _answer(self, fields: dict[str, Any], name: str, answer: Answer | None, where: str) -> None:
        if answer == "unsure":
            self.output.lost.add("unsure", "a judge was not sure; the field is left out", where)
        elif answer is not None:
            fields[name] = answer == "yes"


FORMAT: Final = Format(
    name="agentnet",
    title="AgentNet / OpenCUA",
    files="agentnet.jsonl, images/",
    reads="OpenCUA's tools",
    about="One line a demo with PyAutoGUI calls in fractions: what OpenCUA was trained on.",
    load=load_lines("agentnet.jsonl"),
    writer=_Writer,
    units=("episode",),
    dialect="agentnet",
    losses=(
        Loss("target", "which element was meant", "a call names a place alone"),
        Loss(
            "judged",
            "a judge's labels, parts of the task and view of the task's wording",
            "it has fields for right, needless, reflection and three scores alone",
        ),
    ),
    uses=frozenset({"rationale", "marks"}),
)
