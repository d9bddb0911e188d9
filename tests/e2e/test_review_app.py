"""The review as a person does it, in the real app: record, delete, reorder, undo, record again from step 2, accept."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.demos import Demo
from demopack.domain.frames import RgbImage
from demopack.domain.steps import Step
from demopack.store import Library
from demopack_cli.quickstart.practice import PracticeApp
from player.backends.x11 import X11Performer
from player.scripted_user import PracticeUser
from recorder.backends import open_screen, open_windows
from recorder.backends.base import ScreenSource
from recorder.desktop.private_display import PrivateDisplay

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

TASK = "Write the name down"
STOP = "Ctrl+Alt+R"


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


class Eyes:
    """Sees what the app shows.

    A key that goes through the window waits behind what the app is busy with; the global key does not, and the library
    has what was done before the app shows it.
    """

    def __init__(self, source: ScreenSource) -> None:
        self._source = source

    def picture(self) -> RgbImage:
        return self._source.grab().image.copy()

    def wait_for_rest(self, *, after: RgbImage | None = None) -> None:
        """Wait until the screen shows something else than a picture, and stays as it is for some looks."""
        last, same = self.picture(), 0

        def rests() -> bool:
            nonlocal last, same
            now = self.picture()
            same = same + 1 if np.array_equal(now, last) else 0
            last = now
            return same >= 6 and (after is None or not np.array_equal(now, after))

        wait_until(rests, "another picture that stays")


class Shelf:
    """What is in the library just now, read from outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def demos(self) -> list[Demo]:
        """All that is on the list, newest first."""
        if not (self.folder / "library.db").exists():
            return []
        with Library.open(self.folder) as library:
            return [library.demo(summary.head.id) for summary in library.demos()]

    def wait(self, condition: Callable[[list[Demo]], bool], what: str) -> Demo:
        """The newest demo, as soon as it is so."""
        found: list[Demo] = []

        def looked() -> bool:
            found[:] = self.demos()
            return bool(found) and condition(found)

        wait_until(looked, what)
        return found[0]

    def wait_for_steps(self, steps: list[tuple[str, str | None]], what: str) -> Demo:
        """The only demo, as soon as it has these steps."""
        return self.wait(lambda found: len(found) == 1 and did(found[0].steps) == steps, what)


def did(steps: tuple[Step, ...]) -> list[tuple[str, str | None]]:
    """What the steps did: kind and typed text."""
    return [(step.action.action_type, step.action.typed_text) for step in steps]


CLICK, END = ("click", None), ("finish_goal", None)
FIRST = [CLICK, ("type", "Ada Lovelace"), CLICK, END]
AGAIN = [CLICK, CLICK, ("press_key", None), ("type", "Grace Hopper"), END]


def test_a_recording_is_reviewed_in_the_real_app(display: PrivateDisplay, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "library")
    command = [sys.executable, "-m", "demopack", "--library", str(shelf.folder)]
    windows = open_windows(display.name)

    def in_front(title: str) -> bool:
        window = windows.read().active
        return window is not None and window.title.startswith(title)

    with (
        contextlib.closing(open_screen(display.name)) as screen,
        X11Performer(display.name) as device,
        subprocess.Popen(command, env=display.environment(), stderr=subprocess.PIPE, text=True) as app,
    ):
        try:
            person, eyes = PracticeUser(device, speed=2), Eyes(screen)
            wait_until(lambda: in_front("demopack"), "the app")
            person.press("Ctrl+R")
            person.type_text(TASK)
            person.press("Enter")
            shelf.wait(lambda found: found[0].head.status == "recording", "a running recording")
            with PracticeApp(tmp_path / "practice", environment=display.environment()) as practice:
                person.click(practice.where("name").center)
                person.type_text("Ada Lovelace")
                person.click(practice.where("newsletter").center)
                practice.wait_for_state(lambda state: state["fields"]["newsletter"])
                person.press(STOP)
                first = shelf.wait_for_steps(FIRST, "a finished recording")
                assert not first.head.accepted
                wait_until(lambda: in_front(TASK), "the review")
                edit_steps(person, shelf)
                record_again(person, shelf, practice, in_front, eyes)
            finish(person, shelf, first, eyes)
            person.press("Alt+F4")
            assert app.wait(timeout=30) == 0
        finally:
            app.kill()
            windows.close()
        assert app.stderr is not None
        assert app.stderr.read() == ""


def edit_steps(person: PracticeUser, shelf: Shelf) -> None:
    """Delete step 3, move it, and take both back."""
    person.press("D", times=2)
    person.press("Shift+Delete")
    shelf.wait_for_steps([FIRST[0], FIRST[1], END], "a deleted step")
    person.press("Ctrl+Z")
    shelf.wait_for_steps(FIRST, "the step is back")
    person.press("Alt+Up")
    moved = shelf.wait_for_steps([FIRST[0], FIRST[2], FIRST[1], END], "a moved step")
    starts = [step.started_ns for step in moved.steps]
    assert starts[1] == 0  # its time does not fit any more
    assert [t for t in starts if t] == sorted(t for t in starts if t)
    person.press("Ctrl+Z")
    shelf.wait_for_steps(FIRST, "the step is in its place")


def record_again(
    person: PracticeUser, shelf: Shelf, practice: PracticeApp, in_front: Callable[[str], bool], eyes: Eyes
) -> None:
    """Record again from step 2, started and stopped by the global key."""
    person.press("A")
    eyes.wait_for_rest()
    before = eyes.picture()
    person.press("Ctrl+Shift+R")
    eyes.wait_for_rest(after=before)
    person.press(STOP)
    take = shelf.wait(lambda found: found[0].head.status == "recording", "a running take")
    assert take.head.take_of == shelf.demos()[1].head.id
    wait_until(lambda: not in_front(TASK), "the app is out of the way")
    person.click(practice.where("name").center)
    person.press("Ctrl+A")
    person.type_text("Grace Hopper")
    person.press(STOP)
    wait_until(lambda: in_front(TASK), "the review again")


def finish(person: PracticeUser, shelf: Shelf, first: Demo, eyes: Eyes) -> None:
    """The old end is gone and comes back with one undo; then the recording is accepted."""
    joined = shelf.wait_for_steps(AGAIN, "a joined take")
    eyes.wait_for_rest()  # the app shows it after the library has it
    assert joined.head.id == first.head.id
    assert joined.steps[0] == first.steps[0]
    starts = [step.started_ns for step in joined.steps]
    assert starts == sorted(starts)
    person.press("Ctrl+Z")
    back = shelf.wait_for_steps(FIRST, "the old end")
    assert back.steps == first.steps
    person.press("Ctrl+Shift+Z")
    shelf.wait_for_steps(AGAIN, "the new end")
    person.press("Ctrl+Shift+Enter")
    accepted = shelf.wait(lambda found: found[0].head.accepted, "an accepted recording")
    assert did(accepted.steps) == AGAIN
