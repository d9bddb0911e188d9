"""Replay of a demo, step by step, compared with what was recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field

from demopack.clock import now_ns
from demopack.domain.demos import Demo
from demopack.domain.frames import Frame
from demopack.domain.ports import ElementFinder, FrameStore
from demopack.domain.words import describe_step_in
from demopack.errors import CancelledError, DemopackError, ReplayCode, ReplayError
from demopack.jobs import JobControl, Progress
from demopack.settings import HotkeySettings, PlayerSettings
from player.abort import AbortMonitor
from player.backends.base import Performer
from player.input_driver import InputDriver
from player.keyboard_check import KeyboardCheck
from player.report import ReplayReport, StepReport
from player.screen_matcher import ScreenMatcher, ScreenView
from player.step_gate import StepGate
from player.step_outcome import after_frame
from player.step_plan import StepPlan, plan_step, recorded_screen, resolve_on, resolve_plan
from player.step_runner import StepRunner, found_fields, new_report
from player.variables import FilledDemo
from player.windows_in_front import MaskedScreen, WindowsInFront
from recorder.backends.base import AccessSource, InputSource, ScreenSource, WindowSource


@dataclass(frozen=True, slots=True)
class Replay:
    """A demo, ready to be performed on the live screen.

    Attributes:
        demo: as it stands now, or with other values for its variables.
        images: its recorded frames.
        finder: finds elements where the screen does not look as recorded.
        screen: the live screen; None is enough for a dry run.
        performer: acts on it; None is enough for a dry run.
        settings: how it moves.
        abort_hotkey: stops it at once; empty for the usual one.
        inputs: a hook of its own for the hot-key, needed where the performer cannot tell which keys are down.
        may_launch: asked with the command line before a ``launch`` step starts a program; without it none is started.
        access: knows which element has the focus, and what programs report about their windows; started and stopped
            here. None does without.
        windows: the windows of the live screen, for ``access``.
        unchecked_keys: keys are sent also where nothing tells whether they arrive where they did in the recording.
        step_gate: asked before each step; a person may hold it there.
        in_front: windows of this program that stay on the screen.
        on_view: called after each step that was begun, from this thread: its number from 1, the recorded picture that
            should be there now, None where there is none, and the screen as it is.
        filled: what is known about these values, whose demo is ``demo``; None where they are the recorded ones.
    """

    demo: Demo
    images: FrameStore
    _: KW_ONLY
    finder: ElementFinder
    screen: ScreenSource | None
    performer: Performer | None
    settings: PlayerSettings
    abort_hotkey: str = ""
    inputs: InputSource | None = None
    may_launch: Callable[[str], bool] = lambda _: False
    access: AccessSource | None = None
    windows: WindowSource | None = None
    unchecked_keys: bool = False
    step_gate: StepGate = field(default_factory=StepGate)
    in_front: WindowsInFront = field(default_factory=WindowsInFront)
    on_view: Callable[[int, Frame | None, ScreenView], None] | None = None
    filled: FilledDemo | None = None

    def run(
        self,
        *,
        control: JobControl | None = None,
        dry_run: bool = False,
        on_step: Callable[[StepReport], None] = lambda _: None,
    ) -> ReplayReport:
        """Perform every step, or with ``dry_run`` say for every step what it would act on.

        The replay ends at the first step that cannot be done, and when it is stopped; the report says so, and no key
        or button stays down.

        Args:
            control: progress and cancel.
            dry_run: perform nothing.
            on_step: called after each step, from this thread.

        Raises:
            ReplayError: there is no screen to act on.
        """
        control = control or JobControl()
        started = now_ns()
        seen = None if dry_run or self.screen is None else self.screen.grab()
        hidden = frozenset[str]() if self.filled is None else self.filled.hidden

        def tell(step: StepReport) -> None:
            on_step(step.without(hidden))

        if dry_run:
            steps, stopped = self._dry_run(control, tell)
        else:
            steps, stopped = self._perform(control, tell)
        return ReplayReport(
            demo=self.demo.head.id,
            task=self.demo.head.task,
            dry_run=dry_run,
            total=len(self.demo.steps),
            steps=tuple(steps),
            stopped=stopped,
            seconds=round((now_ns() - started) / 1e9, 3),
            screen=None if seen is None else (seen.size.width, seen.size.height),
            scale_factor=1.0 if seen is None else seen.scale_factor,
        ).without(hidden)

    def _dry_run(self, control: JobControl, on_step: Callable[[StepReport], None]) -> tuple[list[StepReport], str]:
        """Resolve the first step against the live screen, where there is one, and every other on its recorded frame.

        A recorded target that does not even lead to its own element on its own frame would go astray on any screen.
        That frame shows the recorded values of variables, so it is looked for by these.
        """
        recorded = self.demo if self.filled is None or self.filled.recorded is None else self.filled.recorded
        matcher = None if self.screen is None else self._matcher(self.screen, control)
        steps: list[StepReport] = []
        for index, step in enumerate(self.demo.steps, start=1):
            started = now_ns()
            try:
                if matcher is not None and index == 1:
                    plan = plan_step(step, self.demo)
                    if self.filled is not None:
                        plan = plan.renewed(self.filled.renewed, self.filled.beside)
                    view = matcher.capture_settled(plan.before)
                    share = None if view.share is None else round(view.share, 4)
                    found = {**found_fields(resolve_on(plan, view, matcher)[0]), "share_before": share}
                else:
                    found = _recorded(plan_step(recorded.steps[index - 1], recorded))
            except ReplayError as error:
                found = {"error": f"{error.user_message} {error.details}", "code": error.code}
            if control.token.cancelled:
                return steps, "The dry run was stopped."
            report = new_report(index, step, self.demo)
            found |= {"performed": "error" not in found, "seconds": round((now_ns() - started) / 1e9, 3)}
            steps.append(report.model_copy(update=found))
            on_step(steps[-1])
        return steps, ""

    def _perform(self, control: JobControl, on_step: Callable[[StepReport], None]) -> tuple[list[StepReport], str]:
        if self.screen is None or self.performer is None:
            raise ReplayError("There is no screen to replay on.", hint="Use --dry-run, or run it in a desktop session.")
        gate = AbortMonitor(
            self.performer,
            token=control.token,
            bounds=self.screen.grab().desktop_box,
            hotkey=self.abort_hotkey or HotkeySettings().abort_replay,
            corner_px=self.settings.corner_px,
            inputs=self.inputs,
        )
        watched = gate.watched(control)
        driver = InputDriver(self.performer, gate=gate, settings=self.settings, make_room=self.in_front.make_room)
        access = self.access or AccessSource()
        matcher = self._matcher(self.screen, watched, access=access)
        keyboard = KeyboardCheck(
            matcher=matcher, performer=self.performer, access=access, gate=gate, unchecked=self.unchecked_keys
        )
        run = StepRunner(
            matcher, driver=driver, gate=gate, keyboard=keyboard, may_launch=self.may_launch, filled=self.filled
        )
        try:
            with gate, contextlib.ExitStack() as stack:
                stack.callback(access.stop)
                access.start()
                return self._steps(run, matcher, gate, watched, on_step)
        finally:
            self.performer.release_all()

    def _steps(
        self,
        run: StepRunner,
        matcher: ScreenMatcher,
        gate: AbortMonitor,
        control: JobControl,
        on_step: Callable[[StepReport], None],
    ) -> tuple[list[StepReport], str]:
        done: list[StepReport] = []
        total = len(self.demo.steps)
        for index, step in enumerate(self.demo.steps, start=1):
            control.report(Progress(done=index - 1, total=total, text=describe_step_in(self.demo, step)))
            try:
                if index > 1:
                    gate.wait(self.settings.pause_s)
                if done and run.came_late(step):
                    done[-1] = done[-1].model_copy(update={"matched_after": True, "late": True, "code": ""})
                self.step_gate.pass_through(gate.wait)
                report = run.step(index, step)
            except DemopackError as error:
                # Whatever ends a replay, what was done until then is reported.
                if run.report is not None and run.report.index == index:
                    report = run.report.model_copy(update={"error": error.whole, "code": code_of(error)})
                    done.append(report)
                    self._show(run, matcher, report)
                    on_step(report)
                return done, error.user_message
            done.append(report)
            self._show(run, matcher, report)
            on_step(report)
            if step.action.action_type == "finish_goal":
                break
        control.report(Progress(done=total, total=total, text="Replayed"))
        return done, ""

    def _show(self, run: StepRunner, matcher: ScreenMatcher, report: StepReport) -> None:
        """Hand over the screen after a step, or as it was when the step could not be done."""
        if self.on_view is None:
            return
        step = self.demo.steps[report.index - 1]
        frame = after_frame(step, self.demo) if report.performed else step.before
        view = run.seen if report.performed and run.seen is not None else None
        with contextlib.suppress(DemopackError):  # a screen that is gone shows nothing
            self.on_view(report.index, frame, view or matcher.capture(frame))

    def _matcher(
        self, screen: ScreenSource, control: JobControl, *, access: AccessSource | None = None
    ) -> ScreenMatcher:
        return ScreenMatcher(
            demo=self.demo,
            screen=MaskedScreen(screen, self.in_front),
            finder=self.finder,
            images=self.images,
            settings=self.settings,
            control=control,
            access=access or AccessSource(),
            windows=self.windows or WindowSource(),
            in_front=self.in_front,
            new_text=str if self.filled is None else self.filled.new_text,
        )


def code_of(error: DemopackError) -> ReplayCode:
    """The class of an error that ended a step."""
    if isinstance(error, CancelledError):
        return "stopped"
    return error.code if isinstance(error, ReplayError) else "failed"


def _recorded(plan: StepPlan) -> dict[str, object]:
    if plan.before is None:
        words = "There is no picture of the screen before this step."
        return {"error": words, "code": "not_found"} if plan.aim is not None else {}
    start, _ = resolve_plan(plan, recorded_screen(plan, plan.before.size))
    known = None if plan.aim is None else plan.aim.element
    if start is not None and known is not None and start.element is not None and start.element.uid != known.uid:
        words = f"The {start.strategy} leads to another element than the recorded one."
        return {**found_fields(start), "error": words, "code": "ambiguous"}
    return found_fields(start)
