"""A pytest plug-in with Windows' clocks before Python 3.13: ``pytest -p tests.support.coarse_clock ...``.

The monotonic clock and the clocks of CPU time step every 15.625 ms; the performance counter is as fine as ever, and
counts from another moment: times of the two cannot be mixed. Loaded before anything of the product, which may look at
the clocks as it is imported.
"""

from __future__ import annotations

import time
from types import SimpleNamespace

TICK_NS = 15_625_000

_info = time.get_clock_info
_COARSE = ("monotonic", "thread_time", "process_time")


def _stepping(name: str) -> None:
    fine = getattr(time, f"{name}_ns")

    def in_ns() -> int:
        return fine() // TICK_NS * TICK_NS

    setattr(time, f"{name}_ns", in_ns)
    setattr(time, name, lambda: in_ns() / 1e9)


def _clock_info(name: str) -> object:
    found = _info(name)
    if name not in _COARSE:
        return found
    return SimpleNamespace(
        implementation="GetTickCount64()", monotonic=True, adjustable=False, resolution=TICK_NS / 1e9
    )


def _apart() -> None:
    fine = time.perf_counter_ns
    behind = fine() // 2
    time.perf_counter_ns = lambda: fine() - behind
    time.perf_counter = lambda: (fine() - behind) / 1e9


_apart()
for _name in _COARSE:
    _stepping(_name)
time.get_clock_info = _clock_info  # type: ignore[assignment]
