"""When the screen is known to have changed, and when it is known not to have."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

__all__ = ["ChangeLog"]

_GRAIN_NS = 1_000_000  # systems tell whole milliseconds, rounded down; so do the times of input events


@dataclass(slots=True)
class _Span:
    """From one look to the next: ``changed_ns`` is the first visible change in it, 0 for none."""

    from_ns: int
    until_ns: int
    changed_ns: int


class ChangeLog:
    """Spans of time that follow each other, a bounded number; quiet ones that touch are one."""

    def __init__(self, *, limit: int = 2048) -> None:
        self._spans: deque[_Span] = deque(maxlen=limit)

    def add(self, from_ns: int, until_ns: int, changed_ns: int) -> None:
        """The screen was watched from one time to another, and first changed at ``changed_ns``; 0 if it did not.

        Spans are added in their order. One that is not added was not watched.
        """
        last = self._spans[-1] if self._spans else None
        if last is not None and last.until_ns == from_ns and not last.changed_ns and not changed_ns:
            last.until_ns = until_ns
        else:
            self._spans.append(_Span(from_ns, until_ns, changed_ns))

    def between(self, started_ns: int, ended_ns: int) -> bool | None:
        """Whether the screen changed between the two; None where that is not certain."""
        known_until, certain = started_ns, True
        for span in self._spans:
            if span.until_ns <= started_ns:
                continue
            if span.from_ns >= ended_ns:
                break
            certain = certain and span.from_ns <= known_until
            known_until = span.until_ns
            change = span.changed_ns
            if not change or change > ended_ns:
                continue
            # Within the same millisecond nobody knows which of the two came first.
            if change + _GRAIN_NS <= ended_ns and (change >= started_ns or span.from_ns >= started_ns):
                return True
            certain = False
        return False if certain and known_until >= ended_ns else None
