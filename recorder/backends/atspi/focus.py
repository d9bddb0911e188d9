"""Line of focus spans, as programs told them, and the thread that reads the element which has the input.

The times are those at which the news arrived. A program that hangs tells late what it did with the keys that were
pressed meanwhile; so each span also knows since when it may have begun: the last time at which its program kept up.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from functools import partial

from demopack.domain.steps import AccessibleElement
from recorder.backends.atspi.budget import Budget, QueryThread
from recorder.backends.atspi.bus import Ref
from recorder.backends.atspi.element_queries import ROOT_PATH
from recorder.backends.atspi.walk import Walker
from recorder.backends.atspi.watch import SecureWatch

_KEEP_NS = 900_000_000_000
_MAX_READINGS = 2000
_MOMENT_NS = 300_000_000
"""In so short a time nobody types a password."""


@dataclass(frozen=True, slots=True)
class FocusReading:
    """What an element told at some time between the question and the answer."""

    asked_ns: int
    answered_ns: int
    element: AccessibleElement


@dataclass(slots=True)
class _Span:
    ref: Ref | None
    since_ns: int
    earliest_ns: int
    until_ns: int | None = None
    readings: deque[FocusReading] = field(default_factory=lambda: deque[FocusReading](maxlen=_MAX_READINGS))
    changes: deque[int] = field(default_factory=lambda: deque[int](maxlen=_MAX_READINGS))

    def covers(self, t_ns: int) -> bool:
        return self.since_ns <= t_ns and (self.until_ns is None or t_ns < self.until_ns)


class FocusLine:
    """Filled by the thread that reads the bus and by the one that asks; may be looked at from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spans: deque[_Span] = deque()

    @property
    def current(self) -> Ref | None:
        """What has the input now."""
        with self._lock:
            return self._spans[-1].ref if self._spans else None

    def moved(self, ref: Ref | None, *, t_ns: int, earliest_ns: int) -> None:
        """The news that another element has the input, or none that tells about itself."""
        with self._lock:
            if self._spans:
                if self._spans[-1].ref == ref:
                    return
                self._spans[-1].until_ns = t_ns
            self._spans.append(_Span(ref=ref, since_ns=t_ns, earliest_ns=min(earliest_ns, t_ns)))
            while (ended := self._spans[0].until_ns) is not None and ended < t_ns - _KEEP_NS:
                self._spans.popleft()

    def left(self, bus: str, *, t_ns: int) -> None:
        """The news that a program's window no longer has the input."""
        current = self.current
        if current is not None and current.bus == bus:
            self.moved(None, t_ns=t_ns, earliest_ns=t_ns)

    def changed(self, ref: Ref, *, t_ns: int) -> bool:
        """The news that an element's text or number has changed; whether it is the one that has the input."""
        with self._lock:
            if not self._spans or self._spans[-1].ref != ref:
                return False
            self._spans[-1].changes.append(t_ns)
            return True

    def told(self, ref: Ref, reading: FocusReading) -> None:
        """What an element answered."""
        with self._lock:
            for span in reversed(self._spans):
                if span.ref == ref:
                    span.readings.append(reading)
                    return

    def is_known(self, ref: Ref) -> bool:
        """Whether the element that has the input now is this one, and has answered."""
        with self._lock:
            return bool(self._spans) and self._spans[-1].ref == ref and bool(self._spans[-1].readings)

    def at(self, t_ns: int) -> AccessibleElement | None:
        """The element that had the input, as it was then; None when nobody has told."""
        with self._lock:
            span = next((span for span in reversed(self._spans) if span.covers(t_ns)), None)
            if span is None or not span.readings:
                return None
            known = [reading for reading in span.readings if reading.answered_ns <= t_ns]
            return (known[-1] if known else span.readings[0]).element

    def secure_between(self, started_ns: int, ended_ns: int) -> AccessibleElement | None:
        """The newest secure field that may have had the input at some time between the two."""
        with self._lock:
            for span in reversed(self._spans):
                overlaps = span.earliest_ns <= ended_ns and (span.until_ns is None or span.until_ns >= started_ns)
                if overlaps and span.readings and span.readings[-1].element.secure:
                    return span.readings[-1].element
        return None

    def unread_between(self, started_ns: int, ended_ns: int) -> dict[Ref, bool]:
        """The elements that may have had the input at some time between the two and could not be read.

        For each it is told whether it had it for a moment only, as a row of a list that pops up while somebody types.
        """
        with self._lock:
            return {
                span.ref: span.until_ns is not None and span.until_ns - span.earliest_ns < _MOMENT_NS
                for span in self._between(started_ns, ended_ns)
                if span.ref is not None and not span.readings
            }

    def programs_between(self, started_ns: int, ended_ns: int) -> set[str]:
        """The programs that may have had the input at some time between the two."""
        with self._lock:
            return {span.ref.bus for span in self._between(started_ns, ended_ns) if span.ref is not None}

    def _between(self, started_ns: int, ended_ns: int) -> list[_Span]:
        return [
            span
            for span in self._spans
            if span.earliest_ns <= ended_ns and (span.until_ns is None or span.until_ns > started_ns)
        ]

    def text_change(self, started_ns: int, ended_ns: int) -> tuple[str, str] | None:
        """The value of the field that had the input, before and after a span in which somebody typed."""
        with self._lock:
            span = next((span for span in reversed(self._spans) if span.covers(started_ns)), None)
            if span is None or not span.readings or span.readings[-1].element.secure:
                return None
            before = _before(span, started_ns)
            after = _after(span, started_ns, ended_ns)
        if before is None or after is None:
            return None
        return before.element.value, after.element.value


def _before(span: _Span, started_ns: int) -> FocusReading | None:
    """The last reading that holds nothing of what was typed from ``started_ns`` on, and all that was before."""
    first = next((t for t in span.changes if t > started_ns), None)
    older = [t for t in span.changes if t <= started_ns]
    fits = [
        reading
        for reading in span.readings
        if (first is None or reading.answered_ns <= first) and (not older or reading.asked_ns >= older[-1])
    ]
    return fits[-1] if fits else None


def _after(span: _Span, started_ns: int, ended_ns: int) -> FocusReading | None:
    """The first reading that holds all that was typed until ``ended_ns``, and nothing later."""
    typed = [t for t in span.changes if started_ns < t <= ended_ns]
    if not typed:
        return _before(span, started_ns)
    later = next((t for t in span.changes if t > ended_ns), None)
    for reading in span.readings:
        if reading.asked_ns >= typed[-1] and (later is None or reading.answered_ns <= later):
            return reading
    return None


_ASK_S = 0.25
_RETRIES_S = (0.02, 0.04, 0.08)
_MIN_ROOM_S = 0.1
_AGAIN_S, _RARELY_S = 1.0, 30.0


class FocusReader(QueryThread):
    """Asks about elements one after the other; the same element waits only once."""

    def __init__(self, walker: Walker, budget: Budget, *, line: FocusLine, watch: SecureWatch) -> None:
        """As a :class:`QueryThread`; what takes what is read, and who follows secure fields."""
        super().__init__("accessibility focus", walker, budget)
        self._line = line
        self._watch = watch
        self._pauses: dict[str, tuple[float, float]] = {}

    def read(self, ref: Ref) -> None:
        """Ask about an element soon."""
        self._put(ref, partial(self._read, ref))

    def find(self, bus: str, *, since_ns: int, told: bool = True) -> None:
        """Find out which element of a program has the input; some do not tell when a window gets it back.

        Args:
            bus: the program.
            since_ns: since when it may have been so.
            told: whether the program has told that something is other than before. If not, and there was nothing to be
                found the last time, it is asked more and more rarely.
        """
        with self._changed:
            if told:
                self._pauses.pop(bus, None)
            elif time.monotonic() < self._pauses.get(bus, (0.0, 0.0))[1]:
                return
        self._put(bus, partial(self._find, bus, since_ns), first=True)

    def _find(self, bus: str, since_ns: int) -> None:
        started_s, room_s = time.monotonic(), self._budget.room_s(bus)
        if self._asker.bus.is_silent(bus) or (self._budget.strikes(bus) and not room_s):
            return
        with self._spending(bus, timeout_s=_ASK_S):
            until_s = started_s + min(max(room_s, _MIN_ROOM_S), _ASK_S)
            windows = self._asker.children(Ref(bus, ROOT_PATH), timeout_s=_ASK_S)
            active = self._asker.active(windows, timeout_s=_ASK_S)
            found = self._walker.focused(active, until_s=until_s) if active else None
        if found is None:
            with self._changed:
                pause = self._pauses.get(bus, (_AGAIN_S / 2, 0.0))[0] * 2 if active else 0.0
                self._pauses[bus] = min(pause, _RARELY_S), time.monotonic() + min(pause, _RARELY_S)
            return
        current = self._line.current
        if current is None or current.bus != bus:
            self._line.moved(found, t_ns=time.monotonic_ns(), earliest_ns=since_ns)
            self._read(found)

    def _read(self, ref: Ref) -> None:
        for pause_s in _RETRIES_S:
            asked_ns = time.monotonic_ns()
            element = self._asker.describe(ref, timeout_s=_ASK_S, secure=self._watch.is_secure(ref))
            if element is not None:
                if element.secure:
                    self._watch.add(ref)
                self._line.told(ref, FocusReading(asked_ns, time.monotonic_ns(), element))
                return
            # GTK 4 tells that an element has the input a moment before it can be asked about.
            with self._changed:
                if self._asker.bus.is_silent(ref.bus) or self._changed.wait_for(lambda: self._ended, pause_s):
                    return
