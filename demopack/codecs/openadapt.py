"""OpenAdapt's ``Action``: targets by node, words and pixels; what it has no field for stays in ``raw``."""

from __future__ import annotations

from typing import Any, Final

from demopack.codecs.base import Codec, encoder
from demopack.codecs.computer_tools import PIXELS_A_NOTCH
from demopack.codecs.element_words import element_words
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction, encoded, repeated
from demopack.domain.actions import (
    ClickAction,
    DragAction,
    ExtractDataAction,
    HoverAction,
    PressKeyAction,
    ScrollAction,
    TypeAction,
)
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point
from demopack.domain.keys import MODIFIERS, spell

_CLICKS = {"single": "click", "double": "double_click", "right": "right_click", "triple": "click"}


def _target(element: NumberedElement | None, text: str, at: Point | None, label: str) -> dict[str, Any]:
    found: dict[str, Any] = {"description": element_words(element, text, at, label=label)}
    if element is not None:
        found["node_id"] = str(element.number)
    return found if at is None else {**found, "x": at.x, "y": at.y}


def _act(kind: str, placed: PlacedAction, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    call: dict[str, Any] = {"type": kind}
    if placed.at is not None or placed.target is not None or placed.target_text:
        call["target"] = _target(placed.target, placed.target_text, placed.at, placed.label)
    if placed.action.held:
        call["modifiers"] = list(placed.action.held)
    return {**call, **given}


def _click(action: ClickAction, placed: PlacedAction) -> EncodedAction:
    if action.click_type == "middle":
        raise NotExpressibleError("no_word")
    call = _act(_CLICKS[action.click_type], placed)
    return repeated(call, 3 if action.click_type == "triple" else 1, "click_count")


def _type(action: TypeAction, placed: PlacedAction) -> EncodedAction:
    enter = [{"type": "key", "key": "enter"}] if action.submit else []
    if action.text_to_type:
        call = _act("type", placed, text=action.text_to_type)
        return encoded(call, *enter, losses=("submit",) if enter else ())
    # The type refuses an empty text.
    if not enter:
        raise NotExpressibleError("no_word")
    return encoded(*enter)


def _press(action: PressKeyAction, _placed: PlacedAction) -> EncodedAction:
    held = [spell(name, "pyautogui") for name in action.keys if name in MODIFIERS]
    rest = [spell(name, "pyautogui") for name in action.keys if name not in MODIFIERS]
    key = "+".join(rest) if rest else held.pop()
    call: dict[str, Any] = {"type": "hotkey", "key": key, "modifiers": held} if held else {"type": "key", "key": key}
    return repeated(call, action.presses, "presses")


def _scroll(action: ScrollAction, placed: PlacedAction) -> EncodedAction:
    amount = action.scroll_steps * PIXELS_A_NOTCH
    return encoded(_act("scroll", placed, scroll_direction=action.scroll_direction, scroll_amount=amount))


def _drag(_action: DragAction, placed: PlacedAction) -> EncodedAction:
    return encoded(_act("drag", placed, drag_end=_target(placed.end, "", placed.end_point, placed.end_label)))


def _hover(action: HoverAction, placed: PlacedAction) -> EncodedAction:
    rest = {} if action.duration_s is None else {"duration_seconds": action.duration_s}
    return encoded(_act("hover", placed, **rest))


def _extract(action: ExtractDataAction, _placed: PlacedAction) -> EncodedAction:
    text = str(action.description if action.data is None else action.data)
    return encoded({"type": "answer", "answer": text}, losses=("data",) if action.data is None else ())


CODEC: Final = Codec(
    name="openadapt",
    title="OpenAdapt",
    places="pixels, the element's number, and words",
    encode=encoder(
        unsaid={"hold", "drag_button", "drag_path"},
        click=_click,
        type=_type,
        press_key=_press,
        scroll=_scroll,
        drag=_drag,
        hover=_hover,
        wait=lambda action, _: encoded({"type": "wait", "duration_seconds": action.wait_duration_s}),
        launch=lambda action, _: encoded({"type": "open_app", "app_name": action.app}),
        extract_data=_extract,
        finish_goal=lambda action, _: encoded({"type": "done" if action.status == "success" else "fail"}),
    ),
)
