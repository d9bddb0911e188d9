from __future__ import annotations

import ast
import ctypes
import os
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from annotator.training_process import end, is_running
from demopack.jobs import CancelToken
from demopack.processes import end_process, process_start

DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); signal.pause()"


def test_a_program_ends_when_asked_and_again_harmlessly() -> None:
    process = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    assert end_process(process) == -15
    assert end_process(process) == -15


def test_a_program_that_does_not_listen_is_forced() -> None:
    with subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        assert end_process(process, seconds=0.1) == -9


# Recognised again -----------------------------------------------------------------------------------------------------


class Kernel32:
    """Windows' table of processes: id -> when it began in ticks of 100 ns, and whether it still runs."""

    def __init__(self, processes: dict[int, tuple[int, bool]]) -> None:
        self.open: list[int] = []

        def open_process(access: int, _inherit: bool, pid: int) -> int | None:
            assert access == 0x101000
            if pid not in processes:
                return None
            self.open.append(pid)
            return pid

        def times_of(handle: int, *times: Any) -> int:
            began = times[0].contents
            began.dwHighDateTime, began.dwLowDateTime = divmod(processes[handle][0], 1 << 32)
            return 1

        def wait_for(handle: int, _: int) -> int:
            return 258 if processes[handle][1] else 0

        self.OpenProcess: Any = open_process
        self.GetProcessTimes: Any = times_of
        self.WaitForSingleObject: Any = wait_for
        self.CloseHandle: Any = lambda handle: self.open.remove(handle)


def test_on_windows_a_process_is_known_by_its_creation_time(monkeypatch: pytest.MonkeyPatch) -> None:
    began = 133_700_000_123_456_789
    kernel = Kernel32({4711: (began, True), 4712: (began, False)})
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: {"kernel32": kernel}[name], raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    assert process_start(4711) == str(began)
    assert process_start(4712) == "", "it has ended, and somebody holds a handle to it"
    assert process_start(4713) == "", "there is none, or it may not be asked"
    assert kernel.open == []
    assert is_running(4711, str(began))
    assert not is_running(4711, str(began - 1)), "the id was given to another process"
    assert not is_running(4711, ""), "nothing proves that it is ours"


class LibSystem:
    """macOS' table of processes: id -> (seconds, microseconds, state)."""

    def __init__(self, processes: dict[int, tuple[int, int, int]]) -> None:
        def sysctl(name: Any, count: int, entry: Any, size: Any, _new: None, _length: Any) -> int:
            assert (list(name)[:3], count) == ([1, 14, 1], 4)
            found = processes.get(name[3])
            size.contents.value = 648 if found else 0
            if found:
                struct.pack_into("=qi", entry, 0, found[0], found[1])
                entry[36] = bytes([found[2]])
            return 0

        self.sysctl = sysctl


def test_on_macos_a_process_is_known_by_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    system = LibSystem({501: (1_700_000_000, 42, 2), 502: (1_700_000_000, 42, 5)})
    monkeypatch.setattr(ctypes, "CDLL", lambda name: {None: system}[name])
    monkeypatch.setattr(sys, "platform", "darwin")
    assert process_start(501) == "1700000000.000042"
    assert process_start(502) == "", "a zombie"
    assert process_start(503) == ""
    assert is_running(501, "1700000000.000042")
    assert not is_running(501, "1700000000.000043")
    assert not is_running(501, ""), "nothing proves that it is ours"


@pytest.mark.parametrize("platform", ["win32", "darwin", "linux", "freebsd14"])
def test_a_process_of_unknown_start_is_never_ended(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "WinDLL", lambda _: Kernel32({os.getpid(): (1, True)}), raising=False)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: LibSystem({os.getpid(): (1, 1, 2)}))
    monkeypatch.setattr(sys, "platform", platform)
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *order: sent.append(order))
    for since in ("", "17"):
        end(os.getpid(), since, token=CancelToken(), patience_s=0)
    assert sent == []


# Consoles -------------------------------------------------------------------------------------------------------------


def _starts(path: Path) -> list[ast.Call]:
    """The calls in a module that start a program."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"subprocess.Popen", "subprocess.run"}
    ]


ROOT = Path(__file__).parents[2]
X11_ONLY = ("recorder/desktop/",)
WINDOWED = ("recorder/browsers.py",)
"""Starts programs that have windows and no console."""


def test_every_program_that_is_started_says_which_console_it_gets_on_windows() -> None:
    seen, silent = 0, []
    for package in ("demopack", "demopack_cli", "recorder", "annotator", "models", "player", "tasks"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(X11_ONLY) or name in WINDOWED:
                continue
            for call in _starts(path):
                seen += 1
                if not any(word.arg == "creationflags" for word in call.keywords):
                    silent.append(f"{name}:{call.lineno}")
    assert silent == []
    assert seen >= 5


def test_a_training_gets_a_console_that_nobody_sees_and_no_closed_window_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import annotator.training_process as module

    given: dict[str, Any] = {}

    def popen(command: list[str], **options: Any) -> SimpleNamespace:
        given.update(options)
        return SimpleNamespace(pid=0, poll=lambda: 0)

    monkeypatch.setattr(module, "NO_CONSOLE", 0x08000000)  # as on Windows
    monkeypatch.setattr(module.subprocess, "Popen", popen)
    module.spawn(["train"], log=tmp_path / "log")
    module.forget_ended()
    assert given["creationflags"] & 0x08000000
