"""Plan of a step: what the recording knows about its targets, and where they are on a screen."""

from __future__ import annotations

from dataclasses import dataclass

from demopack.domain.actions import Action, ActionTarget
from demopack.domain.binding import response_of, target_of
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.steps import Step
from models.vision.tracker import assign_tracks
from player.screen_matcher import ScreenMatcher, ScreenView
from player.shift import Shift
from player.target_strategies import ALIKE, PlannedTarget, Resolution, SearchScreen, place_in, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPlan:
    """A step, ready to be resolved.

    Attributes:
        step: as recorded.
        action: with the targets that the recording's elements give.
        before: the recorded frame; None when there is none.
        elements: on that frame.
        aim: where it is done; None for a step without a target.
        end: where a drag ends; None for a drag inside one element, whose end is ``inner_end``.
        inner_end: where a drag inside one element ends, in pixels of the before-frame.
    """

    step: Step
    action: Action
    before: Frame | None
    elements: tuple[Element, ...]
    aim: PlannedTarget | None
    end: PlannedTarget | None = None
    inner_end: Point | None = None


def plan_step(step: Step, demo: Demo) -> StepPlan:
    """Gather what is known about a step."""
    action = response_of(step, demo).action
    frame = step.before
    ordered = [] if frame is None else demo.ordered(frame.id)
    by_uid = {element.uid: element for element in ordered}
    pointer = step.pointer
    start = end = None
    if pointer is not None:
        start = Point(pointer.x, pointer.y)
        end = None if pointer.end_x is None or pointer.end_y is None else Point(pointer.end_x, pointer.end_y)
    element = by_uid.get(step.target_uid or "")
    if frame is not None and element is not None and end is not None and step.end_uid == step.target_uid:
        # A drag inside one element: the element is found as a whole, and both points lie in it as they did.
        whole = PlannedTarget(target=target_of(element, ordered, frame), size=frame.size, element=element, point=start)
        return StepPlan(step=step, action=action, before=frame, elements=tuple(ordered), aim=whole, inner_end=end)
    return StepPlan(
        step=step,
        action=action,
        before=frame,
        elements=tuple(ordered),
        aim=_aim(action.target, element or _named(action.target, ordered), start, frame),
        end=_aim(action.end, by_uid.get(step.end_uid or ""), end, frame),
    )


def recorded_window(step: Step, frame: Frame) -> Rect | None:
    """The window that a step was done in, in pixels of a recorded frame; None where it is not known."""
    return None if step.window is None or step.window.box is None else frame.space.to_pixels(step.window.box)


def _aim(
    target: ActionTarget | None, element: Element | None, point: Point | None, frame: Frame | None
) -> PlannedTarget | None:
    if target is None or frame is None:
        return None if target is None else PlannedTarget(target=target)
    return PlannedTarget(target=target, size=frame.size, element=element, point=point)


def _named(target: ActionTarget | None, ordered: list[Element]) -> Element | None:
    """The element that a hand-written target names."""
    if target is None:
        return None
    if target.track_id is not None:
        return next((e for e in ordered if e.track_id == target.track_id), None)
    if target.element_id is not None and 1 <= target.element_id <= len(ordered):
        return ordered[target.element_id - 1]
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedStep:
    """Where a step is done, in pixels of the live frame.

    Attributes:
        view: the screen it was found on.
        start: None for a step without a target.
        end: where a drag ends.
    """

    view: ScreenView
    start: Resolution | None = None
    end: Point | None = None


def resolve_on(plan: StepPlan, view: ScreenView, matcher: ScreenMatcher) -> ResolvedStep:
    """Resolve a step's targets on one view of the live screen.

    Raises:
        ReplayError: a target is not there.
    """
    # On the recorded screen the recorded elements hold; that is fast and exact.
    search = recorded_screen(plan, view.size) if view.matches else _live_screen(plan, view, matcher)
    start, end = resolve_plan(plan, search)
    return ResolvedStep(view=view, start=start, end=end)


def recorded_screen(plan: StepPlan, size: Size) -> SearchScreen:
    """The recorded frame itself."""
    return SearchScreen(size=size, fresh=plan.elements, expect=lambda box: box, alike=lambda _box, _at: 1.0)


def _live_screen(plan: StepPlan, view: ScreenView, matcher: ScreenMatcher) -> SearchScreen:
    """The live screen, freshly parsed, unless bare positions still look as recorded."""
    recorded_size = view.size if plan.before is None else plan.before.size
    still = Shift.between((), recorded_size, (), view.size)
    aims = [aim for aim in (plan.aim, plan.end) if aim is not None]
    if all(
        aim.target.track_id is None and aim.target.element_id is None and aim.target.text is None
        and (place := aim.place) is not None
        and (view.similarity(place, still.moved(place).center) or 0) >= ALIKE
        for aim in aims
    ):  # fmt: skip
        return SearchScreen(size=view.size, fresh=(), expect=still.moved, alike=view.similarity)
    found = matcher.find_elements(view)
    shift = Shift.between(plan.elements, recorded_size, found, view.size)
    return SearchScreen(
        size=view.size,
        fresh=assign_tracks(shift.expected(plan.elements), found),
        expect=shift.moved,
        alike=view.similarity,
    )


def resolve_plan(plan: StepPlan, search: SearchScreen) -> tuple[Resolution | None, Point | None]:
    """Resolve a step's targets: where it is done, and where a drag ends.

    Raises:
        ReplayError: a target is not there.
    """
    if plan.aim is None:
        return None, None
    start, known = resolve(plan.aim, search), plan.aim.element
    if plan.inner_end is not None and known is not None:
        return start, place_in(plan.inner_end, known.box, start.box, element=known)
    return start, None if plan.end is None else resolve(plan.end, search).point
