"""Whether the system shows something that no program may read: a lock screen, a question for an administrator's rights.

On Windows a remote session that is disconnected counts, too.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
from typing import Any, Final

_SWITCH: Final = 0x0100  # DESKTOP_SWITCHDESKTOP
_NAME: Final = 2  # UOI_NAME
_OURS: Final = "default"


def is_screen_locked() -> bool:
    """Whether pictures are impossible for now and will be possible again; False where the system does not tell."""
    asked = {"win32": _is_windows_locked, "darwin": _is_mac_locked}.get(sys.platform)
    try:
        return asked is not None and asked()
    except (AttributeError, ImportError, OSError):
        return False


def _is_windows_locked() -> bool:
    system: Any = ctypes
    user32 = system.WinDLL("user32")  # an instance of our own, as in windows.monitors
    user32.OpenInputDesktop.restype = ctypes.c_void_p
    user32.GetUserObjectInformationW.argtypes = [
        ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p,
    ]  # fmt: skip
    user32.CloseDesktop.argtypes = [ctypes.c_void_p]
    desktop = user32.OpenInputDesktop(0, 0, _SWITCH)
    if not desktop:
        return True  # it has one that we may not even name
    try:
        name = ctypes.create_unicode_buffer(64)
        given = user32.GetUserObjectInformationW(desktop, _NAME, name, ctypes.sizeof(name), None)
        return bool(given) and name.value.lower() != _OURS
    finally:
        user32.CloseDesktop(desktop)


def _is_mac_locked() -> bool:
    quartz: Any = importlib.import_module("Quartz")
    session = quartz.CGSessionCopyCurrentDictionary()
    if session is None:
        return False  # nobody is logged in at a screen
    is_shown = session.get("kCGSSessionOnConsoleKey", True)  # not while another user is switched to
    return bool(session.get("CGSSessionScreenIsLocked", False)) or not is_shown
