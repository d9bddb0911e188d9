"""``demopack record --desktop`` in a Wayland session, and what other programs know about the desktop it opens."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from demopack.processes import end_process
from recorder.backends.x11.xlib import open_display
from tests.support.compositor import WaylandSession

_WAIT_S = 60.0


class NestedRecording:
    """Records in a desktop of its own until it breaks off, or for the length of a ``with`` block.

    Attributes:
        told: what the command has said so far, one JSON object each.
    """

    def __init__(self, session: WaylandSession, library: Path) -> None:
        self.told: list[dict[str, Any]] = []
        self._session = session
        self._library = library
        self._errors = library.parent / "errors.txt"
        self._changed = threading.Condition()

    def __enter__(self) -> NestedRecording:
        command = [sys.executable, "-m", "demopack", "record", "--desktop", "--task", "a task", "--json"]
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [*command, "--library", str(self._library)],
                env=self._session.environment(),
                stdout=subprocess.PIPE,
                stderr=errors,
                process_group=0,
            )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        with self._changed:
            assert self._changed.wait_for(lambda: {"event": "state", "state": "recording"} in self.told, _WAIT_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        end_process(self._process, seconds=20)
        self._reader.join()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                with self._changed:
                    self.told.append(json.loads(line))
                    self._changed.notify_all()

    def open(self, *command: str) -> str:
        """Open a program in the desktop that the recording has opened; its X server."""
        done = subprocess.run(
            [sys.executable, "-m", "demopack", "desktop", "--json", *command],
            env=self._session.environment(),
            capture_output=True,
            check=True,
        )
        return str(json.loads(done.stdout)["display"])

    def wait_for_steps(self, count: int) -> None:
        """Until so many steps are saved."""
        with self._changed:
            assert self._changed.wait_for(lambda: sum(one["event"] == "step" for one in self.told) >= count, _WAIT_S), (
                self.told
            )

    def ended(self) -> int:
        """The exit code, once it has ended by itself."""
        code = self._process.wait(_WAIT_S)
        self._reader.join()
        return code

    def errors(self) -> str:
        """What went to standard error."""
        return self._errors.read_text()


def is_shown(title: str, display: str) -> bool:
    """Whether an X server shows a window with this title."""
    command = ["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"]
    return (
        subprocess.run(command, env={**os.environ, "DISPLAY": display}, capture_output=True, check=False).stdout != b""
    )


def screen_size(display: str) -> tuple[int, int]:
    """Width and height of the screen of an X server, pixels."""
    with contextlib.closing(open_display(display)) as connection:
        geometry = connection.screen().root.get_geometry()
        return int(geometry.width), int(geometry.height)


def xdotool_in(environment: dict[str, str], *arguments: str) -> str:
    """What xdotool answers."""
    return subprocess.run(["xdotool", *arguments], env=environment, capture_output=True, text=True, check=True).stdout


def copy_text(text: str, environment: dict[str, str]) -> None:
    """Copy a text as a program does."""
    subprocess.run(["xclip", "-selection", "clipboard"], input=text.encode(), env=environment, check=True)


def pasted(environment: dict[str, str]) -> str:
    """What a program gets that pastes."""
    command = ["xclip", "-selection", "clipboard", "-o", "-t", "UTF8_STRING"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=20)
    return done.stdout.decode()
