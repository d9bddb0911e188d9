"""Execution of one response of a model, or a person, on the live screen."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from demopack.clock import now_ns
from demopack.domain.actions import (
    Action,
    ActionTarget,
    DragAction,
    ExtractDataAction,
    FinishGoalAction,
    LaunchAction,
    LLMResponse,
    PressKeyAction,
    TypeAction,
    WaitAction,
)
from demopack.domain.binding import target_of
from demopack.domain.elements import Box, Element, NumberedElement, element_at
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.labels import FIELDS, label_of
from demopack.domain.ports import ElementFinder
from demopack.domain.records import Record
from demopack.domain.screenshots import Screenshot
from demopack.domain.steps import AccessibleElement, PathPoint, Pointer, WindowInfo
from demopack.domain.text_likeness import plain_text
from demopack.domain.words import shorten
from demopack.errors import BadInputError, CancelledError, CaptureError, DemopackError, ReplayCode, ReplayError
from demopack.jobs import CancelToken, JobControl
from demopack.settings import Settings
from player.abort import AbortMonitor
from player.backends import open_performer
from player.backends.base import Performer
from player.click_point import clear_point, covers_of, wanted_point
from player.compare import compare, looks_alike
from player.consent import program_of, quoted
from player.focus_match import name_window, window_agrees
from player.input_driver import MENU_TYPES, InputDriver, perform
from player.observing import AllowedWindow, Eyes, LiveObservation, ScreenObserver, any_window, top_window
from player.replay import code_of
from player.screen_matcher import LazyFinder
from player.step_plan import Shift
from player.step_runner import launch_program, occluded
from player.target_strategies import PlannedTarget, Resolution, SearchScreen, Strategy, resolve
from player.value_check import typed_into
from recorder.backends.base import AccessSource, InputSource
from recorder.backends.x11.key_grab import KeyGrab
from recorder.privacy.typed_secrets import label_of as label_of_secret
from recorder.privacy.typed_secrets import placeholder, stand_in_of

_HOLDS: Final = 0.95
"""Share of equal pixels from which a place still looks as observed."""
_OWN_SHARE: Final = 0.9
"""Share of an element that lies in a window from which the window is the one that it is in: boxes are rarely exact."""
_LIGHT_UP_S: Final = 0.12
"""What the pointer lights up by being there is no effect of a click: so long it gets to do that."""
_LATE_S: Final = 1.0
"""How long a program may take before its screen begins to change."""
_POLL_S: Final = 0.04
_MOST: Final = {
    "presses": 200,
    "scroll_steps": 200,
    "hold_s": 60,
    "duration_s": 60,
    "wait_duration_s": 600,
    "path": 1000,
}
"""Presses of a key, notches of the wheel, seconds, and way-points in one action: a person has to get a turn."""
_NEWS_S: Final = 0.3
_FOCUS_S: Final = 0.5
"""How long a field that was clicked may take to get the input, where its program tells."""
_UNSEEN: Final = "a window that may not be seen"
_CONSOLE: Final = "terminal"
"""The role of what does not keep what is typed: a program there may answer without showing it."""
NOT_TYPED: Final = placeholder("not_typed")
"""Stands for a text that was not typed, and may have been meant for a secure field."""
_NEEDS_EFFECT: Final = frozenset({"click", "type", "scroll", "drag"})
"""Actions of which a screen without any change says that they did nothing."""
_AT_POINTER: Final = frozenset({"click", "hover", "drag", "scroll"})


class ActionResult(Record):
    """What came of one response.

    Attributes:
        performed: whether its action was performed, and whole.
        code: the class of what went wrong, for programs; empty when nothing did.
        error: the same in words.
        hint: the way out; empty where there is none to tell.
        strategy: what found the target; None for an action without one.
        failed: for each stronger strategy, why it did not find the target.
        element_id: number of the element in the observation, from 1; None where no element was the target.
        point: where it was done, in pixels of the picture.
        end: where a drag ended, likewise.
        clicked_first: the target of keys was clicked before they were sent.
        sent: how many characters or key combinations were sent, where they were stopped in the middle; the one that was
            begun last may have gone, too.
        changed: where the screen looks different afterwards, pixels; blinking text cursors aside.
        seconds: from the first look to the last.
    """

    performed: bool = False
    code: ReplayCode | Literal[""] = ""
    error: str = ""
    hint: str = ""
    strategy: Strategy | None = None
    failed: tuple[str, ...] = ()
    element_id: int | None = None
    point: tuple[int, int] | None = None
    end: tuple[int, int] | None = None
    clicked_first: bool = False
    sent: int | None = None
    changed: tuple[Box, ...] = ()
    seconds: float = 0.0

    @property
    def told(self) -> str:
        """What went wrong and the way out, in sentences."""
        return f"{self.error} {self.hint}".strip()

    @property
    def ok(self) -> bool:
        """Whether it was performed and had an effect."""
        return self.performed and not self.code


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutedAction:
    """One response, the screen that it was performed on, and what came of it.

    Attributes:
        response: what was to be done.
        observation: the screen before it.
        result: what came of it.
        after: the screen afterwards, as it may be seen; None where nothing was performed.
        pointer: where the pointer acted, pixels of the observation; None for keys, and where nothing was performed.
        started_ns: monotonic clock right before the first input.
        ended_ns: right after the last one.
        focused: the element that had the input while keys were sent, a secure one before others; None where nobody
            tells.
        confirmed_ns: when the screen, or the place of the target, was last seen to look as observed; 0 for never.
    """

    response: LLMResponse
    observation: LiveObservation
    result: ActionResult
    after: Screenshot | None = None
    pointer: Pointer | None = None
    started_ns: int = 0
    ended_ns: int = 0
    focused: AccessibleElement | None = None
    confirmed_ns: int = 0

    @property
    def secret(self) -> str:
        """What stands for the text of the response, which may not be shown; empty where it may be, or is none.

        That is a text that went, or was to go, into a secure field, whatever target was named: keys go where the input
        is. It is one that was not typed, too, unless the field that it was meant for is known to be no secure one.
        """
        text, target = self.response.action.typed_text, self.target
        if not text or text == stand_in_of(text):
            return ""
        told = self.focused or self.observation.focused
        is_secure = told is not None and told.secure
        at = Point(*self.result.point) if self.result.point else None if target is None else target.box.center
        is_covered = at is not None and any(box.contains(at) for box in self.observation.frame.covered)
        if is_secure or is_covered:
            return placeholder(label_of_secret(told.name if told is not None and told.secure else ""))
        meant = self.focused if self.response.action.target is not None else told
        was_refused = bool(self.result.code) and not self.result.performed and not self.result.sent
        return NOT_TYPED if was_refused and meant is None else ""

    @property
    def shown(self) -> LLMResponse:
        """The response as it may be shown and stored: without a text that is, or may be, a secret."""
        secret, text = self.secret, self.response.action.typed_text
        if not secret or not text:
            return self.response
        action = self.response.action.replace(text_to_type=secret)
        reasoning = self.response.reasoning.replace(text, secret)
        return self.response.model_copy(update={"action": action, "reasoning": reasoning})

    @property
    def target(self) -> NumberedElement | None:
        """The element that it was done to; None where no element was the target."""
        number = self.result.element_id
        return next((one for one in self.observation.elements if one.number == number), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where to act on the live picture: ``element`` is what is there; None for a bare place."""

    point: Point
    box: Rect
    element: Element | None


class Executor:
    """Performs responses one after the other; made by :func:`open_executor`."""

    def __init__(
        self,
        observer: ScreenObserver,
        *,
        performer: Performer,
        gate: AbortMonitor,
        driver: InputDriver,
        control: JobControl,
        may_launch: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Take the parts.

        Args:
            observer: looks at the screen.
            performer: acts on it.
            gate: stops everything.
            driver: makes gestures of single inputs.
            control: cancel.
            may_launch: asked before a program is started, with its whole command line.
        """
        self._observer = observer
        self._performer = performer
        self._gate = gate
        self._driver = driver
        self._control = gate.watched(control)
        self._may_launch = may_launch
        self._result = ActionResult()
        self._before: Screenshot | None = None
        self._pointer: Pointer | None = None
        self._started_ns = self._confirmed_ns = 0
        self._focused: AccessibleElement | None = None

    @property
    def control(self) -> JobControl:
        """For waiting between two actions: its token looks out for the person who stops it."""
        return self._control

    @property
    def finder(self) -> str:
        """Name of the models that find elements."""
        return self._observer.finder.name

    @property
    def windows(self) -> Sequence[WindowInfo]:
        """The windows that can be seen now, topmost first; empty where nobody tells."""
        return self._observer.windows.read().stack

    def require_window(self, names: Sequence[str]) -> None:
        """Say so where no open window is among those that are allowed by these names.

        Raises:
            BadInputError: none is.
        """
        stack = self._observer.windows.read().stack
        if names and stack and not any(self._observer.allowed(one) for one in stack):
            raise BadInputError(
                f"No open window is called {' or '.join(names)}.",
                hint="Name a program as it calls itself, or a part of a window's title; open it first.",
            )

    def observe(self) -> LiveObservation:
        """The screen now.

        Raises:
            CaptureError: it cannot be read.
            ModelError: the finder failed.
            CancelledError: it was stopped.
        """
        return self._observer.observe(control=self._control)

    def execute(self, response: LLMResponse, observation: LiveObservation | None = None) -> ExecutedAction:
        """Perform a response; whatever goes wrong is told in the result, and no key or button stays down.

        Args:
            response: its target is looked for in the contract's order: track_id, element_id, text, bbox.
            observation: the screen that the response is about; where it has changed meanwhile, the target is looked
                for again. None for the screen now.

        Raises:
            CaptureError: the screen cannot be read.
            ModelError: the finder failed.
        """
        began = now_ns()
        self._result, self._before, self._pointer, self._focused = ActionResult(), None, None, None
        self._started_ns = self._confirmed_ns = 0
        observation = observation or self.observe()
        ended, after = 0, None
        try:
            self._perform(response.action, observation)
            ended = now_ns()
            self._note(performed=True)
            self._confirm(observation)
            after = self._observer.painted(self._effect(response.action))
        except (CancelledError, ReplayError) as error:
            if error.details and code_of(error) in {"not_found", "ambiguous"}:  # no strategy led to the target
                near = _near_text(response.action, observation)
                error.hint = f"{near} Observe the screen again, and name an element that is on it.".strip()
            self._note(**_fault(error))
        finally:
            self._performer.release_all()
        self._note(seconds=round((now_ns() - began) / 1e9, 3))
        return ExecutedAction(
            response=response,
            observation=observation,
            result=self._result,
            after=after,
            pointer=self._pointer,
            started_ns=self._started_ns or began,
            ended_ns=ended or now_ns(),
            focused=self._focused,
            confirmed_ns=self._confirmed_ns,
        )

    def _confirm(self, observation: LiveObservation) -> None:
        """Note whether the whole screen looked as observed right before the first input."""
        before = self._before
        if self._confirmed_ns or before is None:
            return
        if compare(observation.image, self._observer.painted(before).image).same:
            self._confirmed_ns = before.ended_ns

    def preview(self, response: LLMResponse, observation: LiveObservation) -> ActionResult:
        """Where a response would act on the observed screen; nothing is performed, and nothing looked at anew."""
        result, target = ActionResult(), response.action.target
        if target is None:
            return result
        try:
            found = resolve_observed(target, observation)
            if isinstance(response.action, TypeAction | PressKeyAction):
                found = field_for(found, observation)
            end = None if response.action.end is None else resolve_observed(response.action.end, observation).point
        except ReplayError as error:
            return result.model_copy(update=_fault(error))
        return result.model_copy(
            update={
                "strategy": found.strategy,
                "failed": found.failed,
                "element_id": _number_of(found, observation),
                "point": (found.point.x, found.point.y),
                "end": None if end is None else (end.x, end.y),
            }
        )

    def _note(self, **fields: object) -> None:
        self._result = self._result.model_copy(update=fields)

    def _perform(self, action: Action, observation: LiveObservation) -> None:
        self._gate.check()
        _refuse_excess(action, self._gate.hotkey)
        match action:
            case FinishGoalAction() | ExtractDataAction():
                return
            case WaitAction(wait_duration_s=seconds):
                self._begin()
                self._gate.wait(seconds)
            case LaunchAction(app=app):
                if not self._may_launch(app):
                    raise ReplayError(
                        f"The program {app!r} may not be started.",
                        code="not_allowed",
                        hint=f"Allow it with --allow-launch {quoted(program_of(app))}.",
                    )
                self._begin()
                launch_program(app)
            case TypeAction() | PressKeyAction():
                self._keys(action, observation)
            case _:
                self._point(action, observation)

    def _begin(self) -> None:
        """The last look before the first input."""
        self._before = self._observer.screen.grab()
        self._window_number = self._performer.window_number()
        self._started_ns = now_ns()

    # The pointer ------------------------------------------------------------------------------------------------

    def _point(self, action: Action, observation: LiveObservation) -> None:
        if action.target is None:  # the wheel turns where the pointer is
            self._check_allowed(top_window(self._observer.windows.read().stack, self._performer.position()))
            self._begin()
            perform(action, self._driver)
            return
        start, view = self._find(action.target, observation)
        found = self._result
        end = None if action.end is None else self._find(action.end, observation)[0]
        self._result = found
        at = self._clear(start, view, observation.elements)
        to = None if end is None else self._clear(end, view)  # what is dropped on a control on it is dropped on it, too
        self._note(point=(at.x, at.y), end=None if to is None else (to.x, to.y))
        space = view.space
        # A menu opens what is below an item where the pointer rests, and another menu where it passes over its name.
        in_menu = action.action_type == "click" and start.element is not None and start.element.type in MENU_TYPES
        if not in_menu:
            self._driver.move_to(space.to_desktop(at))
            if action.action_type == "click":
                self._gate.wait(_LIGHT_UP_S)
        self._check_window(space.to_desktop(at), observation)
        way = self._way(action, at, to, view)
        for point in way[1:-1]:
            self._check_allowed(top_window(self._observer.windows.read().stack, space.to_desktop(point)))
        if to is not None:
            self._check_window(space.to_desktop(to), observation)
        moved = [PathPoint(x=p.x, y=p.y, t_ms=0.0) for p in way] if to is not None else []
        self._pointer = Pointer(
            x=at.x, y=at.y, end_x=None if to is None else to.x, end_y=None if to is None else to.y, path=tuple(moved)
        )
        self._begin()
        perform(
            action,
            self._driver,
            start=space.to_desktop(at),
            end=None if to is None else space.to_desktop(to),
            way=[space.to_desktop(p) for p in way],
            at_once=in_menu,
        )

    def _way(self, action: Action, at: Point, to: Point | None, view: Screenshot) -> list[Point]:
        """The way of a drag, pixels of the live picture, both ends included; empty for a straight one."""
        if not isinstance(action, DragAction) or not action.path or to is None:
            return []
        width, height = view.size
        return [at, *(Point(round(x * width), round(y * height)) for x, y in action.path), to]

    def _clear(self, place: _Place, view: Screenshot, elements: Sequence[Element] = ()) -> Point:
        """The point to act at: free of windows that lie over the element, and of the controls among ``elements``.

        Raises:
            ReplayError: all of it is covered.
        """
        if place.element is None:
            return place.point
        covers = covers_of(place.element, elements)
        over: WindowInfo | None = None
        for window in self._over(place.box, view):
            over = over or window
            covers.append(view.space.to_pixels(window.box or Rect(0, 0, 0, 0)))
        point = clear_point(place.box, covers, wanted=place.point)
        if point is None:
            raise occluded("another element" if over is None else name_window(over))
        return point

    def _over(self, box: Rect, view: Screenshot) -> list[WindowInfo]:
        """The windows that lie over an element, topmost first."""
        stack = self._observer.windows.read().stack
        above: list[WindowInfo] = []
        for window in stack:
            there = None if window.box is None else view.space.to_pixels(window.box)
            if there is None or there.intersection(box) is None:
                continue
            if box.share_in(there) >= _OWN_SHARE:
                return above
            above.append(window)
        # Nothing holds all of it: an element that reaches over its window's edge lies in the lowest one.
        return above[:-1]

    def _check_window(self, at: Point, observation: LiveObservation) -> None:
        """The window at a position of the desktop has to be allowed, and the one that was observed there.

        Raises:
            ReplayError: it is not.
        """
        now = top_window(self._observer.windows.read().stack, at)
        self._check_allowed(now)
        then = observation.top_window(observation.frame.space.to_pixel(at.x, at.y))
        if now is not None and then is not None and window_agrees(then, now) == "other":
            raise occluded(name_window(now))

    def _check_allowed(self, window: WindowInfo | None) -> None:
        if self._observer.allowed is any_window:
            return
        if window is None or not self._observer.allowed(window):
            raise ReplayError(
                "The window there is not among those that may be acted in; nothing was done.",
                code="not_allowed",
                hint="Allow the window, or bring the program that is meant to the front.",
            )

    def _find(
        self, target: ActionTarget, observation: LiveObservation, *, for_keys: bool = False
    ) -> tuple[_Place, Screenshot]:
        """Where a target is now, and the live picture in whose pixels that is; ``for_keys`` as of :func:`field_for`.

        Raises:
            ReplayError: it is not on the screen, or several elements may be it.
        """
        size = observation.frame.size
        seen = resolve_observed(target, observation)
        seen = field_for(seen, observation) if for_keys else seen
        self._note(strategy=seen.strategy, failed=seen.failed, element_id=_number_of(seen, observation))
        view = self._observer.painted(self._observer.screen.grab())
        found = seen
        if self._still_there(seen, view, observation):
            self._confirmed_ns = view.ended_ns
        else:
            try:
                found = _find_again(target, seen, observation, self.observe())
            except ReplayError as error:
                if error.code == "not_found":
                    self._check_covered(seen, view, observation)
                raise
            if found.element is None:
                self._check_title(found.point, view, observation)
        point = found.point if found.element is None else wanted_point(found.element)
        return _Place(point=_within(point, size), box=found.box, element=found.element), view

    def _check_covered(self, seen: Resolution, view: Screenshot, observation: LiveObservation) -> None:
        """What is not found may lie under a window that has come since it was observed.

        Raises:
            ReplayError: it does; what lies over it is named as far as it may be seen.
        """
        then = observation.top_window(seen.point)
        now = top_window(self._observer.windows.read().stack, view.space.to_desktop(seen.point))
        if now is not None and then is not None and window_agrees(then, now) in {"other", "unlike"}:
            raise occluded(name_window(now) if self._observer.allowed(now) else _UNSEEN)

    def _check_title(self, at: Point, view: Screenshot, observation: LiveObservation) -> None:
        """A mere place holds in the window that was observed there, and in no other that looks so at that place.

        Raises:
            ReplayError: another window lies there.
        """
        then = observation.top_window(at)
        now = top_window(self._observer.windows.read().stack, view.space.to_desktop(at))
        if now is not None and then is not None and window_agrees(then, now) in {"other", "unlike"}:
            name = name_window(now) if self._observer.allowed(now) else _UNSEEN
            raise ReplayError(
                f"{name[:1].upper()}{name[1:]} is there now, and not {name_window(then)}; nothing was done.",
                code="other_window",
                hint="Observe the screen again, and name an element or a place of the window that is meant.",
            )

    def _still_there(self, seen: Resolution, view: Screenshot, observation: LiveObservation) -> bool:
        """Whether a place looks as it was observed, under the same window."""
        if view.image.shape != observation.image.shape:
            return False
        stack = self._observer.windows.read().stack
        if stack and observation.stack:
            then = observation.top_window(seen.point)
            now = top_window(stack, view.space.to_desktop(seen.point))
            if (then is None) != (now is None) or (then and now and window_agrees(then, now) in {"other", "unlike"}):
                return False
        if compare(observation.image, view.image).same:
            return True
        return looks_alike(observation.image, view.image, seen.box) >= _HOLDS

    # Keys -------------------------------------------------------------------------------------------------------

    def _keys(self, action: TypeAction | PressKeyAction, observation: LiveObservation) -> None:
        if action.target is not None:
            place, view = self._find(action.target, observation, for_keys=True)
            if not self._has_focus(place, view):
                at = self._clear(place, view, observation.elements)
                desktop = view.space.to_desktop(at)
                self._check_window(desktop, observation)
                self._note(point=(at.x, at.y), clicked_first=True)
                self._driver.click(desktop)
                self._await_focus(place, at, view)
        window = self._performer.focused_window()
        self._check_allowed(window if self._performer.sees_focus else self._observer.windows.read().active)
        if action.target is None and self._performer.sees_focus and observation.window is not None:
            agrees = window_agrees(observation.window, window)
            if window is None or agrees in {"other", "unlike"}:
                raise ReplayError(
                    f"{name_window(window)} has the focus now, and not {name_window(observation.window)}. "
                    "Nothing was sent.",
                    code="other_window",
                    hint="Observe the screen again, or name the field as the target.",
                )
        number = self._performer.window_number()
        self._begin()
        done, last_ns = 0, self._started_ns

        def guard(sent: int) -> None:
            nonlocal done, last_ns
            done, last_ns = sent, now_ns()
            if self._performer.window_number() != number:
                there = name_window(self._performer.focused_window())
                raise ReplayError(
                    f"Another window, {there}, got the focus after {sent} keys had been sent; nothing more was sent.",
                    code="other_window",
                    hint="See to what has been typed, and try again.",
                )

        try:
            perform(action, self._driver, guard=guard)
        except DemopackError:
            self._note(sent=done)
            raise
        finally:
            self._focused = self._had_focus(last_ns)

    def _had_focus(self, last_ns: int) -> AccessibleElement | None:
        """What had the input while keys were sent, a secure field before others; None where nobody tells.

        As it was at the first key, unless its program told of the click that came before only later.
        """
        access, before, clicked = self._observer.access, self._before, self._result.point
        if not access.available:
            return None
        access.catch_up(timeout_s=_NEWS_S)
        if secure := access.secure_between(self._started_ns, last_ns):
            return secure
        first = access.focused(self._started_ns)
        if first is not None and first.box is not None and before is not None and clicked is not None:
            is_there = before.space.to_pixels(first.box).contains(Point(*clicked))
            return first if is_there else access.focused(last_ns)
        return first or access.focused(last_ns)

    def _await_focus(self, place: _Place, at: Point, view: Screenshot) -> None:
        """Wait until what was clicked has the input, where its program tells."""
        access, deadline = self._observer.access, now_ns() + int(_FOCUS_S * 1e9)
        while access.available and now_ns() < deadline:
            if place.element is not None:
                has_it = self._has_focus(place, view)
            else:
                access.catch_up(timeout_s=_NEWS_S)
                focused = access.focused(now_ns())
                box = None if focused is None else focused.box
                has_it = box is not None and view.space.to_pixels(box).contains(at)
            if has_it:
                return
            self._gate.wait(_POLL_S)

    def _has_focus(self, place: _Place, view: Screenshot) -> bool:
        """Whether a program reports that what is at a place has the input."""
        access = self._observer.access
        if not access.available or place.element is None:
            return False
        access.catch_up(timeout_s=_NEWS_S)
        focused = access.focused(now_ns())
        if focused is None or focused.box is None:
            return False
        there = view.space.to_pixels(focused.box)
        common = there.intersection(place.box)
        return common is not None and common.area * 2 > max(there.area, place.box.area)

    # What came of it --------------------------------------------------------------------------------------------

    def _effect(self, action: Action) -> Screenshot:
        """The screen at rest afterwards; notes what changed.

        Raises:
            CancelledError: it was stopped.
        """
        screen = self._observer.screen
        after = self._observer.settled(self._control, again=True)
        before = self._before
        if before is None or action.action_type in {"wait", "launch"}:
            return after
        deadline = now_ns() + int(_LATE_S * 1e9)
        is_late = False
        while (found := compare(before.image, after.image)).same and now_ns() < deadline:
            if self._has_text(action):
                break
            self._gate.wait(_POLL_S)
            after, is_late = screen.grab(), True
        if is_late and not found.same:
            after = self._observer.settled(self._control, again=True)
            found = compare(before.image, after.image)
        self._note(changed=() if found.same else found.boxes)
        if isinstance(action, TypeAction) and (value := self._other_value(action)) is not None:
            words = f"“{shorten(action.text_to_type)}” was typed, but its field holds “{shorten(value)}” now."
            self._note(
                code="other_effect", error=words, hint="See to the field: select what stands there, and type again."
            )
        elif (
            found.same
            and action.action_type in _NEEDS_EFFECT
            and not (isinstance(action, TypeAction) and self._focused is not None and self._focused.secure)
            and not self._has_text(action)
            and self._performer.window_number() == self._window_number  # a form that opens anew looks like the old one
        ):
            words = "It was performed, but nothing changed on the screen."
            # A text cursor that was set, or that went elsewhere, is an effect of a click.
            if not (action.action_type == "click" and found.boxes):
                self._note(code="no_effect", error=words)
        return after

    def _other_value(self, action: TypeAction) -> str | None:
        """What stands in the field where that is not what was there with the text in it; None where nobody tells.

        Only of a text that stays where it was typed; a program gets a moment for what it does with it.
        """
        access, field = self._observer.access, self._focused
        moves_on = action.submit or any(c in "\n\t" for c in action.text_to_type)
        if not access.available or moves_on or field is None or field.secure or field.role == _CONSOLE:
            return None
        deadline = now_ns() + int(_LATE_S * 1e9)
        while True:
            access.catch_up(timeout_s=_NEWS_S)
            there = access.focused(now_ns())
            if there is None or (there.role, there.name, there.box) != (field.role, field.name, field.box):
                return None
            change = access.text_change(self._started_ns, now_ns())
            before, value = change or (None, there.value)
            if not (before or value):
                return None  # fields that tell no value, or too long a one, look so
            if typed_into(before, action.text_to_type, value):
                return None
            if now_ns() >= deadline:
                return value
            self._gate.wait(_POLL_S)

    def _has_text(self, action: Action) -> bool:
        """Whether the program reports that what was typed stands in the element with the input."""
        access = self._observer.access
        if not isinstance(action, TypeAction) or not access.available:
            return False
        access.catch_up(timeout_s=_NEWS_S)
        focused = access.focused(now_ns())
        text = plain_text(action.text_to_type)
        return bool(focused is not None and text and text in plain_text(focused.value))


def _fault(error: CancelledError | ReplayError) -> dict[str, object]:
    """The fields of a result that tell what went wrong."""
    words = ReplayError(error.user_message, details=error.details).whole
    return {"code": code_of(error), "error": words, "hint": error.hint}


def _refuse_excess(action: Action, hotkey: frozenset[str]) -> None:
    """Refuse what nobody can mean: the hot-key that stops all, too much of one action, what stands for a secret.

    Raises:
        ReplayError: it is refused.
    """
    if (text := action.typed_text) and (stand_in := stand_in_of(text)):
        raise ReplayError(
            f"{stand_in} stands for a secret that the demo does not hold. Nothing was done.",
            code="not_allowed",
            hint="Give the text itself.",
        )
    for count, most in _MOST.items():
        given: float | tuple[object, ...] = getattr(action, count, None) or 0
        number = len(given) if isinstance(given, tuple) else given
        if number > most:
            told = f"{count} {'is' if number is given else 'has'} {number}"
            raise ReplayError(
                f"{told}; at most {most} are done at a time. Nothing was done.",
                code="not_allowed",
                hint="Ask for less, and look at the screen in between.",
            )
    if isinstance(action, PressKeyAction) and hotkey <= frozenset(action.keys):
        raise ReplayError(
            f"{action.key_info} is the hot-key with which a person stops everything; it is not pressed.",
            code="not_allowed",
            hint="Choose other keys, or set another hot-key.",
        )


def _near_text(action: Action, observation: LiveObservation) -> str:
    """A sentence that names the text on the screen which is most like one that is not there; empty where none is."""
    on_screen = {plain_text(one.text): one.text for one in observation.elements if one.text}
    for target in (action.target, action.end):
        if target is None or not target.text or plain_text(target.text) in on_screen:
            continue
        for near in difflib.get_close_matches(plain_text(target.text), on_screen, n=1):
            return f"Did you mean “{shorten(on_screen[near])}”?"
    return ""


def resolve_observed(target: ActionTarget, observation: LiveObservation) -> Resolution:
    """What a target means on the screen that it is about.

    Raises:
        ReplayError: nothing is it, or several elements may be.
    """
    size = observation.frame.size
    screen = SearchScreen(
        size=size, fresh=observation.elements, expect=lambda box: box, alike=lambda _box, _at: None, numbered=True,
        exact=True, is_read=observation.eyes != "picture",
    )  # fmt: skip
    try:
        return resolve(PlannedTarget(target=target), screen)
    except ReplayError as error:
        over = observation.cover_of(target.text or "") if error.code == "not_found" else None
        if over is None:
            raise
        raise occluded(name_window(over) if over.title or over.app else _UNSEEN) from error


def field_for(found: Resolution, observation: LiveObservation) -> Resolution:
    """What keys are meant for: of mere words the field that they are the label of; all else as it was found.

    Raises:
        ReplayError: the target are words that belong to no field.
    """
    elements, at = observation.elements, found.box.center
    own = found.element
    words = element_at(elements, at) if own is None else next((one for one in elements if one.uid == own.uid), own)
    if words is None or words.type != "text" or not words.text:
        return found
    around = [one.box for one in elements if one.type in FIELDS]
    focused = observation.focused
    if focused is not None and focused.box is not None and "editable" in focused.states:
        around.append(observation.frame.space.to_pixels(focused.box))
    if any(box.contains(at) for box in around):
        return found
    named = [one for one in elements if one.type in FIELDS and _is_label(words, one, elements)]
    if len(named) == 1:
        (field,) = named
        return replace(found, point=field.box.center, box=field.box, element=field)
    raise ReplayError(
        f"“{words.text}” is text on the screen and no field; nothing was sent."
        if not named
        else f"“{words.text}” stands at {len(named)} fields; nothing was sent.",
        code="ambiguous" if named else "not_found",
        hint="Name a field, or send the keys without a target, to what has the input.",
    )


def _is_label(words: Element, field: NumberedElement, elements: Sequence[NumberedElement]) -> bool:
    label = label_of(field, elements)
    return label is not None and label.element.uid == words.uid


def _number_of(found: Resolution, observation: LiveObservation) -> int | None:
    """The number of a found element in the observation."""
    if found.element is None:
        return None
    return next((one.number for one in observation.elements if one.uid == found.element.uid), None)


def _find_again(
    target: ActionTarget, seen: Resolution, observation: LiveObservation, now: LiveObservation
) -> Resolution:
    """Where what was observed is on a screen that looks different by now.

    Raises:
        ReplayError: it is not there.
    """
    frame, element = observation.frame, seen.element
    if element is not None:
        target = target_of(element, observation.elements, frame)
    scale = (now.frame.width / frame.width, now.frame.height / frame.height)
    shift = Shift(observation.elements, now.elements, scale=scale)
    screen = SearchScreen(
        size=now.frame.size,
        fresh=now.elements,
        expect=shift.moved,
        alike=lambda box, at: looks_alike(observation.image, now.image, box, at=at),
        exact=True,
    )
    return resolve(PlannedTarget(target=target, size=frame.size, element=element), screen)


def _within(point: Point, size: Size) -> Point:
    return Point(min(max(point.x, 0), size.width - 1), min(max(point.y, 0), size.height - 1))


@contextlib.contextmanager
def open_observer(
    settings: Settings, *, eyes: Eyes = "all", allowed: AllowedWindow = any_window, finder: ElementFinder | None = None
) -> Generator[ScreenObserver]:
    """An observer of the screen of this session, with everything that it needs; closed at the end of the block.

    Args:
        settings: of vision and privacy.
        eyes: what observations are made from.
        allowed: which windows may be seen.
        finder: finds elements; None for the one of the settings, which is opened when it is needed.

    Raises:
        CaptureError: there is no screen.
    """
    from models.vision.finder import open_finder
    from recorder.backends import open_access, open_screen, open_windows

    with contextlib.ExitStack() as stack:
        screen = stack.enter_context(contextlib.closing(open_screen()))
        windows = stack.enter_context(contextlib.closing(open_windows()))
        access = open_access() if settings.recorder.privacy.accessibility else AccessSource()
        stack.callback(access.stop)
        access.start()
        finder = finder or stack.enter_context(LazyFinder(lambda: open_finder(settings.vision)))
        yield ScreenObserver(
            screen=screen,
            finder=finder,
            windows=windows,
            access=access,
            eyes=eyes,
            allowed=allowed,
            settle_s=settings.player.settle_timeout_s,
        )


@contextlib.contextmanager
def open_executor(
    settings: Settings,
    *,
    eyes: Eyes = "all",
    allowed: AllowedWindow = any_window,
    may_launch: Callable[[str], bool] = lambda _: False,
    token: CancelToken | None = None,
    finder: ElementFinder | None = None,
) -> Generator[Executor]:
    """An executor for the screen of this session, with everything that it needs; closed at the end of the block.

    Args:
        settings: of vision, privacy, player and hot-keys.
        eyes: what observations are made from.
        allowed: which windows may be seen and acted in.
        may_launch: asked before a program is started, with its whole command line.
        token: cancels; the abort hot-key and the pointer in a corner of the screen do so, too. On X11 the hot-key
            reaches no other program until the end of the block.
        finder: finds elements; None for the one of the settings, which is opened when it is needed.

    Raises:
        CaptureError: there is no screen, or the session does not let programs act.
    """
    from recorder.backends import open_input

    control = JobControl(token=token or CancelToken())
    with contextlib.ExitStack() as stack:
        performer = stack.enter_context(open_performer())
        stack.enter_context(contextlib.closing(KeyGrab({"abort": settings.recorder.hotkeys.abort_replay})))
        observer = stack.enter_context(open_observer(settings, eyes=eyes, allowed=allowed, finder=finder))
        gate = stack.enter_context(
            AbortMonitor(
                performer,
                token=control.token,
                bounds=observer.screen.grab().desktop_box,
                hotkey=settings.recorder.hotkeys.abort_replay,
                corner_px=settings.player.corner_px,
                inputs=_open_hook(performer, open_input),
            )
        )
        stack.callback(performer.release_all)
        driver = InputDriver(performer, gate=gate, settings=settings.player)
        yield Executor(observer, performer=performer, gate=gate, driver=driver, control=control, may_launch=may_launch)


def _open_hook(performer: Performer, opener: Callable[[], InputSource]) -> InputSource | None:
    """A hook for the abort hot-key; None where there is none and the performer itself sees the keys."""
    with contextlib.suppress(*((CaptureError,) if performer.sees_keys else ())):
        return opener()
    return None
