"""Whether every source of a recording still delivers: the screen, the input, and what programs tell about fields.

Each source says so itself, and none is asked anything that it would have to wait for. What cannot be recorded without
ends the recording, with everything up to then saved; it is told a moment before.
"""

from __future__ import annotations

import time

from demopack.errors import CaptureError
from recorder.backends.base import InputSource, WindowAwayError
from recorder.privacy.text_hold import TextHold
from recorder.screen.grabber import Grabber

__all__ = ["Liveness"]

_SCREEN_GONE_NS = 10_000_000_000
_INPUT_GONE_NS = 500_000_000  # where the screen has gone, too, that is the better reason, and known by then


class Liveness:
    """Used from the session's thread."""

    def __init__(self, *, grabber: Grabber, inputs: InputSource, hold: TextHold) -> None:
        """Take who is to be watched; all of them run."""
        self._grabber = grabber
        self._inputs = inputs
        self._hold = hold
        self._input_since_ns = 0

    def look(self) -> CaptureError | None:
        """Look at all sources; returns why the recording cannot go on, None while it can."""
        self._hold.look()
        return self._screen_gone() or self._input_gone()

    @property
    def problems(self) -> list[str]:
        """What has been lost, in the user's words, without the screen's; empty when all is well."""
        found = [str(self._inputs.error)] if self._inputs.error is not None else []
        unreadable = self._inputs.unreadable
        if unreadable == 1:
            found.append("1 input event could not be read; a step may be missing.")
        elif unreadable:
            found.append(f"{unreadable} input events could not be read; a step may be missing.")
        return [*found, *self._hold.problems]

    def _screen_gone(self) -> CaptureError | None:
        error = self._grabber.error
        if error is None or isinstance(error, WindowAwayError):
            return None  # a window that was minimised will come back, and the person is told meanwhile
        if self._grabber.lost:
            return error
        return error if time.monotonic_ns() - self._grabber.failing_since_ns > _SCREEN_GONE_NS else None

    def _input_gone(self) -> CaptureError | None:
        error, now = self._inputs.error, time.monotonic_ns()
        if error is None:
            return None
        self._input_since_ns = self._input_since_ns or now
        return error if now - self._input_since_ns > _INPUT_GONE_NS else None
