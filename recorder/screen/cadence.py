"""Cadence of looks at the screen, and whether what it tells about itself can be trusted."""

from __future__ import annotations

import logging
from collections.abc import Callable

from demopack.domain.screenshots import Screenshot
from demopack.settings import RecorderSettings

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

    Some programs draw past the server, and some servers do not tell everything. One change that was not announced ends
    the trust for good.

    Attributes:
        holds: whether it has always been right.
    """

    def __init__(self) -> None:
        self.holds = True
        self._proofs = 0
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
            self.holds = False
            _log.warning("The screen changed without notice; from now on it is looked at regularly.")
