"""The contract's own form: one line of JSON for each step, or for each demo."""

from __future__ import annotations

from typing import Any, Final

from demopack.pack.formats.base import ExportOptions, Format
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import answer, history
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
        rows: list[dict[str, Any]] = []
        for step in demo.steps:
            self._output.rows_in += 1
            row = self._row(demo, step)
            if self._options.unit == "step":
                head = {"demo": demo.head.demo, "task": demo.head.task, "app": demo.head.app}
                self._output.line("steps.jsonl", {**head, **row})
            else:
                rows.append(row)
            self._output.rows_out += 1
        if rows:
            head = {"demo": demo.head.demo, "task": demo.head.task, "app": demo.head.app}
            self._output.line("episodes.jsonl", {**head, "outcome": demo.head.outcome, "steps": rows})

    def _row(self, demo: DemoRows, step: StepRow) -> dict[str, Any]:
        row: dict[str, Any] = {
            "step": step.step,
            "index": step.index,
            "history": history(demo, step, self._options),
            "image": self._shots.before(demo, step),
            "image_size": step.image_size,
            "response": answer(step, self._options),
        }
        if self._options.elements:
            names = ("element_id", "track_id", "type", "text", "subtype", "states", "bbox")
            row["elements"] = [{name: getattr(e, name) for name in names} for e in demo.on(step)]
        return row

    def finish(self) -> None:
        """Nothing comes at the end."""


FORMAT: Final = Format(
    name="llmresponse",
    title="LLMResponse JSON Lines",
    files="steps.jsonl or episodes.jsonl, images/",
    reads="anything that reads JSON",
    load='load_dataset("json", data_files="FOLDER/steps.jsonl", split="train")',
    writer=_Writer,
    units=("step", "episode"),
    uses=frozenset({"rationale", "elements", "marks", "unit", "history"}),
)
