"""Puts text on the clipboard by the system's own programs; the command line has no window that could hold it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from demopack.errors import DemopackError
from demopack.processes import NO_CONSOLE

_WAIT_S: Final = 10.0


class ClipboardError(DemopackError):
    """The text did not reach the clipboard; it was printed all the same."""


def copy_programs(environment: Mapping[str, str], platform: str) -> list[list[str]]:
    """Programs that can fill the clipboard here, the likeliest first; whether they are installed is another matter."""
    if platform == "darwin":
        return [["pbcopy"]]
    if platform in {"win32", "cygwin"}:
        return [["clip"]]
    wayland = [["wl-copy", "--type", "text/plain;charset=utf-8"]] if environment.get("WAYLAND_DISPLAY") else []
    x11 = [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]]
    return [*wayland, *(x11 if environment.get("DISPLAY") else [])]


def copy_text(text: str, *, environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> str:
    """Put a text on the clipboard; returns the name of the program that took it.

    Raises:
        ClipboardError: there is no screen, no such program, or all of them failed.
    """
    environment = os.environ if environment is None else environment
    known = copy_programs(environment, platform)
    if not known:
        raise ClipboardError(
            "The prompt was not copied: this session has no screen, so it has no clipboard.",
            hint="Write it to a file instead: demopack prompt … > prompt.txt",
        )
    there = [program for program in known if shutil.which(program[0], path=environment.get("PATH"))]
    if not there:
        names = " or ".join(program[0] for program in known)
        raise ClipboardError(
            f"The prompt was not copied: no program that fills the clipboard is installed ({names}).",
            hint=f"Install {known[0][0]}, or write the prompt to a file: demopack prompt … > prompt.txt",
        )
    # Windows' program takes UTF-8 for the old code page; of UTF-16 it knows the mark at the beginning.
    data = text.encode("utf-16") if platform in {"win32", "cygwin"} else text.encode()
    failed: list[str] = []
    for program in there:
        problem = _hand_over(program, data, environment)
        if not problem:
            return program[0]
        failed.append(f"{program[0]}: {problem}")
    raise ClipboardError(
        f"The prompt was not copied: {'; '.join(failed)}.",
        hint="Write it to a file instead: demopack prompt … > prompt.txt",
    )


def _hand_over(program: Sequence[str], data: bytes, environment: Mapping[str, str]) -> str:
    """What went wrong; empty when the program took the text."""
    path = shutil.which(program[0], path=environment.get("PATH")) or program[0]
    try:
        # Some stay behind to hold the clipboard; an open pipe to them would be waited for.
        done = subprocess.run(
            [path, *program[1:]], input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=_WAIT_S, check=False, env=dict(environment), creationflags=NO_CONSOLE,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "it did not answer"
    except OSError as error:
        return error.strerror or "it could not be started"
    return f"it ended with {done.returncode}" if done.returncode else ""
