"""Every button of the bar, its pop-ups and the tray, in the real app: what is pressed there works and is no step."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from demopack.domain.demos import Demo
from demopack.domain.geometry import Point, Rect
from demopack.processes import end_process
from demopack.settings import RecorderSettings
from demopack.store import Library
from demopack_cli.quickstart.practice import PracticeApp
from player.backends.x11 import X11Performer
from player.scripted_user import PracticeUser
from recorder.backends import open_windows
from recorder.backends.x11.windows import client_titles
from recorder.backends.x11.xlib import open_display, xlib
from recorder.desktop.private_display import PrivateDisplay
from recorder.selftest import run_selftest
from tests.support.colour_window import ColourWindow

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

TASK = "Write the name down"
# Middle of each button, pixels from the left edge of the bar.
LIST, PAUSE, STOP, NOTE, SHOT, HEALTH, MORE = 183, 209, 235, 261, 287, 313, 339
FIRST_ROW, ROW = 19, 30


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


class Seat:
    """A person before the screen, and what can be seen there from outside."""

    def __init__(self, display: PrivateDisplay, device: X11Performer, folder: Path) -> None:
        self.person = PracticeUser(device, speed=3)
        self.folder = folder
        self._windows = open_windows(display.name)

    def box(self, title: str) -> Rect | None:
        """Of the window with this title; None when it is not on the screen."""
        return next((w.box for w in self._windows.read().stack if w.title == title and w.box is not None), None)

    def wait_for(self, title: str) -> Rect:
        """The box, as soon as the window is there."""
        wait_until(lambda: self.box(title) is not None, f"a window {title!r}")
        found = self.box(title)
        assert found is not None
        return found

    def active(self) -> str:
        """Title of the window that has the input."""
        window = self._windows.read().active
        return "" if window is None else window.title

    def press(self, button: int) -> None:
        """Click a button of the bar."""
        bar = self.wait_for("demopack recorder")
        assert (bar.width, bar.height) == (360, 44)
        self.person.click(Point(bar.x1 + button, bar.y1 + 22))

    def choose(self, title: str, row: int) -> None:
        """Click a line of a menu, and see it close."""
        menu = self.wait_for(title)
        self.person.click(Point(menu.x1 + 40, menu.y1 + FIRST_ROW + row * ROW))
        wait_until(lambda: self.box(title) is None, f"{title} closes")

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


def test_what_is_pressed_on_the_bar_works_and_is_no_step(display: PrivateDisplay, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    command = [sys.executable, "-m", "demopack", "--library", str(folder)]
    with (
        tray(display),
        X11Performer(display.name) as device,
        contextlib.closing(Seat(display, device, folder)) as seat,
        subprocess.Popen(command, env=display.environment(), stderr=subprocess.PIPE, text=True) as app,
    ):
        try:
            wait_until(lambda: seat.active() == "demopack", "the window")
            with PracticeApp(tmp_path / "practice", environment=display.environment()) as practice:
                start(seat)
                forget(seat, practice)
                work(seat, practice)
                look_around(seat)
                demo = stop(seat, display, app.pid)
        finally:
            end_process(app)
        assert app.stderr is not None
        assert app.stderr.read() == ""
    steps = [(step.action.action_type, step.action.typed_text) for step in demo.steps]
    assert steps == [("click", None), ("type", "Ada"), ("extract_data", None), ("finish_goal", None)]
    click, typed, *_ = demo.steps
    assert (click.note, typed.note, typed.variable) == ("", "the first name", "first_name")
    assert demo.head.counters.steps_forgotten == 1
    assert demo.head.counters.events_dropped == 0


@contextlib.contextmanager
def tray(display: PrivateDisplay) -> Iterator[None]:
    """A panel with a tray, where one is installed."""
    if shutil.which("tint2") is None:
        yield
        return
    panel = subprocess.Popen(["tint2"], env=display.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        end_process(panel)


def start(seat: Seat) -> None:
    box = seat.wait_for("demopack")
    # Its title bar: the practice application may have come up in front of it.
    seat.person.click(Point(box.x1 + 200, box.y1 + 8))
    wait_until(lambda: seat.active() == "demopack", "the window in front")
    seat.person.press("Ctrl+R")
    seat.person.type_text(TASK)
    seat.person.press("Enter")
    seat.wait_for_demo(lambda demo: demo.head.status == "recording", "a running recording")
    seat.wait_for("demopack recorder")


def forget(seat: Seat, practice: PracticeApp) -> None:
    seat.person.click(practice.where("newsletter").center)
    practice.wait_for_state(lambda state: state["fields"]["newsletter"])
    seat.wait_for_demo(lambda demo: len(demo.steps) == 1, "the step that is to be forgotten")
    seat.press(MORE)
    seat.choose("demopack more", 1)
    seat.wait_for_demo(lambda demo: not demo.steps, "the step is gone")


def work(seat: Seat, practice: PracticeApp) -> None:
    """A click, a text, a note on it, and its name as a variable."""
    person = seat.person
    person.click(practice.where("name").center)
    person.type_text("Ada")
    seat.press(NOTE)
    wait_until(lambda: seat.active() == "demopack note", "the pop-up has the input")
    person.type_text("the first name")
    person.press("Enter")
    wait_until(lambda: seat.box("demopack note") is None, "the pop-up closes")
    wait_until(lambda: not seat.active().startswith("demopack"), "the input is given back")
    seat.wait_for_demo(lambda demo: demo.steps[-1].note == "the first name", "the note is kept")
    person.press("F10")
    wait_until(lambda: seat.active() == "demopack note", "the pop-up has the input")
    person.type_text("First name")
    person.press("Enter")
    seat.wait_for_demo(lambda demo: demo.steps[-1].variable == "first_name", "the variable is kept")
    wait_until(lambda: not seat.active().startswith("demopack"), "the input is given back")
    # While it is paused nothing counts.
    seat.press(PAUSE)
    person.click(practice.where("newsletter").center)
    practice.wait_for_state(lambda state: not state["fields"]["newsletter"])
    seat.press(PAUSE)


def look_around(seat: Seat) -> None:
    """The list, the health, a picture now, and the dot."""
    seat.press(LIST)
    seat.wait_for("demopack steps so far")
    seat.press(HEALTH)
    seat.wait_for("demopack health of the recording")
    seat.press(HEALTH)
    wait_until(lambda: seat.box("demopack health of the recording") is None, "the health closes")
    seat.press(LIST)
    wait_until(lambda: seat.box("demopack steps so far") is None, "the list closes")
    seat.press(SHOT)
    seat.choose("demopack more", 0)
    seat.wait_for_demo(lambda demo: demo.steps[-1].action.action_type == "extract_data", "a picture is kept")
    seat.press(MORE)
    seat.choose("demopack more", 4)
    wait_until(lambda: (box := seat.box("demopack recorder")) is not None and box.width == 44, "a dot")
    dot = seat.wait_for("demopack recorder")
    seat.person.click(dot.center)
    wait_until(lambda: (box := seat.box("demopack recorder")) is not None and box.width == 360, "the bar again")


def stop(seat: Seat, display: PrivateDisplay, pid: int) -> Demo:
    """In the tray, where there is one, else on the bar."""
    icon = tray_icon(display, pid)
    assert icon is not None or shutil.which("tint2") is None
    if icon is None:
        seat.press(STOP)
    else:
        seat.person.click(icon)
        # Below the time stands what is wrong: no program tells about its fields here.
        seat.choose("demopack menu", 3)
    return seat.wait_for_demo(lambda made: made.head.status == "complete", "a finished recording")


def tray_icon(display: PrivateDisplay, pid: int) -> Point | None:
    """The middle of the app's window that lies in a window of the panel."""
    connection = open_display(display.name)
    try:
        root = connection.screen().root
        wanted = connection.intern_atom("_NET_WM_PID")
        queue = [(window, False) for window in root.query_tree().children]
        while queue:
            window, in_panel = queue.pop()
            name = window.get_wm_class()
            in_panel = in_panel or bool(name and name[0] == "tint2")
            queue.extend((child, in_panel) for child in window.query_tree().children)
            found = window.get_full_property(wanted, xlib("X").AnyPropertyType)
            if in_panel and found is not None and int(found.value[0]) == pid:
                size, at = window.get_geometry(), window.translate_coords(root, 0, 0)
                return Point(size.width // 2 - at.x, size.height // 2 - at.y)
    finally:
        connection.close()
    return None


def test_the_self_test_receives_what_it_calls_good(display: PrivateDisplay, tmp_path: Path) -> None:
    began = time.monotonic()
    results = run_selftest(library=tmp_path, settings=RecorderSettings(), display=display.name)
    took = time.monotonic() - began
    found = {result.name: result for result in results}
    assert found["input"].ok
    assert "arrived" in found["input"].words
    assert found["pictures"].ok
    assert "seen in its place; 1400 x 900 pixels" in found["pictures"].words
    assert found["hotkeys"].ok
    assert took < 10  # 0.1 to 0.6 s on a quiet machine
    # It left nothing behind: no window, and the pointer where it was.
    with contextlib.closing(open_windows(display.name)) as windows:
        assert windows.read().stack == ()


def test_windows_are_offered_although_others_cover_them(display: PrivateDisplay, tmp_path: Path) -> None:
    environment = display.environment()
    with tray(display), PracticeApp(tmp_path / "practice", environment=environment):
        wait_until(lambda: bool(client_titles(display.name)), "the practice window")
        (practice,) = client_titles(display.name)  # no panel
        with ColourWindow(display.name, title="Letters", app="Letters", colour=(9, 9, 9), box=(0, 0, 1390, 890)):
            wait_until(lambda: client_titles(display.name) == ["Letters", practice], "both")


def test_a_key_of_another_program_is_found(display: PrivateDisplay, tmp_path: Path) -> None:
    connection = open_display(display.name)
    try:
        x = xlib("X")
        code = connection.keysym_to_keycode(xlib("XK").string_to_keysym("F9"))
        connection.screen().root.grab_key(code, 0, 0, x.GrabModeAsync, x.GrabModeAsync)
        connection.sync()
        results = run_selftest(library=tmp_path, settings=RecorderSettings(), display=display.name)
    finally:
        connection.close()
    keys = next(result for result in results if result.name == "hotkeys")
    assert (keys.ok, keys.needed) == (False, False)
    assert keys.words == "F9 is held by another program."
