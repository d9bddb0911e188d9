"""Bad surroundings through the real command line, with real X servers and a real disk that is full."""

from __future__ import annotations

import errno
import itertools
import json
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from demopack.store import Library
from recorder.desktop.private_display import PrivateDisplay
from tests.support.demos import sample_demo
from tests.support.injector import Injector
from tests.support.stage import Stage

pytestmark = pytest.mark.e2e

_OF_A_SESSION = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "XAUTHORITY", "QT_QPA_PLATFORM"}


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "demopack", *map(str, arguments)]


def run(*arguments: str | Path, **environment: str) -> tuple[int, str]:
    """Exit code and what was said as an error, in an environment without any screen but the given one."""
    kept = {key: value for key, value in os.environ.items() if key not in _OF_A_SESSION}
    done = subprocess.run(
        command(*arguments), env={**kept, **environment}, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stderr


def one_sentence(outcome: tuple[int, str], *words: str) -> None:
    code, said = outcome
    assert code == 1, said
    # The C library of X says a word of its own to a locked door.
    (line,) = (text for text in said.splitlines() if text and not text.startswith("Authorization required"))
    assert line.startswith("demopack: ")
    for word in words:
        assert re.search(word, line), line


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "library"
    with Library.open(folder) as library:
        sample_demo(library)
    return folder


_ON_A_SCREEN = [["record", "--task", "x"], ["replay", "last", "--yes"], ["annotate"]]


@pytest.mark.parametrize("arguments", _ON_A_SCREEN, ids=lambda a: a[0])
def test_no_screen(sample: Path, arguments: Sequence[str]) -> None:
    one_sentence(run(*arguments, "--library", sample), "no screen|needs a screen", "DISPLAY|desktop")


@pytest.mark.parametrize("arguments", _ON_A_SCREEN[:2], ids=lambda a: a[0])
@pytest.mark.parametrize("environment", [{"WAYLAND_DISPLAY": "wayland-0"}, {"XDG_SESSION_TYPE": "wayland"}])
def test_wayland_only(sample: Path, arguments: Sequence[str], environment: dict[str, str]) -> None:
    one_sentence(run(*arguments, "--library", sample, **environment), "Wayland session", "X11.*login screen")


@pytest.fixture
def locked_server(tmp_path: Path) -> Generator[str]:
    """An X server that only lets in who knows a secret."""
    secret = tmp_path / "secret"
    parts = (b"host", b"", b"MIT-MAGIC-COOKIE-1", bytes(range(16)))
    secret.write_bytes(struct.pack(">H", 256) + b"".join(struct.pack(">H", len(part)) + part for part in parts))
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-auth", str(secret), "-screen", "0", "640x480x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        number = answer.readline().strip().decode()
    try:
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(10)


@pytest.mark.parametrize("arguments", _ON_A_SCREEN, ids=lambda a: a[0])
def test_a_screen_that_may_not_be_used(
    sample: Path, arguments: Sequence[str], locked_server: str, tmp_path: Path
) -> None:
    nothing = tmp_path / "no-secret"
    nothing.touch()
    outcome = run(*arguments, "--library", sample, DISPLAY=locked_server, XAUTHORITY=str(nothing))
    one_sentence(outcome, locked_server, "may use it|may not use", "XAUTHORITY")


class Disk:
    """A small disk of its own, which can be filled to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self, *, leave: int = 0) -> None:
        state = os.statvfs(self.folder)
        try:
            self._ballast.write_bytes(bytes(max(0, state.f_bavail * state.f_frsize - leave)))
        except OSError as error:
            # Somebody else wrote at the same moment: what was to be full is full.
            if leave or error.errno != errno.ENOSPC:
                raise

    def make_room(self) -> None:
        self._ballast.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Generator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=260m", "demopack-test", folder], capture_output=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("there is no mount command to make a small disk with")
    if done.returncode:
        pytest.skip("only root may mount a small disk to fill")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_disk_that_fills_up_while_recording(disk: Disk) -> None:
    folder = disk.folder / "library"
    with (
        PrivateDisplay(width=800, height=600) as screen,
        Stage(screen.name, width=600, height=400),
        Injector(screen.name) as person,
        subprocess.Popen(
            command("record", "--task", "x", "--json", "--library", folder),
            env=screen.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
        ExitStack() as stack,
    ):
        # Whatever fails below, the recorder ends: a Popen waits for its process when it is left.
        stack.callback(process.kill)
        assert process.stdout is not None
        assert process.stderr is not None
        told = [json.loads(process.stdout.readline())]
        low = threading.Event()

        def listen() -> None:
            for text in process.stdout or ():
                told.append(json.loads(text))
                if "almost full; the recording is paused" in told[-1].get("text", ""):
                    low.set()

        reader = threading.Thread(target=listen)
        reader.start()
        filled = False
        deadline = time.monotonic() + 120
        for n in itertools.count():
            assert time.monotonic() < deadline, "the full disk was never noticed"
            if not filled and sum(item["event"] == "step" for item in told) >= 3:
                disk.fill()
                filled = True
            if process.poll() is not None or low.is_set():
                break
            person.click(150 + 37 * n % 500, 150 + 23 * n % 300)
        assert filled
        if low.is_set():  # it saw the disk run low before a step met its end
            process.send_signal(signal.SIGINT)
        code = process.wait(60)
        reader.join()
        if not low.is_set():
            one_sentence((code, process.stderr.read()), "is full; everything saved so far is safe", "Make room")
    disk.make_room()
    announced = [item["id"] for item in told if item["event"] == "step"]
    with Library.open(folder, create=False) as library:
        (summary,) = library.demos()
        demo = library.demo(summary.head.id)
        for frame in demo.frames():
            library.get_image(frame.id)
    assert demo.head.status == "partial"
    assert [step.id for step in demo.steps] == announced
    assert len(announced) >= 3


@pytest.mark.parametrize("leave", [0, 100_000])
def test_a_disk_that_is_full(disk: Disk, leave: int) -> None:
    folder = disk.folder / "library"
    with Library.open(folder) as library:
        key = sample_demo(library)
        before = library.demo(key)
    disk.fill(leave=leave)
    full = ("is full; everything saved so far is safe", "Make room and try again")
    one_sentence(run("export", "last", "-o", disk.folder / "pack", "--library", folder), *full)
    one_sentence(run("export", "last", "-o", disk.folder / "pack.zip", "--library", folder), *full)
    if not leave:
        one_sentence(run("rationale", "last", "--overwrite", "--library", folder), *full)
        assert run("list", "--library", folder) == (0, ""), "what is there can be read"
        one_sentence(run("quickstart", "--out", disk.folder / "first"), *full)
    disk.make_room()
    with Library.open(folder, create=False) as library:
        assert library.demo(key) == before
    assert not [path for path in disk.folder.iterdir() if path.name.startswith(("pack", ".pack"))]
    assert run("export", "last", "-o", disk.folder / "pack", "--library", folder)[0] == 0
