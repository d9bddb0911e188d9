"""The thread that looks at the screen: often while something happens, rarely while nothing does."""

from __future__ import annotations

import contextlib
import logging
import select
import socket
import threading
import time
from dataclasses import dataclass

from demopack.domain.steps import WindowInfo
from demopack.errors import CaptureError
from demopack.settings import RecorderSettings
from recorder.backends.base import ScreenLostError, ScreenSource, WindowSource, broken_off
from recorder.event_filter import OwnWindows
from recorder.screen.cadence import Cadence, ChangeNoticeCheck
from recorder.screen.snapshots import SnapshotRing, SnapshotWindows

_log = logging.getLogger(__name__)

_RETRY_NS, _SOON_NS = 500_000_000, 80_000_000
_HUNG_NS = 700_000_000
_START_S, _STOP_S = 5.0, 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    error: CaptureError
    since_ns: int


class Grabber:
    """Fills a :class:`SnapshotRing`. Screen and window sources are used from its thread alone.

    Where the screen tells when it has changed, a grab is made only then, and at once; what it tells is checked from
    time to time, and if it ever misses a change it is not asked again.
    """

    def __init__(
        self,
        *,
        screen: ScreenSource,
        windows: WindowSource | None,
        ring: SnapshotRing,
        settings: RecorderSettings,
        own: OwnWindows | None = None,
    ) -> None:
        self._own = own or OwnWindows()
        self._screen = screen
        self._windows = windows
        self._ring = ring
        self._cadence = Cadence(settings)
        self._trust = ChangeNoticeCheck()
        self._lock = threading.Lock()  # for the cadence
        self._failure: _Failure | None = None
        self._failed_at = 0
        self._grab_since_ns = 0
        self._news = False
        self._stopping = False
        self._first = threading.Event()
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    # How it goes ------------------------------------------------------------------------------------------------

    @property
    def error(self) -> CaptureError | None:
        """Why no picture comes: the last grab failed, or the one under way does not end; None when all is well."""
        failure = self._failure
        if failure is not None:
            return failure.error
        hung = self._hung_ns()
        if not hung:
            return None
        return CaptureError(
            "No pictures of the screen arrive: it does not answer.",
            details=f"A grab has been under way for {hung / 1e9:.1f} s.",
            hint="If this lasts, stop the recording; everything up to now is kept.",
        )

    @property
    def failing_since_ns(self) -> int:
        """Monotonic clock when that began; 0 without :attr:`error`."""
        failure = self._failure
        if failure is not None:
            return failure.since_ns
        return self._grab_since_ns if self._hung_ns() else 0

    @property
    def lost(self) -> bool:
        """Whether the screen has gone for good."""
        failure = self._failure
        return failure is not None and isinstance(failure.error, ScreenLostError)

    @property
    def is_alive(self) -> bool:
        """Whether its thread runs, be it in a grab that hangs."""
        return self._thread.is_alive()

    @property
    def trusts_screen(self) -> bool:
        """Whether what the screen tells about changes has always been right."""
        return self._trust.holds

    def _hung_ns(self) -> int:
        since = self._grab_since_ns
        waited = time.monotonic_ns() - since if since else 0
        return waited if waited > _HUNG_NS else 0

    # Orders -----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Take the first snapshot, then go on in the background.

        Raises:
            CaptureError: the screen cannot be read, or does not answer.
        """
        self._bell, self._ear = socket.socketpair()
        self._bell.settimeout(0)
        self._ear.settimeout(0)
        self._thread.start()
        answered = self._first.wait(_START_S)
        error = self.error
        if error is not None or not answered:
            self.stop()
            raise error or CaptureError("The screen does not answer.", hint="Check that the session is unlocked.")

    def poke(self, *, acts: bool) -> None:
        """Input came. ``acts`` is false for mere moves, which may change the screen but seldom do."""
        now = time.monotonic_ns()
        with self._lock:
            was_idle = not self._cadence.is_active(now)
            self._cadence.input_came(now, acts=acts)
        if acts or was_idle:
            self._ring_bell()

    def stop(self) -> None:
        """Take a last snapshot and end the thread; a grab that hangs is left behind."""
        self._stopping = True
        if self._thread.ident is not None:
            self._ring_bell()
            self._thread.join(_STOP_S)

    def _ring_bell(self) -> None:
        # When its line is full the thread will wake anyway; when that is closed there is nobody to be woken.
        with contextlib.suppress(OSError):
            self._bell.send(b"!")

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._take_snapshot()
            self._first.set()
            while self._wait():
                self._take_snapshot()
            if self._failure is None:
                self._take_snapshot()
        except Exception as error:  # noqa: BLE001 - nobody must believe that the screen is still being watched
            self._failed(broken_off(error))
        finally:
            self._first.set()
            self._bell.close()
            self._ear.close()

    def _wait(self) -> bool:
        """Sleep until the next snapshot is due; returns False when the thread is to end."""
        while not self._stopping:
            now = time.monotonic_ns()
            left = self._due(now) - now
            if left <= 0:
                return True
            self._sleep(left / 1e9)
        return False

    def _due(self, now: int) -> int:
        if self._failure is not None:
            return self._failed_at + (_SOON_NS if self._news else _RETRY_NS)
        tells = self._trust.holds and self._screen.fileno() is not None
        with self._lock:
            return self._cadence.due(now, news=self._news, tells=tells)

    def _sleep(self, seconds: float) -> None:
        """Wait for the time to pass, for an order, or for news of the screen."""
        watched: list[socket.socket | int] = [self._ear]
        # Once there is news we know enough; more of it would only keep us awake until the next snapshot is due.
        number = self._screen.fileno() if self._trust.holds and not self._news and not self.lost else None
        if number is not None:
            watched.append(number)
        ready, _, _ = select.select(watched, [], [], seconds)
        if self._ear in ready:
            with contextlib.suppress(BlockingIOError):
                self._ear.recv(4096)
        if number is not None and number in ready:
            self._news = self._failure is not None or self._asked() != 0

    def _asked(self) -> int | None:
        self._grab_since_ns = time.monotonic_ns()
        try:
            return self._screen.changed_ns()
        except CaptureError:
            return None  # the grab that follows will say why
        finally:
            self._grab_since_ns = 0

    # A snapshot -----------------------------------------------------------------------------------------------------

    def _take_snapshot(self) -> None:
        started = self._grab_since_ns = time.monotonic_ns()
        with self._lock:
            wanted = self._cadence.began(started)
            active = self._cadence.is_active(started)
        self._ring.begin()
        stack_before = () if self._windows is None else self._windows.stack()
        try:
            must = self._ring.newest is None or self._trust.must_grab(started, active=active, wanted=wanted)
            if must or self._screen.changed_ns() != 0:
                self._grab(stack_before)
            else:
                self._ring.confirm(started_ns=started, ended_ns=time.monotonic_ns(), **self._see_windows(stack_before))
        except CaptureError as error:
            self._failed(error)
        else:
            self._failure = None
        finally:
            self._news = False
            self._grab_since_ns = 0

    def _failed(self, error: CaptureError) -> None:
        self._failed_at = time.monotonic_ns()
        since = self._failed_at if self._failure is None else self._failure.since_ns
        if self._failure is None:
            _log.info("The screen could not be read: %s", error)
        self._failure = _Failure(error=error, since_ns=since)
        self._ring.cancel()

    def _grab(self, stack_before: tuple[WindowInfo, ...]) -> None:
        cpu = time.thread_time_ns()
        is_first = self._ring.newest is None  # of which nobody could tell that it is new
        screenshot = self._screen.grab()
        changed = self._ring.add(screenshot, **self._see_windows(stack_before))
        with self._lock:
            self._cadence.grabbed(time.thread_time_ns() - cpu)
            if changed:
                self._cadence.screen_changed(time.monotonic_ns())
        self._trust.judge(screenshot, changed=changed and not is_first, asked=self._screen.changed_ns)

    def _see_windows(self, stack_before: tuple[WindowInfo, ...]) -> SnapshotWindows:
        windows = self._windows
        if windows is None:
            return {"own": self._own.docked}
        return {
            "window": windows.active(),
            "own": (*windows.own_windows(), *self._own.docked),
            "own_active": windows.owns_active(),
            "stack": windows.stack(),
            "stack_before": stack_before,
        }
