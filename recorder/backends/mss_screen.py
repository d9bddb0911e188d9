"""Screenshots of the whole virtual desktop, through mss (shared memory on X11, the system's own calls elsewhere)."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Any

import numpy as np

from demopack.errors import CaptureError
from recorder.backends.base import Grab, ScreenSource

__all__ = ["MssScreen"]


class MssScreen(ScreenSource):
    """All monitors as one picture, without the mouse pointer."""

    def __init__(self, *, display: str | None = None) -> None:
        self._display = display or os.environ.get("DISPLAY")
        self._mss: Any = None
        self._closed = False
        self._open()

    def _open(self) -> None:
        """Connect anew; the list of monitors is read here, so this is also the answer to a monitor that came or went.

        Raises:
            CaptureError: the screen cannot be read.
        """
        import mss

        self._let_go()
        try:
            # Other systems refuse the option that names an X server.
            self._mss = mss.MSS() if sys.platform in {"win32", "darwin"} else mss.MSS(display=self._display)
            self._monitors: list[dict[str, int]] = self._mss.monitors
        except (mss.ScreenShotError, OSError) as error:
            raise _unreadable(error) from error

    def grab(self) -> Grab:
        """See :class:`ScreenSource`."""
        import mss

        if self._closed:
            raise CaptureError("This screen source was closed; open a new one.")
        if self._mss is None:
            self._open()  # the last try failed; the screen may be back
        try:
            return self._grab()
        except (mss.ScreenShotError, OSError, AssertionError):
            # The usual cause is a monitor that came, went or changed its size.
            self._open()
        try:
            return self._grab()
        except (mss.ScreenShotError, OSError, AssertionError) as error:
            # mss asserts that the server answers; one that has gone does not.
            raise _unreadable(error) from error

    def _grab(self) -> Grab:
        area = self._monitors[0]
        started = time.monotonic_ns()
        shot = self._mss.grab(area)
        ended = time.monotonic_ns()
        raw: bytearray = shot.raw
        pixels = np.frombuffer(raw, dtype=np.uint8).reshape(shot.height, shot.width, 4)
        return Grab(
            # A view, not a copy: blue, green, red read backwards. Most grabs equal the one before and are thrown away.
            image=pixels[:, :, 2::-1],
            started_ns=started,
            ended_ns=ended,
            origin_x=area["left"],
            origin_y=area["top"],
            # mss gives physical pixels; where the system counts in points, the picture is larger than its area.
            scale_factor=shot.width / area["width"] if area["width"] else 1.0,
            raw=raw,
        )

    def close(self) -> None:
        """See :class:`ScreenSource`."""
        self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        if self._mss is None:
            return
        import mss

        # Only ever once, also when it fails: after a lost connection a second try would free the same memory again.
        gone, self._mss = self._mss, None
        with contextlib.suppress(mss.ScreenShotError):
            gone.close()


def _unreadable(error: Exception) -> CaptureError:
    if sys.platform == "darwin":
        hint = "Allow screen recording for this program: System Settings, Privacy & Security, Screen Recording."
    else:
        hint = "Check that the session is unlocked and that DISPLAY names it; on Wayland choose an Xorg session."
    return CaptureError("The screen cannot be read.", details=str(error), hint=hint)
