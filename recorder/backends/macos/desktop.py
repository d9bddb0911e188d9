"""Windows of the desktop through Quartz: which has the input, and which can be seen."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any

from demopack.domain.geometry import Rect
from demopack.domain.steps import WindowInfo
from recorder.backends.base import DesktopWindows, SeenWindow, WindowSource, own_parts
from recorder.backends.macos import autorelease_pool

_NORMAL = 0
_LAYERS = frozenset({_NORMAL, 3, 8, 25, 101})
"""Of windows, floating and modal panels, what hangs in the menu bar, and menus. The others are the dock, the menu bar
and overlays, which are as large as the screen and let presses through."""


class MacWindows(WindowSource):
    """Reads all windows anew each time; no program is asked for anything.

    Boxes are in points of the virtual desktop, as are the places of the pointer. Titles are empty without the
    permission to record the screen. Where our own windows are is for the app to tell.
    """

    def __init__(self) -> None:
        """Load Quartz.

        Raises:
            ImportError: pyobjc is not installed, or this is not macOS.
            AttributeError: this Quartz does not list windows.
        """
        quartz: Any = importlib.import_module("Quartz")
        self._which = quartz.kCGWindowListOptionOnScreenOnly | quartz.kCGWindowListExcludeDesktopElements
        self._list, self._of_none = quartz.CGWindowListCopyWindowInfo, quartz.kCGNullWindowID

    def read(self) -> DesktopWindows:
        """See :class:`WindowSource`."""
        with autorelease_pool():
            return self._read()

    def _read(self) -> DesktopWindows:
        listed = self._list(self._which, self._of_none) or ()
        shown = [one for one in listed if one.get("kCGWindowLayer", 0) in _LAYERS and one.get("kCGWindowAlpha", 1) > 0]
        windows = [window for one in shown if (window := _window(one)).box is not None]
        # The workspace tells which program is in front, but only where this process runs the system's event loop; the
        # windows themselves are always up to date.
        layers = {one.get("kCGWindowNumber", 0): one.get("kCGWindowLayer", 0) for one in shown}
        front = next((window for window in windows if layers[window.number] == _NORMAL), None)
        process = self._front_process() if front is None else front.process
        active = None if front is None else WindowInfo(title=front.title, app=front.app, box=front.box)
        return DesktopWindows(
            active=active,
            own=own_parts((window.box, window.process == os.getpid()) for window in windows),
            own_active=process == os.getpid(),
            stack=tuple(window for window in windows if window.process != os.getpid()),
        )

    def _front_process(self) -> int:
        """The program in front where none of its windows can be seen; 0 when unknown."""
        try:
            kit: Any = importlib.import_module("AppKit")
        except ImportError:
            return 0
        found = kit.NSWorkspace.sharedWorkspace().frontmostApplication()
        return 0 if found is None else int(found.processIdentifier())


def _window(told: Mapping[str, Any]) -> SeenWindow:
    bounds: Mapping[str, float] = told.get("kCGWindowBounds") or {}
    left, top = round(bounds.get("X", 0)), round(bounds.get("Y", 0))
    width, height = round(bounds.get("Width", 0)), round(bounds.get("Height", 0))
    return SeenWindow(
        title=str(told.get("kCGWindowName") or ""),
        app=str(told.get("kCGWindowOwnerName") or ""),
        box=Rect(left, top, left + width, top + height) if width > 0 and height > 0 else None,
        see_through=told.get("kCGWindowAlpha", 1) < 1,
        process=int(told.get("kCGWindowOwnerPID", 0)),
        number=int(told.get("kCGWindowNumber", 0)),
    )
