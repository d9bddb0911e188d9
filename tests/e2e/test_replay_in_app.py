"""A demo done again from the real app: its own windows get out of the way, even where the demo clicks beneath them."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from demopack.domain.geometry import Point, Rect
from demopack.domain.roles import reported_target
from demopack.processes import end_process
from demopack.settings import PrivacySettings
from demopack.store import Library
from recorder.backends import open_windows
from recorder.backends.base import WindowSource
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import DesktopProgram, until, xdotool, zenity
from tests.support.injector import Injector
from tests.support.record_command import RecordCommand

pytestmark = pytest.mark.e2e

QUESTION = ("--question", "--text", "Save it?", "--ok-label", "Save")
TITLE, BAR = "A question", "demopack replay"
SAVE = Point(483 - 344, 116)  # from the left upper corner of the window's frame; "No" lies left of it


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=1200, height=850) as started:
        assert started.has_access
        yield started


@pytest.fixture
def windows(desktop: PrivateDesktop) -> Iterator[WindowSource]:
    made = open_windows(desktop.name)
    yield made
    made.close()


def question(desktop: PrivateDesktop) -> DesktopProgram:
    return zenity(desktop, *QUESTION, title=TITLE)


def save_button(windows: WindowSource) -> Point:
    box = next(one.box for one in windows.read().stack if one.title == TITLE)
    assert box is not None
    return Point(box.x1 + SAVE.x, box.y1 + SAVE.y)


def active(windows: WindowSource) -> str:
    window = windows.read().active
    return "" if window is None else window.title


def is_recorded_with_its_name(desktop: PrivateDesktop, windows: WindowSource, folder: Path) -> bool:
    """Record the click on “Save”; whether the program told what was clicked."""
    with (
        question(desktop) as asked,
        RecordCommand(desktop, folder, privacy=PrivacySettings()) as record,
        Injector(desktop.name) as person,
    ):
        person.wait(0.6)
        at = save_button(windows)
        person.click(at.x, at.y)
        assert asked.output() == ""
        assert asked.process.returncode == 0
        record.wait_for(lambda told: any(item["event"] == "step" for item in told))
    with Library.open(folder) as library:
        told = reported_target(library.demo(library.find("last")).steps[0])
    return told is not None and told.text == "Save"


def test_what_lies_under_the_bar_is_clicked_and_the_demo_is_marked(
    desktop: PrivateDesktop, windows: WindowSource, tmp_path: Path
) -> None:
    # On a busy machine a program tells its elements late, and a place alone is not found where the window was moved.
    folders = (tmp_path / f"library{number}" for number in range(5))
    folder = next(one for one in folders if is_recorded_with_its_name(desktop, windows, one))

    settings = tmp_path / "app.json"
    settings.write_text(json.dumps({"ui": {"language": "en"}}), encoding="utf-8")
    command = [sys.executable, "-m", "demopack", "--library", str(folder)]
    app = subprocess.Popen(command, env={**desktop.environment(), "DEMOPACK_SETTINGS": str(settings)})
    try:
        until(lambda: active(windows) == "demopack", "the app", timeout_s=60)
        with Injector(desktop.name) as person, question(desktop) as asked:
            person.click(200, 54)
            until(lambda: active(windows) == "demopack", "the app again")
            person.key("ctrl+shift+d")
            xdotool(desktop, "search", "--name", TITLE, "windowmove", "850", "-70")
            person.move(300, 500)

            def starts() -> bool:
                # Until the page stands, the key means nothing; one too many would be a person who interferes.
                person.key("ctrl+enter")
                with contextlib.suppress(AssertionError):
                    until(lambda: active(windows) != "demopack", "the start", timeout_s=10)
                return active(windows) != "demopack"

            until(starts, "the start", timeout_s=60)
            bars: list[Rect] = []

            def bar_is_there() -> bool:
                bars.extend(one.box for one in windows.read().stack if one.title == BAR and one.box is not None)
                return bool(bars)

            until(bar_is_there, "the bar")
            assert bars[0].contains(save_button(windows)), "the test covers nothing"
            asked.process.wait(timeout=60)
            assert asked.process.returncode == 0, "“No” ends it with 1"
        until(lambda: active(windows) == "demopack", "the app with the result", timeout_s=60)

        def is_marked() -> bool:
            with Library.open(folder) as library:
                return library.demo(library.find("last")).head.proof is not None

        until(is_marked, "the mark")
    finally:
        end_process(app)
