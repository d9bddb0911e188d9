"""A program that goes on without us: started, recognised again later by its process id and its start, and ended.

A process id alone says nothing after a while: the system gives it to another program. Together with the moment at
which that process began it does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from annotator.words import tr
from demopack.errors import ModelError
from demopack.jobs import CancelToken

_POLL_INTERVAL_S = 0.2
_NICENESS = 5
_WINDOWS = sys.platform == "win32"
_LINUX = sys.platform == "linux"
_FLAGS: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)

_ours: dict[int, subprocess.Popen[bytes]] = {}
_lock = threading.Lock()


def spawn(command: Sequence[str], *, log: Path) -> int:
    """Start a program that outlives this one; returns its process id.

    It has a session of its own, so that neither Ctrl-C in our terminal nor our end reaches it, and is a little less
    urgent than the windows on the screen.

    Args:
        command: program and arguments.
        log: gets everything that it writes; an earlier log is replaced.

    Raises:
        ModelError: it could not be started.
    """
    try:
        with log.open("wb") as out:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                start_new_session=not _WINDOWS, creationflags=_FLAGS,
            )  # fmt: skip
    except OSError as error:
        raise ModelError(tr("The training could not be started."), details=f"{' '.join(command)}: {error}") from error
    with _lock:
        _ours[process.pid] = process
    if not _WINDOWS:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    return process.pid


def born(pid: int) -> str:
    """When a process began, as the system tells it; empty where it does not tell, or there is no such process."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The name in the second field may hold spaces and brackets; what follows its last bracket are plain fields.
    fields = told.rpartition(")")[2].split()
    return "" if fields[0] in {"Z", "X"} else fields[19]


def is_running(pid: int, since: str) -> bool:
    """Whether the process that began then is still there."""
    with _lock:
        ours = _ours.get(pid)
    if ours is not None:
        return ours.poll() is None
    if since or _LINUX:
        return bool(since) and born(pid) == since
    if _WINDOWS:
        answer = subprocess.run(
            ["tasklist", "/FI", f"PID eq {pid}", "/NH", "/FO", "CSV"], capture_output=True, text=True, check=False
        )
        return f'"{pid}"' in answer.stdout
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def end(pid: int, since: str, *, token: CancelToken, patience_s: float) -> None:
    """Ask a process to end as Ctrl-C does, and wait; after some patience it is forced.

    Args:
        pid: its id.
        since: when it began; another process of that id is left alone.
        token: ends the waiting; the process was asked all the same.
        patience_s: how long it may take to write what it has.
    """
    if not is_running(pid, since):
        return
    with contextlib.suppress(ProcessLookupError):
        # Windows has no way to interrupt a program without a window: its last checkpoint has to do.
        os.kill(pid, signal.SIGTERM if _WINDOWS else signal.SIGINT)
    if _has_ended(pid, since, token, patience_s) or token.cancelled:
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM if _WINDOWS else signal.SIGKILL)
    _has_ended(pid, since, token, patience_s)


def _has_ended(pid: int, since: str, token: CancelToken, patience_s: float) -> bool:
    until = time.monotonic() + patience_s
    while is_running(pid, since):
        if time.monotonic() > until or token.wait(_POLL_INTERVAL_S):
            return not is_running(pid, since)
    return True


def forget_ended() -> None:
    """Let go of the programs that we started and that have ended."""
    with _lock:
        for pid in [pid for pid, process in _ours.items() if process.poll() is not None]:
            del _ours[pid]
