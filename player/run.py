"""One replay under way: the steps that have been done, and how the next one is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from demopack.clock import now_ns
from demopack.domain.demos import Demo
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point
from demopack.domain.parameters import LaunchParameters, WaitParameters
from demopack.domain.steps import Step
from demopack.domain.words import describe_action
from demopack.errors import ReplayError
from demopack.settings import PlayerSettings
from player.eyes import Eyes, View
from player.find import Finding, Seeker
from player.focus import Focus
from player.hands import Hands, Watch
from player.launch import launch
from player.perform import perform
from player.recorded import Plan, plan_step
from player.report import StepReport

__all__ = ["Run", "describe"]

_LOOK_S: Final = 0.1
_LATE_S: Final = 1.0  # how long an after-frame that does not match yet may take beyond rest
_NO_LOOK: Final = frozenset({"finish_goal", "extract_data", "wait", "launch"})
_WAIT_FACTOR: Final = 3


def describe(step: Step, demo: Demo) -> str:
    """What a step does, in words."""
    by_uid = {} if step.before is None else {e.uid: e for e in demo.elements.get(step.before.id, ())}
    return describe_action(step.action, by_uid.get(step.target_uid or ""), by_uid.get(step.end_uid or ""))


@dataclass(kw_only=True)
class Run:
    """What the steps of one replay share.

    Attributes:
        demo: what is replayed.
        eyes: see the screen.
        hands: act on it.
        watch: stops everything.
        settings: how the player moves.
        may_launch: asked before a program is started.
    """

    demo: Demo
    eyes: Eyes
    hands: Hands
    watch: Watch
    settings: PlayerSettings
    may_launch: Callable[[str], bool]

    def __post_init__(self) -> None:
        self._seeker = Seeker(self.eyes, self.hands, watch=self.watch, settings=self.settings)
        self._focus = Focus()
        self._previous: Step | None = None
        self._strayed = False

    def step(self, index: int, step: Step, *, note: Callable[[StepReport], None]) -> StepReport:
        """Do one step and say how it went.

        Args:
            index: from 1.
            step: of the demo.
            note: called with what is known so far, so that a step that fails is reported with its findings.

        Raises:
            CancelledError: the replay was stopped.
            ReplayError: the step cannot be done.
        """
        started = now_ns()
        report = StepReport(
            index=index, step=step.id, action_type=step.action.action_type, action=describe(step, self.demo)
        )
        note(report)
        plan = plan_step(step, self.demo)
        if step.action.action_type in _NO_LOOK:
            self._without_target(step, plan)
        else:
            report = self._with_target(step, plan, report, note)
        self._focus.performed(plan)
        report = report.model_copy(update={"performed": True})
        note(report)
        report = self._compare(step, report)
        self._previous = step
        self._strayed = report.matched_after is False
        return report.model_copy(update={"seconds": round((now_ns() - started) / 1e9, 3)})

    def _with_target(
        self, step: Step, plan: Plan, report: StepReport, note: Callable[[StepReport], None]
    ) -> StepReport:
        view = self._seeker.await_before(plan, patience_s=self._recorded_pause_s(step), strayed=self._strayed)
        report = report.model_copy(update=_before(view, self.settings))
        note(report)
        keyboard = step.action.action_type in {"type", "press_key"}
        if keyboard and not self._focus.needs_click(plan, same_screen=self._matches(view)):
            perform(plan.action, self.hands)
            return report
        finding = self._seeker.find(plan, view)
        report = report.model_copy(update=_found(finding))
        note(report)
        start = None if finding.start is None else finding.view.to_desktop(finding.start.point)
        end = None if finding.end is None else finding.view.to_desktop(finding.end)
        perform(plan.action, self.hands, start=start, end=end, way=_way(step, finding.view))
        return report

    def _without_target(self, step: Step, plan: Plan) -> None:
        typed = plan.action.typed
        if isinstance(typed, WaitParameters):
            self._wait(step, typed.wait_duration_s)
        elif isinstance(typed, LaunchParameters):
            if not self.may_launch(typed.app):
                raise ReplayError(
                    f"The step starts the program {typed.app!r}, which was not allowed.",
                    hint="Allow it with --allow-launch, or start the program yourself and delete the step.",
                )
            self.watch.check()
            launch(typed.app)

    def _wait(self, step: Step, seconds: float) -> None:
        """Until the recorded after-frame is there, at most three times as long as the person waited."""
        if step.after is None:
            self.watch.wait(seconds)
            return
        deadline = now_ns() + int(seconds * _WAIT_FACTOR * 1e9)
        while not self._matches(self.eyes.look(step.after)) and now_ns() < deadline:
            self.watch.wait(_LOOK_S)

    def _compare(self, step: Step, report: StepReport) -> StepReport:
        """The screen afterwards, against the recorded one; a screen that is late gets a moment more."""
        frame = self._after_frame(step)
        if step.action.action_type == "extract_data" or (frame is None and step.action.action_type == "finish_goal"):
            return report
        view = self.eyes.settled(frame)
        if frame is None or view.comparison is None:
            return report
        # Where the screen was another one before the step, it will not become the recorded one by waiting.
        deadline = now_ns() + (
            0 if report.matched_before is False else int(min(_LATE_S, self.settings.settle_timeout_s) * 1e9)
        )
        while not self._matches(view) and now_ns() < deadline:
            self.watch.wait(_LOOK_S)
            view = self.eyes.look(frame)
        comparison = view.comparison
        if comparison is None:
            return report
        return report.model_copy(
            update={
                "matched_after": self._matches(view),
                "share_after": round(comparison.share, 4),
                "differing": comparison.boxes,
            }
        )

    def _after_frame(self, step: Step) -> Frame | None:
        if step.action.action_type == "finish_goal":
            return self.demo.head.final_frame or step.before
        return step.after

    def _matches(self, view: View) -> bool:
        return view.share is not None and view.share >= self.settings.match_threshold

    def _recorded_pause_s(self, step: Step) -> float:
        """How long the person waited before this step."""
        if self._previous is None or not step.started_ns or not self._previous.ended_ns:
            return 0.0
        return max(0.0, (step.started_ns - self._previous.ended_ns) / 1e9)


def _before(view: View, settings: PlayerSettings) -> dict[str, object]:
    if view.share is None:
        return {}
    return {"matched_before": view.share >= settings.match_threshold, "share_before": round(view.share, 4)}


def _found(finding: Finding) -> dict[str, object]:
    if finding.start is None:
        return {}
    point = finding.start.point
    return {"strategy": finding.start.strategy, "point": (point.x, point.y), "failed": finding.start.failed}


def _way(step: Step, view: View) -> list[Point]:
    """A drag's recorded way on the desktop, scaled to the live frame; empty where it was straight."""
    pointer, frame = step.pointer, step.before
    if step.action.action_type != "drag" or frame is None:
        return []
    norm = [(float(x), float(y)) for x, y in step.action.parameters.get("path", ())]
    if not norm and pointer is not None and pointer.path:
        norm = [(p.x / frame.width, p.y / frame.height) for p in pointer.path]
    return [view.to_desktop(Point(round(x * view.size.width), round(y * view.size.height))) for x, y in norm]
