"""Browsers that tell nothing are told of, and one that is launched tells what its page shows."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from demopack.replacing import scratch_folder
from recorder.backends import open_access, open_windows
from recorder.backends.atspi.bus import bus_address, open_bus, turn
from recorder.backends.atspi.tree import ProgramNode, TreeReader
from recorder.browsers import KEEPS_TO_ITSELF, launch, silent_browsers
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import until, xdotool, zenity

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(not shutil.which("chromium"), reason="Chromium is not installed")]

_PAGE = """<!doctype html><meta charset=utf-8><title>Order a cake</title>
<h1>Cakes</h1><p>See our <a href="#">price list</a>.</p>
<label>Name <input placeholder="First and last"></label>
<label><input type=checkbox checked> Wrap it up</label>
<label>Size <select><option>Small<option selected>Large</select></label>
<button>Order</button> <button disabled>Cancel</button>"""


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=1000, height=700) as made:
        for name, value in made.environment().items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.fixture
def folder() -> Iterator[Path]:
    with scratch_folder() as made:
        yield made


def end(process: int) -> None:
    """End a browser with all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGTERM)


def silent(desktop: PrivateDesktop) -> list[str]:
    access = open_access(desktop.name)
    access.start()
    try:
        until(lambda: access.available, "programs can be asked")
        return silent_browsers(access, display=desktop.name)
    finally:
        access.stop()


def test_a_browser_that_tells_nothing_is_named(desktop: PrivateDesktop, folder: Path) -> None:
    page = folder / "cake.html"
    page.write_text(_PAGE, encoding="utf-8")
    environment = {name: value for name, value in desktop.environment().items() if name != "ACCESSIBILITY_ENABLED"}
    turn(desktop.name, on=False)
    command = ["chromium", "--no-sandbox", "--no-first-run", f"--user-data-dir={folder / 'mute'}", page.as_uri()]
    process = subprocess.Popen(
        command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        with contextlib.closing(open_windows(desktop.name)) as windows:
            until(lambda: any("Order a cake" in one.title for one in windows.read().stack), "its window is there")
        assert silent(desktop) == ["chromium"]
    finally:
        end(process.pid)
        process.wait(20)


@pytest.mark.parametrize(
    ("program", "needs", "expected"),
    [
        ("chromium", "chromium", {"price list": "link", "Name": "entry", "Wrap it up": "check box"}),
        ("firefox", "firefox-esr", {"price list": "link", "Name": "entry", "Wrap it up": "check box"}),
        ("falkon", "falkon", {"price list": "link", "Wrap it up": "check box"}),
    ],
)
def test_a_browser_that_was_launched_tells_what_its_page_shows(
    desktop: PrivateDesktop, folder: Path, program: str, needs: str, expected: dict[str, str]
) -> None:
    if not shutil.which(needs):
        pytest.skip(f"{needs} is not installed")
    page = folder / "cake.html"
    page.write_text(_PAGE, encoding="utf-8")
    environment = {**desktop.environment(), "DEMOPACK_PROFILES": str(folder / "profiles")}
    environment.pop("ACCESSIBILITY_ENABLED", None)
    done = subprocess.run(
        [sys.executable, "-m", "demopack", "launch", program, page.as_uri(), "--json"],
        env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    process = 0
    try:
        assert done.returncode == 0, done.stderr
        process = json.loads(done.stdout)["process"]
        assert silent(desktop) == []
        address = bus_address(desktop.name)
        assert address is not None
        bus = open_bus(address, lambda _: None)
        assert bus is not None
        with contextlib.closing(bus):
            reader = TreeReader(bus)

            def controls() -> set[tuple[str, str]]:
                (root,) = [ref for ref, number in reader.programs() if os.getsid(number) == process][:1]
                return {(one.name, one.role) for one in _walk(reader.read(root))}

            wanted = {**expected, "Order": "push button", "Cancel": "push button"}
            until(lambda: wanted.items() <= controls(), "the page is told of")
        assert (folder / "profiles" / program).is_dir()
    finally:
        if process:
            end(process)


def _walk(node: ProgramNode) -> Iterator[ProgramNode]:
    yield node
    for child in node.children:
        yield from _walk(child)


def test_a_program_that_is_not_there_is_said_to_be_missing(folder: Path) -> None:
    from demopack.errors import BadInputError

    with pytest.raises(BadInputError, match="There is no program no-such-thing"):
        launch("no-such-thing", [], profiles=folder)


def test_a_browser_without_a_window_does_not_have_the_input_whatever_it_tells(
    desktop: PrivateDesktop, folder: Path
) -> None:
    page = folder / "page.html"
    page.write_text("<title>Search</title><label>Search <input autofocus></label>", encoding="utf-8")
    started = launch("chromium", [*KEEPS_TO_ITSELF, page.as_uri()], profiles=folder / "profiles")
    try:
        with listening(desktop) as focused:
            until(lambda: focused() == "Chromium", "the page has no input")
            xdotool(desktop, "search", "--sync", "--onlyvisible", "--name", "Search", "windowclose")
        with zenity(desktop, "--entry", title="Ask"), listening(desktop) as focused:
            until(lambda: focused() != "", "nothing has the input")
            assert focused() == "zenity"
            assert started.poll() is None
    finally:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait(20)


@contextlib.contextmanager
def listening(desktop: PrivateDesktop) -> Iterator[Callable[[], str]]:
    """Tells the program of the element that has the input, for one who begins to listen now."""
    access = open_access(desktop.name)
    access.start()

    def focused() -> str:
        access.catch_up(timeout_s=1)
        element = access.focused(time.monotonic_ns())
        return "" if element is None else element.app

    try:
        until(lambda: access.available, "programs can be asked")
        yield focused
    finally:
        access.stop()
