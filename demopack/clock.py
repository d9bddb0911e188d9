"""Clocks: a monotonic one for everything that is compared, a wall clock for what people read."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def now_ns() -> int:
    """Nanoseconds that never go back, comparable within one boot of one machine, between its processes, too."""
    return time.monotonic_ns()


def utc_now() -> datetime:
    """The wall clock, always aware and in UTC; stored beside the monotonic clock, never compared with it."""
    return datetime.now(tz=UTC)
