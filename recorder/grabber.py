"""The thread that looks at the screen: often while something happens, rarely while nothing does."""

from __future__ import annotations

import logging
import threading
import time

from demopack.errors import CaptureError
from demopack.settings import RecorderSettings
from recorder.backends.base import ScreenSource, WindowSource
from recorder.frames import FrameRing

__all__ = ["Grabber"]

_log = logging.getLogger(__name__)

_ACTIVE_NS = 2_000_000_000  # this long after input or a change the screen is watched closely
_AFTER_INPUT_NS = (25_000_000, 60_000_000)  # the effect of an input must be seen before the next input comes
_SHARE = 50  # idle grabs may take one part in so many of a core
_RETRY_NS = 500_000_000


class Grabber:
    """Fills a :class:`FrameRing`. Screen and window sources are used from its thread alone once it runs.

    Attributes:
        error: why the last grab failed; None after one that worked.
        failing_since_ns: monotonic clock of the first of these failures.
    """

    def __init__(
        self, *, screen: ScreenSource, windows: WindowSource | None, ring: FrameRing, settings: RecorderSettings
    ) -> None:
        self.error: CaptureError | None = None
        self.failing_since_ns = 0
        self._screen = screen
        self._windows = windows
        self._ring = ring
        self._active_gap = settings.frame_interval_ms * 1_000_000
        self._idle_gap = max(settings.idle_interval_ms * 1_000_000, self._active_gap)
        self._cost_ns = 0.0
        self._condition = threading.Condition()
        self._active_until = 0
        self._wanted: list[int] = []
        self._last_start = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    def start(self) -> None:
        """Take the first look in the caller's thread, then go on in the background.

        Raises:
            CaptureError: the screen cannot be read.
        """
        self._look()
        if self.error is not None:
            raise self.error
        self._thread.start()

    def poke(self, *, acts: bool) -> None:
        """Input came. ``acts`` is false for mere moves, which may change the screen but seldom do."""
        now = time.monotonic_ns()
        with self._condition:
            was_idle = now >= self._active_until
            self._active_until = now + _ACTIVE_NS
            if acts:
                self._wanted = [now + delay for delay in _AFTER_INPUT_NS]
            if acts or was_idle:
                self._condition.notify()

    def stop(self) -> None:
        """Take a last look and end the thread."""
        with self._condition:
            self._stopping = True
            self._condition.notify()
        if self._thread.ident is not None:
            self._thread.join(5)

    def _run(self) -> None:
        while self._wait():
            self._look()
        self._look()

    def _wait(self) -> bool:
        """Sleep until the next look is due; returns False when the thread is to end."""
        with self._condition:
            while not self._stopping:
                now = time.monotonic_ns()
                left = self._due(now) - now
                if left <= 0:
                    # What was wanted before this look began is answered by it.
                    self._wanted = [t for t in self._wanted if t > now]
                    return True
                self._condition.wait(left / 1e9)
        return False

    def _due(self, now: int) -> int:
        if self.error is not None:
            return self._last_start + _RETRY_NS
        if now < self._active_until:
            gap = self._active_gap
        else:
            # A small screen costs so little that it is watched closely all the time; a large one less often.
            gap = min(self._idle_gap, max(self._active_gap, round(self._cost_ns * _SHARE)))
        return min([self._last_start + gap, *self._wanted])

    def _look(self) -> None:
        self._last_start = time.monotonic_ns()
        cpu = time.thread_time_ns()
        windows = self._windows
        stack_before = () if windows is None else windows.stack()
        self._ring.begin()
        try:
            grab = self._screen.grab()
        except CaptureError as error:
            if self.error is None:
                _log.info("The screen could not be read: %s", error)
                self.failing_since_ns = time.monotonic_ns()
            self.error = error
            self._ring.cancel()
            return
        self.error = None
        if windows is None:
            changed = self._ring.add(grab)
        else:
            changed = self._ring.add(
                grab,
                window=windows.active(),
                own=tuple(windows.own_windows()),
                own_active=windows.owns_active(),
                stack=windows.stack(),
                stack_before=stack_before,
            )
        if changed:
            with self._condition:
                self._active_until = max(self._active_until, time.monotonic_ns() + _ACTIVE_NS)
        self._cost_ns += 0.2 * (time.thread_time_ns() - cpu - self._cost_ns)
