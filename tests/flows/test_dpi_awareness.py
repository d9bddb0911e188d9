"""Windows is told of our awareness of scale before anything can count by it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The command runs up to the first import of a library that opens input, screen or windows.
START = """
import ctypes, json, sys
from types import SimpleNamespace

order = []

class End(BaseException):
    pass

def watch(event, arguments):
    if event == "import" and arguments[0].split(".")[0] in {"mss", "pynput", "PySide6", "Xlib"} and not ended:
        order.append(arguments[0].split(".")[0])
        ended.append(True)
        raise End

def declared(call):
    return lambda *arguments: call(*arguments)

def context(value):
    order.append(["context", value])
    return 1

def v1(value):
    order.append(["v1", value])
    return 0

ended = []
libraries = {"user32": SimpleNamespace(), "shcore": SimpleNamespace(SetProcessDpiAwareness=declared(v1))}
if MODERN:
    libraries["user32"].SetProcessDpiAwarenessContext = declared(context)
ctypes.WinDLL = lambda name, **_: libraries[name]
sys.addaudithook(watch)
# What these import of Python's own would look for another system.
import demopack_cli.annotate, demopack_cli.doctor, demopack_cli.main, demopack_cli.record, demopack_cli.replay
import annotator.ui.display, player.replay, recorder.selftest, recorder.session
sys.platform = "win32"
sys.argv = ["demopack", *ARGUMENTS]
try:
    demopack_cli.main.run()
except End:
    pass
print(json.dumps(order))
"""


def order(*arguments: str, modern: bool = True) -> list[object]:
    code = START.replace("MODERN", repr(modern)).replace("ARGUMENTS", repr(list(arguments)))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("arguments", "first"), [((), "PySide6"), (("doctor",), "pynput"), (("record", "--task", "x"), "pynput")]
)
def test_nothing_opens_input_screen_or_windows_before(tmp_path: Path, arguments: tuple[str, ...], first: str) -> None:
    assert order(*arguments, "--library", str(tmp_path)) == [["context", -4], first]


def test_an_older_windows_is_told_in_its_own_way() -> None:
    assert order("doctor", modern=False) == [["v1", 2], "pynput"]
