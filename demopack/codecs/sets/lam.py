"""Samples for training the Large Action Model: the turns of each demo in the form of Appendix C of its paper."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from demopack.codecs import lam
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter, load_table
from demopack.codecs.sets.questions import history_steps, reasoning
from demopack.domain.rationale import lam_thought

_NO_CONTROL: Final = "the element is none of LAM's ten kinds of control; its place is said, or nothing"


class _Samples(FormatWriter):
    table = "lam.jsonl"
    note = (
        "A plan is the rationale's where it has one, else the actions that followed: it knows how the demo went. "
        "Texts of system and user are those of `demopack prompt --dialect lam`: ask the model in the same words."
    )

    def add(self, demo: RecordedDemo) -> None:
        seen = replace(demo, steps=[lam.listed(step) for step in demo.steps])
        said = list(self.encoded(seen, lam.CODEC))
        for step, encoded in said:
            is_dragged = encoded.calls[0]["Function"] == "drag_on_coordinates"
            if not is_dragged and step.placed.target is None and demo.steps[step.index].placed.target is not None:
                self.output.lost.add("control", _NO_CONTROL, step.name)
        for turn in lam.lam_turns(demo, said, thought=self._thought):
            step = turn.step
            asked = lam.question(
                demo.head.task,
                step.observation.elements,
                history_steps(demo, step, self.options),
                turn.plan,
                words_told=self.options.rationale != "none",
            )
            messages = [
                {"role": "system", "content": lam.system_text()},
                {"role": "user", "content": asked},
                {"role": "assistant", "content": json.dumps(turn.answer, ensure_ascii=False)},
            ]
            self.output.line(self.table, {"id": step.name, "messages": messages, "metadata": _metadata(demo, step)})

    def _thought(self, step: RecordedStep) -> str:
        rationale = step.recorded.rationale
        if self.options.rationale == "no_hindsight" and rationale is not None and rationale.mode == "no_hindsight":
            return lam_thought(rationale)
        return reasoning(step, self.options)


def _metadata(demo: RecordedDemo, step: RecordedStep) -> dict[str, Any]:
    """What the paper's post-processing notes with a sample: task, time, and what a judge said of task and step."""
    head, verdict = demo.head, step.recorded.verdict
    return {
        "task_id": head.id,
        "app": head.app,
        "step_id": step.recorded.id,
        "step": step.number + 1,
        "started_ms": step.started_ms,
        "duration_ms": step.duration_ms,
        "task_complete": head.done,
        "task_feedback": head.outcome_reason if head.verdict is None else head.verdict.reason,
        "step_correct": None if verdict is None else verdict.correct,
        "step_redundant": None if verdict is None else verdict.redundant,
        "step_feedback": "" if verdict is None else verdict.reflection,
    }


LAM: Final = Format(
    name="lam",
    title="LAM samples (Appendix C)",
    files="lam.jsonl",
    reads="LAM's training",
    about="A step's question and answer as Large Action Models are trained on them.",
    load=load_table("lam.jsonl"),
    writer=_Samples,
    dialect="ufo",
    losses=(
        Loss("picture", "the pictures", "LAM reads controls as text alone"),
        Loss("kinds", "elements that are none of ten kinds of control", "LAM knows no others"),
    ),
    uses=frozenset({"rationale", "history", "any_outcome"}),
    successful_only=True,
)
