"""UFO's dataflow: one result file for each demo, filed by how it ended."""

from __future__ import annotations

from typing import Any, Final

from demopack.codecs import ufo
from demopack.codecs.losses import Loss
from demopack.codecs.output import encode_step
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter
from demopack.codecs.sets.questions import demo_name

_VERDICTS: Final = {"success": ("yes", "pass"), "failure": ("no", "fail"), None: ("unsure", "unsure")}


class _Dataflow(FormatWriter):
    note = "Nothing was instantiated: choose_template is empty, and its times are 0. Success: the step was done."

    def add(self, demo: RecordedDemo) -> None:
        plan: list[dict[str, Any]] = []
        for step in demo.steps:
            if step.ends:
                # The verdict says it; a plan has no step for it.
                self.output.rows_out += 1
                continue
            encoded = encode_step(self.output, ufo.CODEC, step)
            if encoded is not None:
                self.output.rows_out += 1
                plan += [self._step(step, call, len(plan) + 1) for call in encoded.calls]
        _, folder = _VERDICTS[demo.head.outcome]
        self.output.json(f"dataflow/execution_{folder}/{demo_name(demo)}.json", self._result(demo, plan))

    def _step(self, step: RecordedStep, call: dict[str, Any], number: int) -> dict[str, Any]:
        target = step.placed.target
        text = "" if target is None else target.text or ""
        return {
            "Step": number,
            "Subtask": step.description,
            "ControlLabel": None if target is None else str(target.number),
            "ControlText": text,
            "Function": call["Function"],
            "Args": call["Args"],
            "Success": True,
            "MatchedControlText": text or None,
        }

    def _result(self, demo: RecordedDemo, plan: list[dict[str, Any]]) -> dict[str, Any]:
        head = demo.head
        verdict, _ = _VERDICTS[head.outcome]
        steps = [f"{number}. {step['Subtask']}" for number, step in enumerate(plan, start=1)]
        reason = head.outcome_reason or "A person did the task and said how it ended."
        times = [step.started_ms + step.duration_ms for step in demo.steps if step.started_ms is not None]
        seconds = round(max(times, default=0.0) / 1000, 3)
        return {
            "unique_id": head.id,
            "app": head.app,
            "original": {"original_task": head.task, "original_steps": steps},
            "execution_result": {
                "result": {"reason": reason, "sub_scores": {head.task or "task": verdict}, "complete": verdict},
                "error": None,
            },
            "instantiation_result": {
                "choose_template": {"result": "", "error": None},
                "prefill": {"result": {"instantiated_request": head.task, "instantiated_plan": plan}, "error": None},
                "instantiation_evaluation": {
                    "result": {"judge": True, "thought": "It was demonstrated by a person.", "request_type": "None"},
                    "error": None,
                },
            },
            "time_cost": {
                "choose_template": 0.0,
                "prefill": 0.0,
                "instantiation_evaluation": 0.0,
                "execute": seconds,
                "execute_eval": 0.0,
                "total": seconds,
            },
        }


FORMAT: Final = Format(
    name="ufo",
    title="UFO dataflow results",
    files="dataflow/execution_pass/*.json, or execution_fail, execution_unsure",
    reads="UFO's dataflow",
    about="A result a demo as UFO's dataflow leaves them, in folders by how it ended.",
    load=(
        "import json\n"
        "from pathlib import Path\n"
        "\n"
        'results = [json.loads(file.read_bytes()) for file in Path("FOLDER/dataflow").rglob("*.json")]'
    ),
    writer=_Dataflow,
    units=("episode",),
    dialect="ufo",
    losses=(
        Loss("picture", "the pictures", "a result holds text alone"),
        Loss("reasoning", "the reasons of steps", "a plan's step has no field for them"),
    ),
)
