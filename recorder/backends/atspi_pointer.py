"""Finds the element under a position of the screen; in a thread of its own, the newest question wins."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from demopack.domain.geometry import Point
from demopack.domain.steps import AccessibleElement
from demopack.errors import CaptureError
from recorder.backends.atspi_ask import Asker
from recorder.backends.atspi_bus import Ref
from recorder.backends.atspi_watch import SecureWatch
from recorder.backends.xlib import open_display, xlib

__all__ = ["PointerAsker", "WindowUnder"]

_DEADLINE_S = 0.15
_DEEPEST = 40
_KEPT = 256
_SHORTLY_NS, _LATE_NS = 2_000_000_000, 300_000_000
_NEAR_PX = 2


class WindowUnder:
    """Knows whose window lies under a position; a connection of its own, for one thread."""

    def __init__(self, display: str | None) -> None:
        self._errors: tuple[type[Exception], ...] = (
            xlib("error").XError,
            xlib("error").ConnectionClosedError,
            OSError,
        )
        self._display: Any = None
        with contextlib.suppress(CaptureError):
            self._display = open_display(display)
            self._display.set_error_handler(_ignore_error)
            self._pid = self._display.intern_atom("_NET_WM_PID")

    def process(self, x: int, y: int) -> int:
        """The process that owns the window; 0 when nobody tells."""
        if self._display is None:
            return 0
        try:
            window = root = self._display.screen().root
            for _ in range(4):
                window = window.translate_coords(root, x, y).child
                if not window:
                    break
                told = window.get_full_property(self._pid, xlib("X").AnyPropertyType)
                if told is not None and len(told.value):
                    return int(told.value[0])
        except self._errors:
            return 0
        return 0

    def close(self) -> None:
        """Let go of the display."""
        if self._display is not None:
            with contextlib.suppress(*self._errors):
                self._display.close()
            self._display = None


@dataclass(frozen=True, slots=True)
class _Answer:
    asked_ns: int
    at: Point
    element: AccessibleElement | None


class PointerAsker:
    """Answers what lay under the pointer when it was asked."""

    def __init__(self, asker: Asker, watch: SecureWatch, *, display: str | None) -> None:
        self._asker = asker
        self._watch = watch
        self._display = display
        self._changed = threading.Condition()
        self._question: tuple[int, Point] | None = None
        self._answers: deque[_Answer] = deque(maxlen=_KEPT)
        self._busy = False
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="accessibility pointer", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; calling it twice is harmless."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def ask(self, at: Point) -> None:
        """Put a question; one that still waits is dropped for it."""
        with self._changed:
            self._question = (time.monotonic_ns(), at)
            self._changed.notify_all()

    def answer(self, at: Point, t_ns: int) -> AccessibleElement | None:
        """The newest answer to a question about this position that was put at this time or shortly before.

        Events reach us late; where nothing was asked before, the first question after it counts.
        """
        with self._changed:
            near = [a for a in self._answers if max(abs(a.at.x - at.x), abs(a.at.y - at.y)) <= _NEAR_PX]
        before = [a for a in near if 0 <= t_ns - a.asked_ns <= _SHORTLY_NS]
        after = [a for a in near if 0 < a.asked_ns - t_ns <= _LATE_NS]
        return before[-1].element if before else after[0].element if after else None

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until the last question is answered; whether it was."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ended or not (self._busy or self._question), timeout_s)

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        under = WindowUnder(self._display)
        try:
            while True:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: self._ended or self._question is not None)
                    if self._ended or self._question is None:
                        return
                    (asked_ns, at), self._question = self._question, None
                    self._busy = True
                element = self._find(at, under.process(at.x, at.y))
                with self._changed:
                    self._answers.append(_Answer(asked_ns, at, element))
        finally:
            under.close()

    def _find(self, at: Point, process: int) -> AccessibleElement | None:
        deadline = time.monotonic() + _DEADLINE_S
        for program in self._programs_of(process):
            found = self._descend(program, at, deadline)
            if found is not None:
                left = max(deadline - time.monotonic(), 0.02)
                return self._asker.describe(found, timeout_s=left, secure=self._watch.is_secure(found))
        return None

    def _programs_of(self, process: int) -> list[Ref]:
        programs = self._asker.programs(timeout_s=_DEADLINE_S)
        if not process:
            return [program for program in programs if not self._asker.is_silent(program.bus)]
        return [p for p in programs if self._asker.process(p.bus, timeout_s=_DEADLINE_S) == process]

    def _descend(self, program: Ref, at: Point, deadline: float) -> Ref | None:
        """From the program's window under the position down to the innermost element; None when it has none there."""
        found: Ref | None = None
        self._asker.measure(program.bus, timeout_s=max(deadline - time.monotonic(), 0.02))
        windows = self._asker.windows_at(program, at, timeout_s=max(deadline - time.monotonic(), 0.02))
        below: Ref | None = windows[0] if windows else None
        for _ in range(_DEEPEST):
            if below is None or below == found or time.monotonic() > deadline:
                break
            found = below
            below = self._asker.child_at(found, at, timeout_s=max(deadline - time.monotonic(), 0.02))
        return found


def _ignore_error(*_: object) -> None:
    """Windows come and go while we ask about them; python-xlib would print every such answer."""
