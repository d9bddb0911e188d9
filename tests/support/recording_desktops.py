"""What a test asks of a recording desktop, as other programs know it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys

from recorder.backends.x11.xlib import open_display
from tests.support.compositor import WaylandSession


def open_in_desktop(session: WaylandSession, *command: str) -> str:
    """Open a program in the desktop that is open in a session; its X server."""
    done = subprocess.run(
        [sys.executable, "-m", "demopack", "desktop", "--json", *command],
        env=session.environment(),
        capture_output=True,
        check=True,
    )
    return str(json.loads(done.stdout)["display"])


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
