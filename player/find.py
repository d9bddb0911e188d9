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
from models.vision.tracker import assign_tracks
from player.eyes import Eyes, View
from player.hands import Hands, Watch
from player.place import place_in
from player.recorded import Aim, Plan
from player.resolve import ALIKE, Resolution, is_written, resolve
from player.shift import Shift

__all__ = ["Finding", "Scene", "Seeker", "locate", "look_for", "same_scene"]

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

    def await_before(self, plan: Plan, *, patience_s: float, strayed: bool) -> View:
        """The screen before the step, when it looks as recorded, or else once the person's own pause has passed.

        A pointer that rests on a button changes how it looks, so the pointer is brought to where it was.

        Args:
            plan: the step.
            patience_s: the person's own pause.
            strayed: the screen was another one already; then only a step that finds no target of its own waits.
        """
        view = self._eyes.settled(plan.before)
        if view.comparison is None or view.same or (strayed and plan.aim is not None):
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
    # On the recorded screen the recorded elements hold; that is fast and exact.
    scene = same_scene(plan, view.size) if view.same else _live_scene(plan, view, eyes)
    start, end = locate(plan, scene)
    return Finding(view=view, start=start, end=end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
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


def same_scene(plan: Plan, size: Size) -> Scene:
    """The recorded frame itself."""
    return Scene(size=size, fresh=plan.elements, expect=lambda box: box, alike=lambda _box, _at: 1.0)


def _live_scene(plan: Plan, view: View, eyes: Eyes) -> Scene:
    """The live screen, freshly parsed, unless bare positions still look as recorded."""
    recorded_size = view.size if plan.before is None else plan.before.size
    still = Shift.between((), recorded_size, (), view.size)
    places = [_place(aim) for aim in (plan.aim, plan.end) if aim is not None and _is_bare(aim.target)]
    aims = [aim for aim in (plan.aim, plan.end) if aim is not None]
    if len(places) == len(aims) and all(
        place is not None and (view.alike(place, still.moved(place).center) or 0) >= ALIKE for place in places
    ):
        return Scene(size=view.size, fresh=(), expect=still.moved, alike=view.alike)
    found = eyes.elements(view)
    shift = Shift.between(plan.elements, recorded_size, found, view.size)
    return Scene(
        size=view.size,
        fresh=assign_tracks(shift.expected(plan.elements), found),
        expect=shift.moved,
        alike=view.alike,
    )


def locate(plan: Plan, scene: Scene) -> tuple[Resolution | None, Point | None]:
    """Resolve a step's targets: where it is done, and where a drag ends.

    Raises:
        ReplayError: a target is not there.
    """
    if plan.aim is None:
        return None, None
    start = _one(plan.aim, scene)
    known = None if plan.aim.recorded is None else plan.aim.recorded.element
    if plan.inner_end is not None and known is not None:
        return start, place_in(plan.inner_end, known.box, start.box, written=is_written(known))
    return start, None if plan.end is None else _one(plan.end, scene).point


def _one(aim: Aim, scene: Scene) -> Resolution:
    place = _place(aim)
    expected = None if place is None else scene.expect(place)
    alike = None if place is None or expected is None else scene.alike(place, expected.center)
    return resolve(
        aim.target, fresh=scene.fresh, size=scene.size, recorded=aim.recorded, alike=alike, expected=expected
    )


def _place(aim: Aim) -> Rect | None:
    """Where the target was, in pixels of the recorded frame."""
    if aim.recorded is None or aim.target.bbox is None:
        return None
    return from_norm_xywh(aim.target.bbox, aim.recorded.size)


def _is_bare(target: ActionTarget) -> bool:
    """Whether it is a position and nothing else."""
    return target.track_id is None and target.element_id is None and target.text is None
