"""What other annotation programs were measured at, and labelme and X-AnyLabeling measured here where installed.

The constants come from unmodified programs: one synthetic screenshot of 1920 x 1080 with random boxes, a window of
1600 x 1000, Qt's offscreen platform, CPU time, median of 15 (of 6 at 5,000 boxes), repeated within 15 to 25 %; the
start on a private X server with a warm disk, three runs. labelme's undo and coming back were taken by the clock, on a
busy machine. They tell the order of magnitude, and say nothing about newer versions.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

NAMES = ("labelme 6.3.1", "labelme 7.9.1", "X-AnyLabeling 4.2.1")
MEASURED: dict[str, tuple[str, str, str]] = {
    "repaint 100": ("16", "27-31", "22-25"),
    "repaint 1000": ("72-79", "197-230", "111-130"),
    "repaint 5000": ("355", "1,047", "624"),
    "hover 100": ("5", "5-7", "45-49"),
    "hover 1000": ("80-104", "230-235", "240-310"),
    "hover 5000": ("391", "1,078", "1,440"),
    "drag step 5000": ("372", "1,116", "1,505"),
    "open": ("2,100", "2,700", "2,500"),
    "back": ("8,400 clock", "5,000 clock", "44,000"),
    "undo": ("7,355 clock", "4,524 clock", "3,221"),
    "redo": ("has none", "has none", "has none"),
    "start": ("1.45", "1.5", "4.0"),
    "rss": ("237", "184", "334"),
}
"""Milliseconds of CPU unless it says clock, one figure for each program; seconds for the start, MB for memory."""

_BOXES = (100, 1000, 5000)
_ONCE = frozenset({"open", "back"})
"""What the table has for the most boxes only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A program that is measured beside ours where it is installed.

    Attributes:
        name: of the program.
        module: what it is imported as.
        script: drives it, beside this file.
        variable: of the environment; names a Python that has it.
    """

    name: str
    module: str
    script: str
    variable: str

    def python(self, given: str | None = None) -> str | None:
        """The interpreter that has it: the one named here, in the environment, or this one; None where it is not."""
        here = sys.executable if importlib.util.find_spec(self.module) else None
        return given or os.environ.get(self.variable) or here

    def measured(self, python: str) -> dict[str, str]:
        """Its figures on this machine, as text; fewer, with a word about why, where that cannot be measured."""
        found: dict[str, str] = {}
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": folder, "XDG_CONFIG_HOME": folder}
            for boxes in _BOXES:
                print(f"measuring: {self.name}, {boxes:,} boxes", file=sys.stderr, flush=True)
                command = [python, str(Path(__file__).with_name(self.script)), str(boxes), folder]
                done = subprocess.run(
                    command, env=environment, capture_output=True, text=True, check=False, timeout=900
                )
                if done.returncode:
                    print(f"{self.name} could not be measured: {done.stderr.strip()[-200:]}")
                    return found
                told = json.loads(done.stdout.splitlines()[-1])
                found["version"] = told.pop("version")
                found |= {(name if name in _ONCE else f"{name} {boxes}"): f"{ms:,.0f}" for name, ms in told.items()}
        return found


PEERS = (
    Peer(name="labelme", module="labelme", script="peer_labelme.py", variable="LABELME_PYTHON"),
    Peer(
        name="X-AnyLabeling",
        module="anylabeling",
        script="peer_x_anylabeling.py",
        variable="X_ANYLABELING_PYTHON",
    ),
)
"""In the order of the columns."""
