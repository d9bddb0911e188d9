"""A screen that tells when it has changed, as the test lets it: truly, late, or not at all."""

from __future__ import annotations

import contextlib
import socket
import threading
from dataclasses import replace

from demopack.clock import now_ns
from demopack.domain.screenshots import Screenshot
from demopack.errors import CaptureError
from recorder.backends.base import ScreenSource
from tests.support.sources import grab


class TellingScreen(ScreenSource):
    """Shows one grey value. ``hangs`` makes every question wait until it is let go."""

    def __init__(self, *, announces: bool = True) -> None:
        self.announces = announces
        self.error: CaptureError | None = None
        self.grabs = 0
        self.let_go = threading.Event()
        self.let_go.set()
        self._colour = 0
        self._changed_ns = 0
        self._condition = threading.Condition()
        self._bell, self._ear = socket.socketpair()
        self._ear.settimeout(0)

    def show(self, colour: int) -> int:
        """Show another value; returns when that was."""
        with self._condition:
            self._colour = colour
            now = now_ns()
            if self.announces:
                self._changed_ns = self._changed_ns or now
        if self.announces:
            self._bell.send(b"!")
        return now

    def repaint(self) -> None:
        """Announce a change that nobody can see."""
        self.show(self._colour)

    def wait_for_grabs(self, number: int) -> None:
        """Until so many have been made in all."""
        with self._condition:
            assert self._condition.wait_for(lambda: self.grabs >= number, timeout=20)

    def grab(self) -> Screenshot:
        self._answer()
        started = now_ns()
        with self._condition:
            taken, changed = grab(self._colour), self._changed_ns
            self._changed_ns = 0
            self.grabs += 1
            self._condition.notify_all()
        return replace(taken, started_ns=started, ended_ns=now_ns(), changed_ns=changed)

    def changed_ns(self) -> int | None:
        self._answer()
        with contextlib.suppress(BlockingIOError):
            self._ear.recv(4096)
        with self._condition:
            return self._changed_ns

    def _answer(self) -> None:
        assert self.let_go.wait(20)
        if self.error is not None:
            raise self.error

    def fileno(self) -> int | None:
        return self._ear.fileno()

    def close(self) -> None:
        self._bell.close()
        self._ear.close()
