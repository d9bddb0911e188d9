"""Plan of a step: what the recording knows about its targets, and where they are on a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median_low
from types import MappingProxyType
from typing import Final

from demopack.domain.actions import Action, ActionTarget, ClickAction, DragAction
from demopack.domain.binding import response_of, target_of
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.steps import Step
from demopack.domain.text_likeness import plain_text
from demopack.errors import ModelError, ReplayError
from models.vision.tracker import assign_tracks
from player.reported_targets import ReportedPlace, recorded_report
from player.screen_matcher import ScreenMatcher, ScreenView
from player.target_strategies import (
    ALIKE,
    PlannedTarget,
    Resolution,
    RowText,
    SearchScreen,
    place_in,
    resolve,
    resolve_reported,
)

_NO_ROWS: Final[Mapping[tuple[str, str], RowText]] = MappingProxyType({})


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

    @property
    def is_renewed(self) -> bool:
        """Whether a target, or what stands in its row, has another text than in the recording."""
        return any(aim is not None and (aim.renewed or aim.beside is not None) for aim in (self.aim, self.end))

    def renewed(
        self, targets: Container[tuple[str, str]], beside: Mapping[tuple[str, str], RowText] = _NO_ROWS
    ) -> StepPlan:
        """The plan with what is known of targets that have, or stand beside, another text than in the recording.

        Args:
            targets: see :attr:`player.variables.FilledDemo.renewed`.
            beside: see :attr:`player.variables.FilledDemo.beside`.
        """
        aim, end = (
            None
            if one is None
            else one.but(renewed=(self.step.id, which) in targets, beside=beside.get((self.step.id, which)))
            for which, one in (("target", self.aim), ("end", self.end))
        )
        return replace(self, aim=aim, end=end)


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
        whole = _aim(target_of(element, ordered, frame), element, start, frame, step, demo)
        return StepPlan(step=step, action=action, before=frame, elements=tuple(ordered), aim=whole, inner_end=end)
    return StepPlan(
        step=step,
        action=action,
        before=frame,
        elements=tuple(ordered),
        aim=_aim(action.target, element or _named(action.target, ordered), start, frame, step, demo),
        end=_aim(action.end, by_uid.get(step.end_uid or ""), end, frame),
    )


def recorded_window(step: Step, frame: Frame) -> Rect | None:
    """The window that a step was done in, in pixels of a recorded frame; None where it is not known."""
    return None if step.window is None or step.window.box is None else frame.space.to_pixels(step.window.box)


def _aim(
    target: ActionTarget | None,
    element: Element | None,
    point: Point | None,
    frame: Frame | None,
    step: Step | None = None,
    demo: Demo | None = None,
) -> PlannedTarget | None:
    if target is None or frame is None:
        return None if target is None else PlannedTarget(target=target)
    reported = None if step is None or demo is None else recorded_report(step, element, demo.trees)
    return PlannedTarget(target=target, size=frame.size, element=element, point=point, reported=reported)


def _named(target: ActionTarget | None, ordered: list[Element]) -> Element | None:
    """The element that a hand-written target names."""
    if target is None:
        return None
    if target.track_id is not None:
        return next((e for e in ordered if e.track_id == target.track_id), None)
    if target.element_id is not None and 1 <= target.element_id <= len(ordered):
        return ordered[target.element_id - 1]
    return None


def resolve_on(plan: StepPlan, view: ScreenView, matcher: ScreenMatcher) -> tuple[Resolution | None, Point | None]:
    """Resolve a step's targets on one view of the live screen; results and errors as of :func:`resolve_plan`."""
    if view.matches and not plan.is_renewed:
        # On the recorded screen the recorded elements hold; that is fast and exact.
        return resolve_plan(plan, recorded_screen(plan, view.size))
    aim = plan.aim
    scale = view.scale_from(plan.before)
    found = None if aim is None or aim.reported is None else matcher.find_reported(aim.reported, view)
    if aim is None or aim.reported is None or not isinstance(found, ReportedPlace):
        try:
            start, end = resolve_plan(plan, _live_screen(plan, view, matcher))
        except ReplayError as error:
            if found is not None:
                error.details = f"role_name: {found}; {error.details}"
            raise
        if found is not None and start is not None:
            start = replace(start, failed=(f"role_name: {found}", *start.failed))
        source = None if aim is None or aim.element is None else aim.element.box
    else:
        source, end = aim.reported.box, None
        start = resolve_reported(aim, found.box, view.size, scale=scale)
        if plan.inner_end is not None:
            end = place_in(
                plan.inner_end, source, found.box, element=aim.element, scale=scale, is_area=aim.is_area
            )  # fmt: skip
        elif plan.end is not None:
            end = resolve(plan.end, _live_screen(plan, view, matcher)).point
    return (start, end) if start is None or source is None else _in_text(plan, view, matcher, source, start, end)


_TEXT_ROLES: Final = frozenset({"text", "entry", "paragraph", "static", "heading", "document text", "label"})


def _in_text(
    plan: StepPlan, view: ScreenView, matcher: ScreenMatcher, source: Rect, start: Resolution, end: Point | None
) -> tuple[Resolution, Point | None]:
    """The places of a step in a text, by the words around them; as they are where it is not done in a text.

    Raises:
        ReplayError: the words that a step selects are not there.
    """
    aim, action = plan.aim, plan.action
    if aim is None or aim.point is None or plan.before is None:
        return start, end
    is_field = aim.element is not None and aim.element.type in {"input_field", "text_area"}
    is_text = is_field or (aim.element is not None and aim.element.type == "text")
    is_text = is_text or (aim.reported is not None and aim.reported.role in _TEXT_ROLES)
    selects = isinstance(action, DragAction) or (isinstance(action, ClickAction) and action.click_type in _SELECT)
    # A click on a text that cannot be written in is meant for the whole of it.
    if not (is_field or (is_text and selects)) or not isinstance(action, ClickAction | DragAction):
        return start, end
    try:
        begins = matcher.find_in_text(aim.point, source, plan.before, view, start.box)
        inner = plan.inner_end
        ends = None if inner is None else matcher.find_in_text(inner, source, plan.before, view, start.box)
    except ModelError:
        return start, end  # nothing is there that could read
    for found in (begins, ends):
        if isinstance(found, str) and selects:
            raise ReplayError(
                f"On this screen {found}; nothing was selected.",
                hint="Bring the screen to where the step begins, or correct the step's target in the editor.",
            )
    if isinstance(begins, Point):
        start = replace(start, point=begins)
    return start, ends if isinstance(ends, Point) else end


_SELECT: Final = frozenset({"double", "triple"})


def recorded_screen(plan: StepPlan, size: Size) -> SearchScreen:
    """The recorded frame itself."""
    return SearchScreen(size=size, fresh=plan.elements, expect=lambda box: box, alike=lambda _box, _at: 1.0)


def _live_screen(plan: StepPlan, view: ScreenView, matcher: ScreenMatcher) -> SearchScreen:
    """The live screen, freshly parsed, unless bare positions still look as recorded."""
    recorded_size = view.size if plan.before is None else plan.before.size
    scale = (view.size.width / recorded_size.width, view.size.height / recorded_size.height)
    still = Shift((), (), scale=scale)
    aims = [aim for aim in (plan.aim, plan.end) if aim is not None]
    if all(
        not aim.renewed and aim.beside is None
        and aim.target.track_id is None and aim.target.element_id is None and aim.target.text is None
        and (place := aim.place) is not None
        and (view.similarity(place, still.moved(place).center) or 0) >= ALIKE
        for aim in aims
    ):  # fmt: skip
        return SearchScreen(
            size=view.size, fresh=(), expect=still.moved, alike=view.similarity, scale=view.scale_from(plan.before)
        )
    found = matcher.find_elements(view)
    shift = Shift(plan.elements, found, scale=scale)
    return SearchScreen(
        size=view.size,
        fresh=assign_tracks(shift.expected(plan.elements), found),
        expect=shift.moved,
        alike=view.similarity,
        scale=view.scale_from(plan.before),
    )


def resolve_plan(plan: StepPlan, search: SearchScreen) -> tuple[Resolution | None, Point | None]:
    """Resolve a step's targets: where it is done (None without one), and where a drag ends, in pixels of the screen.

    Raises:
        ReplayError: a target is not there.
    """
    if plan.aim is None:
        return None, None
    start, known = resolve(plan.aim, search), plan.aim.element
    if plan.inner_end is not None and known is not None:
        inner = place_in(
            plan.inner_end, known.box, start.box, element=known, scale=search.scale, is_area=plan.aim.is_area
        )
        return start, inner
    return start, None if plan.end is None else resolve(plan.end, search).point


_NEAREST: Final = 5


class Shift:
    """Learns from labels that stand once on both screens how far their surroundings have moved.

    Args:
        recorded: elements of the recorded frame.
        fresh: elements of the live frame.
        scale: live pixels per recorded pixel, across and down.
    """

    def __init__(
        self, recorded: Sequence[Element], fresh: Sequence[Element], *, scale: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        self._scale = scale
        here, there = _labels(recorded), _labels(fresh)
        self._pairs = [(self.scaled(here[key].box), there[key].box) for key in here.keys() & there.keys()]

    def scaled(self, box: Rect) -> Rect:
        """A recorded box in live pixels, not moved yet."""
        fx, fy = self._scale
        return Rect(round(box.x1 * fx), round(box.y1 * fy), round(box.x2 * fx), round(box.y2 * fy))

    def offset(self, place: Point) -> tuple[int, int]:
        """How far the surroundings of a place have moved, to the right and down; nothing where no label tells.

        Args:
            place: in live pixels, not moved yet.
        """
        by_distance = sorted(
            self._pairs, key=lambda pair: (pair[0].center.x - place.x) ** 2 + (pair[0].center.y - place.y) ** 2
        )
        nearest = by_distance[:_NEAREST]
        if not nearest:
            return 0, 0
        # The left top corner: a label that has become longer still begins where it began.
        return (
            median_low(there.x1 - here.x1 for here, there in nearest),
            median_low(there.y1 - here.y1 for here, there in nearest),
        )

    def moved(self, box: Rect) -> Rect:
        """Where a recorded box should be on the live screen; its left top corner never leaves the screen."""
        there = self.scaled(box)
        dx, dy = self.offset(there.center)
        return there.moved(max(dx, -there.x1), max(dy, -there.y1))

    def expected(self, recorded: Sequence[Element]) -> list[Element]:
        """The recorded elements where they should be on the live screen."""
        return [element.model_copy(update={"box": self.moved(element.box)}) for element in recorded]


def _labels(elements: Sequence[Element]) -> dict[tuple[str, str], Element]:
    """Elements by type and text, those that stand there once."""
    keyed = [((e.type, plain_text(e.text)), e) for e in elements if e.text and e.review != "rejected"]
    count = Counter(key for key, _ in keyed)
    return {key: element for key, element in keyed if count[key] == 1}
