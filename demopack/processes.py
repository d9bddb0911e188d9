"""Programs that we start ourselves, and end."""

from __future__ import annotations

import subprocess


def end_process(process: subprocess.Popen[bytes], *, seconds: float = 5.0) -> int:
    """Ask a program to end, wait, and force it after some seconds; returns its exit code.

    Harmless when it has ended already.
    """
    process.terminate()
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
