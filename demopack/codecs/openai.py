"""OpenAI's ``computer`` tool: batched actions in whole pixels of the picture that was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from demopack.codecs.action_builder import ActionBuilder
from demopack.codecs.base import Codec
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
from demopack.codecs.coordinates import PIXELS
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.json_answers import Call, words_of
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import (
    EncodedAction,
    NotExpressibleError,
    PlacedAction,
    encoded,
    repeated,
    scroll_notches,
)
from demopack.domain import actions
from demopack.domain.geometry import Point
from demopack.errors import ActionError
from demopack.json_text import as_rows

_KEYS = {"Escape": "ESC", "Meta": "SUPER"}
_BUTTONS = {"single": "left", "right": "right", "middle": "wheel"}


def _key(name: str) -> str:
    return _KEYS.get(name, name.upper())


def _xy(point: Point) -> dict[str, int]:
    return {"x": point.x, "y": point.y}


def _encode(placed: PlacedAction) -> EncodedAction:
    keys = [_key(name.capitalize()) for name in placed.action.held]
    held = {"keys": keys} if keys else {}
    match placed.action:
        case actions.ClickAction(click_type="double"):
            # Its keys must be there, null for none; those of the other actions may be left out.
            return encoded({"type": "double_click", **_xy(placed.point), "keys": keys or None})
        case actions.ClickAction(click_type=kind):
            call = {"type": "click", "button": _BUTTONS.get(kind, "left"), **_xy(placed.point), **held}
            return repeated(call, 3 if kind == "triple" else 1, "click_count")
        case actions.TypeAction() as action:
            enter = {"type": "keypress", "keys": ["ENTER"]}
            return encoded({"type": "type", "text": action.text_to_type}, *([enter] if action.submit else []))
        case actions.PressKeyAction() as action:
            call = {"type": "keypress", "keys": [_key(name) for name in action.keys]}
            return repeated(call, action.presses, "presses")
        case actions.ScrollAction() as action:
            across, down = scroll_notches(action, positive="down")
            amount = {"scroll_x": across * PIXELS_A_NOTCH, "scroll_y": down * PIXELS_A_NOTCH}
            return encoded({"type": "scroll", **_xy(placed.point_or_middle), **amount, **held})
        case actions.DragAction():
            return encoded({"type": "drag", "path": [_xy(point) for point in placed.drag_way], **held})
        case actions.HoverAction():
            return encoded({"type": "move", **_xy(placed.point)})
        case actions.WaitAction():
            return encoded({"type": "wait"})
        case actions.FinishGoalAction() as action:
            return end_message(action)
        case _:
            raise NotExpressibleError("no_word")


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """A ``computer_call`` with one ``action`` or a list of ``actions``, an ``output`` list, or one action itself.

    Raises:
        ActionError: an action is unknown or not complete.
    """
    data = object_of(answer)
    calls: list[Call] = []
    words: list[str] = []
    for item in as_rows(data.get("output")) or [data]:
        kind = item.get("type")
        if kind == "reasoning":
            words += [str(part.get("text", "")) for part in as_rows(item.get("summary"))]
        elif kind == "message" or (kind is None and "role" in item):
            words.append(words_of(item) or str(item.get("text", "")))
        else:
            batch = as_rows(item.get("actions")) or as_rows([item.get("action")]) or [item]
            calls += [Call(name=str(action.get("type")), arguments=action) for action in batch]
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
    path = [xy_of(builder, point) for point in as_rows(given["path"])]
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
    places=PIXELS.words,
    encoder=_encode,
    unsaid={"hold", "submit", "drag_button", "hover_seconds", "wait_seconds", "finish_text"},
    decode=decode,
    coordinates=PIXELS,
)
