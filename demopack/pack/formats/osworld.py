"""OSWorld's results: a folder for each demo with ``traj.jsonl`` and the screen *after* every action."""

from __future__ import annotations

from typing import Any, Final

from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.dialects import osworld
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import reasoning
from demopack.pack.formats.trajectories import after, demo_name, when
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows

__all__ = ["FORMAT"]


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options

    def add(self, demo: DemoRows) -> None:
        folder = f"results/{demo_name(demo)}"
        lines: list[dict[str, Any]] = []
        for row in demo.steps:
            self._output.rows_in += 1
            spoken = hear(self._output, osworld.DIALECT, demo, row)
            if spoken is None:
                continue
            self._output.rows_out += 1
            shot = self._shot(demo, row, folder)
            lines += [self._line(demo, row, call, shot, len(lines) + n) for n, call in enumerate(spoken.calls, start=1)]
        if lines:
            done = demo.head.outcome == "success"
            lines[-1].update(done=True, reward=1.0 if done else 0.0)
        name = f"{folder}/traj.jsonl"
        self._output.write_lines(name, lines)
        score = {"success": "1.0", "failure": "0.0"}.get(demo.head.outcome or "")
        if score is not None:
            self._output.write(f"{folder}/result.txt", f"{score}\n")
        first = next((row.before for row in demo.steps if row.before is not None), None)
        if first is not None:
            self._output.picture(demo, first.file, f"{folder}/initial.png")

    def _shot(self, demo: DemoRows, row: StepRow, folder: str) -> str | None:
        frame = after(demo, row)
        if frame is None:
            return None
        # OSWorld has @ for T; that is no portable name, and readers take the name from the line.
        name = f"step_{row.index + 1}_{when(demo, row):%Y%m%dT%H%M%S%f}.png"
        self._output.picture(demo, frame.file, f"{folder}/{name}")
        return name

    def _line(self, demo: DemoRows, row: StepRow, call: object, shot: str | None, number: int) -> dict[str, Any]:
        return {
            "step_num": number,
            "action_timestamp": f"{when(demo, row):%Y%m%d@%H%M%S%f}",
            "action": call,
            "response": reasoning(row, self._options),
            "reward": 0.0,
            "done": False,
            "info": {"step": row.step, "description": row.description},
            "screenshot_file": shot,
        }

    def finish(self) -> None:
        """Say what differs from a run's results."""
        self._output.notes.append(
            "screenshot_file shows the screen after the action, as OSWorld has it; initial.png is the one before the "
            "first. A step of several calls has one line for each of them and the picture after the last."
        )


FORMAT: Final = Format(
    name="osworld",
    title="OSWorld traj.jsonl",
    files="results/DEMO/traj.jsonl, step_*.png, initial.png, result.txt",
    reads="OSWorld's viewers and scripts",
    writer=_Writer,
    units=("episode",),
    dialect="osworld",
    losses=(
        Loss(code="target", what="which element was meant", why="an action names a place alone"),
        Loss(code="elements", what="the elements", why="the format has no field for them"),
        Loss(code="size", what="the screen's size", why="OSWorld takes 1920 x 1080 for granted"),
    ),
    uses=frozenset({"rationale"}),
)
