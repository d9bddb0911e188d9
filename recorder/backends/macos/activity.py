"""Activity on macOS: a program whose windows are out of sight is slowed down unless it says that it works."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

_REASON = "demopack is recording"
# NSActivityUserInitiatedAllowingIdleSystemSleep, NSActivityLatencyCritical: at full speed, but the Mac may go to sleep.
_OPTIONS = (0x00FFFFFF & ~(1 << 20)) | 0xFF00000000


def begin_activity() -> Callable[[], None]:
    """Have macOS run this process at full speed from now on.

    Returns:
        Ends that; nothing where the system's library is missing.
    """
    try:
        foundation: Any = importlib.import_module("Foundation")
    except ImportError:
        return lambda: None
    process = foundation.NSProcessInfo.processInfo()
    activity = process.beginActivityWithOptions_reason_(_OPTIONS, _REASON)
    return lambda: process.endActivity_(activity)
