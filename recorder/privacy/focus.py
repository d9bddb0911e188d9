"""Which input may have moved the focus, and when: so that late news about a field can be told from early news."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

from demopack.domain.events import InputEvent

__all__ = ["FocusMoves", "Span"]

_LONGEST_NS = 1_000_000_000  # news that comes later than this belongs to something else
_KEYS = frozenset({"Tab", "Enter", "Escape", "Ctrl", "Alt", "Meta", "Menu", *(f"F{n}" for n in range(1, 21))})


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The time in which one field had the input, as far as the input itself tells.

    Attributes:
        first_ns: first key.
        last_ns: last key.
        until_ns: the next input that may have moved the focus, or the longest time that news takes.
        moved_by: the input that may have brought the focus to the field; None when it is too long ago to be known.
    """

    first_ns: int
    last_ns: int
    until_ns: int
    moved_by: InputEvent | None


class FocusMoves:
    """Remembers the recent presses, and keys that go to another field. One thread notes, another asks."""

    def __init__(self, *, limit: int = 512) -> None:
        self._events: deque[InputEvent] = deque(maxlen=limit)
        self._newest_ns = 0
        self._lock = threading.Lock()

    def note(self, event: InputEvent) -> None:
        """Take in an event, in the order in which they came."""
        self._newest_ns = event.t_ns
        if event.kind == "down" or (event.kind == "key_down" and event.key in _KEYS):
            with self._lock:
                self._events.append(event)

    def span(self, first_ns: int, last_ns: int, *, until_ns: int) -> Span:
        """The span of keys that were pressed from ``first_ns`` to ``last_ns``.

        Args:
            first_ns: the first key.
            last_ns: the last press of a key, not its release.
            until_ns: where no input has been noted at all, the end.
        """
        if self._newest_ns < first_ns:
            return Span(first_ns=first_ns, last_ns=last_ns, until_ns=until_ns, moved_by=None)
        with self._lock:
            events = list(self._events)
        after = next((event.t_ns for event in events if event.t_ns > last_ns), last_ns + _LONGEST_NS)
        before = [event for event in events if event.t_ns < first_ns]
        return Span(
            first_ns=first_ns,
            last_ns=last_ns,
            until_ns=min(after, last_ns + _LONGEST_NS),
            moved_by=before[-1] if before else None,
        )
