"""ATIF, Harbor's Agent Trajectory Interchange Format: the contract's actions as tool calls, pictures beside them."""

from __future__ import annotations

from typing import Any, Final

from demopack import __version__
from demopack.pack.formats.base import ExportOptions, Format
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import element_line, reasoning
from demopack.pack.formats.shots import Shots
from demopack.pack.formats.trajectories import after, demo_name, when
from demopack.pack.rows import StepRow, StoredFrame
from demopack.pack.stream import DemoRows

__all__ = ["FORMAT"]

_NOTES = (
    "A person's demonstration. Arguments are the LLMResponse contract's target and parameters; a bbox is "
    "[x, y, width, height] in fractions of the picture."
)


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options
        self._shots = Shots(output, options)

    def add(self, demo: DemoRows) -> None:
        head = demo.head
        first = next((row.before for row in demo.steps if row.before is not None), None)
        message: list[dict[str, Any]] = [{"type": "text", "text": head.task}]
        if first is not None:
            message.append(self._picture(demo, first))
        start = {"step_id": 1, "timestamp": head.created_at.isoformat(), "source": "user", "message": message}
        steps: list[dict[str, Any]] = [start]
        for row in demo.steps:
            self._output.rows_in += 1
            steps.append(self._step(demo, row, len(steps) + 1))
            self._output.rows_out += 1
        document = {
            "schema_version": "ATIF-v1.7",
            "session_id": head.demo,
            "agent": {"name": "human", "version": f"demopack {__version__}"},
            "steps": steps,
            "notes": _NOTES,
            "extra": {
                "app": head.app,
                "platform": head.platform,
                "outcome": head.outcome,
                "licence": self._output.licence,
            },
        }
        self._output.json(f"{demo_name(demo)}.json", document, compact=True)

    def _picture(self, demo: DemoRows, frame: StoredFrame) -> dict[str, Any]:
        source = {"media_type": "image/png", "path": self._shots.frame(demo, frame)}
        return {"type": "image", "source": source}

    def _step(self, demo: DemoRows, row: StepRow, number: int) -> dict[str, Any]:
        action = row.response["action"]
        call = f"call_{row.index + 1}"
        arguments = {"target": action["target"], "parameters": action["parameters"]}
        step: dict[str, Any] = {
            "step_id": number,
            "timestamp": when(demo, row).isoformat(),
            "source": "agent",
            "message": row.description,
            "tool_calls": [{"tool_call_id": call, "function_name": action["action_type"], "arguments": arguments}],
        }
        why = reasoning(row, self._options)
        if why:
            step["reasoning_content"] = why
        shown = after(demo, row)
        if shown is not None:
            step["observation"] = {"results": [{"source_call_id": call, "content": [self._picture(demo, shown)]}]}
        step["extra"] = self._extra(demo, row)
        return step

    def _extra(self, demo: DemoRows, row: StepRow) -> dict[str, Any]:
        found = demo.on(row) if self._options.elements else ()
        extra: dict[str, Any] = {
            "step": row.step,
            "is_goal_complete": row.response["is_goal_complete"],
            "before": self._shots.before(demo, row),
            "image_size": row.image_size,
            "target_box": row.target_box,
        }
        return {**extra, "elements": [element_line(element) for element in found]} if found else extra

    def finish(self) -> None:
        """Nothing comes at the end."""


FORMAT: Final = Format(
    name="atif",
    title="ATIF trajectory",
    files="one .json for each demo, images/",
    reads="the atif package, Harbor",
    load='Trajectory.model_validate_json(Path("FOLDER/DEMO.json").read_bytes())',
    writer=_Writer,
    units=("episode",),
    uses=frozenset({"rationale", "elements", "marks"}),
)
