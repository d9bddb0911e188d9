"""When it was not known which fields a program shows: its windows could not be looked through to their end."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable

__all__ = ["Gaps"]

_KEEP_NS = 900_000_000_000
_STALE_NS = 6_000_000_000
"""Later than this after it was looked through, a window may show something else; windows are, more often."""


class Gaps:
    """One line of time for each program; may be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._gaps: dict[str, deque[tuple[int, int | None]]] = {}
        self._seen_ns: dict[str, int] = {}

    def note(self, bus: str, *, complete: bool, t_ns: int) -> None:
        """A program was looked at, at that time; whether to the end of everything that it shows."""
        with self._lock:
            gaps = self._gaps.setdefault(bus, deque())
            is_open = bool(gaps) and gaps[-1][1] is None
            if complete:
                self._seen_ns[bus] = t_ns
                if is_open:
                    gaps[-1] = (gaps[-1][0], t_ns)
            elif not is_open:
                gaps.append((t_ns, None))
            while gaps and (ended := gaps[0][1]) is not None and ended < t_ns - _KEEP_NS:
                gaps.popleft()

    def known(self, programs: Iterable[str], started_ns: int, ended_ns: int) -> bool | None:
        """Whether all that these programs showed between the two was known; None where none of them was looked at."""
        with self._lock:
            looked_at = [bus for bus in programs if bus in self._gaps]
            if not looked_at:
                return None
            return not any(self._unknown(bus, started_ns, ended_ns) for bus in looked_at)

    def _unknown(self, bus: str, started_ns: int, ended_ns: int) -> bool:
        stale = self._seen_ns.get(bus, 0) < ended_ns - _STALE_NS
        return stale or any(
            since <= ended_ns and (until is None or until >= started_ns) for since, until in self._gaps[bus]
        )
