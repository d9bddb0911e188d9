"""One monotonic clock for everything that is compared, one wall clock for what people read."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol

__all__ = ["Clock", "SystemClock", "now_ns", "utc_now"]


class Clock(Protocol):
    """Anything that tells monotonic time; tests pass their own."""

    def now_ns(self) -> int:
        """Nanoseconds of a clock that never goes back; comparable within one boot of one machine."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now_ns(self) -> int:
        """Nanoseconds since an arbitrary start, shared by all processes of this machine on Linux."""
        return time.monotonic_ns()


def now_ns() -> int:
    """Monotonic nanoseconds; the only clock that capture code reads."""
    return time.monotonic_ns()


def utc_now() -> datetime:
    """The wall clock, always aware and in UTC; stored beside the monotonic clock, never compared with it."""
    return datetime.now(tz=UTC)
