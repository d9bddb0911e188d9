"""Keys go where the focus is, so a replay looks first: nothing arrives in a window that was not recorded."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

import pytest

from demopack.domain.demos import Demo
from demopack.domain.steps import Step
from demopack.settings import PlayerSettings
from player.backends.x11 import X11Performer
from player.replay import Replay
from player.report import ReplayReport, StepReport
from recorder.backends.mss_screen import MssScreen
from recorder.desktop.private_display import PrivateDisplay
from tests.support.desktop_programs import until
from tests.support.tape import FAST, Tape, TruthFinder
from tests.support.target_window import TargetWindow

pytestmark = pytest.mark.e2e

QUICK = FAST.model_copy(update={"settle_timeout_s": 0.5})
"""For what is refused, which takes as long as this. What goes well waits for the window, however busy it all is."""
ELSEWHERE = (640, 60)


class Stage:
    """A display with the means to see it and to act on it."""

    def __init__(self, display: PrivateDisplay, screen: MssScreen) -> None:
        self.display = display
        self.screen = screen

    def tape(
        self,
        act: Callable[[Tape, TargetWindow], None],
        *,
        windows: bool = True,
        elements: bool = False,
        title: str = "Target",
    ) -> tuple[Demo, Tape]:
        with TargetWindow(self.display, title=title) as window, X11Performer(self.display.name) as performer:
            window.wait_for(lambda s: s["focus"] == "field")
            performer.move(1200, 780)
            finder = TruthFinder(window) if elements else None
            tape = Tape(self.screen, performer, finder=finder, windows=windows)
            act(tape, window)
            return tape.demo(), tape

    def replay(
        self,
        demo: Demo,
        tape: Tape,
        window: TargetWindow,
        *,
        settings: PlayerSettings = QUICK,
        on_step: Callable[[StepReport], None] = lambda _: None,
        unchecked: bool = False,
    ) -> ReplayReport:
        with X11Performer(self.display.name) as performer:
            performer.move(1200, 780)
            replay = Replay(
                demo,
                tape.images,
                finder=TruthFinder(window),
                screen=self.screen,
                performer=performer,
                settings=settings,
                unchecked_keys=unchecked,
            )
            return replay.run(on_step=on_step)


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with PrivateDisplay() as display:
        screen = MssScreen(display=display.name)
        yield Stage(display, screen)
        screen.close()


def types_first(tape: Tape, _window: TargetWindow) -> None:
    tape.type("echo hi", submit=True)


def presses_first(tape: Tape, _window: TargetWindow) -> None:
    tape.press("A")


def clicks_and_types(tape: Tape, window: TargetWindow) -> None:
    tape.click(window.center("field"))
    tape.type("x" * 400)


@pytest.mark.parametrize(
    ("act", "title", "program", "at"),
    [
        pytest.param(types_first, "Terminal", "other", ELSEWHERE, id="another program"),
        pytest.param(presses_first, "Terminal", "other", ELSEWHERE, id="a key, another program"),
        pytest.param(types_first, "Target", "other", (60, 30), id="a program that looks and calls its window the same"),
        pytest.param(types_first, "Delete everything?", "target", ELSEWHERE, id="another window of the program"),
    ],
)
def test_nothing_is_typed_into_another_window_that_has_the_focus(
    stage: Stage, act: Callable[[Tape, TargetWindow], None], title: str, program: str, at: tuple[int, int]
) -> None:
    demo, tape = stage.tape(act)
    with (
        TargetWindow(stage.display) as window,
        TargetWindow(stage.display, at=at, title=title, program=program, label="Yes") as other,
    ):
        report = stage.replay(demo, tape, window)
        assert (other.state["field"], other.state["keys"]) == ("", [])
        assert (window.state["field"], window.state["keys"]) == ("", [])
    assert not report.performed
    assert not report.success
    assert report.steps[0].performed is False
    assert "in “Target” (target), but" in report.stopped
    assert f"“{title}”" in report.stopped
    assert report.stopped.endswith("Nothing was sent.")


def test_a_pop_up_between_two_steps_gets_nothing(stage: Stage) -> None:
    demo, tape = stage.tape(clicks_and_types)
    with contextlib.ExitStack() as stack:
        window = stack.enter_context(TargetWindow(stage.display))
        popped: list[TargetWindow] = []

        def pop_up(_step: StepReport) -> None:
            if not popped:
                popped.append(
                    stack.enter_context(
                        TargetWindow(stage.display, at=ELSEWHERE, title="Update available", program="updater")
                    )
                )

        report = stage.replay(demo, tape, window, on_step=pop_up)
        (other,) = popped
        assert (other.state["field"], window.state["field"]) == ("", "")
    assert [step.performed for step in report.steps] == [True, False]
    assert "“Update available” (updater) has the focus. Nothing was sent." in report.stopped


@pytest.mark.parametrize(
    ("title", "program", "named"),
    [
        ("Update available", "updater", "“Update available” (updater) got"),
        # A second dialog of the same name asks something else all the same.
        ("Target", "target", "Another window, “Target” (target), got"),
    ],
)
def test_a_pop_up_that_takes_the_focus_while_text_is_typed_stops_it(
    stage: Stage, title: str, program: str, named: str
) -> None:
    demo, tape = stage.tape(clicks_and_types)
    slow = FAST.model_copy(update={"typing_interval_ms": 30})
    reports: list[ReplayReport] = []
    with TargetWindow(stage.display) as window:
        player = threading.Thread(target=lambda: reports.append(stage.replay(demo, tape, window, settings=slow)))
        player.start()
        window.wait_for(lambda s: len(s["field"]) >= 2)
        with TargetWindow(stage.display, at=ELSEWHERE, title=title, program=program) as other:
            player.join(timeout=30)
            assert not player.is_alive()
            (report,) = reports
            # What was sent is on its way for a while where the machine is busy.
            sent = report.steps[-1].sent
            until(lambda: len(window.state["field"]) + len(other.state["field"]) >= sent, f"{sent} keys do not arrive")
            arrived, lost = len(window.state["field"]), len(other.state["field"])
    assert lost <= 1
    assert arrived + lost == sent
    assert 2 <= arrived < 400
    assert f"{named} the focus after {arrived + lost} of 400 keys" in report.stopped
    assert "“Target” (target)" in report.stopped


def test_a_window_that_has_moved_and_whose_document_has_another_name_is_typed_into(stage: Stage) -> None:
    demo, tape = stage.tape(types_first, title="draft.txt - target")
    with TargetWindow(stage.display, at=(330, 50), title="*letter.txt - target") as window:
        report = stage.replay(demo, tape, window, settings=FAST)
        window.wait_for(lambda s: s["field"] == "echo hi")
    assert report.success, report.stopped or report.first_difference
    assert report.steps[0].checked == "picture"


def test_a_window_that_differs_in_its_title_alone_gets_no_key(stage: Stage) -> None:
    demo, tape = stage.tape(types_first, title="Deploy to staging")
    with TargetWindow(stage.display, title="Deploy to production") as window:
        report = stage.replay(demo, tape, window)
        assert window.state["field"] == ""
    assert "“Deploy to production” (target) has the focus. Nothing was sent." in report.stopped


def test_in_another_size_of_writing_the_words_tell(stage: Stage) -> None:
    demo, tape = stage.tape(types_first, elements=True)
    with TargetWindow(stage.display, points=14) as window:
        report = stage.replay(demo, tape, window, settings=FAST)
        window.wait_for(lambda s: s["field"] == "echo hi")
    assert report.performed, report.stopped
    assert report.steps[0].checked == "words"


class TestWithoutWindows:
    """Packs of programs and systems that tell nothing about windows."""

    def test_the_picture_alone_is_enough_where_it_is_the_same(self, stage: Stage) -> None:
        demo, tape = stage.tape(types_first, windows=False)
        with TargetWindow(stage.display) as window:
            report = stage.replay(demo, tape, window, settings=FAST)
            window.wait_for(lambda s: s["field"] == "echo hi")
        assert report.success, report.stopped or report.first_difference
        assert report.steps[0].checked == "picture"

    def test_a_window_beside_the_recorded_place_gets_nothing(self, stage: Stage) -> None:
        demo, tape = stage.tape(types_first, windows=False)
        with TargetWindow(stage.display) as window, TargetWindow(stage.display, at=ELSEWHERE) as other:
            report = stage.replay(demo, tape, window)
            assert (window.state["field"], other.state["field"]) == ("", "")
        assert not report.performed

    def test_without_any_picture_it_is_done_only_where_the_person_allows_it(self, stage: Stage) -> None:
        def bare(step: Step) -> Step:
            return step.model_copy(update={"before": None, "after": None})

        demo, tape = stage.tape(types_first, windows=False)
        blind = Demo(head=demo.head, steps=tuple(map(bare, demo.steps)), elements={}, parsed=frozenset())
        with TargetWindow(stage.display) as window:
            report = stage.replay(blind, tape, window)
            assert window.state["field"] == ""
            assert "nothing tells where its keys would go" in report.stopped
            allowed = stage.replay(blind, tape, window, unchecked=True)
            window.wait_for(lambda s: s["field"] == "echo hi")
        assert allowed.steps[0].checked == "unchecked"
