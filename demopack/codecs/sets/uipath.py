"""The UiPath planner for OSWorld: its answers as training rows, and its step records; memory operations included."""

from __future__ import annotations

import json
from typing import Any, Final

from demopack.codecs import uipath
from demopack.codecs.answers import planner_answer
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter, load_lines
from demopack.codecs.sets.questions import demo_name, history, reasoning


class _Writer(FormatWriter):
    table = "planner.jsonl"

    def add(self, demo: RecordedDemo) -> None:
        records: list[dict[str, Any]] = []
        for step, encoded in self.encoded(demo, uipath.CODEC):
            image = self.picture_before(demo, step)
            review = self._review(demo.steps[step.index - 1]) if step.index else ""
            for call in encoded.calls:
                thought = reasoning(step, self.options)
                answer = planner_answer(call, thought=thought, review=review, memory=step.memory)
                row = {
                    "demo": step.demo,
                    "step": step.recorded.id,
                    "task": demo.head.task,
                    "history": history(demo, step, self.options),
                    "image": image,
                    "answer": answer,
                }
                self.output.line(self.table, row)
                records.append(_record(answer, image, len(records) + 1))
                # Only the first call of a step answers to what came before it.
                review = ""
        self.output.json(f"steps/{demo_name(demo)}.json", {"task": demo.head.task, "steps": records})

    def _review(self, step: RecordedStep) -> str:
        """What a step led to: the next one sees it on its picture, so there it is no hindsight."""
        rationale = step.recorded.rationale
        return "" if rationale is None or self.options.rationale == "none" else rationale.actual_effect


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
    about="Questions and answers of the UiPath planner, and a demo's steps as it keeps them.",
    load=load_lines("planner.jsonl"),
    writer=_Writer,
    dialect="uipath",
    losses=(Loss("place", "where on the picture", "the planner names elements in words; another model finds them"),),
    uses=frozenset({"rationale", "marks", "history"}),
)
