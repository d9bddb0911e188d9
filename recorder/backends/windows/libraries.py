"""Functions of Windows' own libraries with their types, and what can be asked about processes."""

from __future__ import annotations

import ctypes
import threading
from ctypes import wintypes
from pathlib import PureWindowsPath
from typing import Any

_QUERY_LIMITED, _TOKEN_QUERY, _TOKEN_ELEVATION = 0x1000, 0x0008, 20
_ACCESS_DENIED = 5
_MAX_PATH_CHARS = 32768

_BOOL, _DWORD, _HANDLE, _HWND, _LONG = wintypes.BOOL, wintypes.DWORD, wintypes.HANDLE, wintypes.HWND, ctypes.c_long
ENUM_CALLBACK: Any = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)(_BOOL, _HWND, wintypes.LPARAM)
"""What ``EnumWindows`` calls for each window."""

_TYPES: dict[str, dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "user32": {
        "EnumWindows": (_BOOL, (ENUM_CALLBACK, wintypes.LPARAM)),
        "FindWindowExW": (_HWND, (_HWND, _HWND, wintypes.LPCWSTR, wintypes.LPCWSTR)),
        "GetAncestor": (_HWND, (_HWND, wintypes.UINT)),
        "GetForegroundWindow": (_HWND, ()),
        "GetWindowLongW": (_LONG, (_HWND, ctypes.c_int)),
        "GetWindowRect": (_BOOL, (_HWND, ctypes.POINTER(wintypes.RECT))),
        "GetWindowTextW": (ctypes.c_int, (_HWND, ctypes.c_void_p, ctypes.c_int)),
        "GetWindowThreadProcessId": (_DWORD, (_HWND, ctypes.POINTER(_DWORD))),
        "IsIconic": (_BOOL, (_HWND,)),
        "IsWindowVisible": (_BOOL, (_HWND,)),
    },
    "dwmapi": {
        "DwmGetWindowAttribute": (ctypes.c_int32, (_HWND, _DWORD, ctypes.c_void_p, _DWORD)),
    },
    "kernel32": {
        "CloseHandle": (_BOOL, (_HANDLE,)),
        "OpenProcess": (_HANDLE, (_DWORD, _BOOL, _DWORD)),
        "QueryFullProcessImageNameW": (_BOOL, (_HANDLE, _DWORD, ctypes.c_void_p, ctypes.POINTER(_DWORD))),
    },
    "advapi32": {
        "OpenProcessToken": (_BOOL, (_HANDLE, _DWORD, ctypes.POINTER(_HANDLE))),
        "GetTokenInformation": (
            _BOOL,
            (_HANDLE, ctypes.c_int, ctypes.c_void_p, _DWORD, ctypes.POINTER(_DWORD)),
        ),
    },
}


class NativeLibrary:
    """One of Windows' libraries; its functions have types of their own, apart from those that others gave them.

    The error of the last call is kept for the thread that made it: see :func:`last_error`.
    """

    def __init__(self, name: str) -> None:
        """Load it.

        Raises:
            OSError: there is no such library: this is not Windows.
        """
        load: Any = getattr(ctypes, "WinDLL", None)
        if load is None:
            raise OSError(f"{name} is a library of Windows.")
        self._library: Any = load(name, use_last_error=True)
        for function, (answer, arguments) in _TYPES[name].items():
            one = getattr(self._library, function)
            one.restype, one.argtypes = answer, arguments

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a function of C
        return getattr(self._library, name)


def last_error() -> int:
    """Why the last call in this thread failed."""
    ask: Any = getattr(ctypes, "get_last_error", None)
    return 0 if ask is None else int(ask())


class Processes:
    """Names and rights of processes; may be used from any thread."""

    def __init__(self) -> None:
        """Load the libraries.

        Raises:
            OSError: this is not Windows.
        """
        self._kernel, self._rights = NativeLibrary("kernel32"), NativeLibrary("advapi32")
        self._names: dict[int, str] = {}
        self._lock = threading.Lock()

    def name(self, process: int) -> str:
        """The program's name, without its folder and ``.exe``; empty when unknown. Asked once for each process."""
        with self._lock:
            known = self._names.get(process)
        if known is None:
            known = self._ask_name(process)
            with self._lock:
                self._names[process] = known
        return known

    def keep(self, processes: set[int]) -> None:
        """Forget all others: their numbers may be given to new programs."""
        with self._lock:
            for process in self._names.keys() - processes:
                del self._names[process]

    def is_elevated(self, process: int) -> bool:
        """Whether a process has administrator rights; one that may not be looked into has more than we have."""
        handle = self._kernel.OpenProcess(_QUERY_LIMITED, False, process)  # noqa: FBT003 - of C
        if not handle:
            return last_error() == _ACCESS_DENIED
        try:
            return self._is_elevated(handle)
        finally:
            self._kernel.CloseHandle(handle)

    def _is_elevated(self, handle: int) -> bool:
        token, answer, size = wintypes.HANDLE(), wintypes.DWORD(), wintypes.DWORD()
        if not self._rights.OpenProcessToken(handle, _TOKEN_QUERY, ctypes.byref(token)):
            return last_error() == _ACCESS_DENIED
        try:
            asked = self._rights.GetTokenInformation(
                token, _TOKEN_ELEVATION, ctypes.byref(answer), ctypes.sizeof(answer), ctypes.byref(size)
            )
            return bool(asked) and bool(answer.value)
        finally:
            self._kernel.CloseHandle(token)

    def _ask_name(self, process: int) -> str:
        handle = self._kernel.OpenProcess(_QUERY_LIMITED, False, process)  # noqa: FBT003 - of C
        if not handle:
            return ""
        try:
            path, size = ctypes.create_unicode_buffer(_MAX_PATH_CHARS), wintypes.DWORD(_MAX_PATH_CHARS)
            if not self._kernel.QueryFullProcessImageNameW(handle, 0, path, ctypes.byref(size)):
                return ""
            return PureWindowsPath(path.value).stem
        finally:
            self._kernel.CloseHandle(handle)
