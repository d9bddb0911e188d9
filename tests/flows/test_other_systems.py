"""What Windows and macOS get, held to the promises of ``recorder.backends.base`` with stand-ins for the systems alone.

Nobody has run demopack there. pynput's own back ends are what runs, upon systems that the test plays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.errors import CaptureError
from demopack.settings import PrivacySettings
from demopack.store import Library
from recorder.area import CaptureArea
from recorder.backends import open_access, open_clipboard, open_input, open_screen, open_windows
from recorder.backends.base import DesktopWindows
from recorder.backends.mss_screen import MssScreen
from recorder.backends.pynput_input import PynputInput
from recorder.privacy.text_hold import ABSENT_HELD, ABSENT_STORED
from recorder.selftest import run_selftest
from recorder.session import RecordingSession
from tests.support import darwin_system, win32_system
from tests.support.desktop_programs import until
from tests.support.leaks import traces
from tests.support.sources import HandScreen, HandWindows
from tests.support.studio import SETTINGS

SYSTEMS = ["win32", "darwin"]
INSTALL: dict[str, Callable[..., Any]] = {"win32": win32_system.install, "darwin": darwin_system.install}


# Input ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("platform", SYSTEMS)
def test_a_fault_of_ours_in_a_hook_ends_the_demo_with_its_steps_and_frees_the_library(
    platform: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = INSTALL[platform](monkeypatch)

    def session() -> RecordingSession:
        return RecordingSession(
            library, settings=SETTINGS, task="x", screen=HandScreen(), windows=HandWindows(), inputs=PynputInput()
        )

    first = session()
    steps: list[object] = []
    first.on_step = steps.append
    first.start()
    desk.wait_for_hooks()
    desk.keys("F5")
    until(lambda: bool(steps), "no step")

    def fails(_: InputEvent) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(first._sources.inputs, "_callback", fails)
    desk.move(3, 4)
    until(lambda: any("no longer be watched" in problem for problem in first.health), "not told")
    until(lambda: first.state == "stopped", "the recording goes on without input")
    first._thread.join()
    assert first.error is not None
    assert first.error.details == "RuntimeError: a fault"
    demo = library.demo(first.demo_id)
    assert (demo.head.status, len(demo.steps)) == ("partial", 1)
    second = session()
    second.start()
    second.stop()
    assert library.demo(second.demo_id).head.status == "complete"


def test_a_recording_ends_with_its_steps_although_stopping_and_telling_fail(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = INSTALL["win32"](monkeypatch)
    inputs = PynputInput()
    session = RecordingSession(
        library, settings=SETTINGS, task="x", screen=HandScreen(), windows=HandWindows(), inputs=inputs
    )
    session.start()
    desk.wait_for_hooks()
    desk.keys("F5")
    stop = inputs.stop

    def broken_stop() -> None:
        stop()
        raise RuntimeError("no such thread")

    def broken_news(state: str) -> None:
        raise RuntimeError(state)

    monkeypatch.setattr(inputs, "stop", broken_stop)
    session.on_state = broken_news
    session.stop()
    demo = library.demo(session.demo_id)
    assert (demo.head.status, len(demo.steps)) == ("partial", 1)
    session = RecordingSession(
        library, settings=SETTINGS, task="x", screen=HandScreen(), windows=HandWindows(), inputs=PynputInput()
    )
    session.start()
    session.stop()
    assert library.demo(session.demo_id).head.status == "complete"


# Screen ---------------------------------------------------------------------------------------------------------------


class Mss:
    """mss on a desktop of two monitors, one of them left of the other; ``broken`` refuses so many grabs.

    A picture has ``scale`` pixels a unit in each direction; ``mark`` is white, a box of the desktop.
    """

    monitors: ClassVar = [
        {"left": -40, "top": 0, "width": 100, "height": 50},
        {"left": 0, "top": 0, "width": 60, "height": 50, "is_primary": True, "name": "built in"},
        {"left": -40, "top": 10, "width": 40, "height": 30, "is_primary": False, "name": "other"},
    ]
    mark = Rect(0, 0, 0, 0)
    scale = 1
    broken = 0
    opened, closed = 0, 0

    def __init__(self) -> None:
        type(self).opened += 1

    def grab(self, box: dict[str, int]) -> SimpleNamespace:
        import mss

        if type(self).broken:
            type(self).broken -= 1
            raise mss.ScreenShotError("locked")
        units = np.zeros((box["height"], box["width"], 4), np.uint8)
        units[:, :, 0], units[:, :, 2] = 1, 3  # blue, red
        mark = self.mark.moved(-box["left"], -box["top"])
        units[mark.y1 : mark.y2, mark.x1 : mark.x2] = 255
        pixels = units.repeat(self.scale, axis=0).repeat(self.scale, axis=1)
        return SimpleNamespace(raw=bytearray(pixels.tobytes()), width=pixels.shape[1], height=pixels.shape[0])

    def close(self) -> None:
        type(self).closed += 1


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    import mss

    name: str = request.param
    monkeypatch.setattr(sys, "platform", name)
    monkeypatch.setattr(mss, "MSS", Mss)
    monkeypatch.setattr(Mss, "scale", 1)
    monkeypatch.setattr(Mss, "broken", 0)
    monkeypatch.setattr(Mss, "opened", 0)
    monkeypatch.setattr(Mss, "closed", 0)
    return name


@pytest.mark.parametrize(
    ("area", "box"),
    [
        ("all", Rect(-40, 0, 60, 50)),
        ("monitor:other", Rect(-40, 10, 0, 40)),
        ("region:-10,5,30x20", Rect(-10, 5, 20, 25)),
    ],
)
def test_a_picture_of_a_part_of_the_desktop(system: str, area: str, box: Rect) -> None:
    before = now_ns()
    screen = open_screen(area=CaptureArea.parse(area))
    grab = screen.grab()
    assert isinstance(screen, MssScreen)
    assert grab.desktop_box == box
    assert grab.image.shape == (box.height, box.width, 3)
    there = grab.space.to_pixel(-5, 20)
    assert grab.image[there.y, there.x].tolist() == [3, 0, 1], "red, green, blue"
    assert before <= grab.started_ns <= grab.ended_ns <= now_ns()
    assert [monitor.name for monitor in grab.monitors if monitor.primary] in ([], ["built in"])
    screen.close()
    screen.close()
    assert (Mss.opened, Mss.closed) == (1, 1)
    with pytest.raises(CaptureError):
        screen.grab()


@pytest.mark.parametrize("area", ["all", "monitor:built in", "region:-10,5,30x20"])
def test_a_picture_with_twice_the_pixels_says_so_and_shows_everything_in_its_place(
    system: str, monkeypatch: pytest.MonkeyPatch, area: str
) -> None:
    monkeypatch.setattr(Mss, "scale", 2)
    monkeypatch.setattr(Mss, "mark", Rect(5, 12, 6, 14))
    screen = open_screen(area=CaptureArea.parse(area))
    grab = screen.grab()
    assert (grab.space.pixels_per_unit, grab.scale_factor) == (2, 2)
    assert grab.image.shape == (2 * grab.desktop_box.height, 2 * grab.desktop_box.width, 3)
    ys, xs = (grab.image == 255).all(axis=2).nonzero()
    shown = Rect(int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1)
    assert shown == grab.space.to_pixels(Mss.mark)
    assert {grab.space.to_desktop(Point(x, y)) for x, y in zip(xs, ys, strict=True)} == {Point(5, 12), Point(5, 13)}
    assert next(monitor.box for monitor in grab.monitors if monitor.primary) == Rect(0, 0, 60, 50), "units, not pixels"
    screen.close()


def test_a_screen_that_is_locked_for_a_moment_and_one_that_stays_locked(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = open_screen()
    monkeypatch.setattr(Mss, "broken", 1)
    assert screen.grab().image.shape == (50, 100, 3)
    monkeypatch.setattr(Mss, "broken", 2)
    with pytest.raises(CaptureError, match="cannot be read"):
        screen.grab()
    assert screen.grab().image.shape == (50, 100, 3), "it came back"
    assert screen.changed_ns() is screen.fileno() is None
    screen.close()


def test_what_cannot_be_captured_is_refused_in_words(system: str) -> None:
    for area in ("window:Letter", "monitor:third", "region:500,500,10x10"):
        with pytest.raises(CaptureError) as refused:
            open_screen(area=CaptureArea.parse(area))
        assert refused.value.hint


# What is not known ----------------------------------------------------------------------------------------------------


def test_without_the_systems_own_libraries_windows_and_programs_are_unknown_and_nothing_is_invented(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    INSTALL[system](monkeypatch)
    assert open_windows().read() == DesktopWindows()
    assert not open_access().available
    assert open_clipboard() is None
    assert isinstance(open_input(), PynputInput)


@pytest.mark.parametrize("hold", [False, True])
def test_a_person_is_told_that_passwords_are_not_recognised_and_may_have_text_held_back(
    system: str, library: Library, monkeypatch: pytest.MonkeyPatch, hold: bool
) -> None:
    settings = SETTINGS.model_copy(update={"privacy": PrivacySettings(hold_unknown=hold)})
    desk = INSTALL[system](monkeypatch)
    told = {result.name: result for result in run_selftest(library=library.folder, settings=settings)}
    assert [name for name, result in told.items() if not result.ok] == ["pictures", "accessibility"]
    assert not told["accessibility"].needed
    assert ("held back" if hold else "stored, passwords too") in told["accessibility"].hint
    session = RecordingSession(library, settings=settings, task="x")
    session.start()
    desk.wait_for_hooks()
    until(lambda: session.health == [ABSENT_HELD if hold else ABSENT_STORED], "not told")
    desk.keys("Shift+z q 7 w Shift+x")
    until(lambda: session.counters.events_seen == 14, "not heard")
    session.stop()
    step = library.demo(session.demo_id).steps[0]
    assert step.action.parameters == {"text_to_type": "<secret:text>" if hold else "Zq7wX"}
    assert bool(traces(library.folder, "Zq7wX")) is not hold


def test_a_check_that_breaks_is_named_and_costs_only_itself(
    system: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    INSTALL[system](monkeypatch)

    def broken() -> None:
        raise RuntimeError("no such call")

    monkeypatch.setattr("recorder.backends.pynput_input.nudge", broken)
    found = {result.name: result for result in run_selftest(library=library.folder, settings=SETTINGS)}
    assert (found["input"].ok, found["input"].needed) == (False, True)
    assert "RuntimeError: no such call" in found["input"].words
    assert found["library"].ok
