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
from demopack.processes import NO_CONSOLE, process_start

_POLL_INTERVAL_S = 0.2
_NICENESS = 5
if sys.platform == "win32":
    # Windows has no way to interrupt a program without a window: its last checkpoint has to do.
    _ASK = _FORCE = signal.SIGTERM
else:
    _ASK, _FORCE = signal.SIGINT, signal.SIGKILL
_GROUP: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_LESS_URGENT: int = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)

_ours: dict[int, subprocess.Popen[bytes]] = {}
_lock = threading.Lock()


def spawn(command: Sequence[str], *, log: Path) -> int:
    """Start a program that outlives this one; returns its process id.

    It has a session of its own, on Windows a console that nobody sees, so that neither Ctrl-C in our terminal nor its
    end reaches it, and is a little less urgent than the windows on the screen.

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
                start_new_session=True, creationflags=_GROUP | _LESS_URGENT | NO_CONSOLE,
            )  # fmt: skip
    except OSError as error:
        raise ModelError(tr("The training could not be started."), details=f"{' '.join(command)}: {error}") from error
    with _lock:
        _ours[process.pid] = process
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    return process.pid


def is_running(pid: int, since: str) -> bool:
    """Whether the process that began then is still there; where that is unknown, it is believed to be another's."""
    with _lock:
        ours = _ours.get(pid)
    if ours is not None:
        return ours.poll() is None
    return bool(since) and process_start(pid) == since


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
    with contextlib.suppress(OSError):
        os.kill(pid, _ASK)
    if _has_ended(pid, since, token, patience_s) or token.cancelled:
        return
    if not is_running(pid, since):
        return
    with contextlib.suppress(OSError):
        os.kill(pid, _FORCE)
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
