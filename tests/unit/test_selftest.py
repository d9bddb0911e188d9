"""The self-test calls nothing good that it did not receive."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from demopack.domain.screenshots import Screenshot
from demopack.errors import CaptureError
from demopack.reduction.gestures import OsTimings
from demopack.settings import HotkeySettings, PrivacySettings, RecorderSettings
from recorder import selftest
from recorder.selftest import MARKER_COLOURS, CheckResult, run_selftest

SPOT = Rect(40, 30, 54, 44)


class Screen:
    """A desktop that shows the probe's spot, at ``shift`` pixels from where it was put."""

    def __init__(self, *, shift: int = 0, blind: bool = False) -> None:
        self.shift = shift
        self.blind = blind
        self.colour: tuple[int, int, int] | None = None

    def grab(self) -> Screenshot:
        image = np.zeros((120, 160, 3), np.uint8)
        if self.colour is not None and not self.blind:
            left = SPOT.x1 + self.shift
            image[SPOT.y1 : SPOT.y2, left : left + SPOT.width] = self.colour
        now = time.monotonic_ns()
        return Screenshot(image=image, started_ns=now, ended_ns=now)

    def close(self) -> None:
        pass


class Probe:
    """A hand that is felt only where ``felt`` says so."""

    screen: Screen
    felt: Callable[[], None]

    def __init__(self, **_: Any) -> None:
        pass

    def nudge(self) -> bool:
        type(self).felt()
        return True

    def show(self, colour: tuple[int, int, int]) -> Rect:
        type(self).screen.colour = colour
        return SPOT

    def close(self) -> None:
        pass


class Inputs:
    """Delivers a move as soon as the probe has nudged."""

    def __init__(self, *, deaf: bool = False) -> None:
        self.deaf = deaf
        self.stopped = False

    def start(self, callback: Callable[[InputEvent], None]) -> None:
        def felt() -> None:
            if not self.deaf:
                callback(InputEvent(t_ns=1, kind="move", x=3, y=4))

        Probe.felt = staticmethod(felt)

    def stop(self) -> None:
        self.stopped = True

    def timings(self) -> OsTimings:
        return OsTimings()


class Access:
    """An accessibility bus that answers or not."""

    def __init__(self, *, available: bool, asked_before_it_begins: int = 0) -> None:
        self._answers = available
        self._asked_before_it_begins = asked_before_it_begins
        self.stopped = False

    @property
    def has_begun(self) -> bool:
        self._asked_before_it_begins -= 1
        return self._asked_before_it_begins < 0

    @property
    def available(self) -> bool:
        return self._answers and self._asked_before_it_begins < 0

    def telling(self, *, timeout_s: float) -> frozenset[int]:  # noqa: ARG002 - the port's form
        return frozenset()

    def start(self) -> None:
        pass

    def stop(self) -> None:
        self.stopped = True


class Keys:
    """A grab that finds these keys held by somebody else."""

    def __init__(self, taken: list[str]) -> None:
        self.taken = taken

    def close(self) -> None:
        pass


class Machine:
    """What the self-test finds, for a test to spoil."""

    def __init__(self) -> None:
        self.screen = Screen()
        self.inputs = Inputs()
        self.access = Access(available=True)
        self.taken: list[str] = []


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    made = Machine()
    monkeypatch.setattr(selftest, "open_input", lambda _: made.inputs)
    monkeypatch.setattr(selftest, "open_screen", lambda _: made.screen)
    monkeypatch.setattr(selftest, "open_access", lambda _: made.access)
    monkeypatch.setattr(selftest, "KeyGrab", lambda *_: Keys(made.taken))
    monkeypatch.setattr("recorder.backends.x11.probe.X11Probe", Probe)
    monkeypatch.setattr(selftest, "has_x11", lambda: True)
    for wait in ("selftest._ARRIVES_S", "selftest._SHOWN_S"):
        monkeypatch.setattr(f"recorder.{wait}", 0.05)
    yield made
    assert made.inputs.stopped


def run(machine: Machine, folder: Path, **settings: Any) -> dict[str, CheckResult]:
    Probe.screen = machine.screen
    told: list[CheckResult] = []
    results = run_selftest(library=folder, settings=RecorderSettings(**settings), on_result=told.append)
    assert told == results
    return {result.name: result for result in results}


def test_everything_works(machine: Machine, tmp_path: Path) -> None:
    results = run(machine, tmp_path / "not" / "yet")
    assert list(results) == ["input", "pictures", "accessibility", "disk", "hotkeys", "library"]
    assert [result.words for result in results.values() if not result.ok] == []
    assert results["pictures"].words.startswith("A change was seen in its place; 160 x 120 pixels")
    assert machine.screen.colour == MARKER_COLOURS[1]
    assert machine.access.stopped
    assert not (tmp_path / "not").exists()


def test_a_bus_that_is_found_late_is_waited_for(machine: Machine, tmp_path: Path) -> None:
    machine.access = Access(available=True, asked_before_it_begins=25)  # a quarter more than half a second
    result = run(machine, tmp_path)["accessibility"]
    assert (result.ok, result.words) == (True, "Programs can be asked about their fields.")


def test_a_browser_that_tells_nothing_is_named_with_the_way_out(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selftest, "silent_browsers", lambda _, **__: ["chromium", "/opt/tool/tool"])
    result = run(machine, tmp_path)["accessibility"]
    assert result.ok
    assert result.words == "Programs can be asked, but Chromium, tool tells nothing, passwords included."
    assert "`demopack launch chromium`" in result.hint


def test_input_that_does_not_arrive_is_not_green(machine: Machine, tmp_path: Path) -> None:
    machine.inputs.deaf = True
    result = run(machine, tmp_path)["input"]
    assert (result.ok, result.needed) == (False, True)
    assert result.words == "The pointer was moved, but nothing arrived."
    assert result.hint


@pytest.mark.parametrize("screen", [Screen(blind=True), Screen(shift=2)], ids=["frozen", "shifted"])
def test_a_change_must_be_seen_in_its_place(machine: Machine, tmp_path: Path, screen: Screen) -> None:
    machine.screen = screen
    result = run(machine, tmp_path)["pictures"]
    assert (result.ok, result.needed) == (False, True)
    assert "do not show it in its place" in result.words


def test_a_missing_accessibility_costs_only_itself(machine: Machine, tmp_path: Path) -> None:
    machine.access = Access(available=False)
    result = run(machine, tmp_path)["accessibility"]
    assert (result.ok, result.needed) == (False, False)
    assert "passwords cannot be recognised" in result.words
    assert machine.access.stopped


def test_accessibility_that_is_switched_off_is_not_green(machine: Machine, tmp_path: Path) -> None:
    result = run(machine, tmp_path, privacy=PrivacySettings(accessibility=False))["accessibility"]
    assert (result.ok, result.needed) == (False, False)


def test_keys_of_other_programs_are_named(machine: Machine, tmp_path: Path) -> None:
    machine.taken = ["F9", "F11"]
    result = run(machine, tmp_path)["hotkeys"]
    assert (result.ok, result.needed) == (False, False)
    assert result.words == "F9, F11 are held by another program."


def test_keys_that_clash_are_named(machine: Machine, tmp_path: Path) -> None:
    result = run(machine, tmp_path, hotkeys=HotkeySettings(note="F8"))["hotkeys"]
    assert not result.ok
    assert "F8 is chosen twice" in result.words


def test_a_full_disk_and_a_low_one(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 100_000_000

    monkeypatch.setattr(selftest.shutil, "disk_usage", lambda _: Usage)
    full = run(machine, tmp_path)["disk"]
    assert (full.ok, full.words) == (False, "The disk of the library is nearly full: 100 MB free.")
    Usage.free = 600_000_000
    low = run(machine, tmp_path)["disk"]
    assert low.ok
    assert "0.6 GiB free" in low.words


def test_an_error_of_a_backend_is_a_result(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise CaptureError("This is a Wayland session.", hint="Choose Xorg.")

    monkeypatch.setattr(selftest, "open_screen", refuse)
    result = run(machine, tmp_path)["pictures"]
    assert (result.ok, result.words, result.hint) == (False, "This is a Wayland session.", "Choose Xorg.")


def test_a_library_that_cannot_be_written(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(selftest.tempfile, "NamedTemporaryFile", refuse)
    result = run(machine, tmp_path)["library"]
    assert (result.ok, result.needed) == (False, True)
    assert "Permission denied" in result.words


def test_elsewhere_a_picture_of_one_colour_is_none(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selftest, "has_x11", lambda: False)
    monkeypatch.setattr("recorder.backends.pynput_input.nudge", lambda: Probe.felt())
    results = run(machine, tmp_path)
    assert results["input"].ok
    assert results["pictures"].words == "The pictures of the screen are empty."
    machine.screen.colour = MARKER_COLOURS[0]
    assert run(machine, tmp_path)["pictures"].ok
