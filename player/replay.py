"""Performs a demo again, step by step, and compares what happens with what was recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator

from demopack.clock import now_ns
from demopack.domain.demos import Demo
from demopack.domain.ports import ElementFinder, FrameStore
from demopack.errors import DemopackError, ReplayError
from demopack.jobs import JobControl, Progress
from demopack.settings import HotkeySettings, PlayerSettings
from player.abort import AbortWatch
from player.backends.base import Performer
from player.dry_run import dry_run as dry_run_steps
from player.eyes import Eyes
from player.hands import Hands
from player.keyboard import KeyboardCheck
from player.report import ReplayReport, StepReport
from player.run import Run, describe
from recorder.backends.base import AccessSource, InputSource, ScreenSource

__all__ = ["Replay"]


def _ignore(_: StepReport) -> None:
    return


def _never(_: str) -> bool:
    return False


class Replay:
    """A demo, ready to be performed on the live screen.

    Args:
        demo: as it stands now.
        images: its recorded frames.
        finder: finds elements where the screen does not look as recorded.
        screen: the live screen; None is enough for a dry run.
        performer: acts on it; None is enough for a dry run.
        settings: how it moves.
        abort_hotkey: stops it at once.
        inputs: a hook of its own for the hot-key, needed where the performer cannot tell which keys are down.
        may_launch: asked with the command line before a ``launch`` step starts a program; without it none is started.
        access: knows which element has the focus; started and stopped here. None does without.
        unchecked_keys: keys are sent also where nothing tells whether they arrive where they did in the recording.
    """

    def __init__(
        self,
        demo: Demo,
        images: FrameStore,
        *,
        finder: ElementFinder,
        screen: ScreenSource | None,
        performer: Performer | None,
        settings: PlayerSettings,
        abort_hotkey: str | None = None,
        inputs: InputSource | None = None,
        may_launch: Callable[[str], bool] = _never,
        access: AccessSource | None = None,
        unchecked_keys: bool = False,
    ) -> None:
        self._demo = demo
        self._images = images
        self._finder = finder
        self._screen = screen
        self._performer = performer
        self._settings = settings
        self._abort_hotkey = abort_hotkey or HotkeySettings().abort_replay
        self._inputs = inputs
        self._may_launch = may_launch
        self._access = access
        self._unchecked_keys = unchecked_keys

    def run(
        self,
        *,
        control: JobControl | None = None,
        dry_run: bool = False,
        on_step: Callable[[StepReport], None] = _ignore,
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
        if dry_run:
            steps, stopped = self._dry_run(control, on_step)
        else:
            steps, stopped = self._perform(control, on_step)
        return ReplayReport(
            demo=self._demo.head.id,
            task=self._demo.head.task,
            dry_run=dry_run,
            total=len(self._demo.steps),
            steps=tuple(steps),
            stopped=stopped,
            seconds=round((now_ns() - started) / 1e9, 3),
        )

    def _dry_run(self, control: JobControl, on_step: Callable[[StepReport], None]) -> tuple[list[StepReport], str]:
        eyes = None
        if self._screen is not None:
            eyes = self._eyes(self._screen, control)
        steps: list[StepReport] = []
        for report in dry_run_steps(self._demo, eyes):
            if control.token.cancelled:
                return steps, "The dry run was stopped."
            steps.append(report)
            on_step(report)
        return steps, ""

    def _perform(self, control: JobControl, on_step: Callable[[StepReport], None]) -> tuple[list[StepReport], str]:
        if self._screen is None or self._performer is None:
            raise ReplayError("There is no screen to replay on.", hint="Use --dry-run, or run it in a desktop session.")
        watch = AbortWatch(
            self._performer,
            token=control.token,
            bounds=self._screen.grab().desktop_box,
            hotkey=self._abort_hotkey,
            corner_px=self._settings.corner_px,
            inputs=self._inputs,
        )
        watched = watch.watched(control)
        hands = Hands(self._performer, watch=watch, settings=self._settings)
        eyes = self._eyes(self._screen, watched)
        keyboard = KeyboardCheck(
            self._demo,
            eyes=eyes,
            performer=self._performer,
            access=self._access,
            watch=watch,
            settings=self._settings,
            unchecked=self._unchecked_keys,
        )
        run = Run(
            demo=self._demo,
            eyes=eyes,
            hands=hands,
            watch=watch,
            keyboard=keyboard,
            settings=self._settings,
            may_launch=self._may_launch,
        )
        try:
            with watch, self._listening():
                return self._steps(run, watched, on_step)
        finally:
            hands.let_go()

    @contextlib.contextmanager
    def _listening(self) -> Generator[None]:
        """To what programs tell about the focus."""
        if self._access is None:
            yield
            return
        self._access.start()
        try:
            yield
        finally:
            self._access.stop()

    def _steps(
        self, run: Run, control: JobControl, on_step: Callable[[StepReport], None]
    ) -> tuple[list[StepReport], str]:
        done: list[StepReport] = []
        total = len(self._demo.steps)
        for index, step in enumerate(self._demo.steps, start=1):
            control.report(Progress(done=index - 1, total=total, text=describe(step, self._demo)))
            known: list[StepReport] = []
            try:
                if index > 1:
                    run.watch.wait(self._settings.pause_s)
                if done and run.came_late():
                    done[-1] = done[-1].model_copy(update={"matched_after": True, "late": True})
                report = run.step(index, step, note=known.append)
            except DemopackError as error:
                # Whatever ends a replay, what was done until then is reported.
                if known:
                    report = known[-1].model_copy(update={"error": _full(error)})
                    done.append(report)
                    on_step(report)
                return done, error.user_message
            done.append(report)
            on_step(report)
            if step.action.action_type == "finish_goal":
                break
        control.report(Progress(done=total, total=total, text="Replayed"))
        return done, ""

    def _eyes(self, screen: ScreenSource, control: JobControl) -> Eyes:
        return Eyes(screen, finder=self._finder, images=self._images, settings=self._settings, control=control)


def _full(error: DemopackError) -> str:
    return " ".join(part for part in (error.user_message, error.details, error.hint) if part)
