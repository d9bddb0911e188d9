"""UFO's dataflow results: one JSON for each demo, filed by its outcome, with every field that its schema asks for."""

from __future__ import annotations

from typing import Any, Final

from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.dialects import ufo
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.trajectories import demo_name
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows

__all__ = ["FORMAT"]

_VERDICTS: Final = {"success": ("yes", "pass"), "failure": ("no", "fail"), None: ("unsure", "unsure")}


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        del options
        self._output = output

    def add(self, demo: DemoRows) -> None:
        plan: list[dict[str, Any]] = []
        for row in demo.steps:
            self._output.rows_in += 1
            if row.response["action"]["action_type"] == "finish_goal":
                # The verdict says it; a plan has no step for it.
                self._output.rows_out += 1
                continue
            spoken = hear(self._output, ufo.DIALECT, demo, row)
            if spoken is not None:
                self._output.rows_out += 1
                plan += [self._step(demo, row, call, len(plan) + 1) for call in spoken.calls]
        _, folder = _VERDICTS[demo.head.outcome]
        self._output.json(f"dataflow/execution_{folder}/{demo_name(demo)}.json", self._result(demo, plan))

    def _step(self, demo: DemoRows, row: StepRow, call: dict[str, Any], number: int) -> dict[str, Any]:
        target = demo.element(row, row.target_uid)
        text = "" if target is None else target.text or ""
        return {
            "Step": number,
            "Subtask": row.description,
            "ControlLabel": None if target is None else str(target.element_id),
            "ControlText": text,
            "Function": call["Function"],
            "Args": call["Args"],
            "Success": True,
            "MatchedControlText": text or None,
        }

    def _result(self, demo: DemoRows, plan: list[dict[str, Any]]) -> dict[str, Any]:
        head = demo.head
        verdict, _ = _VERDICTS[head.outcome]
        steps = [f"{number}. {step['Subtask']}" for number, step in enumerate(plan, start=1)]
        reason = head.outcome_reason or "A person did the task and said how it ended."
        times = [row.t_ms + row.duration_ms for row in demo.steps if row.t_ms is not None]
        seconds = round(max(times, default=0.0) / 1000, 3)
        return {
            "unique_id": head.demo,
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

    def finish(self) -> None:
        """Say what has no meaning here."""
        self._output.notes.append(
            "Nothing was instantiated: choose_template is empty, and its times are 0. Success: the step was done."
        )


FORMAT: Final = Format(
    name="ufo",
    title="UFO dataflow results",
    files="dataflow/execution_pass/*.json, or execution_fail, execution_unsure",
    reads="UFO's dataflow",
    writer=_Writer,
    units=("episode",),
    dialect="ufo",
    losses=(
        Loss(code="picture", what="the pictures", why="a result holds text alone"),
        Loss(code="reasoning", what="the reasons of steps", why="a plan's step has no field for them"),
    ),
)
