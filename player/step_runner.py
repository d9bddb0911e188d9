"""One replay under way: the steps that have been done, and how the next one is."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from demopack.clock import now_ns
from demopack.domain.actions import Action, DragAction, LaunchAction, TypeAction, WaitAction
from demopack.domain.demos import Demo
from demopack.domain.geometry import Point
from demopack.domain.roles import reported_target
from demopack.domain.steps import Step, WindowInfo
from demopack.domain.trees import WindowTree
from demopack.domain.words import describe_step_in, shorten
from demopack.errors import DemopackError, ReplayError
from demopack.processes import OWN_CONSOLE
from player.abort import AbortMonitor
from player.compare import compare
from player.consent import command_words, program_of, quoted
from player.focus_match import document_of, name_window, title_agrees, window_agrees
from player.focus_place import KEYBOARD, ScreenMoves
from player.input_driver import MENU_TYPES, InputDriver, perform
from player.keyboard_check import KeyboardCheck
from player.report import StepReport
from player.reported_targets import ReportedPlace, ReportedTarget
from player.screen_matcher import ScreenMatcher, ScreenView
from player.step_outcome import OutcomeJudge, StepOutcome, after_frame
from player.step_plan import StepPlan, plan_step, resolve_on
from player.target_strategies import Resolution, resolve_reported
from player.value_check import ValueCheck, field_holds, holds_value
from player.variables import FilledDemo
from recorder.backends.base import DesktopWindows

_POLL_INTERVAL_S: Final = 0.1
_HOVER_SHARE: Final = 0.5
_LATE_S: Final = 1.0  # how long an after-frame that does not match yet may take beyond rest
_NO_LOOK: Final = frozenset({"finish_goal", "extract_data", "wait", "launch"})
_SAME_SCREEN: Final = 0.999  # from this share on nothing has another theme or size
_READINGS: Final = 3  # screens that are read in vain, seconds each, before no more are
_MAX_NOTCHES: Final = 60
_WAIT_FACTOR: Final = 3


class StepRunner:
    """What the steps of one replay share.

    Attributes:
        report: what is known of the step that was begun last, one that fails included; None before the first.
        seen: the screen after the step that was done last, against the recorded one; None where nobody looked.
    """

    def __init__(
        self,
        matcher: ScreenMatcher,
        *,
        driver: InputDriver,
        gate: AbortMonitor,
        keyboard: KeyboardCheck,
        may_launch: Callable[[str], bool],
        filled: FilledDemo | None = None,
    ) -> None:
        """Take the parts.

        Args:
            matcher: captures and parses the screen, and knows what is replayed.
            driver: acts on it.
            gate: stops everything.
            keyboard: looks before keys are sent.
            may_launch: asked before a program is started, with its whole command line.
            filled: the demo with the values that it is replayed with; None where they are the recorded ones.
        """
        self.report: StepReport | None = None
        self.seen: ScreenView | None = None
        self._demo = matcher.demo
        self._settings = matcher.settings
        self._matcher = matcher
        self._driver = driver
        self._gate = gate
        self._keyboard = keyboard
        self._may_launch = may_launch
        self._moves = ScreenMoves()
        self._outcome = OutcomeJudge(matcher)
        self._filled = filled or FilledDemo(demo=matcher.demo)
        self._values = ValueCheck(matcher, self._filled)
        self._previous: Step | None = None
        self._seen: ScreenView | None = None
        self._searched = ""
        self._strayed = False
        self._readings = _READINGS

    def step(self, index: int, step: Step) -> StepReport:
        """Do one step, the ``index``-th from 1, and say how it went.

        Raises:
            CancelledError: the replay was stopped.
            ReplayError: the step cannot be done.
        """
        started = now_ns()
        self.report, self._seen, self.seen = new_report(index, step, self._demo), self.seen, None
        plan = plan_step(step, self._demo).renewed(self._filled.renewed, self._filled.beside)
        if step.action.action_type in _NO_LOOK:
            self._without_target(plan)
        else:
            self._with_target(plan)
        self._moves.performed(plan)
        self._note(performed=True)
        self._compare(step)
        self._previous = step
        report = self._note(seconds=round((now_ns() - started) / 1e9, 3))
        self._strayed = report.matched_after is False
        return report

    def _note(self, **fields: object) -> StepReport:
        assert self.report is not None
        self.report = self.report.model_copy(update=fields)
        return self.report

    def came_late(self, following: Step) -> bool:
        """Whether the last step, which did not look as recorded, does so by now.

        The frame after a step may show what lit up under a pointer that was on its way to the following one.
        """
        previous = self._previous
        if not self._strayed or previous is None:
            return False
        frame = after_frame(previous, self._demo)
        view = self._matcher.capture(frame)
        self._strayed = self._judge(previous, view).agrees is not True
        if self._strayed and self._point_as_recorded(plan_step(following, self._demo), view):
            view = self._matcher.capture_settled(frame)
            self._strayed = self._judge(previous, view).agrees is not True
        return not self._strayed

    def _with_target(self, plan: StepPlan) -> None:
        view = self._seen = self._await_before(plan)
        matched = self._outcome.whole(view)
        if view.share is not None:
            self._note(matched_before=matched, share_before=round(view.share, 4))
        if plan.step.action.action_type in KEYBOARD:
            self._with_keys(plan, view)
            return
        view, found, goal = self._find(plan, view)
        self._seen = view
        start = None if found is None else view.to_desktop(found.point)
        end = None if goal is None else view.to_desktop(goal)
        self._moves.acted(plan, found, view)
        known = (
            None if found is None else found.element,
            None if plan.aim is None else plan.aim.element,
            reported_target(plan.step),
        )
        in_menu = any(one is not None and one.type in MENU_TYPES for one in known)
        perform(plan.action, self._driver, start=start, end=end, way=_way(plan.step, view), at_once=in_menu)

    def _with_keys(self, plan: StepPlan, view: ScreenView) -> None:
        clicked = None
        needs_click = self._moves.needs_click(plan, same_screen=self._outcome.whole(view))
        if needs_click and not self._keyboard.has_focus(plan, view):
            view, found, _ = self._find(plan, view)
            if found is not None:
                clicked = view.to_desktop(found.point)
                self._moves.acted(plan, found, view)
                self._driver.click(clicked)
        self._seen = view
        checked, guard = self._keyboard.before(plan, self._moves, clicked=clicked)
        self._note(checked=checked)
        try:
            perform(self._typed(plan), self._driver, guard=guard)
        except DemopackError:
            self._note(sent=guard.sent)
            raise

    def _typed(self, plan: StepPlan) -> Action:
        """The action with its secret, which stands nowhere else."""
        secret = self._filled.secrets.get(plan.step.id)
        return plan.action if secret is None else plan.action.model_copy(update={"text_to_type": secret})

    def _without_target(self, plan: StepPlan) -> None:
        action = plan.action
        if isinstance(action, WaitAction):
            self._wait(plan.step, action.wait_duration_s)
        elif isinstance(action, LaunchAction):
            if not self._may_launch(action.app):
                raise ReplayError(
                    f"The step starts the program {action.app!r}, which was not allowed.",
                    code="not_allowed",
                    hint=f"Allow it with --allow-launch {quoted(program_of(action.app))}, or start the program "
                    "yourself and delete the step.",
                )
            self._gate.check()
            launch_program(action.app)

    def _wait(self, step: Step, seconds: float) -> None:
        """Until the recorded after-frame is there, at most three times as long as the person waited."""
        if step.after is None:
            self._gate.wait(seconds)
            return
        deadline = now_ns() + int(seconds * _WAIT_FACTOR * 1e9)
        while (self._matcher.capture(step.after).share or 0.0) < self._settings.match_threshold and now_ns() < deadline:
            self._gate.wait(_POLL_INTERVAL_S)

    def _compare(self, step: Step) -> None:
        """The screen afterwards, against the recorded one; a screen that is late gets a moment more."""
        frame = after_frame(step, self._demo)
        if step.action.action_type == "extract_data":
            return
        view = self._matcher.capture_settled(frame)
        if frame is None or view.comparison is None or self.report is None:
            return
        deadline = now_ns() + int(min(_LATE_S, self._settings.settle_timeout_s) * 1e9)
        new_value = bool(self._values.brought(step)) or self._values.types_secret(step)
        while True:
            seen = self._judge(step, view)
            # What programs report may come a moment after what they draw.
            is_same = new_value or (view.share or 0.0) >= _SAME_SCREEN
            reported = None if is_same else self._outcome.reported(step)
            if reported is False and self._filled.changes:
                reported = None  # another value may stand there
            if reported or (reported is None and seen.agrees) or now_ns() >= deadline:
                break
            self._gate.wait(_POLL_INTERVAL_S)
            view = self._matcher.capture(frame)
        # What programs report of their fields and boxes to tick holds on any screen.
        agrees = self._look_closer(step, view, seen) if reported is None else reported
        self.seen = view
        unchanged = self._seen is not None and compare(self._seen.image, view.image).same
        self._note(
            matched_after=agrees,
            code="" if agrees is not False else "no_effect" if unchanged else "other_effect",
            effect=seen.effect,
            share_after=round(view.share or 0.0, 4),
            differing=() if view.comparison is None else view.comparison.boxes,
        )

    def _look_closer(self, step: Step, view: ScreenView, seen: StepOutcome) -> bool | None:
        """What a step did where no program reports it, with all that can be read of it.

        Raises:
            ReplayError: a new value stands where it must not, or not where it must.
        """
        agrees, action, brought = seen.agrees, step.action, self._values.brought(step)
        is_typed = isinstance(action, TypeAction) and not action.submit and not self._values.types_secret(step)
        if agrees is False and is_typed and not brought:
            agrees = self._keyboard.holds(action.typed_text or "")
        if brought and is_typed and agrees is False and self._holds(step) is False:
            raise ReplayError(
                f"“{shorten(action.typed_text or '')}” was typed, but its field does not hold just that now.",
                code="other_effect",
                hint="See to the field: something may have stood there before, or it does not take the value.",
            )
        if not agrees and self._readings and (brought or (agrees is False and self._is_other_screen())):
            agrees = self._judge(step, view, read=True).agrees if brought else self._read(step, view)
            self._readings = _READINGS if agrees else self._readings - 1
        if brought and agrees is False and self._values.stand(step, view, self._moves, read=False) is False:
            raise ReplayError(
                f"After this step the screen shows another value than “{shorten(brought[0].new)}”.",
                code="other_effect",
                hint="It may have been done to what the demo was recorded with. See to that, and correct the step's "
                "target in the editor.",
            )
        if agrees is False and self._values.types_secret(step):
            return None  # another number of dots than in the recording
        if agrees is False and self._seen is not None and not self._outcome.can_compare(step, self._seen, self._moves):
            return None  # in another theme or scale the picture says nothing about what the step did
        return agrees

    def _is_other_screen(self) -> bool:
        """Whether the screen before the step did not look as recorded, to the pixel."""
        return self.report is None or (self.report.share_before or 0.0) < _SAME_SCREEN

    def _read(self, step: Step, view: ScreenView) -> bool | None:
        return self._outcome.judge(step, view, self._moves, read=True).agrees

    def _judge(self, step: Step, view: ScreenView, *, read: bool = False) -> StepOutcome:
        """Whether a step did what it did in the recording; a new value that it brought has to stand there by itself."""
        seen = self._outcome.judge(step, view, self._moves)
        if not self._values.brought(step):
            return self._without_values(step, view, seen) if seen.agrees is False and not read else seen
        action, told = step.action, None
        if isinstance(action, TypeAction) and not action.submit:
            told = self._holds(step)
            if told is not None:
                return StepOutcome(agrees=told, effect=seen.effect)
        if told is None:
            told = self._values.stand(step, view, self._moves, read=read)
        if told is None and self._values.is_untouched(step, view, self._moves):
            told = False
        if told is None:
            # Nobody can tell what stands there; the rest of what the step changed may.
            return seen if seen.effect is not None or seen.agrees is False else StepOutcome(agrees=None, effect=None)
        if told and read and seen.effect is not None and not seen.agrees:
            return self._outcome.judge(step, view, self._moves, read=True)
        return StepOutcome(agrees=told and (seen.effect is None or seen.agrees), effect=seen.effect)

    def _holds(self, step: Step) -> bool | None:
        """Whether the field holds the new value that was typed, and nothing else where it was empty; None: not told."""
        field, text, value = step.focused, step.action.typed_text or "", self._keyboard.field_value()
        if not value or not text.strip():
            return None
        was_empty = field is not None and "editable" in field.states and not field.value
        return field_holds(value, text) and (holds_value(text, value) or not was_empty)

    def _without_values(self, step: Step, view: ScreenView, seen: StepOutcome) -> StepOutcome:
        """Leaves out places that show a new value, of which nothing tells what the recording shows there."""
        if not (places := self._values.new_places(view, self._moves)):
            return seen
        rest = self._outcome.judge(step, view, self._moves, ignore=places)
        return rest if rest.effect is not None else StepOutcome(agrees=None, effect=None)

    # Waiting for the recorded screen; nothing is performed but moving the pointer -------------------------------

    def _await_before(self, plan: StepPlan) -> ScreenView:
        """The screen before the step, when it looks as recorded, or else once the person's own pause has passed.

        A pointer that rests on a button changes how it looks, so the pointer is brought to where it was. Where the
        screen was another one already, only a step that finds no target of its own waits.
        """
        view = self._matcher.capture_settled(plan.before)
        if view.comparison is None or view.matches or (self._strayed and plan.aim is not None):
            return view
        if self._point_as_recorded(plan, view):
            view = self._matcher.capture_settled(plan.before)
        pause_s = 0.0
        if self._previous is not None and plan.step.started_ns and self._previous.ended_ns:
            pause_s = max(0.0, (plan.step.started_ns - self._previous.ended_ns) / 1e9)
        deadline = now_ns() + int(min(pause_s, self._settings.settle_timeout_s) * 1e9)
        while not view.matches and now_ns() < deadline:
            self._gate.wait(_POLL_INTERVAL_S)
            view = self._matcher.capture(plan.before)
        return view

    def _point_as_recorded(self, plan: StepPlan, view: ScreenView) -> bool:
        """Bring the pointer to where the person acted, if the screen looks much as recorded; whether it was brought."""
        hover = None if (view.share or 0) < _HOVER_SHARE else self._hover_point(plan, view)
        if hover is None:
            return False
        self._driver.move_to(view.to_desktop(hover))
        return True

    def _hover_point(self, plan: StepPlan, view: ScreenView) -> Point | None:
        """Where the pointer is to rest; None for a step without a place.

        At its old place something else may lie now, whose tip would cover the target.
        """
        aim = plan.aim
        if aim is None or aim.point is None or aim.size is None:
            return None
        if aim.reported is not None:
            found = self._matcher.find_reported(aim.reported, view)
            if isinstance(found, ReportedPlace):
                return resolve_reported(aim, found.box, view.size, scale=view.scale_from(plan.before)).point
        at, size = aim.point, aim.size
        return Point(round(at.x * view.size.width / size.width), round(at.y * view.size.height / size.height))

    def _find(self, plan: StepPlan, view: ScreenView) -> tuple[ScreenView, Resolution | None, Point | None]:
        """Resolve the step's targets, again and again while the screen still changes; note where they were found.

        Returns the screen on which they were, and as :func:`resolve_on`.

        Raises:
            ReplayError: a target is not there.
        """
        deadline = now_ns() + int(self._settings.settle_timeout_s * 1e9)
        while True:
            try:
                start, end = resolve_on(plan, view, self._matcher)
                if start is not None:
                    self._check_window(plan, view.to_desktop(start.point))
            except ReplayError as error:
                if error.code not in {"occluded", "other_window"} and self._scroll_to(plan, view):
                    view = self._matcher.capture_settled(plan.before)
                    continue
                is_same = True
                while is_same:
                    if now_ns() >= deadline:
                        if error.code == "not_found" and (over := _covering(plan, self._matcher)) is not None:
                            raise occluded(name_window(over)) from None
                        raise
                    self._gate.wait(_POLL_INTERVAL_S)
                    is_same = np.array_equal(view.grab.image, self._matcher.capture(None).grab.image)
                view = self._matcher.capture_settled(plan.before)
            else:
                self._note(**found_fields(start))
                return view, start, end

    def _check_window(self, plan: StepPlan, at: Point) -> None:
        """See that the recorded window is the one at a position.

        Raises:
            ReplayError: it is not.
        """
        windows, trees = self._matcher.windows.read(), self._matcher.demo.trees
        if (over := foreign_at(at, windows.stack, step=plan.step, trees=trees)) is not None:
            raise occluded(name_window(over))
        other = None if self._keyboard.unchecked else other_title_at(at, windows, step=plan.step, trees=trees)
        if other is not None:
            raise ReplayError(
                f"{name_window(other)} lies where {name_window(plan.step.window)} was; nothing was clicked.",
                code="other_window",
                hint="Open the recorded window and replay again. Where a program gives its window another title each "
                "time, --unchecked-keys goes on.",
            )

    def _scroll_to(self, plan: StepPlan, view: ScreenView) -> bool:
        """Turn the wheel until a target is in sight that is reported outside of it; False where that does not help.

        Only what the recording did not need is scrolled: there the target was in sight.
        """
        told, last = None if plan.aim is None else plan.aim.reported, None
        scrolled = False
        while told is not None and (hidden := self._matcher.find_hidden(told, view)) is not None:
            at, seen = hidden.box.center, hidden.within
            if last == hidden.box:
                return False
            last, scrolled = hidden.box, True
            self._driver.move_to(view.to_desktop(seen.center))
            if not seen.y1 <= at.y < seen.y2:
                self._driver.scroll(dy=1 if at.y < seen.y1 else -1)
            else:
                self._driver.scroll(dx=-1 if at.x < seen.x1 else 1)
            view = self._matcher.capture_settled(None)
        return scrolled or (told is not None and self._search_for(told, plan, view))

    def _search_for(self, told: ReportedTarget, plan: StepPlan, view: ScreenView) -> bool:
        """Turn the wheel over the page or list of a target, down and then up, until it is reported; once a step."""
        around = None if self._searched == plan.step.id else self._matcher.find_around(told, view)
        self._searched = plan.step.id
        if around is None:
            return False
        self._driver.move_to(view.to_desktop(around.center))
        for dy in (-1, 1):
            for _ in range(_MAX_NOTCHES):
                self._driver.scroll(dy=dy)
                now = self._matcher.capture_settled(None)
                if isinstance(self._matcher.find_reported(told, now), ReportedPlace):
                    return True
                if np.array_equal(now.image, view.image):
                    break
                view = now
        return False


def occluded(by: str) -> ReplayError:
    """The error for a target that lies under a window."""
    return ReplayError(
        f"{by[:1].upper()}{by[1:]} lies over the target; nothing was clicked.",
        code="occluded",
        hint="Close or move what lies over it, and try again.",
    )


def foreign_at(
    at: Point, stack: Sequence[WindowInfo], *, step: Step, trees: Mapping[str, WindowTree]
) -> WindowInfo | None:
    """The window of another program at a position where the recorded one should be; None where there is none.

    Only where the pointer was inside the window that had the input: a click may go to another one as well. The menus of
    some programs are windows under another name than the rest: what lay there in the recording may lie there now.

    Args:
        at: a place of the desktop.
        stack: the windows that are seen now, topmost first.
        step: as recorded.
        trees: of the recording.
    """
    place = _place_in_window(step)
    if place is None:
        return None
    window, recorded_at = place
    now = _window_at(at, stack)
    if now is None or not now.app or window_agrees(window, now) != "other":
        return None
    then = _tree_at(recorded_at, step, trees)
    lay_there = then is not None and bool(then.app) and window_agrees(WindowInfo(app=then.app), now) == "same"
    return None if lay_there else now


def other_title_at(
    at: Point, windows: DesktopWindows, *, step: Step, trees: Mapping[str, WindowTree]
) -> WindowInfo | None:
    """The window of the recorded program, but with another title, at a position where the recorded one should be.

    “Yes” in another dialog answers another question, wherever it lies. None where there is no such window, and for what
    lay there in the recording, too, or may be a menu or tool tip: these have no title but their program's name, or lie
    there while another window of it has the input. Arguments as of :func:`foreign_at`.
    """
    place = _place_in_window(step)
    now = _window_at(at, windows.stack)
    if place is None or now is None or window_agrees(place[0], now) != "unlike" or not document_of(now):
        return None
    then, active = _tree_at(place[1], step, trees), windows.active
    if then is not None and then.title:
        return None if title_agrees(then.title, now.title, app=now.app) != "unlike" else now
    is_popup = active is not None and active.title != now.title and window_agrees(place[0], active) != "other"
    return None if is_popup else now


def _place_in_window(step: Step) -> tuple[WindowInfo, Point] | None:
    """The recorded window that had the input and where in it the pointer acted, on the desktop; None elsewhere."""
    window, pointer, frame = step.window, step.pointer, step.before
    if window is None or window.box is None or not window.app or pointer is None or frame is None:
        return None
    at = frame.space.to_desktop(pointer.at)
    return (window, at) if window.box.contains(at) else None


def _window_at(at: Point, stack: Sequence[WindowInfo]) -> WindowInfo | None:
    return next((one for one in stack if one.box is not None and one.box.contains(at)), None)


def _tree_at(at: Point, step: Step, trees: Mapping[str, WindowTree]) -> WindowTree | None:
    """The recorded tree of the topmost window at a position of the desktop; None where none was told."""
    known = (trees[reading.tree] for reading in step.trees if reading.tree in trees)
    return next((tree for tree in known if tree.box is not None and tree.box.contains(at)), None)


def _covering(plan: StepPlan, matcher: ScreenMatcher) -> WindowInfo | None:
    """The window that lies over a target now; None where none does, or nobody tells."""
    window, aim = plan.step.window, plan.aim
    if window is None or window.box is None or plan.before is None or aim is None or aim.place is None:
        return None
    stack = matcher.windows.read().stack
    here = next(
        (one for one in stack if one.box is not None and window_agrees(window, one) in {"same", "renamed"}), None
    )
    if here is None or here.box is None:
        return None
    place = plan.before.space.to_desktop(aim.place.center)
    point = Point(place.x + here.box.x1 - window.box.x1, place.y + here.box.y1 - window.box.y1)
    top = next((one for one in stack if one.box is not None and one.box.contains(point)), here)
    return None if top is here else top


def new_report(index: int, step: Step, demo: Demo) -> StepReport:
    """What is known of the ``index``-th step, from 1, before it is done."""
    return StepReport(
        index=index, step=step.id, action_type=step.action.action_type, action=describe_step_in(demo, step)
    )


def found_fields(start: Resolution | None) -> dict[str, object]:
    """Fields of a :class:`StepReport` that tell where a target was found; none for a step without one."""
    if start is None:
        return {}
    return {"strategy": start.strategy, "point": (start.point.x, start.point.y), "failed": start.failed}


def _way(step: Step, view: ScreenView) -> list[Point]:
    """A drag's recorded way on the desktop, scaled to the live frame; empty where it was straight."""
    pointer, frame = step.pointer, step.before
    if not isinstance(step.action, DragAction) or frame is None:
        return []
    norm = list(step.action.path)
    if not norm and pointer is not None and pointer.path:
        norm = [(p.x / frame.width, p.y / frame.height) for p in pointer.path]
    return [view.to_desktop(Point(round(x * view.size.width), round(y * view.size.height))) for x, y in norm]


_RUNNING: list[subprocess.Popen[bytes]] = []


def launch_program(app: str) -> None:
    """Start a program that outlives the replay, without a shell.

    Args:
        app: a command line, for instance ``xterm -geometry 80x24``, written as this system writes one.

    Raises:
        ReplayError: there is no such program, or it did not start.
    """
    try:
        words = command_words(app)
    except ValueError as error:
        raise ReplayError(f"{app!r} is not a command line.", details=str(error), hint="Correct the step.") from error
    if not words or shutil.which(words[0]) is None:
        raise ReplayError(
            f"There is no program {words[0] if words else app!r} on this machine.",
            hint="Install it, or start it yourself and replay from the next step.",
        )
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=OWN_CONSOLE,
        )
    except OSError as error:
        raise ReplayError(f"The program {words[0]} did not start.", details=str(error)) from error
    # Kept, so that Python does not take a program that still runs for a forgotten one.
    _RUNNING[:] = [other for other in _RUNNING if other.poll() is None]
    _RUNNING.append(process)
