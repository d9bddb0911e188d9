"""Finds a step's targets on the live screen, waiting for a screen that is slower than it was."""

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
from player.eyes import Eyes, View
from player.hands import Hands, Watch
from player.place import place_in
from player.recorded import Aim, Plan
from player.resolve import Resolution, resolve

__all__ = ["Finding", "Seeker", "locate", "look_for"]

_LOOK_S = 0.1
_HOVER_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Where a step is done, in pixels of the live frame.

    Attributes:
        view: the screen it was found on.
        start: None for a step without a target.
        end: where a drag ends.
    """

    view: View
    start: Resolution | None = None
    end: Point | None = None


class Seeker:
    """Waits for the recorded screen, then resolves; nothing is performed but moving the pointer."""

    def __init__(self, eyes: Eyes, hands: Hands, *, watch: Watch, settings: PlayerSettings) -> None:
        self._eyes = eyes
        self._hands = hands
        self._watch = watch
        self._settings = settings

    def await_before(self, plan: Plan, *, patience_s: float) -> View:
        """The screen before the step, when it looks as recorded, or else once the person's own pause has passed.

        A pointer that rests on a button changes how it looks, so the pointer is brought to where it was.
        """
        view = self._eyes.settled(plan.before)
        if view.comparison is None or view.same:
            return view
        hover = self._recorded_point(plan, view)
        if hover is not None and (view.share or 0) >= _HOVER_SHARE:
            self._hands.go(view.to_desktop(hover))
            view = self._eyes.settled(plan.before)
        deadline = now_ns() + int(min(patience_s, self._settings.settle_timeout_s) * 1e9)
        while not view.same and now_ns() < deadline:
            self._watch.wait(_LOOK_S)
            view = self._eyes.look(plan.before)
        return view

    def find(self, plan: Plan, view: View) -> Finding:
        """Resolve the step's targets, again and again while the screen still changes.

        Raises:
            ReplayError: a target is not there.
        """
        deadline = now_ns() + int(self._settings.settle_timeout_s * 1e9)
        while True:
            try:
                return look_for(plan, view, self._eyes)
            except ReplayError as error:
                failure = error
            changed = self._changed(plan, view, deadline)
            if changed is None:
                raise failure
            view = changed

    def _changed(self, plan: Plan, view: View, deadline: int) -> View | None:
        """The next screen that differs; None when none comes in time."""
        while now_ns() < deadline:
            self._watch.wait(_LOOK_S)
            if not np.array_equal(self._eyes.look(None).grab.image, view.grab.image):
                return self._eyes.settled(plan.before)
        return None

    def _recorded_point(self, plan: Plan, view: View) -> Point | None:
        """Where the pointer was, scaled to the live frame."""
        if plan.aim is None or plan.aim.recorded is None or plan.aim.recorded.point is None:
            return None
        point, size = plan.aim.recorded.point, plan.aim.recorded.size
        return Point(round(point.x * view.size.width / size.width), round(point.y * view.size.height / size.height))


def look_for(plan: Plan, view: View, eyes: Eyes) -> Finding:
    """Resolve a step's targets on one view of the live screen.

    Raises:
        ReplayError: a target is not there.
    """

    def fresh() -> Sequence[Element]:
        # On the recorded screen the recorded elements hold; that is fast and exact.
        return plan.elements if view.same else eyes.elements(view, plan.elements)

    def alike(place: Rect) -> float | None:
        return 1.0 if view.same else view.alike(place)

    start, end = locate(plan, size=view.size, fresh=fresh, alike=alike)
    return Finding(view=view, start=start, end=end)


def locate(
    plan: Plan,
    *,
    size: Size,
    fresh: Callable[[], Sequence[Element]],
    alike: Callable[[Rect], float | None],
) -> tuple[Resolution | None, Point | None]:
    """Resolve a step's targets: where it is done, and where a drag ends.

    Args:
        plan: the step.
        size: of the frame it is looked for on.
        fresh: gives the elements on that frame; not called where they would not help.
        alike: how much a place, in pixels of the recorded frame, looks as recorded.

    Raises:
        ReplayError: a target is not there.
    """
    if plan.aim is None:
        return None, None
    aims = [aim for aim in (plan.aim, plan.end) if aim is not None]
    elements = () if all(_is_bare(aim.target) for aim in aims) else fresh()
    start = _one(plan.aim, elements, size, alike)
    known = None if plan.aim.recorded is None else plan.aim.recorded.element
    if plan.inner_end is not None and known is not None:
        return start, place_in(plan.inner_end, known.box, start.box)
    return start, None if plan.end is None else _one(plan.end, elements, size, alike).point


def _one(aim: Aim, elements: Sequence[Element], size: Size, alike: Callable[[Rect], float | None]) -> Resolution:
    share = None
    if aim.recorded is not None and aim.target.bbox is not None:
        share = alike(from_norm_xywh(aim.target.bbox, aim.recorded.size))
    return resolve(aim.target, fresh=elements, size=size, recorded=aim.recorded, alike=share)


def _is_bare(target: ActionTarget) -> bool:
    """Whether it is a position and nothing else."""
    return target.track_id is None and target.element_id is None and target.text is None
