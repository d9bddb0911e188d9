"""Windows of other programs as the X server knows them: under a position, and of a process."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from demopack.domain.geometry import Rect
from demopack.errors import CaptureError
from recorder.backends.x11.monitors import Monitors
from recorder.backends.x11.xlib import numbers_of, open_display, server_errors, windows_at

_FRAMES = 4


@dataclass(frozen=True, slots=True)
class PointedWindow:
    """The window under a position.

    Attributes:
        process: that owns it; 0 when nobody tells.
        popup: where it is, for a window without a frame that only pops up, as menus do; None for every other.
    """

    process: int = 0
    popup: Rect | None = None


class ServerWindows:
    """Asks over a connection of its own, for one thread at a time; where nobody tells, answers are empty."""

    def __init__(self, display: str | None) -> None:
        self._display: Any = None
        with contextlib.suppress(CaptureError):
            self._display = open_display(display, quiet=True)

    def at(self, x: int, y: int) -> PointedWindow:
        """The window under a position of the screen."""
        if self._display is None:
            return PointedWindow()
        with contextlib.suppress(*server_errors()):
            popup: Rect | None = None
            for depth, window in enumerate(windows_at(self._display, x, y, most=_FRAMES)):
                popup = popup if depth else _popup(window)
                if process := numbers_of(self._display, window, "_NET_WM_PID"):
                    return PointedWindow(process[0], popup)
            return PointedWindow(0, popup)
        return PointedWindow()

    def of(self, process: int) -> list[list[Rect]]:
        """The boxes of each window of a process, the one without frames first."""
        if self._display is None or not process:
            return []
        with contextlib.suppress(*server_errors()):
            return [self._boxes(window) for window in self._windows(process)]
        return []

    def monitors(self) -> list[Rect]:
        """Where the monitors are."""
        if self._display is None:
            return []
        with contextlib.suppress(*server_errors()):
            return [monitor.box for monitor in Monitors(self._display).read()]
        return []

    def close(self) -> None:
        """Let go of the display; calling it twice is harmless."""
        display, self._display = self._display, None
        if display is not None:
            with contextlib.suppress(*server_errors()):
                display.close()

    def _windows(self, process: int) -> list[Any]:
        root = self._display.screen().root
        found: list[Any] = []
        for number in numbers_of(self._display, root, "_NET_CLIENT_LIST"):
            window = self._display.create_resource_object("window", number)
            # Not remembered: the server gives the numbers of windows that are gone to new ones.
            if numbers_of(self._display, window, "_NET_WM_PID")[:1] == [process]:
                found.append(window)
        return found

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


def _popup(window: Any) -> Rect | None:  # noqa: ANN401 - an untyped library
    if not window.get_attributes().override_redirect:
        return None
    box = window.get_geometry()
    return Rect(box.x, box.y, box.x + box.width, box.y + box.height)
