"""Awareness of each monitor's scale on Windows; imported there only."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

_PER_MONITOR_V2 = -4  # DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2
_PER_MONITOR = 2  # PROCESS_PER_MONITOR_DPI_AWARE


def set_dpi_awareness() -> None:
    """Make Windows count in physical pixels for this process, on every monitor, from now on.

    Hook, screen and windows must count alike, and the system takes the first answer only: whoever comes later, as the
    capturing library does, is refused and asks no more. Qt finds what it would have set itself. Never raises; harmless
    when it was set before.
    """
    system: Any = ctypes
    # Before Windows 10 1703 there is no such function, before 8.1 no such library.
    with contextlib.suppress(AttributeError, OSError):
        user32 = system.WinDLL("user32")
        user32.SetProcessDpiAwarenessContext.argtypes = [ctypes.c_void_p]
        user32.SetProcessDpiAwarenessContext.restype = ctypes.c_int
        user32.SetProcessDpiAwarenessContext(_PER_MONITOR_V2)
        return
    with contextlib.suppress(AttributeError, OSError):
        system.WinDLL("shcore").SetProcessDpiAwareness(_PER_MONITOR)
