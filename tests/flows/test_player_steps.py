"""A whole replay without a screen: pictures come from the demo, inputs go to a performer that only notes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demopack.clock import now_ns
from demopack.domain.actions import ActionTarget, ClickAction, LaunchAction, WaitAction
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.screenshots import Screenshot
from demopack.domain.steps import Step
from demopack.errors import ModelError, ReplayError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.settings import PlayerSettings
from demopack.store import Library
from player.focus_place import ScreenMoves
from player.replay import Replay
from player.report import ReplayReport
from player.screen_matcher import ScreenView
from player.step_gate import StepGate
from player.step_plan import plan_step
from player.windows_in_front import WindowsInFront
from recorder.backends.base import ScreenSource
from tests.support.demos import DemoBuilder, demo_head, sample_demo
from tests.support.fake_performer import FakePerformer
from tests.support.pictures import swatch

SETTINGS = PlayerSettings(
    pause_s=0, pointer_px_s=100_000, typing_interval_ms=0, settle_timeout_s=0.2, match_threshold=0.95
)


class FilmScreen(ScreenSource):
    """Shows one picture until told otherwise."""

    def __init__(self, image: RgbImage) -> None:
        self.image = image

    def grab(self) -> Screenshot:
        now = now_ns()
        return Screenshot(image=self.image, started_ns=now, ended_ns=now)

    def close(self) -> None:
        return


class NoFinder:
    """A finder that must not be needed."""

    name = "none"

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:  # noqa: ARG002 - the port's form
        raise ModelError("The model is missing.")


@dataclass
class Stage:
    """A demo whose screens follow each other as soon as something is performed."""

    library: Library
    demo: Demo
    performer: FakePerformer = field(default_factory=FakePerformer)
    index: int = 0

    def __post_init__(self) -> None:
        first = self.demo.steps[0].before
        assert first is not None
        self.screen = FilmScreen(self.library.get_image(first.id))
        self.performer.before = self.performed

    def performed(self, _count: int) -> None:
        if self.performer.done[-1].startswith("m"):
            return
        after = self.demo.steps[self.index].after
        if after is not None:
            self.screen.image = self.library.get_image(after.id)

    def run(self, *, finder: Any = None, **how: Any) -> ReplayReport:
        def follow(progress: Progress) -> None:
            self.index = min(progress.done, len(self.demo.steps) - 1)

        replay = Replay(
            self.demo,
            self.library,
            finder=finder or NoFinder(),
            screen=how.pop("screen", self.screen),
            performer=self.performer,
            settings=SETTINGS,
            may_launch=how.pop("may_launch", lambda _: False),
            unchecked_keys=how.pop("unchecked_keys", False),
            **{name: how.pop(name) for name in ("step_gate", "in_front", "on_view") if name in how},
        )
        return replay.run(control=JobControl(report=follow), **how)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("steps") / "library") as opened:
        sample_demo(opened, draw=swatch)
        yield opened


@pytest.fixture
def stage(library: Library) -> Stage:
    return Stage(library, library.demo(library.find("last")))


def with_steps(stage: Stage, *steps: Step) -> Stage:
    demo = Demo(head=stage.demo.head, steps=steps, elements=stage.demo.elements, parsed=stage.demo.parsed)
    return Stage(stage.library, demo)


def test_every_step_is_performed_and_compared(stage: Stage) -> None:
    report = stage.run()
    assert report.success, report.stopped
    assert report.matched == 1.0
    assert [step.index for step in report.steps] == list(range(1, 12))
    assert {step.strategy for step in report.steps if step.point} == {"track_id", "bbox"}
    gestures = stage.performer.gestures()
    assert "".join(word[1] for word in gestures if word.startswith("'")) == "Ada Lovelace"
    assert gestures.count("w0,-1") == 8
    assert gestures[-4:] == ["+Ctrl", "+left", "-left", "-Ctrl"]
    assert stage.performer.held() == frozenset()


def test_a_screen_that_turns_out_differently_is_reported_not_hidden(stage: Stage) -> None:
    last = stage.demo.steps[-2]
    assert last.after is not None
    other = stage.library.get_image(last.after.id).copy()
    other[100:200, 50:350] = 0
    stage.performer.before = lambda _: setattr(stage.screen, "image", other)
    clicking = with_steps(stage, stage.demo.steps[0])
    clicking.performer.before = lambda _: setattr(clicking.screen, "image", other)
    report = clicking.run()
    (step,) = report.steps
    assert report.performed
    assert not report.success
    assert (report.matched, report.as_recorded) == (0.0, False)
    assert report.first_difference.startswith("step 1 (Clicked “Full name” (input field)): ")
    assert step.performed
    assert step.matched_after is False
    assert step.differing


@pytest.mark.parametrize("waits", [False, True], ids=["", "somebody waited for it"])
@pytest.mark.parametrize(
    ("shown", "agrees"),
    [
        pytest.param("closed", True, id="it closed at once, as the next recorded picture shows"),
        pytest.param("pressed", True, id="as right after the step"),
        pytest.param("open", False, id="it stayed open"),
        pytest.param("warning", False, id="something else came up"),
    ],
)
def test_a_dialog_that_was_still_there_right_after_its_button_may_be_gone(
    tmp_path: Path, shown: str, *, agrees: bool, waits: bool
) -> None:
    pictures = {name: np.full((240, 320, 3), 210, np.uint8) for name in ("open", "pressed", "closed", "warning")}
    for name in ("open", "pressed", "warning"):
        pictures[name][60:180, 80:240] = (250, 250, 250)
        pictures[name][150:170, 180:230] = (30, 90, 200) if name == "pressed" else (120, 120, 120)
    pictures["warning"][70:140, 90:230] = (200, 30, 30)
    with Library.open(tmp_path / "library") as library:
        b = DemoBuilder(library=library, demo_id="demo_d1a109")
        frames = {name: b.frame(picture) for name, picture in pictures.items()}
        b.step("press_key", frames["open"], frames["pressed"], parameters={"key_info": "Enter"})
        if waits:
            # As recorded: a wait begins with the picture that the step before it ended with.
            b.step("wait", frames["pressed"], frames["closed"], parameters={"wait_duration_s": 0.1})
        b.step("finish_goal", frames["closed"], None)
        demo = library.demo(b.store(demo_head("demo_d1a109", final_frame=frames["closed"])))
        stage = Stage(library, demo)
        stage.performer.before = lambda _: setattr(stage.screen, "image", pictures[shown])
        report = stage.run(unchecked_keys=True)
    assert report.steps[0].matched_after is agrees
    assert (shown == "closed") == report.success


@pytest.mark.parametrize("dark", [True, False])
def test_in_another_theme_the_picture_of_the_end_tells_nothing(tmp_path: Path, *, dark: bool) -> None:
    open_, saved = np.full((240, 320, 3), 210, np.uint8), np.full((240, 320, 3), 210, np.uint8)
    open_[20:60, 20:60] = saved[20:60, 20:60] = (40, 40, 160)
    saved[100:120, 40:200] = (90, 140, 220)  # what the recording shows only at its very end
    with Library.open(tmp_path / "library") as library:
        b = DemoBuilder(library=library, demo_id="demo_d1a10c")
        before, after = b.frame(open_), b.frame(saved)
        b.step("press_key", before, before, parameters={"key_info": "Ctrl+C"})
        b.step("finish_goal", before, None)
        stage = Stage(library, library.demo(b.store(demo_head("demo_d1a10c", final_frame=after))))
        stage.screen.image = 255 - open_ if dark else open_
        stage.performer.before = lambda _: None
        report = stage.run(unchecked_keys=True)
    assert report.performed
    assert (report.steps[-1].matched_after, report.success) == ((None, True) if dark else (False, False))


@pytest.mark.parametrize("lights_up", [True, False], ids=["", "a button that stays as it was"])
def test_what_lit_up_under_a_pointer_on_its_way_to_the_next_step_is_no_difference(
    tmp_path: Path, *, lights_up: bool
) -> None:
    plain, lit = np.full((240, 320, 3), 210, np.uint8), np.full((240, 320, 3), 210, np.uint8)
    plain[150:170, 180:230], lit[150:170, 180:230] = (120, 120, 120), (90, 140, 220)
    with Library.open(tmp_path / "library") as library:
        b = DemoBuilder(library=library, demo_id="demo_d1a10a")
        first, second = b.frame(plain), b.frame(lit)
        b.step("press_key", first, second, parameters={"key_info": "Ctrl+C"})
        b.step("click", second, second, at=Point(200, 160))
        stage = Stage(library, library.demo(b.store(demo_head("demo_d1a10a", final_frame=second))))

        def point(_count: int) -> None:
            at = stage.performer.at
            stage.screen.image = lit if lights_up and 180 <= at.x < 230 and 150 <= at.y < 170 else plain

        stage.performer.at = Point(10, 10)
        stage.performer.before = point
        report = stage.run(unchecked_keys=True)
    assert (report.steps[0].matched_after, report.steps[0].late) == (lights_up, lights_up)
    assert report.as_recorded == lights_up


def test_a_model_that_fails_stops_it_with_its_words(stage: Stage) -> None:
    stage.screen.image = np.full_like(stage.screen.image, 77)
    report = stage.run()
    assert report.stopped == "The model is missing."
    assert stage.performer.gestures() == []
    assert not report.success


@pytest.mark.parametrize("unchecked", [False, True])
def test_where_nobody_knows_the_focus_keys_need_the_recorded_screen(tmp_path: Path, *, unchecked: bool) -> None:
    with Library.open(tmp_path / "library") as drawn:
        demo = drawn.demo(sample_demo(drawn))
        typing = demo.steps[1].model_copy(update={"target_uid": None})
        assert typing.window is not None
        assert typing.before is not None
        assert not FakePerformer.sees_focus
        alone = with_steps(Stage(drawn, demo), typing)
        shown = drawn.get_image(typing.before.id).copy()
        shown[:, 800:] = 90  # something else lies over a part of the screen, beside the field
        alone.screen.image = shown
        report = alone.run(unchecked_keys=unchecked)
    assert report.performed == unchecked
    assert bool(alone.performer.gestures()) == unchecked
    if not unchecked:
        assert "no window that is known has the focus. Nothing was sent." in report.stopped


def test_programs_are_started_only_when_allowed(stage: Stage) -> None:
    launch = Step(id="launch", position=1, action=LaunchAction(app="no-such-app"))
    report = with_steps(stage, stage.demo.steps[0], launch).run()
    assert "was not allowed" in report.stopped
    assert [step.performed for step in report.steps] == [True, False]
    allowed = with_steps(stage, stage.demo.steps[0], launch).run(may_launch=lambda app: app == "no-such-app")
    assert "There is no program 'no-such-app'" in allowed.stopped


def test_a_wait_ends_when_the_recorded_screen_is_there(stage: Stage) -> None:
    last = stage.demo.steps[-2]
    wait = Step(
        id="wait",
        position=1,
        action=WaitAction(wait_duration_s=60),
        before=last.before,
        after=last.after,
    )
    waiting = with_steps(stage, wait)
    looks = iter(range(100))
    shown = waiting.screen.image
    assert last.after is not None
    wanted = stage.library.get_image(last.after.id)

    def grab() -> Screenshot:
        now = now_ns()
        return Screenshot(image=wanted if next(looks) > 3 else shown, started_ns=now, ended_ns=now)

    waiting.screen.grab = grab  # type: ignore[method-assign]
    report = waiting.run()
    assert report.success
    assert report.matched == 1.0
    assert next(looks) < 20


def test_a_dry_run_works_without_a_screen(stage: Stage) -> None:
    report = stage.run(dry_run=True, screen=None)
    assert report.success
    assert stage.performer.done == []
    assert len(report.steps) == 11


def test_a_dry_run_finds_a_target_that_leads_nowhere(stage: Stage) -> None:
    click = stage.demo.steps[-2]
    wrong = ClickAction(target=ActionTarget(text="No such label"))
    report = with_steps(stage, click.model_copy(update={"action": wrong, "target_uid": None})).run(
        dry_run=True, screen=None
    )
    assert not report.success
    assert "no element reads “No such label”" in report.steps[0].error


def test_without_a_screen_nothing_can_be_performed(stage: Stage) -> None:
    with pytest.raises(ReplayError, match="no screen"):
        stage.run(screen=None)


def test_the_report_says_in_json_what_it_means(stage: Stage) -> None:
    data = stage.run().to_json()
    assert (data["success"], data["matched"], data["schema_version"]) == (True, 1.0, 1)
    assert data["steps"][0]["point"] == list(data["steps"][0]["point"])


class TestFocus:
    def test_typing_after_a_click_on_the_field_needs_no_other(self, stage: Stage) -> None:
        click, typing = (plan_step(step, stage.demo) for step in stage.demo.steps[:2])
        focus = ScreenMoves()
        focus.performed(click)
        assert not focus.needs_click(typing, same_screen=False)

    def test_typing_first_of_all_needs_a_click_unless_the_screen_is_as_recorded(self, stage: Stage) -> None:
        typing = plan_step(self._aimed(stage), stage.demo)
        assert ScreenMoves().needs_click(typing, same_screen=False)
        assert not ScreenMoves().needs_click(typing, same_screen=True)

    def test_typing_after_a_click_elsewhere_needs_one(self, stage: Stage) -> None:
        elsewhere = plan_step(stage.demo.steps[-2], stage.demo)
        focus = ScreenMoves()
        focus.performed(elsewhere)
        assert focus.needs_click(plan_step(self._aimed(stage), stage.demo), same_screen=False)

    def test_a_key_may_have_moved_the_focus(self, stage: Stage) -> None:
        focus = ScreenMoves()
        focus.performed(plan_step(stage.demo.steps[-2], stage.demo))
        focus.performed(plan_step(stage.demo.steps[-3], stage.demo))  # Escape
        assert not focus.needs_click(plan_step(self._aimed(stage), stage.demo), same_screen=False)

    def _aimed(self, stage: Stage) -> Step:
        click, typing = stage.demo.steps[:2]
        return typing.model_copy(update={"before": click.before, "target_uid": click.target_uid})


# Somebody watches: pictures, pauses, and a window of ours that stays on the screen ------------------------------------


def test_the_screen_after_each_step_is_handed_over_with_the_recorded_one(stage: Stage) -> None:
    seen: list[tuple[int, str, float | None]] = []

    def keep(index: int, frame: Frame | None, view: ScreenView) -> None:
        seen.append((index, "" if frame is None else frame.id, view.share))

    report = stage.run(on_view=keep)
    assert [index for index, _, _ in seen] == [step.index for step in report.steps]
    wanted = [step.after for step in stage.demo.steps[:-1]]
    assert [frame for _, frame, _ in seen][:-1] == ["" if frame is None else frame.id for frame in wanted]
    assert {share for index, _, share in seen[:-1] if wanted[index - 1] is not None} == {1.0}


def test_a_step_that_cannot_be_done_is_shown_as_the_screen_was_then(stage: Stage) -> None:
    first = stage.demo.steps[0]
    assert first.before is not None
    stage.screen.image = np.zeros_like(stage.screen.image)
    seen: list[tuple[str, bool]] = []
    report = stage.run(on_view=lambda _, frame, view: seen.append((frame.id if frame else "", bool(view.image.any()))))
    assert not report.steps[-1].performed
    assert seen == [(first.before.id, False)]


def test_a_held_replay_does_nothing_until_it_goes_on(stage: Stage) -> None:
    done: list[int] = []

    def held() -> None:
        done.append(len(stage.performer.gestures()))
        (gate.step if len(done) < 3 else gate.resume)()

    gate = StepGate(paused=True, on_held=held)
    report = stage.run(step_gate=gate)
    assert report.success, report.stopped
    assert done[0] == 0
    assert done == sorted(done)
    assert len(done) == 3


def test_stopped_while_it_is_held(stage: Stage) -> None:
    token = CancelToken()
    gate = StepGate(paused=True, on_held=token.cancel)
    with_gate = Replay(
        stage.demo, stage.library, finder=NoFinder(), screen=stage.screen, performer=stage.performer,
        settings=SETTINGS, step_gate=gate,
    )  # fmt: skip
    report = with_gate.run(control=JobControl(token=token))
    assert (report.code, report.steps, stage.performer.gestures()) == ("stopped", (), [])


class Bar(WindowsInFront):
    """A bar of ours in the right upper corner of every picture."""

    def __init__(self, box: Rect) -> None:
        self.box = box
        self.asked: list[Point] = []

    def boxes(self) -> list[Rect]:
        return [self.box]

    def make_room(self, at: Point) -> None:
        self.asked.append(at)


class BarScreen(ScreenSource):
    """Shows the bar over what is there, another one each time: it counts."""

    def __init__(self, below: FilmScreen, box: Rect) -> None:
        self._below, self._box, self._count = below, box, 0

    def grab(self) -> Screenshot:
        self._count += 1
        grab = self._below.grab()
        image = grab.image.copy()
        image[self._box.y1 : self._box.y2, self._box.x1 : self._box.x2] = self._count % 251
        return Screenshot(image=image, started_ns=grab.started_ns, ended_ns=grab.ended_ns)


def test_a_window_of_ours_is_no_difference_and_moves_out_of_the_way(stage: Stage) -> None:
    width = stage.screen.image.shape[1]
    bar = Bar(Rect(width - 120, 0, width, 40))
    report = stage.run(screen=BarScreen(stage.screen, bar.box), in_front=bar)
    assert report.success, report.stopped
    assert {step.share_after for step in report.steps if step.share_after is not None} == {1.0}
    assert {box for step in report.steps for box in step.differing} == set()
    points = [step.point for step in report.steps if step.point]
    assert set(points) <= {(at.x, at.y) for at in bar.asked}
