"""Demos performed again in a real window, judged by the window's own state."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from demopack.domain.demos import Demo
from demopack.domain.geometry import Point
from demopack.domain.steps import Step
from demopack.jobs import CancelToken, JobControl
from demopack.settings import PlayerSettings
from player.backends.x11 import X11Performer
from player.replay import Replay
from player.report import ReplayReport
from recorder.backends.base import ScreenSource
from recorder.backends.mss_screen import MssScreen
from recorder.backends.x11.input import X11Input
from recorder.backends.x11.screen import X11Screen
from recorder.desktop.private_display import PrivateDisplay
from tests.support.desktops import DPI, two_monitors
from tests.support.tape import FAST, Tape, TruthFinder
from tests.support.target_window import State, TargetWindow

pytestmark = pytest.mark.e2e


class Stage:
    """A display with the means to see it and to act on it."""

    def __init__(self, display: PrivateDisplay, screen: ScreenSource) -> None:
        self.display = display
        self.screen = screen

    def tape(self, act: Callable[[Tape, TargetWindow], None], *, elements: bool) -> tuple[Demo, Tape, State]:
        with TargetWindow(self.display) as window, X11Performer(self.display.name) as performer:
            tape = Tape(self.screen, performer, finder=TruthFinder(window) if elements else None)
            act(tape, window)
            return tape.demo(), tape, window.state

    def replay(
        self, demo: Demo, tape: Tape, window: TargetWindow, *, settings: PlayerSettings = FAST, **how: Any
    ) -> ReplayReport:
        with X11Performer(self.display.name) as performer:
            replay = Replay(
                demo,
                tape.images,
                finder=TruthFinder(window),
                screen=self.screen,
                performer=performer,
                settings=settings,
                inputs=how.pop("inputs", None),
            )
            report = replay.run(**how)
            with X11Performer(self.display.name) as watcher:
                assert not watcher.foreign_keys() | watcher.foreign_buttons()
        return report


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with PrivateDisplay() as display:
        screen = MssScreen(display=display.name)
        yield Stage(display, screen)
        screen.close()


@pytest.fixture
def scaled_stage() -> Iterator[Stage]:
    """Two monitors on which programs draw twice as large, unless the environment names a desktop."""
    with PrivateDisplay(width=2560, height=1800, dpi=DPI or 192) as display:
        if DPI is None:
            two_monitors(display)
        screen = X11Screen(display=display.name)
        yield Stage(display, screen)
        screen.close()


def check_mark(window: TargetWindow) -> Point:
    # Only the mark and the label toggle a check box, not the rest of its row.
    box = window.place("box")
    return Point(box.x1 + 9, box.center.y)


def everything(tape: Tape, window: TargetWindow) -> None:
    tape.click(window.center("field"))
    tape.type("Ada ß é中😀")
    tape.press("Tab")
    tape.type("one\ntwo, 2 § 3")
    tape.press("Ctrl+A")
    tape.press("Ctrl+C")
    tape.press("ArrowRight")
    tape.press("Ctrl+V")
    tape.click(check_mark(window))
    tape.click(window.center("button"))
    tape.click(window.center("button"))
    tape.click(window.center("pad"), click_type="double")
    tape.click(window.center("pad"), click_type="right", modifiers=["ctrl", "shift"])
    slider = window.place("slider")
    tape.drag(Point(slider.x1 + 6, slider.center.y), Point(slider.center.x + 30, slider.center.y))
    rows = window.center("list")
    tape.scroll(rows, scroll_direction="down", scroll_steps=5)
    tape.scroll(rows, scroll_direction="up", scroll_steps=1)
    tape.click(rows)


OUTCOME = ("field", "area", "clicks", "agreed", "pad", "level", "scroll", "selected", "keys")


def outcome(state: State) -> State:
    return {name: state[name] for name in OUTCOME}


@pytest.mark.parametrize("elements", [True, False], ids=["elements", "points only"])
def test_a_demo_ends_as_it_was_recorded(stage: Stage, *, elements: bool) -> None:
    demo, tape, wanted = stage.tape(everything, elements=elements)
    assert wanted["area"] == "one\ntwo, 2 § 3" * 2  # the recording itself did what it should
    assert wanted["clicks"] == 2
    assert wanted["level"] > 40
    assert wanted["agreed"]
    assert wanted["pad"][:3] == ["press+left", "release+left", "double+left"]
    with TargetWindow(stage.display) as window:
        report = stage.replay(demo, tape, window)
        assert report.success, report.stopped
        assert report.matched == 1.0
        assert outcome(window.wait_for(lambda s: outcome(s) == outcome(wanted))) == outcome(wanted)
    assert {step.strategy for step in report.steps} == {"track_id" if elements else "bbox", None}


def some(tape: Tape, window: TargetWindow) -> None:
    tape.click(window.center("area"))
    tape.type("é\n中")
    tape.click(check_mark(window))
    slider = window.place("slider")
    tape.drag(Point(slider.x1 + 6, slider.center.y), Point(slider.center.x + 30, slider.center.y))
    tape.scroll(window.center("list"), scroll_direction="down", scroll_steps=2)
    tape.click(window.center("button"))


def test_a_window_elsewhere_is_found_by_its_elements(scaled_stage: Stage) -> None:
    demo, tape, wanted = scaled_stage.tape(some, elements=True)
    with TargetWindow(scaled_stage.display, at=(330, 50)) as window:
        report = scaled_stage.replay(demo, tape, window)
        assert report.success, report.stopped or [(s.action, s.matched_after, s.effect) for s in report.steps]
        window.wait_for(lambda s: outcome(s) == outcome(wanted))
    assert report.matched == 1.0  # judged by what each step changed, wherever that is now
    assert report.steps[0].differing


def test_a_missing_target_stops_it_before_anything_is_clicked(stage: Stage) -> None:
    def act(tape: Tape, window: TargetWindow) -> None:
        tape.click(check_mark(window))
        tape.click(window.center("button"))

    demo, tape, _ = stage.tape(act, elements=True)
    settings = FAST.model_copy(update={"settle_timeout_s": 1.0})
    with TargetWindow(stage.display, at=(330, 50), label="Delete all") as window:
        report = stage.replay(demo, tape, window, settings=settings)
        state = window.wait_for(lambda s: s["agreed"])
    assert not report.success
    assert [step.performed for step in report.steps] == [True, False]
    assert "“Submit” was not found; nothing was clicked" in report.stopped
    assert "another element" not in report.steps[1].error
    assert "no element reads “Submit”" in report.steps[1].error
    assert state["clicks"] == 0


def test_a_dry_run_performs_nothing(stage: Stage) -> None:
    demo, tape, _ = stage.tape(some, elements=True)
    with TargetWindow(stage.display) as window:
        before = window.state
        report = stage.replay(demo, tape, window, dry_run=True)
        assert window.state == before
    assert report.success
    assert report.dry_run
    assert len(report.steps) == len(demo.steps)
    assert report.steps[0].share_before is not None  # the first step was looked for on the live screen


def long_text(tape: Tape, window: TargetWindow) -> None:
    tape.click(window.center("area"))
    tape.type("x" * 3000)


def stuck_drag(tape: Tape, window: TargetWindow) -> None:
    pad = window.place("pad")
    tape.drag(Point(pad.x1 + 10, pad.y1 + 10), Point(pad.x2 - 10, pad.y2 - 10), modifiers=["ctrl"])


def to_corner(person: X11Performer) -> None:
    person.move(1279, 0)


def by_hotkey(person: X11Performer) -> None:
    for key in ("Ctrl", "Alt", "Escape"):
        person.key_down(key)
    for key in ("Escape", "Alt", "Ctrl"):
        person.key_up(key)


ABORTS = [
    pytest.param(long_text, lambda s: len(s["area"]) > 20, to_corner, "corner", id="typing, corner"),
    pytest.param(long_text, lambda s: len(s["area"]) > 20, by_hotkey, "Ctrl+Alt+Escape", id="typing, hot-key"),
    pytest.param(stuck_drag, lambda s: s["pad"] == ["ctrl+press+left"], to_corner, "corner", id="drag, corner"),
    pytest.param(stuck_drag, lambda s: s["pad"], by_hotkey, "Ctrl+Alt+Escape", id="drag, hot-key"),
]


@pytest.mark.parametrize(("act", "ready", "abort", "reason"), ABORTS)
def test_a_person_stops_it_in_the_middle_of_a_step(
    stage: Stage,
    act: Callable[[Tape, TargetWindow], None],
    ready: Callable[[State], bool],
    abort: Callable[[X11Performer], None],
    reason: str,
) -> None:
    demo, tape, _ = stage.tape(act, elements=False)
    slow = FAST.model_copy(update={"typing_interval_ms": 4, "pointer_px_s": 400})
    reports: list[ReplayReport] = []
    with TargetWindow(stage.display) as window, X11Performer(stage.display.name) as person:
        person.move(700, 400)

        def play() -> None:
            inputs = X11Input(display=stage.display.name)
            reports.append(stage.replay(demo, tape, window, settings=slow, inputs=inputs))

        player = threading.Thread(target=play)
        player.start()
        window.wait_for(ready)
        abort(person)
        player.join(timeout=20)
        assert not player.is_alive()
        assert person.foreign_keys() == frozenset()
        assert person.foreign_buttons() == frozenset()
        assert len(window.state["area"]) < 3000
    (report,) = reports
    assert not report.success
    assert reason in report.stopped
    assert not report.steps[-1].performed


def test_the_app_can_cancel_it(stage: Stage) -> None:
    demo, tape, _ = stage.tape(long_text, elements=False)
    token = CancelToken()
    token.cancel()
    with TargetWindow(stage.display) as window:
        report = stage.replay(demo, tape, window, control=JobControl(token=token))
        assert window.state["presses"] == 0
    assert not report.success
    assert "stopped" in report.stopped


def test_a_field_that_has_no_focus_is_clicked_before_typing(stage: Stage) -> None:
    def act(tape: Tape, window: TargetWindow) -> None:
        tape.click(window.center("area"))
        tape.type("note")

    demo, tape, _ = stage.tape(act, elements=True)
    clicked = demo.steps[0]
    # As a model would write it, or a person who deleted the click: the typing step alone, with its target.
    typing = demo.steps[1].model_copy(update={"target_uid": clicked.target_uid})

    def bound(step: Step) -> Step:
        return typing if step.id == typing.id else step

    alone = Demo(
        head=demo.head, steps=tuple(bound(s) for s in demo.steps[1:]), elements=_moved(demo), parsed=demo.parsed
    )
    with TargetWindow(stage.display, at=(330, 50)) as window:
        window.wait_for(lambda s: s["focus"] == "field")
        report = stage.replay(alone, tape, window)
        assert report.success, report.stopped
        state = window.wait_for(lambda s: s["area"] == "note")
    assert state["field"] == ""


def _moved(demo: Demo) -> dict[str, Any]:
    """The elements of the first step's frame, said of the second step's frame too."""
    first, second = demo.steps[0].before, demo.steps[1].before
    assert first is not None
    assert second is not None
    return {**demo.elements, second.id: demo.elements[first.id]}
