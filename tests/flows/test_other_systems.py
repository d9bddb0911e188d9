"""What Windows and macOS get, held to the promises of ``recorder.backends.base`` with stand-ins for the systems alone.

Nobody has run demopack there. The listeners are pynput's own, with hooks that the test plays.
"""

from __future__ import annotations

import importlib.util
import logging
import queue
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

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
from tests.support.desktop_programs import until
from tests.support.leaks import traces
from tests.support.sources import HandScreen, HandWindows
from tests.support.studio import SETTINGS

SYSTEMS = ["win32", "darwin"]


def _pynput_util() -> Any:
    """pynput's module with the class of all listeners, without the back end that it would choose here."""
    found = importlib.util.find_spec("pynput")
    assert found is not None
    assert found.origin is not None
    place = Path(found.origin).parent / "_util" / "__init__.py"
    spec = importlib.util.spec_from_file_location("pynput_util_alone", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


AbstractListener: Any = _pynput_util().AbstractListener


class Hook(AbstractListener):  # type: ignore[misc]
    """A listener of pynput's whose system is the test."""

    IS_TRUSTED = True
    ENDS = False
    _HANDLED_EXCEPTIONS = ()
    _log = logging.getLogger("pynput stand-in")
    made: list[Hook]

    def __init__(self, **callbacks: Any) -> None:
        self._inbox: queue.SimpleQueue[tuple[str, tuple[Any, ...]] | None] = queue.SimpleQueue()
        super().__init__(suppress=False, **callbacks)
        type(self).made.append(self)

    def play(self, name: str, *arguments: Any) -> None:
        self._inbox.put((name, arguments))

    def _run(self) -> None:
        self._mark_ready()
        if not type(self).ENDS:
            while (played := self._inbox.get()) is not None:
                self._deliver(*played)

    def _stop_platform(self) -> None:
        self._inbox.put(None)

    @AbstractListener._emitter  # type: ignore[untyped-decorator]
    def _deliver(self, name: str, arguments: tuple[Any, ...]) -> None:
        getattr(self, name)(*arguments)


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Hook]]:
    Hook.made = []
    monkeypatch.setattr(Hook, "IS_TRUSTED", True)
    monkeypatch.setattr(Hook, "ENDS", False)
    for name in ("pynput.keyboard", "pynput.mouse"):
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(Listener=Hook))
    yield Hook.made
    for hook in Hook.made:
        if hook.ident is not None:
            threading.Thread.join(hook, 5)
    assert not any(hook.is_alive() for hook in Hook.made)


def key(char: str | None, *, vk: int | None = None) -> SimpleNamespace:
    return SimpleNamespace(char=char, vk=vk, is_dead=False)


def fails(_: InputEvent) -> None:
    raise RuntimeError("the session")


# Input ----------------------------------------------------------------------------------------------------------------


def test_a_missing_permission_is_said_although_the_second_hook_never_started(
    hooks: list[Hook], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hook, "IS_TRUSTED", False)
    source = PynputInput()
    with pytest.raises(CaptureError, match="Input Monitoring"):
        source.start(lambda _: None)
    source.stop()
    assert not any(hook.is_alive() for hook in hooks)


def test_stopping_twice_and_without_a_start_is_harmless(hooks: list[Hook]) -> None:
    PynputInput().stop()
    source = PynputInput()
    source.start(lambda _: None)
    assert source.error is None
    source.stop()
    source.stop()
    assert source.error is None, "somebody stopped it"
    assert not any(hook.is_alive() for hook in hooks)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_callback_that_fails_is_told_and_stopping_does_not_raise_it_again(hooks: list[Hook]) -> None:
    source = PynputInput()
    source.start(fails)
    hooks[0].play("on_move", 1, 2)
    until(lambda: source.error is not None, "the dead hook was not noticed")
    assert source.error is not None
    assert source.error.details == "RuntimeError: the session"
    source.stop()


@pytest.mark.parametrize("dead", [0, 1])
def test_a_hook_that_the_system_ends_is_told(hooks: list[Hook], dead: int) -> None:
    source = PynputInput()
    source.start(lambda _: None)
    hooks[dead]._stop_platform()
    until(lambda: source.error is not None, "the dead hook was not noticed")
    assert "can no longer be watched" in str(source.error)
    source.stop()


def test_hooks_that_end_at_once_as_without_input_monitoring_are_told(
    hooks: list[Hook], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hook, "ENDS", True)
    monkeypatch.setattr(sys, "platform", "darwin")
    source = PynputInput()
    source.start(lambda _: None)
    until(lambda: source.error is not None, "the dead hook was not noticed")
    assert "Input Monitoring" in str(source.error)
    source.stop()


def test_a_key_that_cannot_be_read_is_left_out_and_counted(hooks: list[Hook]) -> None:
    events: list[InputEvent] = []
    source = PynputInput()
    source.start(events.append)
    keyboard = hooks[1]
    keyboard.play("on_press", key("a"))
    keyboard.play("on_press", SimpleNamespace())  # neither a name nor a character
    keyboard.play("on_press", key("\ud83d"))  # the first half of an emoji
    keyboard.play("on_press", key("b"))
    until(lambda: len(events) == 3, "the hook has not survived")
    assert [(event.key, event.char) for event in events] == [("a", "a"), ("Dead", ""), ("b", "b")]
    assert (source.unreadable, source.error) == (1, None)
    source.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_hook_that_dies_ends_the_demo_with_its_steps(
    hooks: list[Hook], library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def session() -> RecordingSession:
        return RecordingSession(
            library, settings=SETTINGS, task="x", screen=HandScreen(), windows=HandWindows(), inputs=PynputInput()
        )

    first = session()
    steps: list[object] = []
    first.on_step = steps.append
    first.start()
    for name in ("on_press", "on_release"):
        hooks[1].play(name, SimpleNamespace(name="f5"))
    until(lambda: bool(steps), "no step")
    put, emitted = first._queue.put, threading.Event()

    def fails_once(event: InputEvent) -> None:
        if not emitted.is_set():
            emitted.set()
            raise RuntimeError("a fault")
        put(event)

    monkeypatch.setattr(first._sources.inputs, "_callback", fails_once)
    hooks[0].play("on_move", 3, 4)
    until(lambda: any("no longer be watched" in problem for problem in first.health), "not told")
    until(lambda: first.state == "stopped", "the recording goes on without input")
    demo = library.demo(first.demo_id)
    assert (demo.head.status, len(demo.steps)) == ("partial", 1)
    second = session()
    second.start()
    second.stop()
    assert library.demo(second.demo_id).head.status == "complete"


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
    before = time.monotonic_ns()
    screen = open_screen(area=CaptureArea.parse(area))
    grab = screen.grab()
    assert isinstance(screen, MssScreen)
    assert grab.desktop_box == box
    assert grab.image.shape == (box.height, box.width, 3)
    there = grab.space.to_pixel(-5, 20)
    assert grab.image[there.y, there.x].tolist() == [3, 0, 1], "red, green, blue"
    assert before <= grab.started_ns <= grab.ended_ns <= time.monotonic_ns()
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
    system: str, hooks: list[Hook]
) -> None:
    assert open_windows().read() == DesktopWindows()
    assert not open_access().available
    assert open_clipboard() is None
    assert isinstance(open_input(), PynputInput)


@pytest.mark.parametrize("hold", [False, True])
def test_a_person_is_told_that_passwords_are_not_recognised_and_may_have_text_held_back(
    system: str, hooks: list[Hook], library: Library, monkeypatch: pytest.MonkeyPatch, hold: bool
) -> None:
    settings = SETTINGS.model_copy(update={"privacy": PrivacySettings(hold_unknown=hold)})
    monkeypatch.setattr("recorder.backends.pynput_input.nudge", lambda: hooks[0].play("on_move", 5, 5))
    told = {result.name: result for result in run_selftest(library=library.folder, settings=settings)}
    assert [name for name, result in told.items() if not result.ok] == ["pictures", "accessibility"]
    assert not told["accessibility"].needed
    assert ("held back" if hold else "stored, passwords too") in told["accessibility"].hint
    hooks.clear()
    session = RecordingSession(library, settings=settings, task="x")
    session.start()
    until(lambda: session.health == [ABSENT_HELD if hold else ABSENT_STORED], "not told")
    for char in "Zq7wX":
        hooks[1].play("on_press", key(char))
        hooks[1].play("on_release", key(char))
    until(lambda: session.counters.events_seen == 10, "not heard")
    session.stop()
    step = library.demo(session.demo_id).steps[0]
    assert step.action.parameters == {"text_to_type": "<secret:text>" if hold else "Zq7wX"}
    assert bool(traces(library.folder, "Zq7wX")) is not hold


def test_a_check_that_breaks_is_named_and_costs_only_itself(
    system: str, hooks: list[Hook], library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("no such call")

    monkeypatch.setattr("recorder.backends.pynput_input.nudge", broken)
    found = {result.name: result for result in run_selftest(library=library.folder, settings=SETTINGS)}
    assert (found["input"].ok, found["input"].needed) == (False, True)
    assert "RuntimeError: no such call" in found["input"].words
    assert found["library"].ok
