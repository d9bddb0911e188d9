"""Resolution of a step's targets on one view of the live screen, or on the recorded one."""

from __future__ import annotations

from dataclasses import dataclass

from demopack.domain.geometry import Point, Size
from models.vision.tracker import assign_tracks
from player.screen_matcher import ScreenMatcher, ScreenView
from player.shift import Shift
from player.step_plan import StepPlan
from player.target_strategies import ALIKE, Resolution, SearchScreen, place_in, resolve


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
