"""The recording desktop that is open now: how other processes of this person find it, and how they open one."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs

from demopack.atomic import make_private_folder, write_bytes_atomic
from demopack.errors import CaptureError
from demopack.processes import end_process
from recorder.backends.x11.xlib import open_display, server_errors
from recorder.desktop.controls import RecordingWatch
from recorder.desktop.servers import WINDOW_MANAGERS, DesktopOptions

_KEEPER: Final = "recorder.desktop.keeper"
_PARTS: Final = frozenset({"Xephyr", "Xwayland", "dbus-daemon", "at-spi-bus-launcher", *WINDOW_MANAGERS})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDesktop:
    """A recording desktop that some process holds open.

    Attributes:
        display: its X server, as in ``DISPLAY``.
        changes: what is otherwise there than in the environment of this session; None for what is not there.
        keeper: the process that holds it open.
        processes: that it consists of, the X server first.
    """

    display: str
    changes: dict[str, str | None]
    keeper: int
    processes: tuple[int, ...]

    @classmethod
    def parse(cls, data: dict[str, Any]) -> OpenDesktop:
        """One that was written as JSON."""
        return cls(
            display=data["display"],
            changes=data["changes"],
            keeper=data["keeper"],
            processes=tuple(data["processes"]),
        )

    @property
    def answers(self) -> bool:
        """Whether it is open still."""
        try:
            open_display(self.display).close()
        except CaptureError:
            return False
        return True

    def environment(self, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
        """The environment for programs that are to appear there."""
        kept = {key: value for key, value in environ.items() if key not in self.changes}
        return kept | {key: value for key, value in self.changes.items() if value is not None}


def changes_of(environment: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, str | None]:
    """How an environment differs from another one; see :attr:`OpenDesktop.changes`."""
    changed: dict[str, str | None] = {key: value for key, value in environment.items() if environ.get(key) != value}
    return changed | {key: None for key in environ if key not in environment}


def runtime_folder() -> Path:
    """Where this person's running desktop is noted: ``$DEMOPACK_RUNTIME``, or the session's folder for such things."""
    given, session = os.environ.get("DEMOPACK_RUNTIME"), os.environ.get("XDG_RUNTIME_DIR")
    if given:
        folder = Path(given)
    else:
        folder = Path(session) / "demopack" if session else platformdirs.user_cache_path("demopack") / "runtime"
    make_private_folder(folder)
    return folder


def _state_file() -> Path:
    return runtime_folder() / "desktop.json"


def find_desktop() -> OpenDesktop | None:
    """The desktop that was opened last and answers; None where there is none."""
    try:
        desktop = OpenDesktop.parse(json.loads(_state_file().read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    if not desktop.answers:
        return None
    if not _is_running(desktop.keeper) and not _is_recorded(desktop):
        # Its keeper was killed: there is no clipboard, and nobody would end it.
        _end(desktop)
        return None
    return desktop


def _is_running(process: int) -> bool:
    """Whether there is a process of this number, and it is this user's."""
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


def _is_recorded(desktop: OpenDesktop) -> bool:
    """Whether a recording of it runs."""
    with (
        contextlib.suppress(CaptureError, *server_errors()),
        contextlib.closing(open_display(desktop.display, quiet=True)) as connection,
    ):
        return RecordingWatch(connection).read() is not None
    return False


def _end(desktop: OpenDesktop) -> None:
    """End what a desktop that nobody holds open consists of; programs that are open there end with it."""
    for process in reversed(desktop.processes):
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            # A number may have gone to a program that has nothing to do with it.
            if Path(os.fsdecode(command[0])).name in _PARTS:
                os.kill(process, signal.SIGTERM)


@contextlib.contextmanager
def published(desktop: OpenDesktop) -> Generator[None]:
    """Let others find a desktop while the block runs."""
    path = _state_file()
    write_bytes_atomic(path, json.dumps(asdict(desktop)).encode(), private=True)
    try:
        yield
    finally:
        with contextlib.suppress(OSError, ValueError):
            if json.loads(path.read_text(encoding="utf-8")).get("display") == desktop.display:
                path.unlink()


@contextlib.contextmanager
def opened_desktop(options: DesktopOptions) -> Generator[OpenDesktop]:
    """The desktop that is open; else a new one in a process of its own, which ends with the block.

    Raises:
        CaptureError: none can be opened here; says why and what to do.
    """
    found = find_desktop()
    if found is not None:
        yield found
        return
    process = start_desktop(options)
    try:
        yield wait_for_desktop(process)
    finally:
        end_desktop(process)


def start_desktop(options: DesktopOptions) -> subprocess.Popen[bytes]:
    """Begin to open a desktop in a process of its own; see :func:`wait_for_desktop`."""
    # In a group of its own: Ctrl-C in the terminal ends the recording in order, before it ends the screen. Its input
    # ends with us, however we end, and it with its input.
    return subprocess.Popen(
        [sys.executable, "-m", _KEEPER, json.dumps(asdict(options))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0,
    )


def end_desktop(process: subprocess.Popen[bytes]) -> int:
    """End a desktop that was begun by :func:`start_desktop`; returns the exit code."""
    code = end_process(process)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    return code


def wait_for_desktop(process: subprocess.Popen[bytes]) -> OpenDesktop:
    """Wait until a desktop that was begun can be used.

    Raises:
        CaptureError: it cannot be opened; says why and what to do.
    """
    assert process.stdout is not None
    line = process.stdout.readline()
    told: dict[str, Any] = json.loads(line) if line.strip() else {"error": "The recording desktop did not open."}
    if "error" in told:
        raise CaptureError(told["error"], details=told.get("details", ""), hint=told.get("hint", ""))
    return OpenDesktop.parse(told)
