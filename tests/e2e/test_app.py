"""The app as a person uses it: Record, work in another program, stop, correct a box, approve a step, undo, close."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from demopack.domain.demos import Demo
from demopack.domain.geometry import Point, Rect
from demopack.store import Library
from demopack_cli.quickstart.practice import PracticeApp
from player.backends.x11 import X11Performer
from player.scripted_user import PracticeUser
from recorder.backends import open_windows
from recorder.desktop.private_display import PrivateDisplay

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

TASK = "Write the name down"
_RECORD_FROM_RIGHT, _RECORD_FROM_TOP = 75, 46  # in pixels, the title bar included


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Look again and again until it is so; a minute is long enough on any machine."""
    deadline, pause = time.monotonic() + 60, threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        pause.wait(0.05)


@pytest.fixture
def display() -> Iterator[PrivateDisplay]:
    with PrivateDisplay(width=1400, height=900) as started:
        yield started


class Desk:
    """What the test can see from outside: the active window, and what is in the library."""

    def __init__(self, display: PrivateDisplay, folder: Path) -> None:
        self.folder = folder
        self._windows = open_windows(display.name)

    def active(self, title: str) -> Rect | None:
        """The box of the active window, if its title begins so."""
        window = self._windows.read().active
        return window.box if window is not None and window.title.startswith(title) else None

    def window(self, title: str) -> Rect:
        """The box of the window, as soon as it is the active one."""
        wait_until(lambda: self.active(title) is not None, f"a window {title!r}")
        box = self.active(title)
        assert box is not None
        return box

    def demo(self) -> Demo | None:
        """The newest demo as it is stored now."""
        if not (self.folder / "library.db").exists():
            return None
        with Library.open(self.folder) as library:
            found = library.demos()
            return library.demo(found[0].head.id) if found else None

    def wait_for_demo(self, condition: Callable[[Demo], bool], what: str) -> Demo:
        """The newest demo, as soon as it is so."""
        wait_until(lambda: (demo := self.demo()) is not None and condition(demo), what)
        demo = self.demo()
        assert demo is not None
        return demo

    def close(self) -> None:
        self._windows.close()


def boxes(demo: Demo) -> int:
    """How many elements there are in all."""
    return sum(len(found) for found in demo.elements.values())


def test_record_correct_and_undo_in_the_real_app(display: PrivateDisplay, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    command = [sys.executable, "-m", "demopack", "--library", str(folder)]
    with (
        contextlib.closing(Desk(display, folder)) as desk,
        X11Performer(display.name) as device,
        subprocess.Popen(command, env=display.environment(), stderr=subprocess.PIPE, text=True) as app,
    ):
        try:
            person = PracticeUser(device, speed=2)
            record(desk, person, display, tmp_path)
            correct(desk, person)
            person.press("Alt+F4")
            assert app.wait(timeout=30) == 0
        finally:
            app.kill()
        assert app.stderr is not None
        assert app.stderr.read() == ""


def record(desk: Desk, person: PracticeUser, display: PrivateDisplay, folder: Path) -> None:
    window = desk.window("demopack")
    person.click(Point(window.x2 - _RECORD_FROM_RIGHT, window.y1 + _RECORD_FROM_TOP))
    person.type_text(TASK)
    person.press("Enter")
    desk.wait_for_demo(lambda demo: demo.head.status == "recording", "a running recording")
    with PracticeApp(folder / "practice", environment=display.environment()) as practice:
        person.click(practice.where("name").center)
        person.type_text("Ada Lovelace")
        person.click(practice.where("newsletter").center)
        practice.wait_for_state(lambda state: state["fields"]["newsletter"])
        person.press("Ctrl+Alt+R")
        demo = desk.wait_for_demo(lambda made: made.head.status == "complete", "a finished recording")
    done = [(step.action.action_type, step.action.typed_text) for step in demo.steps]
    # Neither the clicks in our own windows nor the order to stop has become a step.
    assert done == [("click", None), ("type", "Ada Lovelace"), ("click", None), ("finish_goal", None)]
    assert demo.head.task == TASK
    assert demo.head.counters.events_dropped == 0


def correct(desk: Desk, person: PracticeUser) -> None:
    window = desk.window(TASK)
    middle = window.center
    assert boxes(desk.wait_for_demo(lambda _: True, "the demo")) == 0
    person.drag(Point(middle.x - 60, middle.y - 40), Point(middle.x + 60, middle.y + 30))
    desk.wait_for_demo(lambda demo: boxes(demo) == 1, "a drawn box is saved")
    person.press("Ctrl+Z")
    desk.wait_for_demo(lambda demo: boxes(demo) == 0, "the box is taken back")
    person.press("Ctrl+Shift+Z")
    desk.wait_for_demo(lambda demo: boxes(demo) == 1, "the box is there again")
    person.press("Escape")  # with a box selected, Space would approve the box
    person.press("Space")
    desk.wait_for_demo(lambda demo: any(s.review == "approved" for s in demo.steps), "an approved step")
