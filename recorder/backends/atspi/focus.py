"""The thread that reads the element which has the input; a program that hangs is not waited for."""

from __future__ import annotations

import time
from functools import partial

from recorder.backends.atspi.budget import Budget, QueryThread
from recorder.backends.atspi.bus import Ref
from recorder.backends.atspi.element_queries import ROOT_PATH
from recorder.backends.atspi.walk import Walker
from recorder.backends.atspi.watch import SecureWatch
from recorder.backends.element_history import FocusLine, FocusReading

_ASK_S = 0.25
_RETRIES_S = (0.02, 0.04, 0.08)
_MIN_ROOM_S = 0.1
_AGAIN_S, _RARELY_S = 1.0, 30.0
_ROOT_PANE, _LOOKS = "root pane", 5


class FocusReader(QueryThread):
    """Asks about elements one after the other; the same element waits only once."""

    def __init__(self, walker: Walker, budget: Budget, *, line: FocusLine[Ref], watch: SecureWatch) -> None:
        """As a :class:`QueryThread`; what takes what is read, and who follows secure fields."""
        super().__init__("accessibility focus", walker, budget)
        self._line = line
        self._watch = watch
        self._pauses: dict[str, tuple[float, float]] = {}
        self._looked: tuple[Ref | None, int] = None, 0

    def read(self, ref: Ref) -> None:
        """Ask about an element soon."""
        self._put(ref, partial(self._read, ref))

    def read_on(self, ref: Ref) -> None:
        """Ask a few times more about a root pane in which nothing was found to have the input: it may come late."""
        pane, looks = self._looked
        if pane == ref and looks < _LOOKS:
            self.read(ref)

    def find(self, bus: str, *, since_ns: int, told: bool = True, lost: Ref | None = None) -> None:
        """Find out which element of a program has the input; some do not tell when a window gets it back.

        Args:
            bus: the program.
            since_ns: since when it may have been so.
            told: whether the program has told that something is other than before. If not, and there was nothing to be
                found the last time, it is asked more and more rarely.
            lost: what has told that it has the input no more, if it has.
        """
        with self._changed:
            if told:
                self._pauses.pop(bus, None)
            elif time.monotonic() < self._pauses.get(bus, (0.0, 0.0))[1]:
                return
        self._put(bus, partial(self._find, bus, since_ns, lost), first=True)

    def _find(self, bus: str, since_ns: int, lost: Ref | None) -> None:
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
        if current is None or current.bus != bus or (current == lost and found != lost):
            self._line.moved(found, t_ns=time.monotonic_ns(), earliest_ns=since_ns)
            self._read(found)

    def _find_below(self, pane: Ref, *, since_ns: int) -> None:
        """Find the innermost that has the input in a root pane that was told to: LibreOffice tells so as a menu closes.

        Panels around what has the input say that they have it, too.
        """
        found, until_s = pane, time.monotonic() + _ASK_S
        with self._spending(pane.bus, timeout_s=_ASK_S):
            while (inner := self._within(found, until_s=until_s)) is not None:
                found = inner
        if found == pane:
            self._looked = pane, self._looked[1] + 1 if self._looked[0] == pane else 1
        elif self._line.current == pane:
            self._line.moved(found, t_ns=time.monotonic_ns(), earliest_ns=since_ns)
            self._read(found)

    def _within(self, ref: Ref, *, until_s: float) -> Ref | None:
        """What says in an element that it has the input; None where nothing does, or time is up."""
        return self._walker.focused(self._asker.children(ref, timeout_s=_ASK_S), until_s=until_s)

    def _read(self, ref: Ref) -> None:
        for pause_s in _RETRIES_S:
            asked_ns = time.monotonic_ns()
            element = self._asker.describe(ref, timeout_s=_ASK_S, secure=self._watch.is_secure(ref))
            if element is not None:
                if element.secure:
                    self._watch.add(ref)
                self._line.told(ref, FocusReading(asked_ns, time.monotonic_ns(), element))
                if element.role == _ROOT_PANE:
                    self._find_below(ref, since_ns=asked_ns)
                else:
                    self._looked = None, 0
                return
            # GTK 4 tells that an element has the input a moment before it can be asked about.
            with self._changed:
                if self._asker.bus.is_silent(ref.bus) or self._changed.wait_for(lambda: self._ended, pause_s):
                    return
