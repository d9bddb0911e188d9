"""PyAutoGUI: a Python script for each demo, with the reasons as comments. It performs what was recorded, blindly."""

from __future__ import annotations

from typing import Final

from demopack.codecs import pyautogui
from demopack.codecs.losses import Loss
from demopack.codecs.output import encode_step
from demopack.codecs.recorded_demo import RecordedDemo
from demopack.codecs.sets.base import Format, FormatWriter
from demopack.codecs.sets.questions import demo_name, reasoning

_HEAD = '''"""{task}"""

import time

import pyautogui

pyautogui.FAILSAFE = True  # move the pointer into a corner to stop
pyautogui.PAUSE = 1.0  # seconds after every call
'''


class _Writer(FormatWriter):
    def add(self, demo: RecordedDemo) -> None:
        task = _line(demo.head.task or demo.head.id).replace("\\", "\\\\").replace('"', "'")
        parts = [_HEAD.format(task=task)]
        for step in demo.steps:
            comments = [f"# {step.index + 1}. {_line(step.description)}"]
            why = _line(reasoning(step, self.options))
            comments += [f"# {why}"] if why else []
            encoded = encode_step(self.output, pyautogui.SCRIPT, step)
            if encoded is None:
                comments.append("# PyAutoGUI has no call for this; do it by hand.")
                calls: tuple[str, ...] = ("input('Press Enter when it is done. ')",)
            else:
                calls = encoded.calls
                self.output.rows_out += 1
            parts.append("\n".join([*comments, *calls]) + "\n")
        self.output.write(f"{demo_name(demo)}.py", "\n".join(parts))


def _line(text: str) -> str:
    """Text on one line, so that it stays a comment."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


FORMAT: Final = Format(
    name="pyautogui",
    title="PyAutoGUI script",
    files="one .py for each demo",
    reads="Python with pyautogui, on a screen of the same size",
    about="A script a demo that does the steps again on a screen that looks the same.",
    load="$ python FOLDER/DEMO.py",
    writer=_Writer,
    units=("episode",),
    dialect="pyautogui",
    losses=(
        Loss("target", "which element was meant", "a call names a place alone"),
        Loss("picture", "the pictures", "a script looks at nothing"),
    ),
    uses=frozenset({"rationale"}),
)
