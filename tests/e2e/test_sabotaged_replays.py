"""Replays that end wrong: each says which step differed first, and why, by one code; none says "as recorded"."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from demopack.domain.actions import LaunchAction
from demopack.domain.demos import Demo
from demopack.domain.geometry import Point
from demopack.jobs import CancelToken, JobControl
from player.backends.x11 import X11Performer
from player.replay import Replay
from player.report import ReplayReport, StepReport
from recorder.backends.x11.screen import X11Screen
from recorder.backends.x11.windows import X11Windows
from recorder.desktop.private_display import PrivateDisplay
from tests.support.tape import CONTROLS, FAST, Tape, TruthFinder
from tests.support.target_window import TargetWindow

pytestmark = pytest.mark.e2e

SEEN = (*CONTROLS, "asks")
QUICK = FAST.model_copy(update={"settle_timeout_s": 1.0})


def fills_a_form(tape: Tape, window: TargetWindow) -> None:
    tape.click(window.center("field"))
    tape.type("Ada Lovelace")
    box = window.place("box")
    tape.click(Point(box.x1 + 9, box.center.y))
    tape.click(window.center("button"))


@dataclass
class Stage:
    """A display, the demo that was recorded there, and replays of it."""

    display: PrivateDisplay
    screen: X11Screen
    windows: X11Windows
    demo: Demo = field(init=False)
    tape: Tape = field(init=False)

    def record(self) -> None:
        with TargetWindow(self.display) as window, X11Performer(self.display.name) as performer:
            performer.move(1200, 780)
            self.tape = Tape(self.screen, performer, finder=TruthFinder(window, only=SEEN))
            fills_a_form(self.tape, window)
            self.demo = self.tape.demo()
            window.wait_for(lambda s: (s["field"], s["agreed"], s["clicks"]) == ("Ada Lovelace", True, 1))

    def replay(
        self,
        window: TargetWindow,
        *,
        demo: Demo | None = None,
        on_step: Callable[[StepReport], None] = lambda _: None,
        token: CancelToken | None = None,
    ) -> ReplayReport:
        with X11Performer(self.display.name) as performer:
            performer.move(1200, 780)
            replay = Replay(
                demo or self.demo,
                self.tape.images,
                finder=TruthFinder(window, only=SEEN),
                screen=self.screen,
                performer=performer,
                settings=QUICK,
                windows=self.windows,
            )
            return replay.run(on_step=on_step, control=JobControl(token=token or CancelToken()))


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with (
        PrivateDisplay() as display,
        contextlib.closing(X11Screen(display=display.name)) as screen,
        contextlib.closing(X11Windows(display=display.name)) as windows,
    ):
        made = Stage(display, screen, windows)
        made.record()
        yield made


def told(report: ReplayReport) -> tuple[str, int | None]:
    """The code, and the number of the step that has it."""
    assert not report.success
    assert report.to_json()["code"] == report.code
    return report.code, next((step.index for step in report.steps if step.code), None)


def test_untouched_it_ends_as_recorded(stage: Stage) -> None:
    with TargetWindow(stage.display) as window:
        report = stage.replay(window)
        assert (report.success, report.as_recorded, report.code) == (True, True, "")
        window.wait_for(lambda s: s["clicks"] == 1)


def test_the_window_is_gone(stage: Stage) -> None:
    with TargetWindow(stage.display) as window:
        pass
    finder = TruthFinder(window, only=())
    with X11Performer(stage.display.name) as performer:
        replay = Replay(
            stage.demo, stage.tape.images, finder=finder, screen=stage.screen, performer=performer, settings=QUICK,
            windows=stage.windows,
        )  # fmt: skip
        assert told(replay.run()) == ("not_found", 1)


@pytest.mark.parametrize(
    ("how", "code", "index"),
    [
        # Its label is another one: what it does may be another thing.
        pytest.param({"label": "Delete all"}, ("not_found",), 4, id="a button renamed"),
        # The field takes three letters.
        pytest.param({"most": 3}, ("other_effect",), 2, id="a field that takes less"),
        # The field asks for something else.
        pytest.param({"asks": "Delete user"}, ("other_window",), 2, id="a field with another label"),
        pytest.param({"title": "Another file"}, ("other_window",), 1, id="another file in the window"),
    ],
)
def test_the_window_is_another_one(stage: Stage, how: dict[str, Any], code: tuple[str, ...], index: int) -> None:
    with TargetWindow(stage.display, **how) as window:
        assert told(stage.replay(window)) == (code[0], index)


def test_a_dialog_lies_in_front(stage: Stage) -> None:
    with TargetWindow(stage.display) as window, contextlib.ExitStack() as stack:

        def cover(step: StepReport) -> None:
            if step.index == 2:
                stack.enter_context(TargetWindow(stage.display, at=(50, 20), title="Update?", program="updater"))

        report = stage.replay(window, on_step=cover)
        assert told(report) == ("occluded", 3)
        assert "“Update?” (updater) lies over the target" in report.stopped
        assert not window.state["agreed"]


def test_a_pop_up_has_the_focus(stage: Stage) -> None:
    with TargetWindow(stage.display) as window, contextlib.ExitStack() as stack:

        def pop_up(step: StepReport) -> None:
            if step.index == 1:
                stack.enter_context(TargetWindow(stage.display, at=(700, 40), title="Update?", program="updater"))

        assert told(stage.replay(window, on_step=pop_up)) == ("other_window", 2)
        assert not window.state["field"]


def test_the_program_does_not_answer(stage: Stage) -> None:
    with TargetWindow(stage.display) as window:

        def freeze(step: StepReport) -> None:
            if step.index == 2:
                window.signal(signal.SIGSTOP)

        try:
            assert told(stage.replay(window, on_step=freeze)) == ("no_effect", 3)
        finally:
            window.signal(signal.SIGCONT)


def test_what_a_click_toggles_was_on_already(stage: Stage) -> None:
    with TargetWindow(stage.display) as window, X11Performer(stage.display.name) as performer:
        box = window.place("box")
        performer.move(box.x1 + 9, box.center.y)
        performer.press("left")
        performer.release("left")
        window.wait_for(lambda s: s["agreed"])
        code, index = told(stage.replay(window))
        assert (code, index) == ("other_effect", 3)


def test_a_program_may_not_be_started(stage: Stage) -> None:
    first = stage.demo.steps[0]
    launch = first.model_copy(update={"action": LaunchAction(app="xterm"), "pointer": None, "target_uid": None})
    demo = Demo(head=stage.demo.head, steps=(launch, *stage.demo.steps[1:]), elements=stage.demo.elements)
    with TargetWindow(stage.display) as window:
        assert told(stage.replay(window, demo=demo)) == ("not_allowed", 1)


def test_a_person_stops_it(stage: Stage) -> None:
    token = CancelToken()
    with TargetWindow(stage.display) as window:
        report = stage.replay(window, token=token, on_step=lambda step: token.cancel() if step.index == 2 else None)
        assert told(report)[0] == "stopped"
        assert not window.state["agreed"]
