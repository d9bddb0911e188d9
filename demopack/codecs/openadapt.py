"""OpenAdapt's ``Action``: targets by node, words and pixels; what it has no field for stays in ``raw``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from demopack.codecs.base import Codec
from demopack.codecs.computer_tools import PIXELS_A_NOTCH
from demopack.codecs.element_words import element_words
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction, encoded, repeated
from demopack.domain import actions
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Size
from demopack.domain.keys import MODIFIERS, spell
from demopack.domain.labels import label_of

_CLICKS = {"single": "click", "double": "double_click", "right": "right_click", "triple": "click"}


def _target(
    element: NumberedElement | None, text: str, at: Point | None, elements: Sequence[NumberedElement]
) -> dict[str, Any]:
    found: dict[str, Any] = {"description": element_words(element, text, at, label=label_of(element, elements))}
    if element is not None:
        found["node_id"] = str(element.number)
    return found if at is None else {**found, "x": at.x, "y": at.y}


def _act(kind: str, placed: PlacedAction, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    call: dict[str, Any] = {"type": kind}
    if placed.at is not None or placed.target is not None or placed.target_text:
        call["target"] = _target(placed.target, placed.target_text, placed.at, placed.elements)
    if placed.action.held:
        call["modifiers"] = list(placed.action.held)
    return {**call, **given}


def _encode(placed: PlacedAction) -> EncodedAction:
    match placed.action:
        case actions.ClickAction(click_type=kind) if kind in _CLICKS:
            return repeated(_act(_CLICKS[kind], placed), 3 if kind == "triple" else 1, "click_count")
        case actions.ScrollAction() as action:
            amount = action.scroll_steps * PIXELS_A_NOTCH
            return encoded(_act("scroll", placed, scroll_direction=action.scroll_direction, scroll_amount=amount))
        case actions.DragAction():
            return encoded(_act("drag", placed, drag_end=_target(placed.end, "", placed.end_point, placed.elements)))
        case actions.HoverAction() as action:
            rest = {} if action.duration_s is None else {"duration_seconds": action.duration_s}
            return encoded(_act("hover", placed, **rest))
        case _:
            return _encode_without_pointer(placed)


def _encode_without_pointer(placed: PlacedAction) -> EncodedAction:
    match placed.action:
        case actions.TypeAction(text_to_type=text, submit=submit) if text or submit:
            # The type refuses an empty text.
            typed = [_act("type", placed, text=text)] if text else []
            enter = [{"type": "key", "key": "enter"}] if submit else []
            return encoded(*typed, *enter, losses=("submit",) if typed and enter else ())
        case actions.PressKeyAction() as action:
            held = [spell(name, "pyautogui") for name in action.keys if name in MODIFIERS]
            rest = [spell(name, "pyautogui") for name in action.keys if name not in MODIFIERS]
            key = "+".join(rest) if rest else held.pop()
            call = {"type": "hotkey", "key": key, "modifiers": held} if held else {"type": "key", "key": key}
            return repeated(call, action.presses, "presses")
        case actions.WaitAction() as action:
            return encoded({"type": "wait", "duration_seconds": action.wait_duration_s})
        case actions.LaunchAction() as action:
            return encoded({"type": "open_app", "app_name": action.app})
        case actions.ExtractDataAction(description=about, data=data):
            text = str(about if data is None else data)
            return encoded({"type": "answer", "answer": text}, losses=("data",) if data is None else ())
        case actions.FinishGoalAction() as action:
            return encoded({"type": "done" if action.status == "success" else "fail"})
        case _:
            raise NotExpressibleError("no_word")


def with_shares(call: dict[str, Any], size: Size | None) -> dict[str, Any]:
    """The action with its places as fractions too, in fields that openadapt-ml reads and openadapt-types passes over.

    Args:
        call: an action with places in pixels.
        size: of the picture; without it there are no fractions.
    """
    found = dict(call)
    for name, share in (("target", "normalized_coordinates"), ("drag_end", "normalized_end")):
        place = call.get(name, {})
        if size is not None and "x" in place and "y" in place:
            found[share] = [round(place["x"] / size.width, 6), round(place["y"] / size.height, 6)]
    return found


CODEC: Final = Codec(
    name="openadapt",
    title="OpenAdapt",
    places="pixels, the element's number, and words",
    encoder=_encode,
    unsaid={"hold", "drag_button", "drag_path"},
)
