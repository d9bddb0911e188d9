"""Programs that we start ourselves, recognise again, and end."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.wintypes
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

NO_CONSOLE: Final[int] = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""``creationflags`` of a helper program: on Windows no console appears for it, and it outlives ours. 0 elsewhere."""
OWN_CONSOLE: Final[int] = getattr(subprocess, "CREATE_NEW_CONSOLE", 0)
"""``creationflags`` of a program that a person works in: on Windows it gets a console of its own. 0 elsewhere."""

_QUERY_AND_WAIT: Final = 0x1000 | 0x100000  # PROCESS_QUERY_LIMITED_INFORMATION, SYNCHRONIZE
_STILL_THERE: Final = 258  # WAIT_TIMEOUT
_SYSCTL_PROCESS: Final = (1, 14, 1)  # CTL_KERN, KERN_PROC, KERN_PROC_PID
_KINFO_BYTES: Final = 648
_STATE_OFFSET: Final = 36
_ZOMBIE: Final = b"\x05"


def end_process(process: subprocess.Popen[bytes] | subprocess.Popen[str], *, seconds: float = 5.0) -> int:
    """Ask a program to end, wait, and force it after some seconds; returns its exit code.

    Harmless when it has ended already.
    """
    process.terminate()
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def process_start(pid: int) -> str:
    """Moment at which a process began, in the system's own form: with the id it names one process for ever.

    Empty where the process has ended, may not be asked, or the system does not tell.
    """
    readers: dict[str, Callable[[int], str]] = {"linux": _linux_start, "win32": _windows_start, "darwin": _mac_start}
    reader = readers.get(sys.platform)
    return "" if reader is None else reader(pid)


def _linux_start(pid: int) -> str:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The name in the second field may hold spaces and brackets; what follows its last bracket are plain fields.
    fields = status.rpartition(")")[2].split()
    return "" if fields[0] in {"Z", "X"} else fields[19]


def _windows_start(pid: int) -> str:
    library: Any = getattr(ctypes, "WinDLL", None)
    kernel = library("kernel32")  # an instance of our own: what is declared here changes nothing for others
    handle_type = ctypes.wintypes.HANDLE
    kernel.OpenProcess.restype = handle_type
    kernel.GetProcessTimes.argtypes = [handle_type, *[ctypes.POINTER(ctypes.wintypes.FILETIME)] * 4]
    kernel.WaitForSingleObject.argtypes = [handle_type, ctypes.wintypes.DWORD]
    kernel.CloseHandle.argtypes = [handle_type]
    handle = kernel.OpenProcess(_QUERY_AND_WAIT, False, pid)  # noqa: FBT003 - Windows' own signature
    if not handle:
        return ""
    with contextlib.ExitStack() as closing:
        closing.callback(kernel.CloseHandle, handle)
        times = [ctypes.wintypes.FILETIME() for _ in range(4)]
        if not kernel.GetProcessTimes(handle, *map(ctypes.pointer, times)):
            return ""
        # A process that has ended can be asked as long as somebody holds a handle to it.
        if kernel.WaitForSingleObject(handle, 0) != _STILL_THERE:
            return ""
        return str(times[0].dwHighDateTime << 32 | times[0].dwLowDateTime)


def _mac_start(pid: int) -> str:
    library: Any = ctypes.CDLL(None)
    entry = ctypes.create_string_buffer(_KINFO_BYTES)
    size = ctypes.c_size_t(_KINFO_BYTES)
    asked = (ctypes.c_int * 4)(*_SYSCTL_PROCESS, pid)
    failed = library.sysctl(asked, 4, entry, ctypes.pointer(size), None, ctypes.c_size_t(0))
    if failed or size.value < _KINFO_BYTES:  # nothing is written where there is no such process
        return ""
    seconds, microseconds = struct.unpack_from("=qi", entry)
    return "" if entry[_STATE_OFFSET] == _ZOMBIE else f"{seconds}.{microseconds:06d}"
