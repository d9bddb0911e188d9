"""A gaming mouse and a fast typist: a thousand pointer events a second, and keys meanwhile, through XTEST.

Run as a program this file is the person; :func:`start_flood` starts one, so that neither takes processor time from
whoever records. At the end it says what it has done.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

TEXT = "the quick brown fox jumps over the lazy dog "
_TICK_S = 0.005  # a mouse at 1,000 Hz delivers in ticks of the USB bus; a program wakes less often than that


@dataclass(frozen=True, slots=True)
class Done:
    """What was injected.

    Attributes:
        moves: pointer events, each to another place than the one before.
        text: what was typed; each character is a press and a release.
        seconds: how long it took.
    """

    moves: int
    text: str
    seconds: float


def start_flood(
    display: str, *, seconds: float, per_second: int = 1000, chars_per_second: float = 15
) -> subprocess.Popen[str]:
    """Begin; the process ends by itself."""
    command = [sys.executable, str(Path(__file__)), display, str(seconds), str(per_second), str(chars_per_second)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def wait_for_flood(process: subprocess.Popen[str]) -> Done:
    """Until it is over."""
    said, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    return Done(**json.loads(said))


def main(name: str, seconds: float, per_second: float, chars_per_second: float) -> None:
    from Xlib import X, display
    from Xlib.ext import xtest

    connection = display.Display(name)
    codes = {char: connection.keysym_to_keycode(ord(char)) for char in set(TEXT)}
    moves = typed = 0
    down: int | None = None
    began = time.monotonic()
    while (now := time.monotonic() - began) < seconds:
        # What should have been done by now; a late wake-up is made up for.
        due = int(now * per_second)
        for n in range(moves, due):
            xtest.fake_input(connection, X.MotionNotify, x=10 + n % 700, y=10 + n // 7 % 500)
        moves = due
        while typed < int(now * chars_per_second):
            code = codes[TEXT[typed % len(TEXT)]]
            # A fast typist presses the next key before the last one is up.
            xtest.fake_input(connection, X.KeyPress, code)
            if down is not None:
                xtest.fake_input(connection, X.KeyRelease, down)
            down, typed = code, typed + 1
        connection.flush()
        time.sleep(_TICK_S)
    if down is not None:
        xtest.fake_input(connection, X.KeyRelease, down)
    connection.sync()
    text = (TEXT * (typed // len(TEXT) + 1))[:typed]
    print(json.dumps({"moves": moves, "text": text, "seconds": time.monotonic() - began}))


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
