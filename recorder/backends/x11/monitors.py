"""The monitors of an X11 screen, through RandR, and what says that they have changed."""

from __future__ import annotations

import re
from typing import Any

from demopack.domain.frames import Monitor
from demopack.domain.geometry import Rect
from recorder.backends.x11.xlib import property_of, xlib

_SCREEN_AND_CRTC = 1 | 2
_DPI = re.compile(r"^\s*Xft\.dpi\s*:\s*([0-9.]+)\s*$", re.MULTILINE)
_PLAIN_DPI = 96.0


class Monitors:
    """Read once, and again after an event of the server about its screen.

    The owner of the connection selects the root window's structure and property events and hands events to
    :meth:`note`: a server sends a ``ConfigureNotify`` for the root window whenever its monitors change.
    """

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        self._display = display
        self._x = xlib("X")
        self._root = display.screen().root
        self._resources = display.intern_atom("RESOURCE_MANAGER")
        self._randr = False
        if display.has_extension("RANDR"):
            version = display.xrandr_query_version()
            self._randr = (int(version.major_version), int(version.minor_version)) >= (1, 5)
        self._types: set[int] = set()
        if self._randr:
            self._root.xrandr_select_input(_SCREEN_AND_CRTC)
            # The numbers of these events are the server's choice.
            first = int(display.query_extension("RANDR").first_event)
            self._types = {first, first + 1}
        self._stale = True
        self._monitors: tuple[Monitor, ...] = ()
        self._screen = Rect(0, 0, 0, 0)

    def note(self, event: Any) -> bool:  # noqa: ANN401 - an untyped library
        """Take in an event; returns whether it is about monitors."""
        x = self._x
        told = (
            event.type in self._types
            or (event.type == x.ConfigureNotify and event.window.id == self._root.id)
            or (event.type == x.PropertyNotify and event.window.id == self._root.id and event.atom == self._resources)
        )
        self._stale = self._stale or told
        return told

    def forget(self) -> None:
        """Ask again the next time."""
        self._stale = True

    def read(self) -> tuple[Rect, tuple[Monitor, ...]]:
        """The whole virtual desktop, and its monitors: the main one first, then as the server lists them."""
        if self._stale:
            self._ask()
        return self._screen, self._monitors

    def _ask(self) -> None:
        self._stale = False
        geometry = self._root.get_geometry()
        self._screen = Rect(0, 0, geometry.width, geometry.height)
        scale = self._scale()
        found: list[Monitor] = []
        for info in self._root.xrandr_get_monitors().monitors if self._randr else ():
            box = Rect(info.x, info.y, info.x + info.width_in_pixels, info.y + info.height_in_pixels)
            if box.area:
                name = str(self._display.get_atom_name(info.name))
                found.append(Monitor(name=name, box=box, scale_factor=scale, primary=bool(info.primary)))
        found = found or [Monitor(name="screen", box=self._screen, scale_factor=scale, primary=True)]
        self._monitors = tuple(sorted(found, key=lambda monitor: not monitor.primary))

    def _scale(self) -> float:
        """How much larger than usual programs draw: the resolution for which they lay out their text, over 96.

        It says nothing about positions: events, windows and pictures of X11 are all counted in the screen's pixels.
        """
        found = property_of(self._display, self._root, "RESOURCE_MANAGER")
        text = found.decode("latin-1") if isinstance(found, bytes) else str(found or "")
        match = _DPI.search(text)
        return round(float(match[1]) / _PLAIN_DPI, 4) if match and float(match[1]) > 0 else 1.0
