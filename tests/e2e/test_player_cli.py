"""``demopack replay`` as a person and a script run it, judged by the window's own state."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from demopack.pack import export_pack
from demopack.store import Library
from player.backends.x11 import X11Performer
from recorder.backends.mss_screen import MssScreen
from recorder.desktop.private_display import PrivateDisplay
from tests.support.tape import Tape, TruthFinder
from tests.support.target_window import TargetWindow

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def display() -> Iterator[PrivateDisplay]:
    with PrivateDisplay() as screen:
        yield screen


@pytest.fixture(scope="module")
def library(display: PrivateDisplay, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with one demo: a name is typed, a button is clicked."""
    folder = tmp_path_factory.mktemp("replay") / "library"

    def act(tape: Tape, window: TargetWindow) -> None:
        tape.click(window.center("field"))
        tape.type("Zoë 中")
        tape.click(window.center("button"))
        tape.scroll(window.center("list"), scroll_direction="down", scroll_steps=2)

    recorded(folder, display, act)
    return folder


def recorded(folder: Path, display: PrivateDisplay, act: Callable[[Tape, TargetWindow], None]) -> None:
    """Make a library with one demo of the target window."""
    screen = MssScreen(display=display.name)
    with (
        Library.open(folder) as opened,
        TargetWindow(display) as window,
        X11Performer(display.name) as performer,
    ):
        tape = Tape(screen, performer, finder=TruthFinder(window))
        act(tape, window)
        demo = tape.demo()
        for frame in demo.frames():
            opened.put_image(tape.images.get_image(frame.id))
        opened.add_demo(demo)
    screen.close()


def replay(
    *arguments: str, display: PrivateDisplay | None, settings: Path, timeout_s: float = 60
) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(settings.parent), "DEMOPACK_SETTINGS": str(settings)}
    if display is not None:
        environment["DISPLAY"] = display.name
    return subprocess.run(
        [sys.executable, "-m", "demopack", "replay", *arguments],
        env=environment,
        cwd=Path(__file__).parents[2],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout_s,
        check=False,
    )


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "settings.json"
    file.write_text('{"player": {"settle_timeout_s": 1.0, "pause_s": 0}}', encoding="utf-8")
    return file


def test_a_demo_from_the_library_is_performed(display: PrivateDisplay, library: Path, settings: Path) -> None:
    with TargetWindow(display) as window:
        done = replay("last", "--yes", "--library", str(library), display=display, settings=settings)
        assert done.returncode == 0, done.stdout + done.stderr
        window.wait_for(lambda s: (s["field"], s["clicks"], s["scroll"]) == ("Zoë 中", 1, 6))
    assert "5 of 5 steps performed" in done.stdout
    assert "Typed “Zoë 中”" in done.stdout
    assert "(found as the recorded element, at " in done.stdout
    assert "track_id" not in done.stdout


def test_a_pack_is_performed_and_reported_as_json(
    display: PrivateDisplay, library: Path, settings: Path, tmp_path: Path
) -> None:
    with Library.open(library) as opened:
        export_pack(opened, [opened.find("last")], tmp_path / "pack")
    with TargetWindow(display) as window:
        done = replay(str(tmp_path / "pack"), "--yes", "--json", display=display, settings=settings)
        assert done.returncode == 0, done.stdout + done.stderr
        window.wait_for(lambda s: (s["field"], s["clicks"], s["scroll"]) == ("Zoë 中", 1, 6))
    report = json.loads(done.stdout)
    assert report["success"] is True
    assert report["matched"] == 1.0
    assert [step["strategy"] for step in report["steps"]] == ["track_id", None, "track_id", "track_id", None]


def test_a_dry_run_needs_no_screen(library: Path, settings: Path) -> None:
    done = replay("last", "--dry-run", "--json", "--library", str(library), display=None, settings=settings)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["dry_run"] is True


def test_another_screen_ends_with_exit_1_and_a_clear_report(
    display: PrivateDisplay, library: Path, settings: Path
) -> None:
    settings.write_text('{"player": {"settle_timeout_s": 0.5}, "vision": {"ocr": true}}', encoding="utf-8")
    done = replay("last", "--yes", "--library", str(library), display=display, settings=settings, timeout_s=120)
    assert done.returncode == 1
    assert "nothing was clicked" in done.stdout
    assert "0 of 5 steps performed" in done.stdout


def test_a_wrong_outcome_ends_with_exit_1_and_names_the_first_difference(
    display: PrivateDisplay, settings: Path, tmp_path: Path
) -> None:
    nothing_reads = '"vision": {"detector": "", "describer": "", "icons": "", "ocr": false}'
    settings.write_text(f'{{"player": {{"settle_timeout_s": 1.0, "pause_s": 0}}, {nothing_reads}}}', encoding="utf-8")
    at = ("--library", str(tmp_path / "library"))
    recorded(tmp_path / "library", display, lambda tape, _: tape.type("Zoë 中"))
    with TargetWindow(display, most=2) as window:
        done = replay("last", "--yes", *at, display=display, settings=settings)
        window.wait_for(lambda s: s["field"] == "Zo")
    assert done.returncode == 1, done.stdout
    assert "2 of 2 steps performed" in done.stdout
    assert "First difference: step 1 (Typed “Zoë 中”): " in done.stdout


def test_without_a_terminal_it_asks_for_yes(library: Path, settings: Path) -> None:
    done = replay("last", "--library", str(library), display=None, settings=settings)
    assert done.returncode == 2
    assert "--yes" in done.stderr


def test_without_a_screen_it_says_so(library: Path, settings: Path) -> None:
    done = replay("last", "--yes", "--library", str(library), display=None, settings=settings)
    assert done.returncode == 1
    assert "DISPLAY" in done.stderr
    assert "Traceback" not in done.stderr


def test_sigterm_stops_it_and_leaves_no_key_down(display: PrivateDisplay, library: Path, tmp_path: Path) -> None:
    slow = tmp_path / "settings.json"
    slow.write_text('{"player": {"typing_interval_ms": 400}}', encoding="utf-8")
    environment = {**display.environment(), "DEMOPACK_SETTINGS": str(slow)}
    with TargetWindow(display) as window, X11Performer(display.name) as watcher:
        process = subprocess.Popen(
            [sys.executable, "-m", "demopack", "replay", "last", "--yes", "--json", "--library", str(library)],
            env=environment,
            cwd=Path(__file__).parents[2],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        window.wait_for(lambda s: len(s["field"]) >= 2, timeout_s=30)
        process.terminate()
        said, _ = process.communicate(timeout=30)
        assert watcher.foreign_keys() == frozenset()
    assert process.returncode == 1
    report = json.loads(said)
    assert report["stopped"].startswith("It was stopped")
    assert report["steps"][-1]["performed"] is False
