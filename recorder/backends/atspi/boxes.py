"""History of the boxes of secure fields, and of the times when they were not known: then they may be anywhere."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from demopack.domain.geometry import Rect
from recorder.backends.atspi.bus import Ref

_KEEP_NS = 900_000_000_000
_STALE_NS = 6_000_000_000
"""Later than this after it was looked through, a window may show something else; windows are, more often."""


@dataclass(slots=True)
class _Run:
    """The field was seen in one place, or nowhere (``box`` is None), from the first to the last time."""

    box: Rect | None
    first_ns: int
    last_ns: int


class BoxHistory:
    """The boxes of all secure fields that were ever seen; may be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[Ref, deque[_Run]] = {}

    def seen(self, ref: Ref, box: Rect | None, *, t_ns: int, since_ns: int | None = None) -> None:
        """A field was looked at.

        Args:
            ref: which.
            box: where it is; None when it cannot be seen, or is no more.
            t_ns: when.
            since_ns: for a field that is new: since when it may have been there.
        """
        with self._lock:
            runs = self._runs.setdefault(ref, deque())
            if not runs:
                runs.append(_Run(box, min(t_ns, t_ns if since_ns is None else since_ns), t_ns))
            elif runs[-1].box == box:
                runs[-1].last_ns = max(runs[-1].last_ns, t_ns)
            else:
                runs.append(_Run(box, t_ns, t_ns))
            while len(runs) > 1 and runs[1].first_ns < t_ns - _KEEP_NS:
                runs.popleft()

    def between(self, started_ns: int, ended_ns: int) -> tuple[Rect, ...]:
        """Every place at which a secure field may have been seen at some time between the two."""
        with self._lock:
            found = [box for runs in self._runs.values() for box in _places(runs, started_ns, ended_ns)]
        return tuple(dict.fromkeys(found))


def _places(runs: deque[_Run], started_ns: int, ended_ns: int) -> list[Rect]:
    found: list[Rect] = []
    for number, run in enumerate(runs):
        following = runs[number + 1] if number + 1 < len(runs) else None
        # What was seen last holds until something else is seen.
        last_ns = run.last_ns if following is not None else max(run.last_ns, ended_ns)
        if run.box is not None and run.first_ns <= ended_ns and last_ns >= started_ns:
            found.append(run.box)
        if following is not None and run.last_ns <= ended_ns and following.first_ns >= started_ns:
            # While a field goes from one place to the other, appears or disappears, it may be seen anywhere between.
            ways = [box for box in (run.box, following.box) if box is not None]
            found += [ways[0].union(ways[1])] if len(ways) == 2 else ways
    return found


class KnownFieldGaps:
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
