"""Whether a screen still is the one that an answer was about: the same elements, in the same places. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from demopack.domain.actions import ActionTarget, LLMResponse
from demopack.domain.elements import Element, NumberedElement
from demopack.domain.geometry import Rect, iou
from player.compare import compare
from player.observing import LiveObservation

_SAME_PLACE: Final = 0.5
"""Common share of two boxes from which they are one element that has not moved; a label may be read longer."""
_INSIDE: Final = 0.8
"""Share of a box that lies in another one from which on it is part of it."""


def kept_elements(before: LiveObservation, now: LiveObservation, *, acted: Rect | None) -> dict[str, int] | None:
    """The number that each observed element has now, by its uid; None where the screen is another one.

    A value that was typed, a tick, or a focus that moved change what elements say, not which there are. An element that
    came, went or moved makes another screen, unless it lies within what was acted on, as a text that was typed does.

    Args:
        before: the screen that the answer was about.
        now: the screen after some of it was done.
        acted: what was acted on last, pixels; None for nothing in particular.
    """
    if before.image.shape != now.image.shape or _titles(before) != _titles(now):
        return None
    if compare(before.image, now.image).same:
        return {one.uid: one.number for one in before.elements}
    if not before.elements:
        return None  # a mere picture does not tell what has changed on it
    found: dict[str, int] = {}
    taken: set[str] = set()
    for one in before.elements:
        match = _match(one, now.elements, taken)
        if match is not None:
            found[one.uid] = match.number
            taken.add(match.uid)
        elif not _is_part(one.box, acted):
            return None
    came = (one for one in now.elements if one.uid not in taken)
    parts = [acted, *(one.box for one in now.elements if one.type in _HOLDS_TEXT)]
    return found if all(any(_is_part(one.box, part) for part in parts) for one in came) else None


_HOLDS_TEXT: Final = frozenset({"input_field", "text_area", "spinner", "dropdown"})
"""Types inside which a text may be found as an element of its own."""


def renumbered(
    response: LLMResponse, before: LiveObservation, now: LiveObservation, kept: Mapping[str, int]
) -> LLMResponse:
    """The response with its targets as the screen now has them."""
    action = response.action
    update: dict[str, object] = {}
    if action.target is not None:
        update["target"] = _now(action.target, before, now, kept)
    if action.end is not None:
        update["end_target"] = _now(action.end, before, now, kept)
    if not update:
        return response
    return response.model_copy(update={"action": action.model_copy(update=update)})


def _now(target: ActionTarget, before: LiveObservation, now: LiveObservation, kept: Mapping[str, int]) -> ActionTarget:
    if target.element_id is None:
        return target
    uid = next((one.uid for one in before.elements if one.number == target.element_id), None)
    number = kept.get(uid or "")
    element = next((one for one in now.elements if one.number == number), None)
    return target if element is None else now.for_prompt().target(element)


def _match(one: NumberedElement, others: Sequence[NumberedElement], taken: set[str]) -> NumberedElement | None:
    near = [
        (iou(one.box, other.box), other.track_id == one.track_id, other) for other in others if other.uid not in taken
    ]
    fitting = [(same, share, other) for share, same, other in near if share >= _SAME_PLACE]
    return max(fitting, key=lambda found: found[:2])[2] if fitting else None


def _is_part(box: Rect, whole: Rect | None) -> bool:
    if whole is None:
        return False
    common = box.intersection(whole)
    return common is not None and common.area >= _INSIDE * box.area


def _titles(observation: LiveObservation) -> list[tuple[str, str]]:
    return [(window.app, window.title) for window in observation.stack]


def acted_box(response: LLMResponse, observation: LiveObservation, number: int | None) -> Rect | None:
    """What a response acted on: the element with this number; for keys without a target, the field with the input."""
    element: Element | None = next((one for one in observation.elements if one.number == number), None)
    if element is not None:
        return element.box
    focused = observation.focused
    if response.action.target is None and focused is not None and focused.box is not None:
        return observation.frame.space.to_pixels(focused.box)
    return None
