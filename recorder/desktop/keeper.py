"""Holds a recording desktop open: in the process of ``demopack desktop``, or in one of its own for the app."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from dataclasses import asdict
from types import FrameType
from typing import Any, Final

from filelock import FileLock, Timeout

from demopack.errors import CaptureError, DemopackError
from demopack.processes import end_process
from recorder.desktop.current import OpenDesktop, changes_of, published, runtime_folder
from recorder.desktop.recording_desktop import RecordingDesktop
from recorder.desktop.servers import DesktopOptions

_POLL_S: Final = 0.2


def keep_open(
    options: DesktopOptions, *, stop: threading.Event, on_open: Callable[[OpenDesktop, list[str]], None]
) -> bool:
    """Open a desktop and hold it open until it is closed.

    Args:
        options: what it is like.
        stop: ends it.
        on_open: called once programs can be opened, with what the person should know in words.

    Returns:
        Whether it was closed as a window, or its session ended; False where it was stopped.

    Raises:
        CaptureError: it cannot be opened; says why and what to do.
    """
    with _alone(), RecordingDesktop(options) as desktop:
        opened = OpenDesktop(
            display=desktop.name,
            changes=changes_of(desktop.environment()),
            keeper=os.getpid(),
            processes=desktop.processes,
        )
        panel = _start_panel(options.panel, opened)
        try:
            with published(opened):
                on_open(opened, desktop.notes)
                while desktop.server.poll() is None:
                    if stop.wait(_POLL_S):
                        return False
                return True
        finally:
            if panel is not None:
                end_process(panel)


@contextlib.contextmanager
def _alone() -> Generator[None]:
    """One desktop at a time: programs would go into one or the other.

    Raises:
        CaptureError: another one is open, or being opened.
    """
    lock = FileLock(runtime_folder() / "desktop.lock", thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise CaptureError(
            "A recording desktop is open already.", hint="Open programs in it, or close its window first."
        ) from error
    try:
        yield
    finally:
        lock.release()


def _start_panel(command: tuple[str, ...], desktop: OpenDesktop) -> subprocess.Popen[bytes] | None:
    if not command:
        return None
    return subprocess.Popen(
        command,
        env=desktop.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )


def main() -> int:
    """Hold a desktop open as the first argument says, as JSON; the first line of the output tells which it is."""
    given = json.loads(sys.argv[1])
    options = DesktopOptions(**given | {name: tuple(given[name]) for name in ("size", "panel")})
    stop = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signals = [signal.SIGTERM, signal.SIGINT]
    if sys.platform != "win32":
        signals.append(signal.SIGHUP)
    for number in signals:
        signal.signal(number, end)

    def follow() -> None:
        sys.stdin.read()
        stop.set()

    threading.Thread(target=follow, name="starter", daemon=True).start()

    def tell(desktop: OpenDesktop, _: list[str]) -> None:
        _print(asdict(desktop))

    try:
        keep_open(options, stop=stop, on_open=tell)
    except DemopackError as error:
        _print({"error": error.user_message, "details": error.details, "hint": error.hint})
        return 1
    return 0


def _print(data: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
