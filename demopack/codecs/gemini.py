"""Gemini's computer use: function calls with places on a grid of 0 to 1000."""

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
    xy_of,
)
from demopack.codecs.coordinates import THOUSAND
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.json_answers import calls_of
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction, encoded, repeated
from demopack.domain import actions
from demopack.domain.geometry import Point
from demopack.domain.keys import spell
from demopack.json_text import as_rows, object_in

_GRID_MAX = 1000
_CLICKS = {
    "single": "click", "double": "double_click", "triple": "triple_click", "right": "right_click",
    "middle": "middle_click",
}  # fmt: skip


def _call(name: str, **args: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"name": name, "args": args}


def _place(placed: PlacedAction, point: Point) -> dict[str, Any]:
    x, y = placed.written(point, THOUSAND)
    return {"x": x, "y": y}


def _encode(placed: PlacedAction) -> EncodedAction:
    match placed.action:
        case actions.ClickAction() as action:
            return encoded(_call(_CLICKS[action.click_type], **_place(placed, placed.point)))
        case actions.TypeAction() as action:
            return encoded(_call("type", text=action.text_to_type, press_enter=action.submit))
        case actions.PressKeyAction() as action:
            keys = [spell(name, "pyautogui") for name in action.keys]
            call = _call("press_key", key=keys[0]) if len(keys) == 1 else _call("hotkey", keys=keys)
            return repeated(call, action.presses, "presses")
        case actions.ScrollAction() as action:
            place = _place(placed, placed.point_or_middle)
            width, height = placed.size or (1, 1)
            along = width if action.scroll_direction in {"left", "right"} else height
            far = round(action.scroll_steps * PIXELS_A_NOTCH / along * _GRID_MAX)
            call = _call("scroll", **place, direction=action.scroll_direction, magnitude=min(_GRID_MAX, max(1, far)))
            return encoded(call, losses=("scroll_steps",) if far > _GRID_MAX else ())
        case actions.DragAction():
            start, end = _place(placed, placed.point), _place(placed, placed.end_point)
            return encoded(_call("drag_and_drop", **start, destination_x=end["x"], destination_y=end["y"]))
        case actions.HoverAction():
            return encoded(_call("move", **_place(placed, placed.point)))
        case actions.WaitAction() as action:
            return encoded(_call("wait", seconds=action.wait_duration_s))
        case actions.FinishGoalAction() as action:
            return end_message(action)
        case _:
            raise NotExpressibleError("no_word")


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """``function_call`` parts; ``intent`` in the arguments is the reasoning.

    Raises:
        ActionError: an action is unknown or not complete.
    """
    data = object_of(answer)
    for candidate in as_rows(data.get("candidates"))[:1]:  # the message as its API returned it
        data = object_in(candidate.get("content"))
    if data.get("type") == "message":
        return read_calls([], _GEMINI, observation, "thousand", str(data.get("text", "")))
    calls = calls_of(data)
    intents = [str(call.arguments["intent"]) for call in calls if call.arguments.get("intent")]
    said = [str(part["text"]) for part in as_rows(data.get("parts")) if part.get("text")]
    return read_calls(calls, _GEMINI, observation, "thousand", "\n".join([*said, *intents]))


def _gemini_click(kind: str) -> ToolDecoder:
    return lambda g, a: g.click(xy_of(g, a), kind=kind)


def _gemini_scroll(builder: ActionBuilder, given: dict[str, Any]) -> None:
    direction = str(given["direction"])
    size = builder.observation.size
    steps = None
    if size is not None and given.get("magnitude"):
        along = size.width if direction in {"left", "right"} else size.height
        steps = max(1, round(float(given["magnitude"]) / 1000 * along / PIXELS_A_NOTCH))
    builder.scroll(xy_of(builder, given) if "x" in given else None, direction, steps)


def _gemini_drag(builder: ActionBuilder, given: dict[str, Any]) -> None:
    end = builder.place(given["destination_x"], given["destination_y"])
    builder.drag(xy_of(builder, given), [end])


def _gemini_type_at(builder: ActionBuilder, given: dict[str, Any]) -> None:
    builder.click(xy_of(builder, given))
    if given.get("clear_before_typing"):
        builder.press(["Ctrl", "A"])
    builder.type(str(given["text"]), submit=bool(given.get("press_enter")))


_GEMINI: Final[Mapping[str, ToolDecoder]] = {
    "click": _gemini_click("single"),
    "click_at": _gemini_click("single"),
    "double_click": _gemini_click("double"),
    "triple_click": _gemini_click("triple"),
    "right_click": _gemini_click("right"),
    "middle_click": _gemini_click("middle"),
    "type": lambda g, a: g.type(str(a["text"]), submit=bool(a.get("press_enter"))),
    "press_key": lambda g, a: g.press([str(a["key"])]),
    "hotkey": lambda g, a: g.press(keys_in(a["keys"])),
    "key_combination": lambda g, a: g.press(keys_in(a["keys"])),
    "key_down": lambda g, a: g.key_down(str(a["key"])),
    "key_up": lambda g, a: g.key_up(str(a["key"])),
    "mouse_down": lambda g, a: g.down(xy_of(g, a)),
    "mouse_up": lambda g, a: g.up(xy_of(g, a)),
    "type_text_at": _gemini_type_at,
    "scroll": _gemini_scroll,
    "scroll_at": _gemini_scroll,
    "scroll_document": _gemini_scroll,
    "drag_and_drop": _gemini_drag,
    "move": lambda g, a: g.move(xy_of(g, a)),
    "hover_at": lambda g, a: g.move(xy_of(g, a)),
    "wait": lambda g, a: g.wait(float(a["seconds"]) if a.get("seconds") else None),
    "wait_5_seconds": lambda g, _: g.wait(5.0),
}


CODEC: Final = Codec(
    name="gemini",
    title="Gemini computer use",
    places=THOUSAND.words,
    encoder=_encode,
    unsaid={"modifiers", "hold", "drag_button", "drag_path", "hover_seconds", "finish_text"},
    decode=decode,
    coordinates=THOUSAND,
)
