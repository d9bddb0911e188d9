"""Check that windows can be shown here: Qt ends the whole process when they cannot. Knows no Qt."""

from __future__ import annotations

import ctypes
import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from annotator.words import tr
from demopack.errors import CaptureError

_DISPLAY_HINT = tr(
    "Log in to a desktop, or use the commands instead: "
    "demopack record, parse, rationale and export work without a window."
)


def check_display(environment: Mapping[str, str] | None = None) -> None:
    """Make sure that Qt will find a screen.

    Raises:
        CaptureError: there is none, or a library that Qt needs for it is missing; the hint names the way out.
    """
    env = os.environ if environment is None else environment
    if sys.platform == "linux":
        _check_linux_display(env)


def _check_linux_display(env: Mapping[str, str]) -> None:
    platform = env.get("QT_QPA_PLATFORM", "")
    if platform and not platform.startswith(("xcb", "wayland")):
        return
    wayland, display = env.get("WAYLAND_DISPLAY", ""), env.get("DISPLAY", "")
    # Joined to an absolute name the folder is left out.
    wayland_socket = Path(env.get("XDG_RUNTIME_DIR", "/run")) / wayland
    if wayland and not platform.startswith("xcb") and _connects_locally(str(wayland_socket)):
        return
    if not display:
        raise CaptureError(tr("The app needs a screen, and there is none here."), hint=_DISPLAY_HINT)
    if not _x_answers(display):
        raise CaptureError(
            tr("The app needs a screen, and the one that DISPLAY names ({display}) does not answer.").format(
                display=display
            ),
            hint=_DISPLAY_HINT,
        )
    if not _x_lets_us_in(display):
        raise CaptureError(
            tr("The app may not use the screen that DISPLAY names ({display}).").format(display=display),
            hint=tr(
                "Start it as the user who is logged in there, or allow it with xhost or XAUTHORITY. {way_out}"
            ).format(way_out=_DISPLAY_HINT),
        )
    try:
        ctypes.CDLL("libxcb-cursor.so.0")
    except OSError as error:
        raise CaptureError(
            tr("The app cannot show windows: the system library libxcb-cursor is missing."),
            details=str(error),
            hint=tr("Install it, on Debian and Ubuntu with: apt-get install libxcb-cursor0"),
        ) from error


def _x_answers(display: str) -> bool:
    """Whether a server listens."""
    match = re.fullmatch(r"(?:(?P<host>[^:/]+)|unix)?:(?P<number>\d+)(?:\.\d+)?", display)
    if match is None:
        return Path(display).exists()
    number = int(match["number"])
    if match["host"] and match["host"] not in {"unix", "localhost"}:
        return _connects(socket.AF_INET, (match["host"], 6000 + number))
    path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where every X server has its socket
    return (
        _connects_locally(path)
        or _connects_locally(f"\0{path}")
        or _connects(socket.AF_INET, ("localhost", 6000 + number))
    )


def _x_lets_us_in(display: str) -> bool:
    """Asks with the library that Qt itself connects with."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # Qt's own libraries are looked at next
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(display.encode(), None)
    try:
        return not xcb.xcb_connection_has_error(connection)
    finally:
        xcb.xcb_disconnect(connection)


def _connects_locally(path: str) -> bool:
    return sys.platform != "win32" and _connects(socket.AF_UNIX, path)


def _connects(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.settimeout(2)
            probe.connect(address)
    except OSError:
        return False
    return True
