"""Watch over secure fields while they can be seen, in a thread of its own.

No toolkit tells reliably when a field appears, moves or scrolls, so programs are asked. Their windows are listed a few
times a second while something happens or a secure field can be seen, else once a second. What the windows show is
walked through when they are others than before, when somebody needs to know, and now and then; never for more than a
small part of a program's time. At the times when the fields were not known, they may be anywhere.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from demopack.domain.geometry import Rect
from recorder.backends.atspi.budget import GIVEN_UP, Budget, QueryThread
from recorder.backends.atspi.bus import Ref
from recorder.backends.atspi.walk import Walker
from recorder.backends.element_history import KEEP_NS, BoxHistory

_STALE_NS = 6_000_000_000
"""Later than this after it was looked through, a window may show something else; windows are, more often."""


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
            while gaps and (ended := gaps[0][1]) is not None and ended < t_ns - KEEP_NS:
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


_LIVELY_S, _IDLE_S, _MIN_S = 0.25, 1.0, 0.05
_LIVELY_FOR_S = 2.0
_ASK_S, _WALK_S = 0.5, 1.0
_WALK_LIVELY_S, _WALK_IDLE_S = 1.0, 5.0
_MIN_ROOM_S = 0.001
_MAX_FIELDS = 40
"""More secure fields of one program are not followed."""


@dataclass(slots=True)
class _Program:
    """What is known about one program.

    Attributes:
        since_ns: when it was not there yet.
        windows: those that it had when it was looked through.
        walked_ns: when it was last looked through to the end; 0 for never.
        walked_s: when it was last looked through, to the end or not, in seconds.
        cost_s: what that cost.
    """

    since_ns: int
    windows: tuple[Ref, ...] = ()
    walked_ns: int = 0
    walked_s: float = float("-inf")
    cost_s: float = 0.0


@dataclass(slots=True)
class _Field:
    """One secure field, and the elements that cut off what lies outside them."""

    since_ns: int
    clips: list[Ref] = field(default_factory=lambda: list[Ref]())
    raw: Rect | None = None
    shown: Rect | None = None


class SecureWatch(QueryThread):
    """Fills a :class:`BoxHistory`, and tells :class:`KnownFieldGaps` when it cannot."""

    def __init__(
        self,
        walker: Walker,
        budget: Budget,
        *,
        boxes: BoxHistory[Ref],
        gaps: KnownFieldGaps,
        on_look: Callable[[list[Ref]], None],
    ) -> None:
        """As a :class:`QueryThread`; ``on_look`` is told the programs that answer, each time they are listed."""
        super().__init__("accessibility fields", walker, budget)
        self._boxes = boxes
        self._gaps = gaps
        self._on_look = on_look
        self._programs: dict[Ref, _Program] = {}
        self._renewed: set[str] = set()
        self._fields: dict[Ref, _Field] = {}
        self._secure: set[Ref] = set()
        self._listed_ns = 0
        self._lively_until = 0.0
        self._asked, self._done = 0, 0
        self._looked_ns = 0  # when the last look began that somebody had asked for, and that has ended
        self._poked = False

    def is_secure(self, ref: Ref) -> bool:
        """Whether this was a secure field at any time: a secret that is shown on demand remains one."""
        return ref in self._secure

    def add(self, ref: Ref) -> None:
        """A secure field that was found otherwise."""
        if ref not in self._secure:
            self._secure.add(ref)
            self.poke()

    def renew(self, bus: str) -> None:
        """A program shows something else in the same window, for instance another page."""
        self._renewed.add(bus)

    def poke(self) -> None:
        """Something happens: look around soon, and more often for a while."""
        with self._changed:
            lively = time.monotonic() < self._lively_until
            self._lively_until = time.monotonic() + _LIVELY_FOR_S
            if not lively:
                self._poked = True
                self._changed.notify_all()

    def look_now(self, timeout_s: float, *, since_ns: int | None = None) -> bool:
        """Have everything looked at once more, and wait for it; whether that was done in time.

        With ``since_ns`` a look will do that began after then, so that many who ask one after the other wait for one.
        """
        with self._changed:
            if since_ns is not None and since_ns < self._looked_ns:
                return True
            self._asked += 1
            wanted = self._asked
            self._poked = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: self._ended or self._done >= wanted, timeout_s)

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                seen = any(each.shown is not None for each in self._fields.values())
                pause_s = _LIVELY_S if seen or time.monotonic() < self._lively_until else _IDLE_S
                self._changed.wait_for(lambda: self._ended or self._poked, pause_s)
                if self._ended:
                    return
                self._poked = False
                wanted, began_ns = self._asked, time.monotonic_ns()
            forced = wanted > self._done
            self._look_around(forced=forced)
            with self._changed:
                if forced:
                    self._looked_ns = began_ns
                self._done = wanted
                self._changed.notify_all()
                # Many may poke at once.
                self._changed.wait_for(lambda: self._ended or self._asked > self._done, _MIN_S)

    def _look_around(self, *, forced: bool) -> None:
        now_ns = time.monotonic_ns()
        programs = self._asker.programs(timeout_s=_ASK_S)
        for gone in set(self._programs) - set(programs):
            del self._programs[gone]
            self._walker.forget(gone.bus)
            self._budget.forget(gone.bus)
        for program in programs:
            known = self._programs.setdefault(program, _Program(since_ns=self._listed_ns))
            self._search(program, known, forced=forced)
        self._listed_ns = now_ns
        self._on_look([program for program in programs if not self._asker.bus.is_silent(program.bus)])
        self._follow()

    def _search(self, program: Ref, known: _Program, *, forced: bool) -> None:
        """Look through a program's windows, if that is due and it may be asked."""
        bus, asked_ns, asked_s = program.bus, time.monotonic_ns(), time.monotonic()
        room_s = self._budget.room_s(bus)
        given_up = self._budget.strikes(bus) >= GIVEN_UP
        if given_up or self._asker.bus.is_late(bus):
            self._gaps.note(bus, complete=False, t_ns=asked_ns)
        if given_up or self._asker.bus.is_silent(bus):
            return
        windows = tuple(self._asker.children(program, timeout_s=_ASK_S))
        if self._asker.bus.is_silent(bus):
            return
        every_s = _WALK_LIVELY_S if asked_s < self._lively_until else _WALK_IDLE_S
        is_new = windows != known.windows or bus in self._renewed
        due = forced or is_new or asked_s - known.walked_s > every_s
        # What is new is looked at in any case, unless the program was late.
        may = room_s >= max(known.cost_s, _MIN_ROOM_S) or (is_new and not self._budget.strikes(bus))
        if not (due and may):
            return
        self._renewed.discard(bus)
        with self._spending(bus, timeout_s=_ASK_S):
            self._asker.measure(bus, timeout_s=_ASK_S)
            walk = self._walker.secure_fields(bus, windows, until_s=asked_s + _WALK_S)
            for ref in walk.found[:_MAX_FIELDS]:
                if ref not in self._fields:
                    self._begin(ref, since_ns=known.walked_ns or known.since_ns)
        known.windows, known.walked_s = windows, asked_s
        known.cost_s = min(self._cost_s, self._budget.most_s / 2)
        complete = walk.complete and len(walk.found) <= _MAX_FIELDS
        if walk.answered:
            self._gaps.note(bus, complete=complete, t_ns=asked_ns)
        if complete:
            known.walked_ns = asked_ns

    def _begin(self, ref: Ref, *, since_ns: int) -> None:
        self._secure.add(ref)
        each = _Field(since_ns=since_ns, clips=self._asker.clips(ref, timeout_s=_ASK_S))
        self._fields[ref] = each
        seen = self._asker.look_at([ref], timeout_s=_ASK_S)
        if ref in seen:
            each.raw, each.shown = seen[ref], self._clipped(each, seen[ref])
            self._boxes.seen(ref, each.shown, t_ns=time.monotonic_ns(), since_ns=since_ns)

    def _follow(self) -> None:
        """Look at all fields that are known; a program that does not answer has probably not moved anything."""
        for ref in self._secure - set(self._fields):
            self._begin(ref, since_ns=self._listed_ns)
        refs = [ref for ref in self._fields if not self._asker.bus.is_silent(ref.bus)]
        seen = self._asker.look_at(refs, timeout_s=_ASK_S)
        for ref in refs:
            each, box = self._fields[ref], seen.get(ref)
            if ref not in seen and self._asker.bus.is_silent(ref.bus):
                continue
            if box != each.raw:
                each.raw, each.shown = box, self._clipped(each, box)
            self._boxes.seen(ref, each.shown, t_ns=time.monotonic_ns(), since_ns=each.since_ns)
            if ref not in seen:
                del self._fields[ref]
                self._secure.discard(ref)

    def _clipped(self, each: _Field, box: Rect | None) -> Rect | None:
        if box is None or any(not self._asker.scales.is_sure(clip.bus) for clip in each.clips[:1]):
            return box
        for clip in self._asker.boxes(each.clips, timeout_s=_ASK_S):
            if clip is not None and box is not None:
                box = box.intersection(clip)
        return box
