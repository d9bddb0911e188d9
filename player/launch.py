"""Starts a program for a ``launch`` step."""

from __future__ import annotations

import shlex
import shutil
import subprocess

from demopack.errors import ReplayError

__all__ = ["launch"]

_RUNNING: list[subprocess.Popen[bytes]] = []


def launch(app: str) -> int:
    """Start a program that outlives the replay, without a shell; returns its process id.

    Args:
        app: a command line, for instance ``xterm -geometry 80x24``.

    Raises:
        ReplayError: there is no such program, or it did not start.
    """
    try:
        words = shlex.split(app)
    except ValueError as error:
        raise ReplayError(f"{app!r} is not a command line.", details=str(error), hint="Correct the step.") from error
    if not words or shutil.which(words[0]) is None:
        raise ReplayError(
            f"There is no program {words[0] if words else app!r} on this machine.",
            hint="Install it, or start it yourself and replay from the next step.",
        )
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise ReplayError(f"The program {words[0]} did not start.", details=str(error)) from error
    # Kept, so that Python does not take a program that still runs for a forgotten one.
    _RUNNING[:] = [other for other in _RUNNING if other.poll() is None]
    _RUNNING.append(process)
    return process.pid
