"""Real programs of three toolkits on a private desktop: GTK dialogs, a page in Chromium, and keys typed into them."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from demopack.processes import end_process
from recorder.backends import open_windows
from recorder.desktop.private_display import PrivateDesktop

LOGIN_PAGE = """<!doctype html><meta charset=utf-8><title>Login page</title>
<body style="margin:40px;font:18px 'DejaVu Sans'">
<p><label>User <input id=user autofocus style="font-size:18px"></label>
<p><label>Password <input id=password type=password style="font-size:18px"></label>
<p><button>Sign in</button>
<div style="margin-top:1200px"><label>PIN <input type=password></label></div>
"""
"""A page with a field for a name, one for a password, a button, and a second secure field far below the fold."""


def until(fits: Callable[[], bool], what: str, *, timeout_s: float = 20.0) -> None:
    """Wait until it fits; fails with ``what`` when it does not."""
    pause = threading.Event()
    deadline = time.monotonic() + timeout_s
    while not fits():
        assert time.monotonic() < deadline, what
        pause.wait(0.02)


def xdotool(desktop: PrivateDesktop, *arguments: str) -> None:
    """Press keys and move the pointer as a person would, through the X server."""
    subprocess.run(["xdotool", *arguments], env=desktop.environment(), check=True, timeout=30)


class DesktopProgram:
    """One program for the length of a ``with`` block, which begins when its window has the input."""

    def __init__(
        self, desktop: PrivateDesktop, *command: str, window: str, environment: dict[str, str] | None = None
    ) -> None:
        """Run a command.

        Args:
            desktop: where its window appears.
            command: program and arguments.
            window: a part of the window's title.
            environment: added to the desktop's own.
        """
        self._desktop = desktop
        self._command = command
        self._window = window
        self._environment = environment or {}

    def __enter__(self) -> DesktopProgram:
        self.process = subprocess.Popen(
            self._command,
            env={**self._desktop.environment(), **self._environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._wait_for_window()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it and wait for it."""
        end_process(self.process)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def output(self) -> str:
        """All that it has written by the time it ends of itself."""
        assert self.process.stdout is not None
        self.process.wait(timeout=10)
        return self.process.stdout.read().decode()

    def _wait_for_window(self) -> None:
        windows = open_windows(self._desktop.name)
        try:

            def shown() -> bool:
                active = windows.read().active
                return active is not None and self._window in active.title

            until(shown, f"no window “{self._window}”", timeout_s=40)
        finally:
            windows.close()


def zenity(
    desktop: PrivateDesktop, *arguments: str, title: str, environment: dict[str, str] | None = None
) -> DesktopProgram:
    """A GTK dialog, for instance ``--password``, ``--entry`` or ``--forms --add-entry=Name --add-password=Key``."""
    return DesktopProgram(desktop, "zenity", *arguments, "--title", title, window=title, environment=environment)


def chromium(desktop: PrivateDesktop, page: Path, *, title: str, profile: Path) -> DesktopProgram:
    """Chromium with one local page, which tells about itself; ``profile`` is an empty folder."""
    return DesktopProgram(
        desktop,
        "chromium",
        "--no-sandbox",
        "--no-first-run",
        "--test-type",
        "--disable-gpu",
        "--disable-background-networking",
        "--password-store=basic",
        "--force-renderer-accessibility",
        "--window-size=900,600",
        "--window-position=20,20",
        f"--user-data-dir={profile}",
        page.as_uri(),
        window=title,
    )
