"""Scale of monitors on Windows, which the capturing library does not read."""

from __future__ import annotations

import ctypes
from typing import Any

from demopack.domain.geometry import Rect

_USUAL_DPI = 96
_NEAREST = 2  # MONITOR_DEFAULTTONEAREST
_EFFECTIVE_DPI = 0  # MDT_EFFECTIVE_DPI


class _Position(ctypes.Structure):
    _fields_ = (("x", ctypes.c_long), ("y", ctypes.c_long))


def monitor_scale(box: Rect) -> float:
    """How much larger than usual programs draw on the monitor at a box: 1.5 where the settings say 150 %.

    Args:
        box: of the monitor, physical pixels.

    Returns:
        1 where the system does not tell (before Windows 8.1), or the process is not aware of the scale.
    """
    system: Any = ctypes
    try:
        # Instances of our own: pynput declares the functions of the shared ones for itself.
        user32, shcore = system.WinDLL("user32"), system.WinDLL("shcore")
    except (AttributeError, OSError):
        return 1.0
    user32.MonitorFromPoint.argtypes = [_Position, ctypes.c_ulong]
    user32.MonitorFromPoint.restype = ctypes.c_void_p
    number = ctypes.POINTER(ctypes.c_uint)
    shcore.GetDpiForMonitor.argtypes = [ctypes.c_void_p, ctypes.c_int, number, number]
    shcore.GetDpiForMonitor.restype = ctypes.c_long
    center = box.center
    across, down = ctypes.c_uint(), ctypes.c_uint()
    monitor = user32.MonitorFromPoint(_Position(center.x, center.y), _NEAREST)
    failed = shcore.GetDpiForMonitor(monitor, _EFFECTIVE_DPI, ctypes.byref(across), ctypes.byref(down))
    return 1.0 if failed or not across.value else across.value / _USUAL_DPI
