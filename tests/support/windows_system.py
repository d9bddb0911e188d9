"""Stand-ins for Windows' own libraries: user32, dwmapi, kernel32, advapi32, and COM with UI Automation.

The functions of C are called through ctypes with the types that the product gave them.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from ctypes import wintypes
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from demopack.domain.geometry import Rect
from tests.support.told_fields import Field, SystemDownError, ToldFields

LAYERED, CLICK_THROUGH = 0x80000, 0x20
GONE = -2147220991
ACCESS_DENIED = 5
WINDOW_BOX = Rect(0, 0, 100, 80)


@dataclass(kw_only=True)
class Window:
    """A window as user32 knows it."""

    handle: int
    title: str = ""
    process: int = 700
    box: Rect = WINDOW_BOX
    shadow: int = 7
    visible: bool = True
    iconic: bool = False
    cloaked: bool = False
    style: int = 0
    parent: int = 0
    hosted: int = 0


class Function:
    """A function of a library: ctypes turns what goes in and out, by the types that it has been given."""

    def __init__(self, does: Callable[..., Any]) -> None:
        self._does = does
        self.restype: Any = None
        self.argtypes: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(self.restype, *self.argtypes)(self._does)(*arguments)


class WindowsSystem(ToldFields):
    """Windows, topmost first, and the programs behind them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.windows: list[Window] = []
        self.front = 0
        self.paths = {700: r"C:\Program Files\Mail\mail.exe", 701: r"C:\Vault\KeePassXC.exe", 702: r"C:\a\other.exe"}
        self.elevated: set[int] = set()
        self.denied: set[int] = set()
        self.error = 0
        self.title_asked: list[int] = []
        self.apartments: list[int] = []
        self.timeouts: list[int] = []
        libraries = {
            name: SimpleNamespace(**{one: Function(getattr(self, f"_{one}")) for one in functions})
            for name, functions in _FUNCTIONS.items()
        }
        monkeypatch.setattr(sys, "platform", "win32")
        monkeypatch.setattr(ctypes, "WinDLL", lambda name, **_: libraries[name], raising=False)
        monkeypatch.setattr(ctypes, "get_last_error", lambda: self.error, raising=False)
        com, client = ModuleType("comtypes"), ModuleType("comtypes.client")
        com.COMObject, com.client = object, client  # type: ignore[attr-defined]
        com.CoInitializeEx = self.apartments.append  # type: ignore[attr-defined]
        library = SimpleNamespace(IUIAutomation2=object, IUIAutomationFocusChangedEventHandler=object)
        client.GetModule = lambda _: library  # type: ignore[attr-defined]
        client.CreateObject = lambda *_, **__: _Automation(self)  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "comtypes", com)
        monkeypatch.setitem(sys.modules, "comtypes.client", client)

    def _at(self, handle: int) -> Window:
        return next(window for window in self.windows if window.handle == handle)

    # user32 -----------------------------------------------------------------------------------------------------

    def _EnumWindows(self, callback: Any, parameter: int) -> bool:  # noqa: N802
        return all(callback(window.handle, parameter) for window in self.windows if not window.parent)

    def _FindWindowExW(self, parent: int, _after: int, kind: str, _title: str) -> int:  # noqa: N802
        assert kind == "Windows.UI.Core.CoreWindow"
        return self._at(parent).hosted

    def _GetAncestor(self, handle: int, _kind: int) -> int:  # noqa: N802
        return self._at(handle).parent or handle

    def _GetForegroundWindow(self) -> int:  # noqa: N802
        return self.front

    def _GetWindowLongW(self, handle: int, _which: int) -> int:  # noqa: N802
        return self._at(handle).style

    def _GetWindowRect(self, handle: int, into: Any) -> bool:  # noqa: N802
        window = self._at(handle)
        _put(into.contents, window.box.grown(window.shadow))
        return True

    def _GetWindowTextW(self, handle: int, into: int, length: int) -> int:  # noqa: N802
        window = self._at(handle)
        assert window.process != os.getpid(), "our own window would be sent a message, and its thread may wait for us"
        self.title_asked.append(handle)
        text = ctypes.create_unicode_buffer(window.title[: length - 1])
        ctypes.memmove(into, text, ctypes.sizeof(text))
        return len(text.value)

    def _GetWindowThreadProcessId(self, handle: int, into: Any) -> int:  # noqa: N802
        into.contents.value = self._at(handle).process
        return 1

    def _IsIconic(self, handle: int) -> bool:  # noqa: N802
        return self._at(handle).iconic

    def _IsWindowVisible(self, handle: int) -> bool:  # noqa: N802
        return self._at(handle).visible

    # dwmapi -----------------------------------------------------------------------------------------------------

    def _DwmGetWindowAttribute(self, handle: int, which: int, into: int, size: int) -> int:  # noqa: N802
        window = self._at(handle)
        if which == 14:
            wintypes.DWORD.from_address(into).value = 2 if window.cloaked else 0
            return 0
        assert (which, size) == (9, ctypes.sizeof(wintypes.RECT))
        _put(wintypes.RECT.from_address(into), window.box)
        return 0

    # kernel32, advapi32: the handle of a process or token is its number -------------------------------------------

    def _OpenProcess(self, _rights: int, _inherit: bool, process: int) -> int:  # noqa: N802
        return process

    def _CloseHandle(self, _handle: int) -> bool:  # noqa: N802
        return True

    def _QueryFullProcessImageNameW(self, process: int, _form: int, into: int, size: Any) -> bool:  # noqa: N802
        if process not in self.paths:
            return False
        text = ctypes.create_unicode_buffer(self.paths[process])
        assert size.contents.value > len(self.paths[process])
        ctypes.memmove(into, text, ctypes.sizeof(text))
        return True

    def _OpenProcessToken(self, process: int, _rights: int, into: Any) -> bool:  # noqa: N802
        self.error = ACCESS_DENIED if process in self.denied else 0
        into.contents.value = process
        return not self.error

    def _GetTokenInformation(self, token: int, which: int, into: int, _length: int, _size: Any) -> bool:  # noqa: N802
        assert which == 20
        wintypes.DWORD.from_address(into).value = token in self.elevated
        return True


_FUNCTIONS = {
    "user32": (
        "EnumWindows", "FindWindowExW", "GetAncestor", "GetForegroundWindow", "GetWindowLongW", "GetWindowRect",
        "GetWindowTextW", "GetWindowThreadProcessId", "IsIconic", "IsWindowVisible",
    ),
    "dwmapi": ("DwmGetWindowAttribute",),
    "kernel32": ("OpenProcess", "CloseHandle", "QueryFullProcessImageNameW"),
    "advapi32": ("OpenProcessToken", "GetTokenInformation"),
}  # fmt: skip


def _put(into: Any, box: Rect) -> None:
    into.left, into.top, into.right, into.bottom = box.x1, box.y1, box.x2, box.y2


class _Automation:
    """IUIAutomation2."""

    ConnectionTimeout = TransactionTimeout = 0

    def __init__(self, system: WindowsSystem) -> None:
        self._system = system
        system.opened += 1
        system.answer()

    def CreateCacheRequest(self) -> _Request:  # noqa: N802
        return _Request()

    def AddFocusChangedEventHandler(self, request: _Request, handler: Any) -> None:  # noqa: N802
        handle = handler.IUIAutomationFocusChangedEventHandler_HandleFocusChangedEvent
        self._system.on_focus.append(lambda field: handle(_Element(self._system, field, request)))

    def RemoveFocusChangedEventHandler(self, _handler: Any) -> None:  # noqa: N802
        self._system.on_focus.clear()

    def GetFocusedElementBuildCache(self, request: _Request) -> _Element | None:  # noqa: N802
        self._system.timeouts.append(self.TransactionTimeout)
        self._system.answer(about_focus=True)
        return self._element(self._system.focused, request)

    def ElementFromPointBuildCache(self, at: wintypes.POINT, request: _Request) -> _Element | None:  # noqa: N802
        self._system.answer()
        field = self._system.under
        return self._element(field if field is not None and _is_in(field, at) else None, request)

    def _element(self, field: Field | None, request: _Request) -> _Element | None:
        return None if field is None else _Element(self._system, field, request)


def _is_in(field: Field, at: wintypes.POINT) -> bool:
    return field.box.x1 <= at.x < field.box.x2 and field.box.y1 <= at.y < field.box.y2


class _Request:
    """IUIAutomationCacheRequest."""

    def __init__(self) -> None:
        self.asked: set[int] = set()

    def AddProperty(self, number: int) -> None:  # noqa: N802
        self.asked.add(number)


class _Element:
    """IUIAutomationElement: what was cached is there at once, anything else is a question to the program."""

    def __init__(self, system: WindowsSystem, field: Field, request: _Request) -> None:
        self._system = system
        self._field = field
        self._cached = {number: self._tell(number) for number in request.asked}

    def GetCachedPropertyValue(self, number: int) -> Any:  # noqa: N802
        return self._cached[number]

    def GetCurrentPropertyValue(self, number: int) -> Any:  # noqa: N802
        self._system.answer()
        if self._field.gone:
            error = SystemDownError()
            error.hresult = GONE
            raise error
        assert number != 30045 or not self._field.secure, "the text of a secure field is never asked for"
        return self._tell(number)

    def _tell(self, number: int) -> Any:
        field = self._field
        box = field.box
        return {
            30000: (42, id(field)),
            30001: (float(box.x1), float(box.y1), float(box.width), float(box.height)),
            30002: field.process,
            30003: field.kind,
            30005: field.name,
            30008: True,
            30010: field.enabled,
            30012: field.class_name,
            30019: field.secure,
            30022: not field.shown,
            30024: "Win32",
            30045: field.value,
        }[number]
