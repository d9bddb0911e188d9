"""ATIF, Harbor's Agent Trajectory Interchange Format: the contract's actions as tool calls, pictures beside them."""

from __future__ import annotations

from typing import Any, Final

from demopack import __version__
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import DEMO_FOLDER, Format, FormatWriter
from demopack.codecs.sets.questions import after, demo_name, element_lines, reasoning, started_at
from demopack.domain.frames import Frame

ATIF_VERSION: Final = "ATIF-v1.7"
_NOTES = (
    "A person's demonstration. Arguments are the LLMResponse contract's target and parameters; a bbox is "
    "[x, y, width, height] in fractions of the picture."
)


class _Writer(FormatWriter):
    picture_folder = f"{DEMO_FOLDER}images/"

    def add(self, demo: RecordedDemo) -> None:
        head = demo.head
        first = next((step.recorded.before for step in demo.steps if step.recorded.before is not None), None)
        message: list[dict[str, Any]] = [{"type": "text", "text": head.task}]
        if first is not None:
            message.append(self._picture(demo, first))
        start = {"step_id": 1, "timestamp": head.created_at.isoformat(), "source": "user", "message": message}
        steps: list[dict[str, Any]] = [start]
        for step in self.every(demo):
            steps.append(self._step(demo, step, len(steps) + 1))
        document = {
            "schema_version": ATIF_VERSION,
            "session_id": head.id,
            "agent": {"name": "human", "version": f"demopack {__version__}"},
            "steps": steps,
            "notes": _NOTES,
            "extra": {
                "app": head.app,
                "platform": head.platform,
                "outcome": head.outcome,
                "licence": self.output.licence,
            },
        }
        self.output.json(f"{DEMO_FOLDER}{demo_name(demo)}.json", document, compact=True)

    def _picture(self, demo: RecordedDemo, frame: Frame) -> dict[str, Any]:
        source = {"media_type": "image/png", "path": self.picture(demo, frame).removeprefix(DEMO_FOLDER)}
        return {"type": "image", "source": source}

    def _step(self, demo: RecordedDemo, step: RecordedStep, number: int) -> dict[str, Any]:
        wire = step.response.action.to_wire()
        call = f"call_{step.index + 1}"
        arguments = {"target": wire["target"], "parameters": wire["parameters"]}
        moment = started_at(demo, step)
        written: dict[str, Any] = {
            "step_id": number,
            "timestamp": moment and moment.isoformat(),
            "source": "agent",
            "message": step.description,
            "tool_calls": [{"tool_call_id": call, "function_name": wire["action_type"], "arguments": arguments}],
        }
        why = reasoning(step, self.options)
        if why:
            written["reasoning_content"] = why
        before, shown = step.recorded.before, after(demo, step)
        if shown is not None:
            written["observation"] = {"results": [{"source_call_id": call, "content": [self._picture(demo, shown)]}]}
        lines = element_lines(step, self.options)
        written["extra"] = {
            "step": step.recorded.id,
            "is_goal_complete": step.response.is_goal_complete,
            "before": None if before is None else self.picture(demo, before).removeprefix(DEMO_FOLDER),
            "image_size": step.image_size,
            "target_box": step.target_box and step.target_box.corners,
            **({"elements": lines} if lines else {}),
        }
        return written


FORMAT: Final = Format(
    name="atif",
    title="ATIF trajectory",
    files="demos/DEMO.json, demos/images/",
    reads="the atif package, Harbor",
    about="A trajectory a demo in the interchange format of agents, with its pictures, valid by its own package.",
    load=(
        "from pathlib import Path\n"
        "\n"
        "from atif import Trajectory\n"
        "\n"
        'trajectory = Trajectory.model_validate_json(Path("FOLDER/demos/DEMO.json").read_bytes())'
    ),
    writer=_Writer,
    units=("episode",),
    uses=frozenset({"rationale", "elements", "marks"}),
)
