"""The health of a recording: sources that no longer deliver, lost input, a full disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from demopack.clock import now_ns
from demopack.errors import CaptureError
from recorder.backends.base import InputSource, ScreenAwayError, WindowAwayError
from recorder.privacy.text_hold import TextHold
from recorder.screen.grabber import Grabber
from recorder.screen.snapshots import SnapshotRing
from recorder.sources import EventQueue

_EVERY_S, _DISK_EVERY_S = 0.1, 1.0
_SILENT_S = 60.0  # who only looks for a while is not alarmed
_BLIND_S = 0.45  # after an input the screen is looked at within a few hundredths of a second
MIN_FREE_BYTES = 200_000_000
_SCREEN_GONE_S = 10.0
_INPUT_GONE_S = 0.5  # where the screen has gone, too, that is the better reason, and known by then


class Health:
    """Looks at the sources of a recording and at their counters. Used from the session's thread.

    Each source says itself whether it still delivers, and none is asked anything that it would have to wait for.

    Attributes:
        problems: what is wrong now, in the user's words.
        disk: what is wrong with the disk, then the recording must pause; empty when all is well.
    """

    def __init__(
        self,
        folder: Path,
        *,
        ring: SnapshotRing,
        queue: EventQueue,
        grabber: Grabber,
        inputs: InputSource,
        hold: TextHold,
        min_free_bytes: int = MIN_FREE_BYTES,
        clock: Callable[[], float] = lambda: now_ns() / 1e9,
    ) -> None:
        """Begin.

        Args:
            folder: of the library, on the disk that is watched.
            ring: the pictures that have arrived.
            queue: counts the input events.
            grabber: knows why no picture comes.
            inputs: knows why no input comes.
            hold: what programs report about fields.
            min_free_bytes: with less the recording must pause.
            clock: monotonic seconds.
        """
        self.problems: list[str] = []
        self.disk = ""
        self._folder = folder
        self._ring = ring
        self._queue = queue
        self._grabber = grabber
        self._inputs = inputs
        self._hold = hold
        self._min_free = min_free_bytes
        self._clock = clock
        self._started = self._checked = clock()
        self._disk_checked = float("-inf")
        self._seen = 0
        self._unanswered_s: float | None = None
        self._input_ended_s: float | None = None

    def check(self, *, watching: bool = True) -> CaptureError | None:
        """Look at all sources, and from time to time bring ``problems`` and ``disk`` up to date.

        Args:
            watching: whether input makes the recorder look at the screen; not while it is paused.

        Returns:
            Why the recording cannot go on, told in ``problems`` a moment before; None while it can.
        """
        self._hold.update()
        now = self._clock()
        if now - self._checked >= _EVERY_S:
            self._checked = now
            self._update(now, watching=watching)
        error = self._grabber.error
        # Minimised or locked: it will come back, and the person is told meanwhile.
        is_away = isinstance(error, (ScreenAwayError, WindowAwayError))
        has_gone = self._grabber.lost or now - self._grabber.failing_since_ns / 1e9 > _SCREEN_GONE_S
        if error is not None and not is_away and has_gone:
            return error
        error = self._inputs.error
        if error is not None and self._input_ended_s is None:
            self._input_ended_s = now
        return error if self._input_ended_s is not None and now - self._input_ended_s > _INPUT_GONE_S else None

    def _update(self, now: float, *, watching: bool) -> None:
        found: list[str] = []
        blind = self._is_blind(now) and watching
        no_pictures, no_input = self._grabber.error, self._inputs.error
        if no_pictures is not None and self._grabber.lost:
            # Nothing else is there any more either; what follows from that is no news.
            self.problems = [str(no_pictures)]
            return
        if no_pictures is not None:
            found.append(str(no_pictures))
        elif blind:
            found.append("Your input arrives, but no pictures of the screen do.")
        if no_input is not None:
            found.append(str(no_input))
        else:
            found += self._inputs.problems
        count = self._inputs.unreadable
        found += _counted(
            count,
            "1 input event could not be read; a step may be missing.",
            f"{count} input events could not be read; a step may be missing.",
        )
        found += self._hold.problems
        count = self._queue.dropped
        found += _counted(
            count,
            "1 input event was lost because this machine is too busy.",
            f"{count} input events were lost because this machine is too busy.",
        )
        if not self._queue.seen and now - self._started > _SILENT_S:
            found.append("No input has been seen yet. If you did something, input cannot be watched here.")
        if now - self._disk_checked >= _DISK_EVERY_S:
            self._disk_checked = now
            self.disk = self._ask_disk()
        if self.disk:
            found.append(self.disk)
        self.problems = found

    def _is_blind(self, now: float) -> bool:
        """Whether input has waited too long for a look at what it did."""
        newest = self._ring.newest
        if self._unanswered_s is not None and newest is not None and newest.ended_ns / 1e9 >= self._unanswered_s:
            self._unanswered_s = None
        if self._queue.seen != self._seen:
            self._seen = self._queue.seen
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


def _counted(count: int, one: str, several: str) -> list[str]:
    return [one if count == 1 else several] if count else []
