"""What only the system can do with the small windows of a recording: keep them out of pictures, and in sight."""

from __future__ import annotations

import ctypes
import importlib
import sys
from typing import Any

_EXCLUDE_FROM_CAPTURE = 0x11  # WDA_EXCLUDEFROMCAPTURE, since Windows 10 2004
_SHARING_NONE = 0  # NSWindowSharingNone
# NSWindowCollectionBehavior: it goes along to every space and lies over programs that fill the screen.
_EVERYWHERE = 1 << 0 | 1 << 8  # CanJoinAllSpaces, FullScreenAuxiliary
_NOT_ALSO = 1 << 1 | 1 << 7 | 1 << 9  # MoveToActiveSpace, FullScreenPrimary, FullScreenNone


def leave_out_of_pictures(window: int) -> bool:
    """Have the system leave a window out of every picture of the screen; on macOS it is kept in sight, too.

    Windows does that for opaque windows only. Never raises.

    Args:
        window: its handle, as ``QWidget.winId`` gives it, once it is about to be shown.

    Returns:
        Whether the system has agreed; where it has not, as on X11, pictures show the window.
    """
    leave_out = {"win32": _leave_out_on_windows, "darwin": _leave_out_on_macos}.get(sys.platform)
    try:
        return leave_out is not None and leave_out(window)
    except (ImportError, AttributeError, OSError):
        return False  # an older system, or one without the library


def _leave_out_on_windows(window: int) -> bool:
    system: Any = ctypes
    user32 = system.WinDLL("user32")
    user32.SetWindowDisplayAffinity.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
    user32.SetWindowDisplayAffinity.restype = ctypes.c_int
    return bool(user32.SetWindowDisplayAffinity(window, _EXCLUDE_FROM_CAPTURE))


def _leave_out_on_macos(window: int) -> bool:
    objc: Any = importlib.import_module("objc")
    shown = objc.objc_object(c_void_p=window).window()
    if shown is None:
        return False
    shown.setSharingType_(_SHARING_NONE)
    shown.setCollectionBehavior_(shown.collectionBehavior() & ~_NOT_ALSO | _EVERYWHERE)
    return True
