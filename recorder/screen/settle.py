"""Waits until a screen has come to rest."""

from __future__ import annotations

import time

from demopack.jobs import JobControl
from recorder.backends.base import Grab, ScreenSource
from recorder.screen.frames import same_pixels

__all__ = ["wait_until_settled"]


def wait_until_settled(
    screen: ScreenSource, *, timeout_s: float, control: JobControl, interval_s: float = 0.08, quiet_s: float = 0.24
) -> tuple[Grab, bool]:
    """Grab until the screen has not changed for ``quiet_s`` seconds.

    Args:
        screen: used from this thread until the call returns.
        timeout_s: longest wait; a screen that never rests is returned as it is then.
        control: cancels the wait.
        interval_s: between two grabs.
        quiet_s: for how long all grabs must be equal.

    Returns:
        The newest grab, and whether the screen had come to rest.

    Raises:
        CaptureError: the screen cannot be read.
        CancelledError: the wait was cancelled.
    """
    deadline = time.monotonic() + timeout_s
    grab = screen.grab()
    quiet_since = grab.started_ns
    while True:
        control.token.check()
        if grab.ended_ns - quiet_since >= quiet_s * 1e9:
            return grab, True
        if time.monotonic() >= deadline:
            return grab, False
        control.token.wait(interval_s)
        new = screen.grab()
        if not same_pixels(grab, new):
            quiet_since = new.started_ns
        grab = new
