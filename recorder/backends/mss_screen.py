"""Screenshots through mss, on systems with calls of their own for that; X11 has a backend of its own.

mss counts boxes as the system does (see ``ScreenSpace``): physical pixels on Windows, points on macOS. The picture of a
Retina monitor has more pixels than its box has points, and each monitor is grabbed on its own: of a box that reaches
over several of them macOS makes one picture of whatever resolution it likes.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from demopack.clock import now_ns
from demopack.domain.frames import Monitor
from demopack.domain.geometry import Rect, ScreenSpace, Size
from demopack.domain.screenshots import Screenshot
from demopack.errors import CaptureError
from recorder.area import EVERYTHING, CaptureArea
from recorder.backends.base import ScreenAwayError, ScreenSource, area_box
from recorder.backends.screen_lock import is_screen_locked
from recorder.backends.windows.monitors import monitor_scale


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
        if sys.platform == "darwin":
            _ask_for_every_pixel()
        try:
            # Other systems refuse the option that names an X server.
            self._mss = mss.MSS() if sys.platform in {"win32", "darwin"} else mss.MSS(display=self._display)
            whole, *listed = self._mss.monitors
            self._whole, self._monitors = _box_of(whole), _monitors_of(listed)
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
        area, monitors = self._box(), self._monitors
        started = now_ns()
        if sys.platform == "darwin":
            raw, scale, monitors = self._grab_each(area)
        else:
            raw, read = self._grab_part(area)
            scale = read.width / area.width
        ended = now_ns()
        size = Size(round(area.width * scale), round(area.height * scale))
        pixels = np.frombuffer(raw, dtype=np.uint8).reshape(size.height, size.width, 4)
        shown = [monitor for monitor in monitors if monitor.box.intersection(area) is not None]
        main = next((monitor for monitor in shown if monitor.primary), shown[0] if shown else None)
        return Screenshot(
            # A view, not a copy: blue, green, red read backwards. Most grabs equal the one before and are thrown away.
            image=pixels[:, :, 2::-1],
            started_ns=started,
            ended_ns=ended,
            space=ScreenSpace(origin_x=area.x1, origin_y=area.y1, pixels_per_unit=scale),
            # On macOS what lies on a plain monitor is enlarged, too.
            scale_factor=max(scale, 1.0 if main is None else main.scale_factor),
            raw=raw,
            monitors=tuple(shown),
        )

    def _grab_part(self, box: Rect) -> tuple[bytearray, Size]:
        """Pixels of a box of the desktop, four bytes each, and how many there are in each direction."""
        shot = self._mss.grab({"left": box.x1, "top": box.y1, "width": box.width, "height": box.height})
        raw: bytearray = shot.raw
        return raw, Size(shot.width, shot.height)

    def _grab_each(self, area: Rect) -> tuple[bytearray, float, list[Monitor]]:
        """Pixels of each monitor by itself, joined; how many there are per unit, and the monitors with their scales."""
        parts: list[tuple[Rect, bytearray, Size]] = []
        scaled: list[Monitor] = []
        for monitor in self._monitors:
            part = monitor.box.intersection(area)
            if part is None:
                continue
            raw, size = self._grab_part(part)
            parts.append((part, raw, size))
            scaled.append(monitor.model_copy(update={"scale_factor": size.width / part.width}))
        scale = max((monitor.scale_factor for monitor in scaled), default=1.0)
        if len(parts) == 1 and parts[0][0] == area:
            return parts[0][1], scale, scaled
        width, height = round(area.width * scale), round(area.height * scale)
        joined = bytearray(width * height * 4)  # black where no monitor is
        whole = np.frombuffer(joined, dtype=np.uint32).reshape(height, width)
        space = ScreenSpace(origin_x=area.x1, origin_y=area.y1, pixels_per_unit=scale)
        for part, raw, size in parts:
            place = space.to_pixels(part).clamped(Size(width, height))
            colours = np.frombuffer(raw, dtype=np.uint32).reshape(size.height, size.width)
            whole[place.y1 : place.y2, place.x1 : place.x2] = _enlarged(colours, Size(place.width, place.height))
        return joined, scale, scaled

    def _box(self) -> Rect:
        return area_box(self._area, self._whole, self._monitors)

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


def _ask_for_every_pixel() -> None:
    """Have mss ask for the pixels that a Retina monitor has, and not for one a point."""
    import mss.darwin as system

    system.IMAGE_OPTIONS &= ~system.kCGWindowImageNominalResolution


def _enlarged(colours: npt.NDArray[np.uint32], size: Size) -> npt.NDArray[np.uint32]:
    """The same picture in another size, each pixel of it the nearest one; as it is where the size is right."""
    height, width = colours.shape
    if (width, height) == size:
        return colours
    rows = np.arange(size.height) * height // size.height
    columns = np.arange(size.width) * width // size.width
    larger: npt.NDArray[np.uint32] = colours[rows[:, None], columns]
    return larger


def _monitors_of(listed: Iterable[dict[str, Any]]) -> list[Monitor]:
    """The monitors as the system lists them; on macOS their scale is known only once they have been grabbed."""
    found: list[Monitor] = []
    for n, entry in enumerate(listed, start=1):
        box = _box_of(entry)
        name = str(entry.get("output") or entry.get("name") or f"screen {n}")
        # Windows calls two equal monitors alike, and most of them "Generic PnP Monitor".
        name = f"{name} {n}" if any(other.name == name for other in found) else name
        # macOS puts the corner of the main monitor at 0, 0.
        primary = bool(entry.get("is_primary", (box.x1, box.y1) == (0, 0)))
        scale = monitor_scale(box) if sys.platform == "win32" else 1.0
        found.append(Monitor(name=name, box=box, scale_factor=scale, primary=primary))
    return found


def _box_of(entry: dict[str, Any]) -> Rect:
    left, top = int(entry["left"]), int(entry["top"])
    return Rect(left, top, left + int(entry["width"]), top + int(entry["height"]))


_HINTS = {
    "darwin": "Allow screen recording for this program: System Settings, Privacy & Security, Screen Recording.",
    "win32": "Close what protects the screen, such as a video with copy protection; "
    "in a remote session keep its window open.",
}
_X11_HINT = "Check that the session is unlocked and that DISPLAY names it; on Wayland choose an Xorg session."


def _unreadable(error: Exception) -> CaptureError:
    if is_screen_locked():
        return ScreenAwayError(
            "The screen is locked, or the system asks for permission on a screen of its own.",
            details=str(error),
            hint="Recording goes on when it is back.",
        )
    hint = _HINTS.get(sys.platform, _X11_HINT)
    return CaptureError("The screen cannot be read.", details=str(error), hint=hint)
