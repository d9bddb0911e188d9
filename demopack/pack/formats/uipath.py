"""The UiPath planner for OSWorld: its answers as training rows, and its step records; memory operations included."""

from __future__ import annotations

import json
from typing import Any, Final

from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.dialects import uipath
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import history, reasoning
from demopack.pack.formats.shots import Shots
from demopack.pack.formats.trajectories import demo_name
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows

__all__ = ["FORMAT", "memory_operations"]


def memory_operations(row: StepRow) -> list[dict[str, Any]]:
    """What a step adds to the planner's memory: data that were read, values of variables that were typed."""
    action = row.response["action"]
    parameters = action["parameters"]
    if action["action_type"] == "extract_data" and parameters.get("data") is not None:
        about = str(parameters["description"])
        return [_store(about, parameters["data"], about)]
    if action["action_type"] == "type" and row.variable:
        return [_store(row.variable, parameters["text_to_type"], f"The value of {row.variable} that was typed")]
    return []


def _store(key: str, value: object, description: str) -> dict[str, Any]:
    return {
        "type": "store_info",
        "info_type": "data_update",
        "key": "_".join(key.lower().split()),
        "value": value,
        "description": description,
    }


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options
        self._shots = Shots(output, options)

    def add(self, demo: DemoRows) -> None:
        records: list[dict[str, Any]] = []
        review = ""
        for row in demo.steps:
            self._output.rows_in += 1
            spoken = hear(self._output, uipath.DIALECT, demo, row)
            if spoken is not None:
                self._output.rows_out += 1
                image = self._shots.before(demo, row)
                for call in spoken.calls:
                    answer = self._answer(row, call, review)
                    self._output.line("planner.jsonl", self._row(demo, row, image, answer))
                    records.append(_record(answer, image, len(records) + 1))
                    # Only the first call of a step answers to what came before it.
                    review = ""
            review = self._review(row)
        self._output.json(f"steps/{demo_name(demo)}.json", {"task": demo.head.task, "steps": records})

    def _answer(self, row: StepRow, call: dict[str, Any], review: str) -> dict[str, Any]:
        return {
            "previous_action_result": review,
            "thought": reasoning(row, self._options),
            "action_description": call["description"],
            "update_memory": memory_operations(row),
            "action": call,
        }

    def _row(self, demo: DemoRows, row: StepRow, image: str | None, answer: dict[str, Any]) -> dict[str, Any]:
        done = history(demo, row, self._options)
        return {"demo": row.demo, "step": row.step, "task": row.task, "history": done, "image": image, "answer": answer}

    def _review(self, row: StepRow) -> str:
        """What a step led to: the next one sees it on its picture, so there it is no hindsight."""
        if row.rationale is None or self._options.rationale == "none":
            return ""
        return row.rationale.actual_effect

    def finish(self) -> None:
        """Leave a file even where there is no row."""
        self._output.text("planner.jsonl")


def _record(answer: dict[str, Any], image: str | None, number: int) -> dict[str, Any]:
    call = answer["action"]
    parameters = call.get("parameters", {})
    return {
        "description": answer["action_description"],
        "thought": answer["thought"],
        "additional_parameters": {
            "review": answer["previous_action_result"],
            "thought": answer["thought"],
            "action_description": answer["action_description"],
            "memory": json.dumps(answer["update_memory"], ensure_ascii=False),
            "plan_action": json.dumps(call, ensure_ascii=False),
        },
        "actions": [
            {
                "id": str(number),
                "description": call["description"],
                "method_type": call["type"],
                "parameters": parameters,
            }
        ],
        "image": image,
    }


FORMAT: Final = Format(
    name="uipath",
    title="UiPath planner",
    files="planner.jsonl, steps/*.json, images/",
    reads="the UiPath planner's prompts and step records",
    writer=_Writer,
    dialect="uipath",
    losses=(
        Loss(
            code="place",
            what="where on the picture",
            why="the planner names elements in words; another model finds them",
        ),
    ),
    uses=frozenset({"rationale", "marks", "history"}),
)
