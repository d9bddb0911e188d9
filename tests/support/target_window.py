"""Runs ``target_app.py`` on a display and follows its state."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from demopack.domain.geometry import Point, Rect
from recorder.desktop.private_display import PrivateDisplay

State = dict[str, Any]


class TargetWindow:
    """The window in its own process; ``state`` is what it said last."""

    def __init__(
        self,
        display: PrivateDisplay,
        *,
        at: tuple[int, int] = (60, 30),
        label: str = "Submit",
        title: str = "Target",
        program: str = "target",
        points: int = 11,
        most: int = 1000,
        asks: str = "Name",
    ) -> None:
        self._display = display
        self._arguments = ["--at", str(at[0]), str(at[1]), "--label", label]
        self._arguments += ["--title", title, "--program", program, "--points", str(points)]
        self._arguments += ["--most", str(most), "--asks", asks]
        self._changed = threading.Condition()
        self.state: State = {}

    def __enter__(self) -> TargetWindow:
        program = Path(__file__).with_name("target_app.py")
        self._process = subprocess.Popen(
            [sys.executable, str(program), *self._arguments],
            env=self._display.environment(),
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._reader = threading.Thread(target=self._read, name="target window", daemon=True)
        self._reader.start()
        self.wait_for(lambda s: bool(s.get("active")))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(timeout=10)
        self._reader.join(timeout=10)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._changed:
                self.state = json.loads(line)
                self._changed.notify_all()

    def wait_for(self, fits: Callable[[State], bool], *, timeout_s: float = 60) -> State:
        """The state as soon as it fits; fails with the last state when it does not come."""
        with self._changed:
            assert self._changed.wait_for(lambda: fits(self.state), timeout=timeout_s), self.state
            return self.state

    def signal(self, number: int) -> None:
        """Send its process a signal."""
        self._process.send_signal(number)

    def place(self, name: str) -> Rect:
        """Where a widget is on the screen."""
        return Rect(*self.state["places"][name])

    def center(self, name: str) -> Point:
        """The middle of a widget."""
        return self.place(name).center
