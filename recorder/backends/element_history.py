"""History of what programs told of elements: which had the input, where secure fields lay, what was pointed at.

Pure; each may be used from any thread. Times are monotonic nanoseconds, those at which the news arrived. A program that
hangs tells late what it did with the keys that were pressed meanwhile; so each span of the focus also knows since when
it may have begun: the last time at which its program kept up.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement

KEEP_NS: Final = 900_000_000_000
"""What is older than that is no longer kept."""
_MAX_READINGS = 2000
_MOMENT_NS = 300_000_000
"""In so short a time nobody types a password."""

FOCUS_MOVING_KEYS: Final = frozenset(
    {"Tab", "Enter", "Escape", "Ctrl", "Alt", "Meta", "Menu", *(f"F{n}" for n in range(1, 21))}
)


def may_move_focus(event: InputEvent) -> bool:
    """Whether an input may give another element the input: a press, or a key that goes to another field."""
    return event.kind == "down" or (event.kind == "key_down" and event.key in FOCUS_MOVING_KEYS)


class ProgramElement(Protocol):
    """Names one element, for as long as it is there; hashable."""

    @property
    def program(self) -> str:
        """The program that it belongs to."""
        ...


_R = TypeVar("_R", bound=ProgramElement)


@dataclass(frozen=True, slots=True)
class FocusReading:
    """What an element told at some time between the question and the answer."""

    asked_ns: int
    answered_ns: int
    element: AccessibleElement


@dataclass(slots=True)
class _Span(Generic[_R]):
    ref: _R | None
    since_ns: int
    earliest_ns: int
    until_ns: int | None = None
    readings: deque[FocusReading] = field(default_factory=lambda: deque[FocusReading](maxlen=_MAX_READINGS))
    changes: deque[int] = field(default_factory=lambda: deque[int](maxlen=_MAX_READINGS))

    def covers(self, t_ns: int) -> bool:
        return self.since_ns <= t_ns and (self.until_ns is None or t_ns < self.until_ns)


class FocusLine(Generic[_R]):
    """Filled by the thread that reads the bus and by the one that asks; may be looked at from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spans: deque[_Span[_R]] = deque()

    @property
    def current(self) -> _R | None:
        """What has the input now."""
        with self._lock:
            return self._spans[-1].ref if self._spans else None

    def moved(self, ref: _R | None, *, t_ns: int, earliest_ns: int) -> None:
        """The news that another element has the input, or none that tells about itself."""
        with self._lock:
            if self._spans:
                if self._spans[-1].ref == ref:
                    return
                self._spans[-1].until_ns = t_ns
            self._spans.append(_Span(ref=ref, since_ns=t_ns, earliest_ns=min(earliest_ns, t_ns)))
            while (ended := self._spans[0].until_ns) is not None and ended < t_ns - KEEP_NS:
                self._spans.popleft()

    def left(self, program: str, *, t_ns: int) -> None:
        """The news that a program's window no longer has the input."""
        current = self.current
        if current is not None and current.program == program:
            self.moved(None, t_ns=t_ns, earliest_ns=t_ns)

    def changed(self, ref: _R, *, t_ns: int) -> bool:
        """The news that an element's text or number has changed; whether it is the one that has the input."""
        with self._lock:
            if not self._spans or self._spans[-1].ref != ref:
                return False
            self._spans[-1].changes.append(t_ns)
            return True

    def told(self, ref: _R, reading: FocusReading) -> None:
        """What an element answered."""
        with self._lock:
            for span in reversed(self._spans):
                if span.ref == ref:
                    span.readings.append(reading)
                    return

    def is_known(self, ref: _R) -> bool:
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

    def unread_between(self, started_ns: int, ended_ns: int) -> dict[_R, bool]:
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
            return {span.ref.program for span in self._between(started_ns, ended_ns) if span.ref is not None}

    def _between(self, started_ns: int, ended_ns: int) -> list[_Span[_R]]:
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


def _before(span: _Span[Any], started_ns: int) -> FocusReading | None:
    """The last reading that holds nothing of what was typed from ``started_ns`` on, and all that was before."""
    first = next((t for t in span.changes if t > started_ns), None)
    older = [t for t in span.changes if t <= started_ns]
    fits = [
        reading
        for reading in span.readings
        if (first is None or reading.answered_ns <= first) and (not older or reading.asked_ns >= older[-1])
    ]
    return fits[-1] if fits else None


def _after(span: _Span[Any], started_ns: int, ended_ns: int) -> FocusReading | None:
    """The first reading that holds all that was typed until ``ended_ns``, and nothing later."""
    typed = [t for t in span.changes if started_ns < t <= ended_ns]
    if not typed:
        return _before(span, started_ns)
    later = next((t for t in span.changes if t > ended_ns), None)
    for reading in span.readings:
        if reading.asked_ns >= typed[-1] and (later is None or reading.answered_ns <= later):
            return reading
    return None


@dataclass(slots=True)
class _Run:
    """The field was seen in one place, or nowhere (``box`` is None), from the first to the last time."""

    box: Rect | None
    first_ns: int
    last_ns: int


class BoxHistory(Generic[_R]):
    """The boxes of all secure fields that were ever seen; may be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[_R, deque[_Run]] = {}

    def seen(self, ref: _R, box: Rect | None, *, t_ns: int, since_ns: int | None = None) -> None:
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
            while len(runs) > 1 and runs[1].first_ns < t_ns - KEEP_NS:
                runs.popleft()

    def between(self, started_ns: int, ended_ns: int) -> tuple[Rect, ...]:
        """Every place at which a secure field may have been seen at some time between the two."""
        with self._lock:
            found = [box for runs in self._runs.values() for box in _places(runs, started_ns, ended_ns)]
        return tuple(dict.fromkeys(found))

    def programs_between(self, started_ns: int, ended_ns: int) -> set[str]:
        """The programs of which a secure field may have been seen at some time between the two."""
        with self._lock:
            return {ref.program for ref, runs in self._runs.items() if _places(runs, started_ns, ended_ns)}


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


_KEPT_ANSWERS = 256
_SHORTLY_NS, _LATE_NS = 2_000_000_000, 300_000_000
_NEAR_PX = 2


@dataclass(frozen=True, slots=True)
class _Answer:
    asked_ns: int
    at: Point
    element: AccessibleElement | None


class PointedAnswers:
    """The recent answers to what lies under a position."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: deque[_Answer] = deque(maxlen=_KEPT_ANSWERS)

    def add(self, asked_ns: int, at: Point, element: AccessibleElement | None) -> None:
        """What was answered to a question that was put at that time."""
        with self._lock:
            self._answers.append(_Answer(asked_ns, at, element))

    def answer(self, at: Point, t_ns: int) -> AccessibleElement | None:
        """The newest answer to a question about this position that was put at this time or shortly before.

        Events reach us late; where nothing was asked before, the first question after it counts.
        """
        with self._lock:
            near = [a for a in self._answers if max(abs(a.at.x - at.x), abs(a.at.y - at.y)) <= _NEAR_PX]
        before = [a for a in near if 0 <= t_ns - a.asked_ns <= _SHORTLY_NS]
        after = [a for a in near if 0 < a.asked_ns - t_ns <= _LATE_NS]
        return before[-1].element if before else after[0].element if after else None
