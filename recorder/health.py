"""The health of a recording: sources that no longer deliver, lost input, a full disk."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from demopack.errors import CaptureError
from recorder.backends.base import InputSource, WindowAwayError
from recorder.privacy.text_hold import TextHold
from recorder.screen.grabber import Grabber
from recorder.screen.snapshots import SnapshotRing
from recorder.sources import EventQueue

_EVERY_S, _DISK_EVERY_S = 0.1, 1.0
_SILENT_S = 15.0
_BLIND_S = 0.45  # after an input the screen is looked at within a few hundredths of a second
MIN_FREE_BYTES = 200_000_000
_SCREEN_GONE_NS = 10_000_000_000
_INPUT_GONE_NS = 500_000_000  # where the screen has gone, too, that is the better reason, and known by then


class Health:
    """Looks at the counters from time to time.

    Attributes:
        problems: what is wrong now, in the user's words.
    """

    def __init__(
        self, folder: Path, *, min_free_bytes: int = MIN_FREE_BYTES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin.

        Args:
            folder: of the library, on the disk that is watched.
            min_free_bytes: with less the recording must pause.
            clock: monotonic seconds.
        """
        self.problems: list[str] = []
        self._folder = folder
        self._min_free = min_free_bytes
        self._clock = clock
        self._started = self._checked = clock()
        self._disk_checked = float("-inf")
        self._disk = ""
        self._seen = 0
        self._unanswered_s: float | None = None

    def check(
        self,
        ring: SnapshotRing,
        queue: EventQueue,
        error: CaptureError | None,
        *,
        lost: Sequence[str] = (),
        watching: bool = True,
    ) -> bool:
        """Bring ``problems`` up to date.

        Args:
            ring: the pictures that have arrived.
            queue: counts the input events.
            error: why no picture comes, where that is known.
            lost: which other sources have ended, and what that means.
            watching: whether input makes the recorder look at the screen; not while it is paused.

        Returns:
            Whether the recording must pause, because nothing more fits on the disk.
        """
        now = self._clock()
        if now - self._checked < _EVERY_S:
            return False
        self._checked = now
        found: list[str] = []
        blind = self._is_blind(ring, queue, now) and watching
        if error is not None:
            found.append(str(error))
        elif blind:
            found.append("Your input arrives, but no pictures of the screen do.")
        found += lost
        if queue.dropped == 1:
            found.append("1 input event was lost because this machine is too busy.")
        elif queue.dropped:
            found.append(f"{queue.dropped} input events were lost because this machine is too busy.")
        if not queue.seen and now - self._started > _SILENT_S:
            found.append("No input has been seen yet. If you did something, input cannot be watched here.")
        if now - self._disk_checked >= _DISK_EVERY_S:
            self._disk_checked = now
            self._disk = self._ask_disk()
        if self._disk:
            found.append(self._disk)
        self.problems = found
        return bool(self._disk)

    def _is_blind(self, ring: SnapshotRing, queue: EventQueue, now: float) -> bool:
        """Whether input has waited too long for a look at what it did."""
        newest = ring.newest
        if self._unanswered_s is not None and newest is not None and newest.ended_ns / 1e9 >= self._unanswered_s:
            self._unanswered_s = None
        if queue.seen != self._seen:
            self._seen = queue.seen
            self._unanswered_s = now if self._unanswered_s is None else self._unanswered_s
        return self._unanswered_s is not None and now - self._unanswered_s > _BLIND_S

    def _ask_disk(self) -> str:
        """What is wrong with the disk; empty when all is well."""
        try:
            free = shutil.disk_usage(self._folder).free
        except OSError:
            return f"The library {self._folder} cannot be reached; the recording is paused. Connect its drive again."
        if free < self._min_free:
            return f"The disk that holds {self._folder} is almost full; the recording is paused. Make room."
        return ""


@dataclass(slots=True, kw_only=True)
class Liveness:
    """Whether every source of a recording still delivers: screen, input, and what programs report about fields.

    Each source says so itself, and none is asked anything that it would have to wait for. What cannot be recorded
    without ends the recording, with everything up to then saved; it is told a moment before. Used from the session's
    thread.
    """

    grabber: Grabber
    inputs: InputSource
    hold: TextHold
    _input_since_ns: int = 0

    def check(self) -> CaptureError | None:
        """Look at all sources; returns why the recording cannot go on, None while it can."""
        self.hold.update()
        error, now = self.grabber.error, time.monotonic_ns()
        is_away = isinstance(error, WindowAwayError)  # minimised, it will come back, and the person is told meanwhile
        has_gone = self.grabber.lost or now - self.grabber.failing_since_ns > _SCREEN_GONE_NS
        if error is not None and not is_away and has_gone:
            return error
        error = self.inputs.error
        if error is None:
            return None
        self._input_since_ns = self._input_since_ns or now
        return error if now - self._input_since_ns > _INPUT_GONE_NS else None

    @property
    def problems(self) -> list[str]:
        """What has been lost, in the user's words, without the screen's; empty when all is well."""
        found = [str(self.inputs.error)] if self.inputs.error is not None else []
        unreadable = self.inputs.unreadable
        if unreadable == 1:
            found.append("1 input event could not be read; a step may be missing.")
        elif unreadable:
            found.append(f"{unreadable} input events could not be read; a step may be missing.")
        return [*found, *self.hold.problems]
