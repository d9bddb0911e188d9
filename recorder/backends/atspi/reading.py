"""Reads the element that has the input, each time something is told about it; in a thread of its own."""

from __future__ import annotations

import time
from collections.abc import Callable

from recorder.backends.atspi.ask import Asker
from recorder.backends.atspi.bus import Ref
from recorder.backends.atspi.focus import FocusLine, Reading
from recorder.backends.atspi.names import ACTIVE, FOCUSED
from recorder.backends.atspi.thread import AskingThread
from recorder.backends.atspi.words import ROOT_PATH

__all__ = ["FocusReader"]

_ASK_S = 0.25


class FocusReader(AskingThread):
    """Asks about elements one after the other; the same element waits only once."""

    def __init__(
        self, asker: Asker, line: FocusLine, *, is_secure: Callable[[Ref], bool], on_secure: Callable[[Ref], None]
    ) -> None:
        super().__init__("accessibility focus")
        self._asker = asker
        self._line = line
        self._is_secure = is_secure
        self._on_secure = on_secure
        self._elements: dict[Ref, None] = {}
        self._programs: dict[str, int] = {}
        self._busy = False

    def read(self, ref: Ref) -> None:
        """Ask about an element soon."""
        with self._changed:
            self._elements[ref] = None
            self._changed.notify_all()

    def find(self, bus: str, *, since_ns: int) -> None:
        """Find out which element of a program has the input; some do not tell when a window gets it back."""
        with self._changed:
            self._programs[bus] = since_ns
            self._changed.notify_all()

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until everything has been read; whether it was."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ended or self._is_idle, timeout_s)

    @property
    def _is_idle(self) -> bool:
        return not (self._busy or self._elements or self._programs)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._ended or self._elements or self._programs)
                if self._ended:
                    return
                self._busy = True
                program = self._programs.popitem() if self._programs else None
                ref = None
                if program is None:
                    ref = next(iter(self._elements))
                    del self._elements[ref]
            if program is not None:
                self._find(*program)
            elif ref is not None:
                self._read(ref)

    def _find(self, bus: str, since_ns: int) -> None:
        for window in self._asker.with_state(Ref(bus, ROOT_PATH), ACTIVE, timeout_s=_ASK_S):
            for found in self._asker.with_state(window, FOCUSED, timeout_s=_ASK_S)[:1]:
                current = self._line.current
                if current is None or current.bus != bus:
                    self._line.moved(found, t_ns=time.monotonic_ns(), earliest_ns=since_ns)
                    self._read(found)
                return

    def _read(self, ref: Ref) -> None:
        asked_ns = time.monotonic_ns()
        element = self._asker.describe(ref, timeout_s=_ASK_S, secure=self._is_secure(ref))
        if element is None:
            return
        if element.secure:
            self._on_secure(ref)
        self._line.told(ref, Reading(asked_ns, time.monotonic_ns(), element))
