"""Screenshots through mss, on systems with calls of their own for that; X11 has a backend of its own."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import numpy as np

from demopack.clock import now_ns
from demopack.domain.frames import Monitor
from demopack.domain.geometry import Rect, ScreenSpace
from demopack.domain.screenshots import Screenshot
from demopack.errors import CaptureError
from recorder.area import EVERYTHING, CaptureArea
from recorder.backends.base import ScreenSource, area_box


class MssScreen(ScreenSource):
    """All monitors as one picture, one of them, or a region; without the mouse pointer."""

    def __init__(self, *, area: CaptureArea = EVERYTHING, display: str | None = None) -> None:
        """Connect.

        Args:
            area: what is captured.
            display: an X server, where mss is used on one.

        Raises:
            CaptureError: the screen cannot be read, has no such monitor or region, or a window was asked for.
        """
        if area.kind == "window":
            raise CaptureError(
                "On this system single windows cannot be recorded yet.", hint="Choose a monitor or a region instead."
            )
        self._area = area
        self._display = display
        self._mss: Any = None
        self._closed = False
        self._open()
        self._box()

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
            self._listed: list[dict[str, Any]] = self._mss.monitors
        except (mss.ScreenShotError, OSError) as error:
            raise _unreadable(error) from error

    def grab(self) -> Screenshot:
        """See :class:`ScreenSource`."""
        import mss

        if self._closed:
            raise CaptureError("This screen source was closed; open a new one.")
        if self._mss is None:
            self._open()  # the last try failed; the screen may be back
        # mss asserts that the server answers; one that has gone does not.
        failures = (mss.ScreenShotError, OSError, AssertionError)
        with contextlib.suppress(*failures):
            return self._grab()
        # The usual cause is a monitor that came, went or changed its size.
        self._open()
        try:
            return self._grab()
        except failures as error:
            raise _unreadable(error) from error

    def _grab(self) -> Screenshot:
        area = self._box()
        asked = {"left": area.x1, "top": area.y1, "width": area.width, "height": area.height}
        started = now_ns()
        shot = self._mss.grab(asked)
        ended = now_ns()
        raw: bytearray = shot.raw
        pixels = np.frombuffer(raw, dtype=np.uint8).reshape(shot.height, shot.width, 4)
        # mss gives physical pixels; where the system counts in points, the picture is larger than its area.
        scale = shot.width / area.width if area.width else 1.0
        return Screenshot(
            # A view, not a copy: blue, green, red read backwards. Most grabs equal the one before and are thrown away.
            image=pixels[:, :, 2::-1],
            started_ns=started,
            ended_ns=ended,
            space=ScreenSpace(origin_x=area.x1, origin_y=area.y1, pixels_per_unit=scale),
            scale_factor=scale,
            raw=raw,
            monitors=tuple(m for m in self._monitors(scale) if m.box.intersection(area) is not None),
        )

    def _monitors(self, scale: float) -> list[Monitor]:
        # The first entry is the whole desktop.
        return [
            Monitor(
                name=str(entry.get("output") or entry.get("name") or f"screen {n}"),
                box=_box_of(entry),
                scale_factor=scale,
                primary=bool(entry.get("is_primary", n == 1)),
            )
            for n, entry in enumerate(self._listed[1:], start=1)
        ]

    def _box(self) -> Rect:
        return area_box(self._area, _box_of(self._listed[0]), self._monitors(1.0))

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


def _box_of(entry: dict[str, Any]) -> Rect:
    left, top = int(entry["left"]), int(entry["top"])
    return Rect(left, top, left + int(entry["width"]), top + int(entry["height"]))


def _unreadable(error: Exception) -> CaptureError:
    if sys.platform == "darwin":
        hint = "Allow screen recording for this program: System Settings, Privacy & Security, Screen Recording."
    else:
        hint = "Check that the session is unlocked and that DISPLAY names it; on Wayland choose an Xorg session."
    return CaptureError("The screen cannot be read.", details=str(error), hint=hint)
