"""Resolver of a step's targets on the live screen, patient with one that is slower than it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from demopack.clock import now_ns
from demopack.domain.actions import ActionTarget
from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect, Size, from_norm_xywh
from demopack.errors import ReplayError
from demopack.settings import PlayerSettings
from models.vision.tracker import assign_tracks
from player.abort import AbortMonitor
from player.input_driver import InputDriver
from player.screen_matcher import ScreenMatcher, ScreenView
from player.shift import Shift
from player.step_plan import PlannedTarget, StepPlan
from player.target_strategies import ALIKE, Resolution, is_written, place_in, resolve

_POLL_INTERVAL_S = 0.1
_HOVER_SHARE = 0.5


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetResolver:
    """Waits for the recorded screen, then resolves; nothing is performed but moving the pointer."""

    matcher: ScreenMatcher
    driver: InputDriver
    gate: AbortMonitor
    settings: PlayerSettings

    def await_before(self, plan: StepPlan, *, patience_s: float, strayed: bool) -> ScreenView:
        """The screen before the step, when it looks as recorded, or else once the person's own pause has passed.

        A pointer that rests on a button changes how it looks, so the pointer is brought to where it was.

        Args:
            plan: the step.
            patience_s: the person's own pause.
            strayed: the screen was another one already; then only a step that finds no target of its own waits.
        """
        view = self.matcher.capture_settled(plan.before)
        if view.comparison is None or view.matches or (strayed and plan.aim is not None):
            return view
        hover = self._recorded_point(plan, view)
        if hover is not None and (view.share or 0) >= _HOVER_SHARE:
            self.driver.move_to(view.to_desktop(hover))
            view = self.matcher.capture_settled(plan.before)
        deadline = now_ns() + int(min(patience_s, self.settings.settle_timeout_s) * 1e9)
        while not view.matches and now_ns() < deadline:
            self.gate.wait(_POLL_INTERVAL_S)
            view = self.matcher.capture(plan.before)
        return view

    def find(self, plan: StepPlan, view: ScreenView) -> ResolvedStep:
        """Resolve the step's targets, again and again while the screen still changes.

        Raises:
            ReplayError: a target is not there.
        """
        deadline = now_ns() + int(self.settings.settle_timeout_s * 1e9)
        while True:
            try:
                return resolve_on(plan, view, self.matcher)
            except ReplayError as error:
                failure = error
            changed = self._changed(plan, view, deadline)
            if changed is None:
                raise failure
            view = changed

    def _changed(self, plan: StepPlan, view: ScreenView, deadline: int) -> ScreenView | None:
        """The next screen that differs; None when none comes in time."""
        while now_ns() < deadline:
            self.gate.wait(_POLL_INTERVAL_S)
            if not np.array_equal(self.matcher.capture(None).grab.image, view.grab.image):
                return self.matcher.capture_settled(plan.before)
        return None

    def _recorded_point(self, plan: StepPlan, view: ScreenView) -> Point | None:
        """Where the pointer was, scaled to the live frame."""
        if plan.aim is None or plan.aim.recorded is None or plan.aim.recorded.point is None:
            return None
        point, size = plan.aim.recorded.point, plan.aim.recorded.size
        return Point(round(point.x * view.size.width / size.width), round(point.y * view.size.height / size.height))


def resolve_on(plan: StepPlan, view: ScreenView, matcher: ScreenMatcher) -> ResolvedStep:
    """Resolve a step's targets on one view of the live screen.

    Raises:
        ReplayError: a target is not there.
    """
    # On the recorded screen the recorded elements hold; that is fast and exact.
    search = recorded_screen(plan, view.size) if view.matches else _live_screen(plan, view, matcher)
    start, end = resolve_plan(plan, search)
    return ResolvedStep(view=view, start=start, end=end)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchScreen:
    """What targets are looked for on.

    Attributes:
        size: of the frame.
        fresh: the elements on it.
        expect: where a box, in pixels of the recorded frame, should be now.
        alike: how much a recorded box looks as recorded, at a point of this frame; None when that cannot be told.
    """

    size: Size
    fresh: Sequence[Element]
    expect: Callable[[Rect], Rect]
    alike: Callable[[Rect, Point], float | None]


def recorded_screen(plan: StepPlan, size: Size) -> SearchScreen:
    """The recorded frame itself."""
    return SearchScreen(size=size, fresh=plan.elements, expect=lambda box: box, alike=lambda _box, _at: 1.0)


def _live_screen(plan: StepPlan, view: ScreenView, matcher: ScreenMatcher) -> SearchScreen:
    """The live screen, freshly parsed, unless bare positions still look as recorded."""
    recorded_size = view.size if plan.before is None else plan.before.size
    still = Shift.between((), recorded_size, (), view.size)
    places = [_place(aim) for aim in (plan.aim, plan.end) if aim is not None and _is_bare(aim.target)]
    aims = [aim for aim in (plan.aim, plan.end) if aim is not None]
    if len(places) == len(aims) and all(
        place is not None and (view.similarity(place, still.moved(place).center) or 0) >= ALIKE for place in places
    ):
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
    start = _one(plan.aim, search)
    known = None if plan.aim.recorded is None else plan.aim.recorded.element
    if plan.inner_end is not None and known is not None:
        return start, place_in(plan.inner_end, known.box, start.box, written=is_written(known))
    return start, None if plan.end is None else _one(plan.end, search).point


def _one(aim: PlannedTarget, search: SearchScreen) -> Resolution:
    place = _place(aim)
    expected = None if place is None else search.expect(place)
    alike = None if place is None or expected is None else search.alike(place, expected.center)
    return resolve(
        aim.target, fresh=search.fresh, size=search.size, recorded=aim.recorded, alike=alike, expected=expected
    )


def _place(aim: PlannedTarget) -> Rect | None:
    """Where the target was, in pixels of the recorded frame."""
    if aim.recorded is None or aim.target.bbox is None:
        return None
    return from_norm_xywh(aim.target.bbox, aim.recorded.size)


def _is_bare(target: ActionTarget) -> bool:
    """Whether it is a position and nothing else."""
    return target.track_id is None and target.element_id is None and target.text is None
