"""Conversion of the positions that programs tell into pixels of the screen, and back.

On a scaled desktop GTK and Qt tell positions in their own, larger units, and nothing says so. What they say about a
whole window is compared with what the X server says about it: if it is larger there, by the same factor in both
directions, the program is scaled. Qt follows the size of the monitor, so that the factor may be 1.04. Browsers tell
pixels.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from demopack.domain.geometry import Point, Rect
from demopack.errors import CaptureError
from recorder.backends.x11.monitors import Monitors
from recorder.backends.x11.xlib import numbers_of, open_display, server_errors, windows_at

_PLAIN_SCALE, _MAX_SCALE, _AGREEMENT_SHARE = 1.05, 6.0, 0.02
"""From the first on, a window of about that size is scaled; below it only one that fits to the pixel."""
_ROUNDED_PX = 2
"""What rounding may add to or take from a side."""
_AGAIN_S, _STEADY_S = 0.1, 5.0
_FRAMES = 4


@dataclass(frozen=True, slots=True)
class WindowScale:
    """One window as its program tells it, where it is on the screen, and how many pixels a unit has.

    Attributes:
        told: its box in the program's units.
        real: its box on the screen, in pixels.
        factor: pixels in a unit; 1 exactly for a program that tells pixels.
        on_screen: whether the units are counted from the corner of the screen; else from the window's own.
    """

    told: Rect
    real: Rect
    factor: float
    on_screen: bool = True

    def to_pixels(self, box: Rect) -> Rect:
        """A box inside the window; a little larger rather than too small."""
        if self.factor == 1 and self.on_screen:
            return box
        left, top = self._out(box.x1, box.y1)
        right, bottom = self._out(box.x2, box.y2)
        return Rect(math.floor(left) - 1, math.floor(top) - 1, math.ceil(right) + 1, math.ceil(bottom) + 1)

    def from_pixels(self, at: Point) -> Point:
        """A position of the screen in the program's units."""
        if self.factor == 1 and self.on_screen:
            return at
        x = self.told.x1 + (at.x - self.real.x1) / self.factor
        y = self.told.y1 + (at.y - self.real.y1) / self.factor
        return Point(math.floor(x), math.floor(y))

    def _out(self, x: int, y: int) -> tuple[float, float]:
        return (
            self.real.x1 + (x - self.told.x1) * self.factor,
            self.real.y1 + (y - self.told.y1) * self.factor,
        )


def fit_windows(told: Sequence[Rect], real: Sequence[Rect], *, on_screen: bool = True) -> tuple[WindowScale, ...]:
    """The windows of a program that are on the screen, each with the box that fits it best.

    Args:
        told: what the program says.
        real: what the X server says.
        on_screen: see :class:`WindowScale`.
    """
    found: list[WindowScale] = []
    for window in told:
        fits = [fit for box in real if (fit := _fit(window, box, on_screen=on_screen)) is not None]
        if fits:
            found.append(
                min(fits, key=lambda fit: abs(fit.real.width / window.width - fit.real.height / window.height))
            )
    return tuple(found)


def _fit(told: Rect, real: Rect, *, on_screen: bool) -> WindowScale | None:
    if told.width < 20 or told.height < 20:
        return None
    across, down = real.width / told.width, real.height / told.height
    # A unit more or less is rounding.
    slack = _AGREEMENT_SHARE * max(across, down) + 1 / min(told.width, told.height)
    if abs(across - down) > slack or not 1 - _AGREEMENT_SHARE <= across <= _MAX_SCALE:
        return None
    factor = across if told.width >= told.height else down
    if factor < _PLAIN_SCALE and not _fits_exactly(told, real, factor):
        factor = 1.0
    return WindowScale(told, real, factor, on_screen)


def _fits_exactly(told: Rect, real: Rect, factor: float) -> bool:
    """Whether a window is larger than its program says by this factor, and as far from the corner of the screen."""
    larger = min(real.width - told.width, real.height - told.height)
    sides = ((told.x1, real.x1), (told.y1, real.y1), (told.width, real.width), (told.height, real.height))
    return larger > 2 * _ROUNDED_PX and all(abs(own * factor - other) <= _ROUNDED_PX for own, other in sides)


class ServerWindows:
    """Asks over a connection of its own, for one thread at a time; where nobody tells, answers are empty."""

    def __init__(self, display: str | None) -> None:
        self._display: Any = None
        with contextlib.suppress(CaptureError):
            self._display = open_display(display, quiet=True)

    def at(self, x: int, y: int) -> tuple[int, Rect | None]:
        """The process that owns the window under a position of the screen, 0 when nobody tells.

        And where that window is, if it has no frame and only pops up, as menus do; None for every other.
        """
        if self._display is None:
            return 0, None
        with contextlib.suppress(*server_errors()):
            popup: Rect | None = None
            for depth, window in enumerate(windows_at(self._display, x, y, most=_FRAMES)):
                if not depth and window.get_attributes().override_redirect:
                    box = window.get_geometry()
                    popup = Rect(box.x, box.y, box.x + box.width, box.y + box.height)
                if process := numbers_of(self._display, window, "_NET_WM_PID"):
                    return process[0], popup
            return 0, popup
        return 0, None

    def of(self, process: int) -> list[list[Rect]]:
        """The boxes of each window of a process, the one without frames first."""
        if self._display is None or not process:
            return []
        found: list[list[Rect]] = []
        with contextlib.suppress(*server_errors()):
            for number in numbers_of(self._display, self._display.screen().root, "_NET_CLIENT_LIST"):
                window = self._display.create_resource_object("window", number)
                # Not remembered: the server gives the numbers of windows that are gone to new ones.
                if numbers_of(self._display, window, "_NET_WM_PID")[:1] == [process]:
                    found.append(self._boxes(window))
            return found
        return []

    def active(self) -> int:
        """The process whose window has the input; 0 when nobody tells."""
        if self._display is None:
            return 0
        with contextlib.suppress(*server_errors()):
            for number in numbers_of(self._display, self._display.screen().root, "_NET_ACTIVE_WINDOW"):
                window = self._display.create_resource_object("window", number)
                return next(iter(numbers_of(self._display, window, "_NET_WM_PID")), 0) if number else 0
        return 0

    def monitors(self) -> list[Rect]:
        """Where the monitors are."""
        if self._display is None:
            return []
        with contextlib.suppress(*server_errors()):
            return [monitor.box for monitor in Monitors(self._display).read()[1]]
        return []

    def close(self) -> None:
        """Let go of the display; calling it twice is harmless."""
        display, self._display = self._display, None
        if display is not None:
            with contextlib.suppress(*server_errors()):
                display.close()

    def _boxes(self, window: Any) -> list[Rect]:  # noqa: ANN401 - an untyped library
        root = self._display.screen().root
        boxes: list[Rect] = []
        while True:
            geometry = window.get_geometry()
            corner = root.translate_coords(window, 0, 0)
            boxes.append(Rect(corner.x, corner.y, corner.x + geometry.width, corner.y + geometry.height))
            parent = window.query_tree().parent
            if not parent or parent.id == root.id:
                return boxes
            window = parent


class ProgramScales:
    """Knows which programs are scaled; may be used from any thread."""

    def __init__(self, windows: ServerWindows) -> None:
        self._windows = windows
        self._lock = threading.Lock()
        self._fits: dict[str, tuple[WindowScale, ...]] = {}
        self._unsure: dict[str, Rect] = {}
        self._next: dict[str, float] = {}
        self._tries: dict[str, int] = {}

    def is_due(self, bus: str) -> bool:
        """Whether a program should be measured: it is new, or it is scaled and may have moved."""
        return time.monotonic() >= self._next.get(bus, 0.0)

    def measure(self, bus: str, process: int, told: Sequence[Rect], *, on_screen: bool = True) -> None:
        """Compare what a program tells about its windows with what the X server knows.

        Args:
            bus: the program.
            process: its process; 0 for one that tells pixels, whatever the desktop's scale.
            told: the boxes of its windows, in its units.
            on_screen: see :class:`WindowScale`.
        """
        with self._lock:
            real = self._windows.of(process)
            boxes = [box for each in real for box in each]
            fits = fit_windows(told, boxes, on_screen=on_screen)
            scaled = any(fit.factor > 1 for fit in fits) or not on_screen
            self._fits[bus] = fits if scaled else ()
            # Positions in one window say nothing about which of several it is.
            factors = [fit.factor for fit in fits]
            agree = bool(fits) and max(factors) - min(factors) <= 2 * _AGREEMENT_SHARE * max(factors)
            sure = agree and (on_screen or len(real) == 1)
            # Qt counts anew from the corner of each monitor, and does not say from which.
            if sure and scaled and on_screen:
                monitors = self._windows.monitors()
                sure = all(sum(monitor.intersection(fit.real) is not None for monitor in monitors) < 2 for fit in fits)
            if boxes and not sure:
                self._unsure[bus] = reduce(Rect.union, boxes)
            else:
                self._unsure.pop(bus, None)
            # A window that has just appeared may not be what it says yet.
            self._tries[bus] = 0 if fits else self._tries.get(bus, 0) + 1
            pause = 0.0 if scaled else _STEADY_S if fits else min(_AGAIN_S * self._tries[bus], _STEADY_S)
            self._next[bus] = time.monotonic() + pause

    def to_pixels(self, bus: str, box: Rect | None) -> Rect | None:
        """A box of the screen; the same one for a program that is not scaled, and None for none."""
        if box is None:
            return None
        fits = self._fits.get(bus, ())
        fit = next((fit for fit in fits if fit.told.contains(box.center)), fits[0] if fits else None)
        return box if fit is None else fit.to_pixels(box)

    def is_sure(self, bus: str) -> bool:
        """Whether it is known where a program's boxes are on the screen."""
        return bus not in self._unsure

    def cover(self, bus: str, box: Rect | None) -> Rect | None:
        """What to paint over for a secure field; where its place is not sure, all that its program shows."""
        everything = self._unsure.get(bus)
        return self.to_pixels(bus, box) if box is None or everything is None else everything

    def from_pixels(self, bus: str, at: Point) -> Point:
        """A position in a program's units."""
        fits = self._fits.get(bus, ())
        fit = next((fit for fit in fits if fit.real.contains(at)), fits[0] if fits else None)
        return at if fit is None else fit.from_pixels(at)

    def close(self) -> None:
        """Let go of the display."""
        with self._lock:
            self._windows.close()
