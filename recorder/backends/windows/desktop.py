"""Windows of the desktop through user32 and dwmapi: which has the input, and which can be seen."""

from __future__ import annotations

import ctypes
import os
from ctypes import wintypes

from demopack.domain.geometry import Rect
from demopack.domain.steps import WindowInfo
from recorder.backends.base import DesktopWindows, SeenWindow, WindowSource, own_parts
from recorder.backends.windows.libraries import ENUM_CALLBACK, NativeLibrary, Processes

_FRAME_BOUNDS, _CLOAKED = 9, 14  # attributes of the window manager
_ROOT = 2
_EXTENDED_STYLE = -20
_LAYERED, _NO_BITMAP, _CLICK_THROUGH = 0x80000, 0x200000, 0x20
_MAX_TITLE_CHARS = 512
_HOST = "ApplicationFrameHost"
"""It holds the windows of programs from the store; the program's own window lies in each."""
_HOSTED_CLASS = "Windows.UI.Core.CoreWindow"


class Win32Windows(WindowSource):
    """Reads all windows anew each time, and asks no program for anything: a program that hangs costs no time.

    Boxes are in pixels of the virtual desktop where this process is aware of each monitor's scale. Where our own
    windows are is for the app to tell.
    """

    def __init__(self) -> None:
        """Load the libraries.

        Raises:
            OSError: this is not Windows.
        """
        self._user, self._dwm = NativeLibrary("user32"), NativeLibrary("dwmapi")
        self._processes = Processes()

    def read(self) -> DesktopWindows:
        """See :class:`WindowSource`."""
        front, handles, ours = self._front(), self._handles(), os.getpid()
        owners = {handle: self._owner(handle) for handle in {front, *handles} - {0}}
        self._processes.keep({process for process in owners.values() if process})
        seen = [self._describe(handle, owners[handle]) for handle in handles if owners[handle] != ours]
        return DesktopWindows(
            active=self._active(front, owners[front]) if front else None,
            own=own_parts((self._box(handle), owners[handle] == ours) for handle in handles),
            own_active=front != 0 and owners[front] == ours,
            stack=tuple(window for window in seen if window.box is not None),
        )

    def _front(self) -> int:
        """The window that has the input; 0 for none."""
        handle: int | None = self._user.GetForegroundWindow()
        return (self._user.GetAncestor(handle, _ROOT) or handle) if handle else 0

    def _active(self, handle: int, process: int) -> WindowInfo:
        if process == os.getpid():
            return WindowInfo(app=self._processes.name(process), box=self._box(handle))
        found = self._describe(handle, process)
        return WindowInfo(title=found.title, app=found.app, box=found.box)

    def front_process(self) -> int:
        """The process of the window that has the input; 0 for none."""
        front = self._front()
        return self._owner(front) if front else 0

    def _handles(self) -> list[int]:
        """The windows that can be seen, if perhaps covered, topmost first."""
        found: list[int] = []

        def take(handle: int, _: int) -> bool:
            found.append(handle)
            return True

        self._user.EnumWindows(ENUM_CALLBACK(take), 0)
        return [handle for handle in found if self._is_shown(handle)]

    def _is_shown(self, handle: int) -> bool:
        if not self._user.IsWindowVisible(handle) or self._user.IsIconic(handle):
            return False
        style = self._user.GetWindowLongW(handle, _EXTENDED_STYLE)
        if style & _LAYERED and style & _CLICK_THROUGH:
            return False  # an overlay: neither a press nor a key is meant for it
        cloaked = wintypes.DWORD()
        # On another virtual desktop, or a program from the store that sleeps.
        refused = self._dwm.DwmGetWindowAttribute(handle, _CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked))
        return bool(refused) or not cloaked.value

    def _owner(self, handle: int) -> int:
        """The process whose window it is; for a program from the store its own, not that of the frame around it."""
        process = self._process_of(handle)
        if process and process != os.getpid() and self._processes.name(process) == _HOST:
            inner = self._user.FindWindowExW(handle, None, _HOSTED_CLASS, None)
            return (self._process_of(inner) if inner else 0) or process
        return process

    def _process_of(self, handle: int) -> int:
        process = wintypes.DWORD()
        self._user.GetWindowThreadProcessId(handle, ctypes.byref(process))
        return process.value

    def _describe(self, handle: int, process: int) -> SeenWindow:
        # The system keeps the titles of other processes; our own window would be asked, and may be waiting for us.
        title = ctypes.create_unicode_buffer(_MAX_TITLE_CHARS)
        self._user.GetWindowTextW(handle, title, _MAX_TITLE_CHARS)
        style = self._user.GetWindowLongW(handle, _EXTENDED_STYLE)
        return SeenWindow(
            title=title.value,
            app=self._processes.name(process) if process else "",
            box=self._box(handle),
            see_through=bool(style & (_LAYERED | _NO_BITMAP)),
            process=process,
            number=handle,
        )

    def _box(self, handle: int) -> Rect | None:
        """Where a window can be seen, without its shadow; None for one without area."""
        found = wintypes.RECT()
        where = ctypes.byref(found)
        if self._dwm.DwmGetWindowAttribute(
            handle, _FRAME_BOUNDS, where, ctypes.sizeof(found)
        ) and not self._user.GetWindowRect(handle, where):
            return None
        if found.right <= found.left or found.bottom <= found.top:
            return None
        return Rect(found.left, found.top, found.right, found.bottom)
