"""A person edits and takes everything back, and the app is killed on the way: everything is where it was."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotator.attributes.element_attributes import SetAttribute
from demopack.domain.demos import Demo
from demopack.domain.geometry import Point, Rect
from demopack.store import Library
from player.backends.x11 import X11Performer
from player.scripted_user import PracticeUser
from recorder.backends import open_windows
from recorder.desktop.private_display import PrivateDisplay
from tests.support.editing import SAMPLE, TINY, sample_library

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_WALKER = """
import sys
from pathlib import Path
from demopack.store import Library

with Library.open(Path(sys.argv[1])) as library:
    log, demo = library.log, sys.argv[2]
    print("ready", flush=True)
    while True:  # to the beginning and back again until somebody ends it
        for seq in (0, 400):
            way = log.path_to(demo, seq)
            done, at = 0, way.seq
            while done < way.steps:
                walked = len(log.checkout(demo, way.depth, seq=at, limit=7))
                done, at = done + walked, at + walked
"""


@pytest.fixture
def display() -> Iterator[PrivateDisplay]:
    with PrivateDisplay(width=1400, height=900) as started:
        yield started


class Editor:
    """The app with one demo open, seen from outside: its window, and what is in the library."""

    def __init__(self, display: PrivateDisplay, folder: Path) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "demopack", "annotate", SAMPLE, "--library", str(folder)]
        self.process = subprocess.Popen(command, env=display.environment(), stderr=subprocess.PIPE, text=True)
        self._windows = open_windows(display.name)

    def window(self) -> Rect:
        """The box of the editor's window, as soon as it is the active one."""

        def shown() -> bool:
            window = self._windows.read().active
            return window is not None and window.title.startswith("Add Ada")

        wait_until(shown, "the editor's window")
        window = self._windows.read().active
        assert window is not None
        return window.box

    def demo(self) -> Demo:
        """The demo as it is stored now."""
        with Library.open(self.folder) as library:
            return library.demo(SAMPLE)

    def wait_for(self, condition: Callable[[Demo], bool], what: str) -> Demo:
        """The demo, as soon as it is so."""
        wait_until(lambda: condition(self.demo()), what)
        return self.demo()

    def kill(self) -> None:
        """As the system does when memory runs out: without a word."""
        self.process.send_signal(signal.SIGKILL)
        assert self.process.wait(timeout=30) == -signal.SIGKILL

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        assert self.process.stderr is not None
        said = self.process.stderr.read()
        self.process.stderr.close()
        self._windows.close()
        assert said == ""


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Look again and again until it is so; a minute is long enough on any machine."""
    deadline, pause = time.monotonic() + 60, threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        pause.wait(0.05)


def test_what_was_taken_back_before_a_kill_is_there_after_it(display: PrivateDisplay, tmp_path: Path) -> None:
    folder = sample_library(tmp_path)
    with X11Performer(display.name) as device:
        person = PracticeUser(device, speed=2)
        with contextlib.closing(Editor(display, folder)) as editor:
            original = editor.demo()
            states = edit(editor, person)
            undo_to_the_beginning(editor, person, original)
            person.press("Ctrl+Shift+Z")
            editor.wait_for(lambda demo: demo == states[0], "the box is there again")
            editor.kill()
        with contextlib.closing(Editor(display, folder)) as editor:
            editor.window()
            assert editor.demo() == states[0]
            for state in states[1:]:
                person.press("Ctrl+Shift+Z")
                editor.wait_for(lambda demo, state=state: demo == state, "the next edit is done again")
            walk_in_the_history(editor, person, original, states[-1])
            person.press("Alt+F4")
            assert editor.process.wait(timeout=30) == 0


def edit(editor: Editor, person: PracticeUser) -> list[Demo]:
    """A box is drawn, moved and named, and the step approved; returns the demo after each of these."""
    middle = editor.window().center
    states: list[Demo] = []

    def done(condition: Callable[[Demo], bool], what: str) -> None:
        states.append(editor.wait_for(condition, what))

    before = boxes(editor.demo())
    person.drag(Point(middle.x - 20, middle.y + 180), Point(middle.x + 40, middle.y + 220))
    done(lambda demo: boxes(demo) == before + 1, "a drawn box is saved")
    drawn = states[0]
    person.press("Ctrl+Right")
    done(lambda demo: demo.elements != drawn.elements, "the box is moved")
    person.press("Enter")
    person.type_text("Fresh")
    person.press("Enter")
    done(lambda demo: any(e.text == "Fresh" for found in demo.elements.values() for e in found), "the box has a text")
    person.click(Point(middle.x - 20, middle.y + 260))
    person.press("Space")
    approved = sum(step.review == "approved" for step in drawn.steps)
    done(lambda demo: sum(step.review == "approved" for step in demo.steps) > approved, "an approved step")
    return states


def undo_to_the_beginning(editor: Editor, person: PracticeUser, original: Demo) -> None:
    """Ctrl+Z until nothing is left to be undone; once more is harmless."""
    for _ in range(40):
        with Library.open(editor.folder) as library:
            left = library.log.labels(SAMPLE)[0]
        if left is None:
            break
        person.press("Ctrl+Z")
        wait_until(lambda left=left: undo_label(editor.folder) != left, "an edit is taken back")
    person.press("Ctrl+Z")
    assert editor.wait_for(lambda demo: demo == original, "as it was recorded") == original


def undo_label(folder: Path) -> str | None:
    """What undo would do next."""
    with Library.open(folder) as library:
        return library.log.labels(SAMPLE)[0]


def walk_in_the_history(editor: Editor, person: PracticeUser, original: Demo, latest: Demo) -> None:
    """By keyboard alone: to the beginning in one jump, and back to the newest edit in another."""
    person.press("h")
    person.press("End")
    person.press("Enter")
    editor.wait_for(lambda demo: demo == original, "the history went back to the beginning")
    person.press("Home")
    person.press("Enter")
    editor.wait_for(lambda demo: demo == latest, "the history went to the newest edit")


def boxes(demo: Demo) -> int:
    """How many elements there are in all."""
    return sum(len(found) for found in demo.elements.values())


@pytest.mark.parametrize("after_ms", [1, 40, 150, 400])
def test_a_jump_that_is_killed_leaves_a_point_of_the_history(tmp_path: Path, after_ms: int) -> None:
    folder = sample_library(tmp_path)
    with Library.open(folder) as library:
        states = many_edits(library, 400)
    command = [sys.executable, "-c", _WALKER, str(folder), TINY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as walker:
        assert walker.stdout is not None
        assert walker.stdout.readline() == "ready\n"
        with contextlib.suppress(subprocess.TimeoutExpired):
            walker.wait(after_ms / 1000)
        walker.send_signal(signal.SIGKILL)
    with Library.open(folder) as library:
        in_force = library.log.path_to(TINY, 0).steps
        assert library.demo(TINY) == states[in_force]
        while library.log.redo(TINY):
            pass
        assert library.demo(TINY) == states[-1]


def many_edits(library: Library, count: int) -> list[Demo]:
    """The demo before the first edit, and after each."""
    from annotator.editing import EditSession
    from tests.support.editing import HandStore

    session = EditSession(library, library.demo(TINY), HandStore())
    first = next(iter(session.document.demo().elements.values()))[0]
    states = [session.document.demo()]
    for number in range(count):
        session.do(SetAttribute(uids=(first.uid,), name="text", value=f"Name {number}"))
        states.append(session.document.demo())
    return states
