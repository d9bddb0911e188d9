"""Joins a step with the elements on its frame: which element was meant, and what the contract says about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from demopack.domain.actions import FORBIDS_TARGET, ActionTarget, LLMResponse
from demopack.domain.demos import Demo
from demopack.domain.elements import AreaKind, Element, ElementType, element_at, reading_order, scrolled_at
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, to_norm_xywh
from demopack.domain.steps import Step

_DRAGGED_ALONG: frozenset[ElementType] = frozenset({"resize_handle", "scrollbar_thumb", "slider"})
"""Types that are moved along a way of their own."""
_TITLE_BAR: AreaKind = "title bar"


def point_target(point: Point, frame: Frame) -> ActionTarget:
    """The target where no element lies: a box of size zero at the point, moved onto the frame if need be."""
    return ActionTarget(bbox=to_norm_xywh(Rect.at_point(point).clamped(frame.size), frame.size))


def target_of(element: Element, ordered: Sequence[Element], frame: Frame) -> ActionTarget:
    """All that identifies an element: track id, number in reading order, text, box."""
    number = next((i for i, other in enumerate(ordered, start=1) if other.uid == element.uid), None)
    return ActionTarget(
        track_id=element.track_id,
        element_id=number,
        text=element.text or None,
        bbox=to_norm_xywh(element.box.clamped(frame.size), frame.size),
    )


def bind(step: Step, elements: Sequence[Element]) -> Step:
    """The step bound to the smallest elements under its pointer; unchanged where there is no pointer or frame.

    Scrolling binds to the smallest that can be scrolled, where there is one.

    A step without a pointer (typing, keys) binds to the one element that is focused, if exactly one is.
    """
    if step.before is None:
        return step
    if step.pointer is None:
        focused = [e for e in elements if e.states.get("focused") and e.review != "rejected"]
        if len(focused) == 1 and step.action.action_type in {"type", "press_key"}:
            return step.model_copy(update={"target_uid": focused[0].uid})
        return step
    start = (scrolled_at if step.action.action_type == "scroll" else element_at)(elements, step.pointer.at)
    update: dict[str, Any] = {"target_uid": None if start is None else start.uid}
    if step.pointer.end is not None:
        end = element_at(elements, step.pointer.end)
        # What is dragged along its own way goes to a place, not to what happens to lie there.
        is_moved = start is not None and (start.type in _DRAGGED_ALONG or start.subtype == _TITLE_BAR)
        is_placed = is_moved and end is not start
        update["end_uid"] = None if end is None or is_placed else end.uid
    return step.model_copy(update=update)


def alternatives_of(step: Step, demo: Demo) -> list[tuple[Element, ActionTarget]]:
    """What would have been as right as the target: each element and what identifies it, as both stand now.

    Elements that are gone from the step's picture, rejected ones and the target itself are left out.
    """
    if step.before is None or not step.alternatives:
        return []
    ordered = reading_order(demo.elements.get(step.before.id, ()))
    by_uid = {element.uid: element for element in ordered}
    found = [by_uid[uid] for uid in dict.fromkeys(step.alternatives) if uid in by_uid and uid != step.target_uid]
    return [(element, target_of(element, ordered, step.before)) for element in found]


def response_of(step: Step, demo: Demo) -> LLMResponse:
    """The step in the contract's form, its target derived from the bound element as that stands now."""
    action, found = step.action, dict[str, ActionTarget]()
    # A drag inside one element (a slider, a text selection) is about its two points, not about the element's middle.
    inside_one = step.end_uid is not None and step.end_uid == step.target_uid
    if step.before is not None and not inside_one:
        ordered = reading_order(demo.elements.get(step.before.id, ()))
        by_uid = {element.uid: element for element in ordered}
        if step.target_uid in by_uid and action.action_type not in FORBIDS_TARGET:
            found["target"] = target_of(by_uid[step.target_uid], ordered, step.before)
        if step.end_uid in by_uid and action.action_type == "drag":
            found["end_target"] = target_of(by_uid[step.end_uid], ordered, step.before)
    action = action.model_copy(update=found) if found else action
    return LLMResponse.of(action, reasoning="" if step.rationale is None else step.rationale.reasoning)
