"""What other annotation programs were measured at, and labelme measured here where it is installed.

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
from pathlib import Path

__all__ = ["MEASURED", "NAMES", "labelme_here", "labelme_python"]

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


def labelme_python(given: str | None) -> str | None:
    """The interpreter that has labelme: the one that was named, or this one; None when it is not installed."""
    return given or (sys.executable if importlib.util.find_spec("labelme") else None)


def labelme_here(python: str) -> dict[str, str]:
    """Its repaint and hover on this machine, as text; less, with a word about why, where that cannot be measured."""
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": folder, "XDG_CONFIG_HOME": folder}
        for boxes in _BOXES:
            command = [python, str(Path(__file__).with_name("peer_labelme.py")), str(boxes), folder]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=900)
            if done.returncode:
                print(f"labelme could not be measured: {done.stderr.strip()[-200:]}")
                return found
            told = json.loads(done.stdout.splitlines()[-1])
            found["version"] = told.pop("version")
            found |= {f"{name} {boxes}": f"{ms:,.0f}" for name, ms in told.items()}
    return found
