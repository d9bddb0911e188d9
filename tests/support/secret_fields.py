"""Programs with a password field, each shown and waiting for the password."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeVar

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.processes import end_process
from demopack_cli.quickstart.practice import PracticeApp
from recorder.backends import open_screen, open_windows
from recorder.backends.base import ScreenSource
from recorder.desktop.private_display import PrivateDesktop
from tests.support.leaks import shows

_T = TypeVar("_T")

FIELD = (210, 250, 245)
_START_S = 60.0
_TITLE_PX = 20  # what the window manager puts above a window
_PAGE = """<!doctype html><title>Log in</title>
<body style="margin:0; background:rgb(250,240,205); font-size:24px">
<label style="position:fixed; left:40px; top:60px">Password <input type=password
style="position:absolute; left:0; top:40px; width:400px; height:60px; font-size:24px;
background:rgb(210,250,245)"></label>
<label style="position:fixed; left:40px; top:220px">Name <input
style="position:absolute; left:0; top:40px; width:400px; height:60px; font-size:24px"></label>"""


@contextlib.contextmanager
def qt_field(desktop: PrivateDesktop, folder: Path) -> Generator[Rect]:
    """The practice app's; as each of these it gives a part of the field, with the middle of its line."""
    with PracticeApp(folder, environment=desktop.environment()) as app:
        yield app.where("password")


@contextlib.contextmanager
def gtk_field(desktop: PrivateDesktop, folder: Path) -> Generator[Rect]:
    """zenity's."""
    command = ["zenity", "--password", "--title=Vault door", "--width=400"]
    with _program(desktop, command), contextlib.closing(open_windows(desktop.name)) as windows:

        def dialog() -> Rect | None:
            found = [window.box for window in windows.read().stack if window.title == "Vault door"]
            return found[0] if found else None

        box = _wait(dialog)
        # The field lies in the middle of what is below the title bar, right of its name.
        y = box.y1 + _TITLE_PX + round((box.height - _TITLE_PX) * 0.53)
        yield Rect(box.center.x, y - 10, box.x2 - 4, y + 10)


@contextlib.contextmanager
def gtk4_field(desktop: PrivateDesktop, folder: Path) -> Generator[Rect]:
    """A window of GTK 4 with another field below it."""
    command = [sys.executable, str(Path(__file__).with_name("gtk4_form.py")), "Safe", "secure entry"]
    with _program(desktop, command), contextlib.closing(open_windows(desktop.name)) as windows:

        def window() -> Rect | None:
            found = [window.box for window in windows.read().stack if window.title == "Safe"]
            return found[0] if found else None

        box = _wait(window)
        y = box.y1 + _TITLE_PX + (box.height - _TITLE_PX) // 5
        yield Rect(box.x1 + 4, y - 10, box.x2 - 4, y + 10)


@contextlib.contextmanager
def chromium_field(desktop: PrivateDesktop, folder: Path) -> Generator[Rect]:
    """Chromium's ``<input type=password>``, which has a colour of its own."""
    page = folder / "page.html"
    page.write_text(_PAGE, encoding="utf-8")
    profile = Path(tempfile.mkdtemp(prefix="demopack-page-"))
    command = [
        "chromium", f"--app={page.as_uri()}", "--no-sandbox", "--force-renderer-accessibility", "--disable-gpu",
        "--no-first-run", "--password-store=basic", f"--user-data-dir={profile}", "--window-position=20,10",
        "--window-size=560,340", "--disable-background-networking", "--disable-sync", "--disable-extensions",
    ]  # fmt: skip
    try:
        with _program(desktop, command), contextlib.closing(open_screen(desktop.name)) as screen:
            yield _wait(lambda: _coloured(screen, FIELD))
    finally:
        shutil.rmtree(profile, ignore_errors=True)


def _coloured(screen: ScreenSource, colour: tuple[int, int, int]) -> Rect | None:
    """Around what has this colour; None while nothing has."""
    image = screen.grab().image
    if not shows(image, colour):
        return None
    rows, columns = (image == colour).all(axis=2).nonzero()
    return Rect(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)


@contextlib.contextmanager
def _program(desktop: PrivateDesktop, command: list[str]) -> Generator[None]:
    environment = {**desktop.environment(), "ACCESSIBILITY_ENABLED": "1", "HOME": os.environ.get("HOME", "/")}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0
    )
    try:
        yield
    finally:
        end_process(process)


def _wait(look: Callable[[], _T | None]) -> _T:
    deadline, pause = time.monotonic() + _START_S, threading.Event()
    while (found := look()) is None:
        assert time.monotonic() < deadline, "the program did not show its field"
        pause.wait(0.1)
    return found


def changed_box(before: RgbImage, after: RgbImage, *, within: Rect) -> Rect | None:
    """Around every pixel there that differs."""
    differs = (before != after).any(axis=2)
    part = within.clamped(Size(differs.shape[1], differs.shape[0]))
    rows, columns = differs[part.y1 : part.y2, part.x1 : part.x2].nonzero()
    if not len(rows):
        return None
    box = Rect(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
    return box.moved(part.x1, part.y1)
