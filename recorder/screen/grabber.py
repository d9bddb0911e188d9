"""The thread that looks at the screen: often while something happens, rarely while nothing does."""

from __future__ import annotations

import contextlib
import logging
import select
import socket
import threading
import time
from collections.abc import Callable

from demopack.clock import now_ns
from demopack.domain.screenshots import Screenshot, Snapshot
from demopack.domain.steps import WindowInfo
from demopack.errors import CaptureError
from demopack.settings import RecorderSettings
from recorder.backends.base import ScreenLostError, ScreenSource, WindowSource, broken_off
from recorder.event_filter import OwnWindows
from recorder.screen.snapshots import SnapshotRing

_log = logging.getLogger(__name__)

_ACTIVE_NS = 2_000_000_000  # this long after input or a change the screen is watched closely
_AFTER_INPUT_NS = (25_000_000, 60_000_000)  # the effect of an input must be seen before the next input comes
_IDLE_SHARE = 50  # while nothing happens grabs may take one part in so many of a core
_BUSY_SHARE = 12  # the same while the screen changes all the time
_SLOWEST_NS = 200_000_000  # so old a before-frame may be at most while something happens
_QUICK_NS, _BURST = 20_000_000, 5.0  # a few changes may be grabbed so quickly one after the other
# Not so quickly that large pictures push each other out of the ring before an event has reached us.
_QUICK_SHARE = 16
_PROOFS = 4
_MOST_MISSES = 2
_VERIFY_NS, _VERIFY_IDLE_NS = 5_000_000_000, 30_000_000_000


class Cadence:
    """Pure arithmetic on monotonic nanoseconds; the owner sees to the locking."""

    def __init__(self, settings: RecorderSettings) -> None:
        self._active_gap = settings.frame_interval_ms * 1_000_000
        self._idle_gap = max(settings.idle_interval_ms * 1_000_000, self._active_gap)
        self._cost_ns = 0.0
        self._active_until = 0
        self._wanted: list[int] = []
        self._last_start = self._last_grab = 0
        self._credit, self._credited_at = _BURST, 0

    def is_active(self, now: int) -> bool:
        """Whether something happened a short time ago."""
        return now < self._active_until

    def input_came(self, now: int, *, acts: bool) -> None:
        """Somebody does something; ``acts`` is false for mere moves, which seldom change the screen."""
        self._active_until = max(self._active_until, now + _ACTIVE_NS)
        if acts:
            self._wanted = [now + delay for delay in _AFTER_INPUT_NS]

    def screen_changed(self, now: int) -> None:
        """Something new was seen."""
        self._active_until = max(self._active_until, now + _ACTIVE_NS)

    def began(self, now: int) -> bool:
        """A snapshot begins; returns whether it is one that was wanted after an input."""
        self._last_start = now
        left = [t for t in self._wanted if t > now]
        wanted, self._wanted = len(left) < len(self._wanted), left
        return wanted

    def grabbed(self, cpu_ns: int) -> None:
        """The snapshot that began last was a grab, and took so much of a core."""
        self._cost_ns += 0.2 * (cpu_ns - self._cost_ns)
        self._credit = max(0.0, self._credit_at(self._last_start) - 1)
        self._credited_at = self._last_grab = self._last_start

    @property
    def _busy_gap(self) -> int:
        """Between two grabs of a screen that changes all the time."""
        return max(self._active_gap, min(_SLOWEST_NS, round(self._cost_ns * _BUSY_SHARE)))

    def _credit_at(self, now: int) -> float:
        """How many grabs may follow each other quickly: one is earned in the time in which one is due anyway."""
        return min(_BURST, self._credit + (now - self._credited_at) / self._busy_gap)

    def due(self, now: int, *, news: bool, tells: bool) -> int:
        """When the next snapshot is due.

        Args:
            now: the time.
            news: the screen has said that it has changed.
            tells: it would say so.
        """
        if news:
            quick = min(self._busy_gap, max(_QUICK_NS, round(self._cost_ns * _QUICK_SHARE)))
            gap = quick if self._credit_at(now) >= 1 else self._busy_gap
            return min([self._last_grab + gap, *self._wanted])
        if self.is_active(now) and not tells:
            gap = self._busy_gap
        elif self.is_active(now):
            gap = self._active_gap
        elif tells:
            gap = self._idle_gap
        else:
            # A small screen costs so little that it is watched closely all the time; a large one less often.
            gap = min(self._idle_gap, max(self._active_gap, round(self._cost_ns * _IDLE_SHARE)))
        return min([self._last_start + gap, *self._wanted])


class ChangeNoticeCheck:
    """Checks from time to time that the screen tells the truth when it says that nothing has changed.

    Some programs draw past the server, and some servers do not tell everything. A second change that was not announced
    ends the trust for good; the first may be a window of ours that came or went while the screen was read.

    Attributes:
        holds: whether its word counts.
    """

    def __init__(self) -> None:
        self.holds = True
        self._proofs = self._misses = 0
        self._verify_at = 0

    def must_grab(self, now: int, *, active: bool, wanted: bool) -> bool:
        """Whether to grab although the screen says that there is nothing new.

        Args:
            now: monotonic nanoseconds.
            active: whether something happened a short time ago.
            wanted: whether this snapshot is one after an input; until the screen has announced some changes, all these
                are grabs.
        """
        late = now >= self._verify_at + (0 if active else _VERIFY_IDLE_NS - _VERIFY_NS)
        return not self.holds or late or (wanted and self._proofs < _PROOFS)

    def judge(self, screenshot: Screenshot, *, changed: bool, asked: Callable[[], int | None]) -> None:
        """Compare a grab with what was announced.

        Args:
            screenshot: the grab.
            changed: whether it shows something new.
            asked: asks the screen what came since the grab; what came in its very moment may be on it.
        """
        self._verify_at = screenshot.ended_ns + _VERIFY_NS
        if screenshot.changed_ns is None or not changed:
            return
        if screenshot.changed_ns:
            self._proofs += 1
        elif self.holds and asked() == 0:
            self._misses += 1
            self._verify_at = 0  # whether more are missed is to be known soon
            self.holds = self._misses < _MOST_MISSES
            if self.holds:
                return
            _log.warning("The screen changed without notice; from now on it is looked at regularly.")


_RETRY_NS, _SOON_NS = 500_000_000, 80_000_000
_HUNG_NS = 700_000_000
_START_S, _STOP_S = 5.0, 1.0


class Grabber:
    """Fills a :class:`SnapshotRing`. Screen and window sources are used from its thread alone.

    Where the screen tells when it has changed, a grab is made only then, and at once; what it tells is checked from
    time to time, and if it ever misses a change it is not asked again.
    """

    def __init__(
        self,
        *,
        screen: ScreenSource,
        windows: WindowSource,
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
        self._failure: CaptureError | None = None
        self._failing_since_ns = self._failed_at = 0
        self._grab_since_ns = 0
        self._news = False
        self._stopping = False
        self._first = threading.Event()
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    # How it goes ------------------------------------------------------------------------------------------------

    @property
    def error(self) -> CaptureError | None:
        """Why no picture comes: the last grab failed, or the one under way does not end; None when all is well."""
        failure, hung = self._failure, self._hung_ns()
        if failure is not None:
            return failure
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
        if self._failure is not None:
            return self._failing_since_ns
        return self._grab_since_ns if self._hung_ns() else 0

    @property
    def lost(self) -> bool:
        """Whether the screen has gone for good."""
        return isinstance(self._failure, ScreenLostError)

    def _hung_ns(self) -> int:
        since = self._grab_since_ns
        waited = now_ns() - since if since else 0
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
        now = now_ns()
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
            now = now_ns()
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
        self._grab_since_ns = now_ns()
        try:
            return self._screen.changed_ns()
        except CaptureError:
            return None  # the grab that follows will say why
        finally:
            self._grab_since_ns = 0

    # A snapshot -----------------------------------------------------------------------------------------------------

    def _take_snapshot(self) -> None:
        started = self._grab_since_ns = now_ns()
        with self._lock:
            wanted = self._cadence.began(started)
            active = self._cadence.is_active(started)
        self._ring.begin()
        stack_before = self._windows.read().stack
        try:
            newest = self._ring.newest
            must = self._trust.must_grab(started, active=active, wanted=wanted)
            if newest is None or must or self._screen.changed_ns() != 0:
                self._grab(stack_before)
            else:
                ended = now_ns()
                self._ring.confirm(self._snapshot(newest.screenshot, started, ended, stack_before=stack_before))
        except CaptureError as error:
            self._failed(error)
        else:
            self._failure = None
        finally:
            self._news = False
            self._grab_since_ns = 0

    def _failed(self, error: CaptureError) -> None:
        self._failed_at = now_ns()
        if self._failure is None:
            _log.info("The screen could not be read: %s", error)
            self._failing_since_ns = self._failed_at
        self._failure = error
        self._ring.cancel()

    def _grab(self, stack_before: tuple[WindowInfo, ...]) -> None:
        cpu = time.thread_time_ns()
        is_first = self._ring.newest is None  # of which nobody could tell that it is new
        screenshot = self._screen.grab()
        started, ended = screenshot.started_ns, screenshot.ended_ns
        changed = self._ring.add(self._snapshot(screenshot, started, ended, stack_before=stack_before))
        with self._lock:
            self._cadence.grabbed(time.thread_time_ns() - cpu)
            if changed:
                self._cadence.screen_changed(now_ns())
        self._trust.judge(screenshot, changed=changed and not is_first, asked=self._screen.changed_ns)

    def _snapshot(
        self, screenshot: Screenshot, started_ns: int, ended_ns: int, *, stack_before: tuple[WindowInfo, ...]
    ) -> Snapshot:
        """What is shown, with the windows as they are now."""
        windows = self._windows.read()
        return Snapshot(
            started_ns=started_ns,
            ended_ns=ended_ns,
            screenshot=screenshot,
            window=windows.active,
            own=(*windows.own, *self._own.docked),
            own_active=windows.own_active,
            stack=windows.stack,
            stack_before=stack_before,
        )
