"""OpenAI's ``computer`` tool: batched actions in whole pixels of the picture that was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from demopack.codecs.action_builder import ActionBuilder
from demopack.codecs.base import Codec, encoder
from demopack.codecs.computer_tools import (
    PIXELS_A_NOTCH,
    ToolDecoder,
    end_message,
    keys_in,
    object_of,
    read_calls,
    wheel,
    xy_of,
)
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.json_answers import Call, dicts_in, words_of
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import (
    EncodedAction,
    NotExpressibleError,
    PlacedAction,
    encoded,
    repeated,
    scroll_notches,
)
from demopack.domain.actions import ClickAction, DragAction, PressKeyAction, ScrollAction, TypeAction
from demopack.domain.geometry import Point
from demopack.errors import ActionError

_KEYS = {"Escape": "ESC", "Meta": "SUPER"}
_BUTTONS = {"single": "left", "right": "right", "middle": "wheel"}


def _key(name: str) -> str:
    return _KEYS.get(name, name.upper())


def _held(action: ClickAction | ScrollAction | DragAction) -> dict[str, Any]:
    return {"keys": [_key(name.capitalize()) for name in action.modifiers]} if action.modifiers else {}


def _xy(point: Point) -> dict[str, int]:
    return {"x": point.x, "y": point.y}


def _click(action: ClickAction, placed: PlacedAction) -> EncodedAction:
    place = {**_xy(placed.point), **_held(action)}
    if action.click_type == "double":
        return encoded({"type": "double_click", **place})
    call = {"type": "click", "button": _BUTTONS.get(action.click_type, "left"), **place}
    return repeated(call, 3 if action.click_type == "triple" else 1, "click_count")


def _type(action: TypeAction, _placed: PlacedAction) -> EncodedAction:
    enter = {"type": "keypress", "keys": ["ENTER"]}
    return encoded({"type": "type", "text": action.text_to_type}, *([enter] if action.submit else []))


def _press(action: PressKeyAction, _placed: PlacedAction) -> EncodedAction:
    return repeated({"type": "keypress", "keys": [_key(name) for name in action.keys]}, action.presses, "presses")


def _scroll(action: ScrollAction, placed: PlacedAction) -> EncodedAction:
    across, down = scroll_notches(action, positive="down")
    amount = {"scroll_x": across * PIXELS_A_NOTCH, "scroll_y": down * PIXELS_A_NOTCH}
    return encoded({"type": "scroll", **_xy(placed.point_or_middle), **amount, **_held(action)})


def _drag(action: DragAction, placed: PlacedAction) -> EncodedAction:
    if len(placed.way) < 2:
        raise NotExpressibleError("no_place")
    return encoded({"type": "drag", "path": [_xy(point) for point in placed.way], **_held(action)})


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """A ``computer_call`` with one ``action`` or a list of ``actions``, an ``output`` list, or one action itself.

    Raises:
        ActionError: an action is unknown or not complete.
    """
    data = object_of(answer)
    calls: list[Call] = []
    words: list[str] = []
    for item in dicts_in(data.get("output")) or [data]:
        kind = item.get("type")
        if kind == "reasoning":
            words += [str(part.get("text", "")) for part in dicts_in(item.get("summary"))]
        elif kind == "message":
            words.append(words_of(item) or str(item.get("text", "")))
        else:
            actions = dicts_in(item.get("actions")) or dicts_in([item.get("action")]) or [item]
            calls += [Call(name=str(action.get("type")), arguments=action) for action in actions]
    return read_calls(calls, _OPENAI, observation, "pixels", "\n".join(word for word in words if word.strip()))


_CLICKS_OF_BUTTONS: Final = {"left": "single", "right": "right", "wheel": "middle", "middle": "middle"}


def _openai_click(builder: ActionBuilder, given: dict[str, Any]) -> None:
    button = str(given.get("button", "left"))
    if button not in _CLICKS_OF_BUTTONS:
        raise ActionError(
            f"The button {button} has no counterpart.",
            code="not_expressible",
            field="button",
            hint=f"Use {', '.join(_CLICKS_OF_BUTTONS)}.",
        )
    builder.click(xy_of(builder, given), kind=_CLICKS_OF_BUTTONS[button], held=keys_in(given.get("keys")))


def _openai_drag(builder: ActionBuilder, given: dict[str, Any]) -> None:
    path = [xy_of(builder, point) for point in dicts_in(given["path"])]
    builder.drag(path[0] if path else None, path[1:], held=keys_in(given.get("keys")))


_OPENAI: Final[Mapping[str, ToolDecoder]] = {
    "click": _openai_click,
    "double_click": lambda g, a: g.click(xy_of(g, a), kind="double", held=keys_in(a.get("keys"))),
    "type": lambda g, a: g.type(str(a["text"])),
    "keypress": lambda g, a: g.press(keys_in(a["keys"])),
    "scroll": lambda g, a: wheel(
        g, xy_of(g, a), float(a.get("scroll_x") or 0), float(a.get("scroll_y") or 0), keys_in(a.get("keys"))
    ),
    "move": lambda g, a: g.move(xy_of(g, a)),
    "drag": _openai_drag,
    "wait": lambda g, _: g.wait(None),
}


CODEC: Final = Codec(
    name="openai",
    title="OpenAI computer",
    places="whole pixels of the picture",
    encode=encoder(
        unsaid={"hold", "submit", "drag_button", "hover_seconds", "wait_seconds", "finish_text"},
        click=_click,
        type=_type,
        press_key=_press,
        scroll=_scroll,
        drag=_drag,
        hover=lambda _, placed: encoded({"type": "move", **_xy(placed.point)}),
        wait=lambda _, _placed: encoded({"type": "wait"}),
        finish_goal=end_message,
    ),
    decode=decode,
)
