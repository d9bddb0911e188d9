"""OSWorld's results: a folder for each demo with ``traj.jsonl`` and the screen *after* every action."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from demopack.codecs import osworld
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter
from demopack.codecs.sets.questions import after, demo_name, reasoning, started_at
from demopack.json_lines import dump_line


class _Writer(FormatWriter):
    note = (
        "screenshot_file shows the screen after the action, as OSWorld has it; initial.png is the one before the "
        "first. A step of several calls has one line for each of them and the picture after the last."
    )

    def add(self, demo: RecordedDemo) -> None:
        folder = f"results/{demo_name(demo)}"
        lines: list[dict[str, Any]] = []
        for step, encoded in self.encoded(demo, osworld.CODEC):
            shot = self._shot(demo, step, folder)
            for call in encoded.calls:
                line = {
                    "step_num": len(lines) + 1,
                    "action_timestamp": f"{_moment(demo, step):%Y%m%d@%H%M%S%f}",
                    "action": call,
                    "response": reasoning(step, self.options),
                    "reward": 0.0,
                    "done": False,
                    "info": {"step": step.recorded.id, "description": step.description},
                    "screenshot_file": shot,
                }
                lines.append(line)
        if lines:
            done = demo.head.outcome == "success"
            lines[-1].update(done=True, reward=1.0 if done else 0.0)
        name = f"{folder}/traj.jsonl"
        self.output.write(name, "".join(map(dump_line, lines)))
        self.output.lines[name] = len(lines)
        # As OSWorld's own examples have it; the trajectory has no words of the task.
        self.output.json(f"{folder}/task.json", {"id": demo.head.id, "instruction": demo.head.task})
        score = {"success": "1.0", "failure": "0.0"}.get(demo.head.outcome or "")
        if score is not None:
            self.output.write(f"{folder}/result.txt", f"{score}\n")
        first = next((step.recorded.before for step in demo.steps if step.recorded.before is not None), None)
        if first is not None:
            self.output.picture(demo, demo.files[first.id], f"{folder}/initial.png")

    def _shot(self, demo: RecordedDemo, step: RecordedStep, folder: str) -> str | None:
        frame = after(demo, step)
        if frame is None:
            return None
        # OSWorld has @ for T; that is no portable name, and readers take the name from the line.
        name = f"step_{step.index + 1}_{_moment(demo, step):%Y%m%dT%H%M%S%f}.png"
        self.output.picture(demo, demo.files[frame.id], f"{folder}/{name}")
        return name


def _moment(demo: RecordedDemo, step: RecordedStep) -> datetime:
    """When a step began; that of the demo where nobody knows, as OSWorld always has one."""
    return started_at(demo, step) or demo.head.created_at


FORMAT: Final = Format(
    name="osworld",
    title="OSWorld traj.jsonl",
    files="results/DEMO/traj.jsonl, step_*.png, initial.png, task.json, result.txt",
    reads="OSWorld's viewers and scripts",
    about="A result folder a demo as OSWorld writes them: actions, pictures, outcome.",
    load=(
        "import json\n"
        "from pathlib import Path\n"
        "\n"
        'lines = Path("FOLDER/results/DEMO/traj.jsonl").read_text(encoding="utf-8").splitlines()\n'
        "steps = [json.loads(line) for line in lines]"
    ),
    writer=_Writer,
    units=("episode",),
    dialect="osworld",
    losses=(
        Loss("target", "which element was meant", "an action names a place alone"),
        Loss("elements", "the elements", "the format has no field for them"),
        Loss("size", "the screen's size", "OSWorld takes 1920 x 1080 for granted"),
    ),
    uses=frozenset({"rationale"}),
)
