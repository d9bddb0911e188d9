"""Screens of Windows and macOS below mss: its own code for those systems runs, on functions of the system made here."""

# ruff: noqa: N802 - the names are those of the system

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable, Sequence
from ctypes import wintypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from demopack.domain.geometry import Rect


class SystemMonitor:
    """A monitor as the system knows it.

    Attributes:
        box: in units of the system: pixels on Windows, points on macOS.
        scale: on Windows 1.5 for 150 %, on macOS 2 for a Retina monitor.
        name: as Windows shows it.
    """

    def __init__(self, box: Rect, *, scale: float = 1.0, name: str = "Generic PnP Monitor") -> None:
        self.box, self.scale, self.name = box, scale, name


def colour_at(x: float, y: float) -> int:
    """Blue, green and red of the desktop at a place, different at every half unit nearby."""
    return (int(2 * x) & 0xFFF) << 12 | (int(2 * y) & 0xFFF)


def picture(box: Rect, scale: float = 1.0) -> np.ndarray[Any, Any]:
    """What the desktop shows there, shape (height, width), four bytes a pixel."""
    xs = box.x1 + np.arange(round(box.width * scale)) / scale
    ys = box.y1 + np.arange(round(box.height * scale)) / scale
    across, down = (2 * xs).astype(np.int64) & 0xFFF, (2 * ys).astype(np.int64) & 0xFFF
    found: np.ndarray[Any, Any] = (across[None, :] << 12 | down[:, None]).astype(np.uint32)
    return found


def _around(monitors: Sequence[SystemMonitor]) -> Rect:
    whole = monitors[0].box
    for monitor in monitors:
        whole = whole.union(monitor.box)
    return whole


def _library(**functions: Callable[..., Any]) -> SimpleNamespace:
    """Functions with attributes that can be set, as those of a library have."""
    return SimpleNamespace(**{name: _declared(call) for name, call in functions.items()})


def _declared(call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: call(*arguments)


def _by_reference(argument: Any) -> Any:
    return argument._obj


# Windows --------------------------------------------------------------------------------------------------------------


class WindowsScreens:
    """user32, gdi32 and shcore on a desktop of these monitors.

    Attributes:
        calls: names of the functions that were called, in order.
    """

    def __init__(self, monitors: Sequence[SystemMonitor]) -> None:
        self.monitors = monitors
        self.calls: list[str] = []
        self._memory = ctypes.create_string_buffer(4)

    def libraries(self) -> dict[str, SimpleNamespace]:
        counted = {name[1:]: getattr(self, name) for name in dir(self) if name[1:2].isupper()}
        library = _library(**{name: self._counting(name, call) for name, call in counted.items()})
        return {"user32": library, "gdi32": library, "shcore": library}

    def _counting(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            self.calls.append(name)
            return call(*arguments)

        return counted

    def _SetProcessDpiAwareness(self, _: int) -> int:
        return 0

    def _SetProcessDpiAwarenessContext(self, _: int) -> int:
        return 1

    def _GetWindowDC(self, _: int) -> int:
        return 1

    def _ReleaseDC(self, *_: int) -> int:
        return 1

    def _CreateCompatibleDC(self, _: int) -> int:
        return 2

    def _DeleteDC(self, _: int) -> int:
        return 1

    def _DeleteObject(self, _: int) -> int:
        return 1

    def _SelectObject(self, *_: int) -> int:
        return 1

    def _GdiFlush(self) -> int:
        return 1

    def _GetSystemMetrics(self, which: int) -> int:
        whole = _around(self.monitors)
        return {76: whole.x1, 77: whole.y1, 78: whole.width, 79: whole.height}[which]

    def _EnumDisplayMonitors(self, _context: Any, _clip: Any, callback: Callable[..., Any], data: int) -> int:
        for number, monitor in enumerate(self.monitors, start=1):
            callback(number, 0, ctypes.pointer(wintypes.RECT(*monitor.box.corners)), data)
        return 1

    def _GetMonitorInfoW(self, handle: int, info: Any) -> int:
        filled = _by_reference(info)
        filled.dwFlags = 1 if handle == 1 else 0
        filled.szDevice[0] = handle  # what the system calls it, found again below
        return 1

    def _EnumDisplayDevicesW(self, device: Any, _number: int, found: Any, flags: int) -> int:
        monitor = self.monitors[device[0] - 1]
        field = _by_reference(found).DeviceID if flags else _by_reference(found).DeviceString
        for at, letter in enumerate(monitor.name):
            # A letter of the system has two bytes, where this runs it may have four; mss reads what is native.
            ctypes.memmove(ctypes.addressof(field) + at * ctypes.sizeof(ctypes.c_wchar), letter.encode("utf-32-le"), 4)
        return 1

    def _CreateDIBSection(self, _context: Any, info: Any, _use: int, bits: Any, *_: Any) -> int:
        header = info.bmiHeader
        self._memory = ctypes.create_string_buffer(header.biWidth * -header.biHeight * 4)
        _by_reference(bits).value = ctypes.addressof(self._memory)
        return 3

    def _BitBlt(
        self, _to: Any, _x: int, _y: int, width: int, height: int, _from: Any, left: int, top: int, _how: int
    ) -> int:
        self._memory.raw = picture(Rect(left, top, left + width, top + height)).tobytes()
        return 1

    def _MonitorFromPoint(self, position: Any, _flags: int) -> int:
        for number, monitor in enumerate(self.monitors, start=1):
            box = monitor.box
            if box.x1 <= position.x < box.x2 and box.y1 <= position.y < box.y2:
                return number
        return 1

    def _GetDpiForMonitor(self, handle: int, _kind: int, across: Any, down: Any) -> int:
        _by_reference(across).value = _by_reference(down).value = round(96 * self.monitors[handle - 1].scale)
        return 0


def as_windows(monkeypatch: pytest.MonkeyPatch, monitors: Sequence[SystemMonitor]) -> WindowsScreens:
    """Have mss, and what of demopack calls Windows, find a desktop of these monitors; the first is the main one."""
    screens = WindowsScreens(monitors)
    libraries = screens.libraries()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "getwindowsversion", lambda: (10, 0, 26100), raising=False)
    monkeypatch.setattr(platform, "system", lambda: "Windows")
    monkeypatch.setattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE, raising=False)
    monkeypatch.setattr(ctypes, "WinError", OSError, raising=False)
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, **_: libraries[name], raising=False)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(**libraries), raising=False)
    return screens


# macOS ----------------------------------------------------------------------------------------------------------------


class MacScreens:
    """CoreGraphics on a desktop of these monitors.

    Attributes:
        options: how each picture was asked for.
    """

    NOMINAL = 1 << 4

    def __init__(self, monitors: Sequence[SystemMonitor]) -> None:
        self.monitors = monitors
        self.options: list[int] = []
        self._pictures: dict[int, np.ndarray[Any, Any]] = {}
        self._bytes: dict[int, Any] = {}

    def core(self) -> SimpleNamespace:
        """The library."""
        return _library(
            CGGetActiveDisplayList=self._list,
            CGDisplayBounds=self._bounds,
            CGRectStandardize=lambda box: box,
            CGRectUnion=self._union,
            CGDisplayRotation=lambda _: 0.0,
            CGWindowListCreateImage=self._create,
            CGImageGetWidth=lambda image: self._pictures[image].shape[1],
            CGImageGetHeight=lambda image: self._pictures[image].shape[0],
            CGImageGetDataProvider=lambda image: image,
            CGDataProviderCopyData=self._copy,
            CFDataGetBytePtr=lambda data: ctypes.cast(self._bytes[data], ctypes.POINTER(ctypes.c_ubyte)),
            CFDataGetLength=lambda data: ctypes.sizeof(self._bytes[data]),
            CGImageGetBytesPerRow=lambda image: self._row_bytes(self._pictures[image].shape[1]),
            CGImageGetBitsPerPixel=lambda _: 32,
            CFRelease=lambda _: None,
        )

    @staticmethod
    def _row_bytes(width: int) -> int:
        """Rows begin at multiples of 64 bytes, as they do there."""
        return (width * 4 + 63) // 64 * 64

    def _list(self, _most: int, displays: Any, count: Any) -> int:
        for at in range(len(self.monitors)):
            displays[at] = at
        _by_reference(count).value = len(self.monitors)
        return 0

    def _bounds(self, display: int) -> Any:
        from mss.darwin import CGRect

        box = self.monitors[display].box
        return CGRect((box.x1, box.y1), (box.width, box.height))

    def _union(self, a: Any, b: Any) -> Any:
        from mss.darwin import CGRect

        boxes = [_box(one) for one in (a, b) if one.size.width]
        box = boxes[0].union(boxes[-1])
        return CGRect((box.x1, box.y1), (box.width, box.height))

    def _create(self, rect: Any, _windows: int, _relative: int, options: int) -> int:
        """One pixel a point where that was asked for, else as many as the best of the monitors there has."""
        self.options.append(options)
        box = _box(rect)
        there = [monitor.scale for monitor in self.monitors if monitor.box.intersection(box) is not None]
        scale = 1.0 if options & self.NOMINAL else max(there)
        number = len(self.options)
        self._pictures[number] = picture(box, scale)
        return number

    def _copy(self, image: int) -> int:
        pixels = self._pictures[image]
        rows = np.zeros((pixels.shape[0], self._row_bytes(pixels.shape[1]) // 4), np.uint32)
        rows[:, : pixels.shape[1]] = pixels
        self._bytes[image] = (ctypes.c_ubyte * rows.nbytes).from_buffer_copy(rows.tobytes())
        return image


def _box(rect: Any) -> Rect:
    left, top = round(rect.origin.x), round(rect.origin.y)
    return Rect(left, top, left + round(rect.size.width), top + round(rect.size.height))


def as_macos(monkeypatch: pytest.MonkeyPatch, monitors: Sequence[SystemMonitor]) -> MacScreens:
    """Have mss find a desktop of these monitors, the first of them at 0, 0."""
    import mss.darwin

    screens = MacScreens(monitors)
    core = screens.core()
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.setattr(mss.darwin, "mac_ver", lambda: ("14.5", ("", "", ""), "arm64"))
    monkeypatch.setattr(mss.darwin, "IMAGE_OPTIONS", 1 | 2 | MacScreens.NOMINAL)
    monkeypatch.setattr(ctypes.cdll, "LoadLibrary", lambda _: core)
    return screens
