"""Qt's offscreen platform with several monitors of unlike scale, in a process of its own.

A process has one Qt platform from its start, so code that is to run on such monitors runs in a new one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True)
class OffscreenMonitor:
    """A monitor as the system describes it.

    Attributes:
        name: as Qt gives it.
        x: left edge on the desktop, in units of the system: pixels, or points where ``in_points`` is set.
        y: top edge.
        width: in the same units.
        height: in the same units.
        scale: device pixels for each of Qt's units.
        in_points: whether the system counts in points, as macOS does; Windows and X11 count in pixels.
    """

    name: str
    x: int = 0
    y: int = 0
    width: int = 1920
    height: int = 1080
    scale: float = 1.0
    in_points: bool = False

    def configuration(self) -> dict[str, Any]:
        """The entry of the monitor in the file that the offscreen platform reads."""
        dots = 96 if self.in_points else round(96 * self.scale)
        box = {"x": self.x, "y": self.y, "width": self.width, "height": self.height}
        ratio = self.scale if self.in_points else 1
        return {"name": self.name, **box, "logicalDpi": dots, "logicalBaseDpi": 96, "dpr": ratio}


WINDOWS_MIXED = (
    OffscreenMonitor(name="LAPTOP", width=2880, height=1800, scale=2.0),
    OffscreenMonitor(name="MIDDLE", x=2880, width=2560, height=1440, scale=1.5),
    OffscreenMonitor(name="PLAIN", x=-1920, y=200),
)
"""Three monitors side by side at 200, 150 and 100 %, one of them left of the main one; boxes in pixels."""

MAC_MIXED = (
    OffscreenMonitor(name="RETINA", width=1512, height=982, scale=2.0, in_points=True),
    OffscreenMonitor(name="PLAIN", x=1512, y=-98, in_points=True),
)
"""A Retina monitor and a plain one beside it; boxes in points."""


def run_on_monitors(monitors: tuple[OffscreenMonitor, ...], code: str, *, folder: Path) -> Any:
    """What a piece of Python prints as JSON in a process whose desktop consists of these monitors.

    Args:
        monitors: the desktop; the first is the main one.
        code: finds ``json`` and ``sys`` imported and a ``QApplication`` made, called ``app``. It may set
            ``sys.platform`` after its own imports; libraries that are imported later would look for another system.
        folder: gets the file that describes the monitors.
    """
    described = folder / "monitors.json"
    described.write_text(json.dumps({"screens": [monitor.configuration() for monitor in monitors]}), encoding="utf-8")
    start = "import json, sys\nfrom PySide6.QtWidgets import QApplication\napp = QApplication([])\n"
    kept = {key: value for key, value in os.environ.items() if not key.startswith("QT_")}
    done = subprocess.run(
        [sys.executable, "-c", start + code], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**kept, "QT_QPA_PLATFORM": f"offscreen:configfile={described}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
