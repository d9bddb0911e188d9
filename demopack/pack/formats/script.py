"""PyAutoGUI: a Python script for each demo, with the reasons as comments. It performs what was recorded, blindly."""

from __future__ import annotations

from typing import Final

from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.dialects import pyautogui
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import reasoning
from demopack.pack.formats.trajectories import demo_name
from demopack.pack.stream import DemoRows

__all__ = ["FORMAT"]

_HEAD = '''"""{task}"""

import time

import pyautogui

pyautogui.FAILSAFE = True  # move the pointer into a corner to stop
pyautogui.PAUSE = 1.0  # seconds after every call
'''


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options

    def add(self, demo: DemoRows) -> None:
        parts = [_HEAD.format(task=_docstring(demo.head.task or demo.head.demo))]
        for row in demo.steps:
            self._output.rows_in += 1
            comments = [f"# {row.index + 1}. {_line(row.description)}"]
            why = _line(reasoning(row, self._options))
            comments += [f"# {why}"] if why else []
            spoken = hear(self._output, pyautogui.SCRIPT, demo, row)
            if spoken is None:
                comments.append("# PyAutoGUI has no call for this; do it by hand.")
                calls: tuple[str, ...] = ("input('Press Enter when it is done. ')",)
            else:
                calls = spoken.calls
                self._output.rows_out += 1
            parts.append("\n".join([*comments, *calls]) + "\n")
        self._output.write(f"{demo_name(demo)}.py", "\n".join(parts))

    def finish(self) -> None:
        """Nothing comes at the end."""


def _line(text: str) -> str:
    """Text on one line, so that it stays a comment."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _docstring(text: str) -> str:
    return _line(text).replace("\\", "\\\\").replace('"', "'")


FORMAT: Final = Format(
    name="pyautogui",
    title="PyAutoGUI script",
    files="one .py for each demo",
    reads="Python with pyautogui, on a screen of the same size",
    writer=_Writer,
    units=("episode",),
    dialect="pyautogui",
    losses=(
        Loss(code="target", what="which element was meant", why="a call names a place alone"),
        Loss(code="picture", what="the pictures", why="a script looks at nothing"),
    ),
    uses=frozenset({"rationale"}),
)
