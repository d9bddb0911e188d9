"""Clocks: a monotonic one for everything that is compared, a wall clock for what people read."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Final

_MAX_TICK_S: Final = 0.001
# Before Python 3.13 the monotonic clock of Windows ticks every 15.6 ms: a screenshot and a key press within one tick
# could not be ordered. The performance counter there counts from the same boot, in all processes alike.
_IS_COARSE: Final = time.get_clock_info("monotonic").resolution > _MAX_TICK_S


def now_ns() -> int:
    """Nanoseconds that never go back, comparable within one boot of one machine, between its processes, too."""
    return time.perf_counter_ns() if _IS_COARSE else time.monotonic_ns()


def utc_now() -> datetime:
    """The wall clock, always aware and in UTC; stored beside the monotonic clock, never compared with it."""
    return datetime.now(tz=UTC)
