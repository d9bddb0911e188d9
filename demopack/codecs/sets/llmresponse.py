"""The contract's own form: one line of JSON for each step, or for each demo."""

from __future__ import annotations

from typing import Any, Final

from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter, load_table
from demopack.codecs.sets.questions import answer, history
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Size


class _Writer(FormatWriter):
    def add(self, demo: RecordedDemo) -> None:
        head = {"demo": demo.head.id, "task": demo.head.task, "app": demo.head.app}
        rows: list[dict[str, Any]] = []
        for step in self.every(demo):
            row = self._row(demo, step)
            if self.options.unit == "step":
                self.output.line("steps.jsonl", {**head, **row})
            else:
                rows.append(row)
        if rows:
            self.output.line("episodes.jsonl", {**head, "outcome": demo.head.outcome, "steps": rows})

    def _row(self, demo: RecordedDemo, step: RecordedStep) -> dict[str, Any]:
        row: dict[str, Any] = {
            "step": step.recorded.id,
            "index": step.number,
            "history": history(demo, step, self.options),
            "image": self.picture_before(demo, step),
            "image_size": step.image_size,
            "response": answer(step, self.options),
        }
        if self.options.elements:
            size = step.observation.size
            row["elements"] = [] if size is None else [_listed(e, size) for e in step.observation.elements]
        return row


def _listed(element: NumberedElement, size: Size) -> dict[str, Any]:
    return {
        "element_id": element.number,
        "track_id": element.track_id,
        "type": element.type,
        "text": element.text,
        "subtype": element.subtype,
        "states": element.states,
        "bbox": element.fractions(size),
    }


FORMAT: Final = Format(
    name="llmresponse",
    title="LLMResponse JSON Lines",
    files="steps.jsonl or episodes.jsonl, images/",
    reads="anything that reads JSON",
    about="The contract itself, one JSON line a step or demo, its pictures beside it: for programs of your own.",
    load=load_table("*.jsonl"),
    writer=_Writer,
    units=("step", "episode"),
    uses=frozenset({"rationale", "elements", "marks", "unit", "history"}),
)
