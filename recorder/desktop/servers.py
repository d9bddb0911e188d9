"""Which program can be a desktop in a window here: Xwayland with a root window of its own, or Xephyr."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from demopack.errors import CaptureError
from recorder.backends import has_x11

WINDOW_MANAGERS: Final = ("openbox", "xfwm4", "marco", "metacity", "icewm", "fluxbox")
"""Those that a recording desktop can have, the best first."""
ServerName = Literal["xwayland", "xephyr"]
TITLE: Final = "demopack: recording desktop"
_ROOTFUL: Final = (23, 1)  # the first Xwayland whose root window is a window that can be sized and moved
_TIMEOUT_S: Final = 10.0
_INSTALL: Final = (
    "Install Xephyr (Debian and Ubuntu: xserver-xephyr; Fedora: xorg-x11-server-Xephyr), or Xwayland 23.1 or newer."
)


_START_X: Final = "Let this session start XWayland, so that DISPLAY is set, or install Xwayland 23.1 or newer."


@dataclass(frozen=True, slots=True, kw_only=True)
class DesktopOptions:
    """What a recording desktop is like.

    Attributes:
        size: of the window, pixels.
        scale: how much larger than at 96 dots per inch programs are drawn; as in the session when None.
        server: the X server; the best that there is when None.
        panel: the command of its panel; none when empty.
    """

    size: tuple[int, int] = (1280, 800)
    scale: float | None = None
    server: ServerName | None = None
    panel: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowServer:
    """An X server that shows itself as a window of this session.

    Attributes:
        name: of the program.
        path: its executable.
        has_keyboard: whether it takes the keyboard's layout from the session by itself.
    """

    name: ServerName
    path: str
    has_keyboard: bool

    def command(self, size: tuple[int, int], *, told: int, authority: Path) -> list[str]:
        """The command that starts it.

        Args:
            size: of the window, pixels.
            told: the descriptor on which it tells its number once it is ready.
            authority: the file with the secret that lets programs in.
        """
        shown = f"{size[0]}x{size[1]}"
        # -noreset: the server must not forget its state when the last program leaves.
        common = ["-displayfd", str(told), "-auth", str(authority), "-noreset", "-nolisten", "tcp"]
        if self.name == "xwayland":
            return [self.path, "-geometry", shown, "-decorate", *common]
        # Without -no-host-grab Ctrl+Shift, a part of many shortcuts, would take the keyboard away from the session.
        own = ["-screen", shown, "-resizeable", "-no-host-grab", "-title", TITLE, "-name", "demopack"]
        return [self.path, *own, *common]


def choose_server(*, wanted: ServerName | None = None, environ: Mapping[str, str] = os.environ) -> WindowServer:
    """The server for this session: Xwayland on Wayland where it is new enough, else Xephyr.

    Args:
        wanted: only this one.
        environ: of this process; says which session this is.

    Raises:
        CaptureError: there is no screen to show it on, or no such program is installed.
    """
    if not has_x11():
        raise CaptureError(
            "This system has no recording desktops: they are made of X servers.",
            hint="Record your own screen: leave --desktop out.",
        )
    path = environ.get("PATH")
    has_wayland, has_x = bool(environ.get("WAYLAND_DISPLAY")), bool(environ.get("DISPLAY"))
    if not has_wayland and not has_x:
        raise CaptureError(
            "There is no screen to show a recording desktop on: neither WAYLAND_DISPLAY nor DISPLAY is set.",
            hint="Start it in a terminal of your desktop session.",
        )
    missing: list[str] = []
    if wanted != "xephyr":
        found = shutil.which("Xwayland", path=path)
        if found and has_wayland and _version(found) >= _ROOTFUL:
            return WindowServer(name="xwayland", path=found, has_keyboard=True)
        missing.append(_why_not_xwayland(found, has_wayland=has_wayland))
    if wanted != "xwayland":
        found = shutil.which("Xephyr", path=path)
        if found and has_x:
            return WindowServer(name="xephyr", path=found, has_keyboard=False)
        missing.append(
            "Xephyr is not installed" if found is None else "Xephyr needs an X server, and DISPLAY is not set"
        )
    hint = _START_X if has_wayland and not has_x and shutil.which("Xephyr", path=path) else _INSTALL
    raise CaptureError(f"No recording desktop can be opened: {'; '.join(missing)}.", hint=hint)


def _why_not_xwayland(found: str | None, *, has_wayland: bool) -> str:
    if not has_wayland:
        return "Xwayland needs a Wayland session"
    if found is None:
        return "Xwayland is not installed"
    return f"Xwayland {'.'.join(map(str, _version(found)))} is older than {'.'.join(map(str, _ROOTFUL))}"


def _version(path: str) -> tuple[int, int]:
    """Major and minor number; zeros where it does not tell."""
    try:
        told = subprocess.run([path, "-version"], capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return 0, 0
    number = re.search(r"Version (\d+)\.(\d+)", told.stdout + told.stderr)
    return (int(number[1]), int(number[2])) if number else (0, 0)
