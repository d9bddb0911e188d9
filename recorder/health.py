"""Says when a recording is not what the user thinks it is."""

from __future__ import annotations

import logging
import shutil
import time
import traceback
from pathlib import Path

from demopack.errors import CaptureError
from recorder.frames import FrameRing
from recorder.intake import EventQueue

__all__ = ["Health", "broken_off"]

_log = logging.getLogger(__name__)

_EVERY_S, _DISK_EVERY_S = 1.0, 5.0
_SILENT_S, _BLIND_S = 15.0, 3.0
_MIN_FREE = 200_000_000


def broken_off(error: Exception) -> CaptureError:
    """What to tell the user when a recording ends because of a fault of our own."""
    _log.info("The recording broke off.", exc_info=error)
    return CaptureError(
        "The recording broke off because of a fault in demopack; the steps before it are saved.",
        details="".join(traceback.format_exception(error)),
        hint="Start a new recording, and report what you did when it happened.",
    )


class Health:
    """Looks at the counters from time to time.

    Attributes:
        problems: what is wrong now, in the user's words.
    """

    def __init__(self, folder: Path, *, min_free_bytes: int = _MIN_FREE) -> None:
        self.problems: list[str] = []
        self._folder = folder
        self._min_free = min_free_bytes
        self._started = self._checked = time.monotonic()
        self._disk_checked = 0.0
        self._disk_low = False

    def check(self, ring: FrameRing, queue: EventQueue, error: CaptureError | None) -> bool:
        """Bring ``problems`` up to date; returns whether the recording must pause, because the disk is nearly full."""
        now = time.monotonic()
        if now - self._checked < _EVERY_S:
            return False
        self._checked = now
        found: list[str] = []
        newest = ring.newest
        blind = newest is None or now - newest.ended_ns / 1e9 > _BLIND_S
        if error is not None:
            found.append(str(error))
        elif blind:
            found.append("No pictures of the screen arrive.")
        if queue.dropped:
            found.append(f"{queue.dropped} input events were lost because this machine is too busy.")
        if not queue.seen and now - self._started > _SILENT_S:
            found.append("No input has been seen yet. If you did something, input cannot be watched here.")
        if now - self._disk_checked > _DISK_EVERY_S:
            self._disk_checked = now
            self._disk_low = shutil.disk_usage(self._folder).free < self._min_free
        if self._disk_low:
            found.append(f"The disk that holds {self._folder} is almost full; the recording is paused. Make room.")
        self.problems = found
        return self._disk_low
