"""OSWorld's ``computer_13``: absolute pixels, the wheel's sign as the operating system counts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from demopack.codecs.action_builder import ActionBuilder, Place
from demopack.codecs.base import Codec
from demopack.codecs.computer_tools import ToolDecoder, wheel
from demopack.codecs.decoded import DecodedAnswer, required, unknown_action
from demopack.codecs.json_answers import as_object, loose_json
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
from demopack.domain.keys import spell
from demopack.errors import ActionError


def _call(kind: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"action_type": kind, "parameters": given}


def _held(placed: PlacedAction, *calls: dict[str, Any]) -> EncodedAction:
    keys = [spell(name.capitalize(), "pyautogui") for name in placed.action.held]
    down = [_call("KEY_DOWN", key=key) for key in keys]
    return encoded(*down, *calls, *(_call("KEY_UP", key=key) for key in reversed(keys)))


def _at(kind: str, point: Point) -> dict[str, Any]:
    return _call(kind, x=point.x, y=point.y)


def _encode(placed: PlacedAction) -> EncodedAction:
    match placed.action:
        case actions.ClickAction() as action:
            place = {"x": placed.point.x, "y": placed.point.y}
            calls = {
                "single": _call("CLICK", button="left", **place),
                "double": _call("DOUBLE_CLICK", **place),
                "triple": _call("CLICK", button="left", **place, num_clicks=3),
                "right": _call("RIGHT_CLICK", **place),
                "middle": _call("CLICK", button="middle", **place),
            }
            return _held(placed, calls[action.click_type])
        case actions.TypeAction() as action:
            call = _call("TYPING", text=action.text_to_type)
            return encoded(call, *([_call("PRESS", key="enter")] if action.submit else []))
        case actions.PressKeyAction() as action:
            keys = [spell(name, "pyautogui") for name in action.keys]
            call = _call("PRESS", key=keys[0]) if len(keys) == 1 else _call("HOTKEY", keys=keys)
            return repeated(call, action.presses, "presses")
        case actions.ScrollAction() as action:
            across, up = scroll_notches(action, positive="up")
            move = () if placed.at is None else (_at("MOVE_TO", placed.at),)
            return _held(placed, *move, _call("SCROLL", dx=across, dy=up))
        case actions.DragAction():
            return _held(placed, _at("MOVE_TO", placed.point), _at("DRAG_TO", placed.end_point))
        case actions.HoverAction():
            return encoded(_at("MOVE_TO", placed.point))
        case actions.WaitAction():
            return encoded(_call("WAIT"))
        case actions.FinishGoalAction() as action:
            return encoded(_call("DONE" if action.status == "success" else "FAIL"))
        case _:
            raise NotExpressibleError("no_word")


_WORDS: Final = ("WAIT", "DONE", "FAIL")


def decode(answer: str | dict[str, Any] | list[Any], observation: Observation) -> DecodedAnswer:
    """Read actions in absolute pixels; the wheel's sign is the operating system's: negative is down.

    Raises:
        ActionError: an action is unknown or not complete.
    """
    value: Any = answer
    if isinstance(answer, str):
        value = answer.strip() if answer.strip() in _WORDS else loose_json(answer)[0]
    builder = ActionBuilder(observation=observation, space="pixels")
    for item in cast("Sequence[Any]", value) if isinstance(value, list) else [value]:
        data = {"action_type": item} if isinstance(item, str) else as_object(item, "The action")
        name = str(data.get("action_type")).upper()
        if name not in _DECODERS:
            raise unknown_action(data.get("action_type"), tuple(_DECODERS), field_name="action_type")
        given = data.get("parameters")
        _DECODERS[name](builder, as_object(given, "parameters") if isinstance(given, dict) else data)
    if not builder.actions:
        raise ActionError("The answer has no action.", "no_action", "action_type", "Give one.")
    return builder.answer("")


def _xy(builder: ActionBuilder, given: dict[str, Any]) -> Place | None:
    return None if given.get("x") is None or given.get("y") is None else builder.place(given["x"], given["y"])


def _need(given: dict[str, Any], name: str) -> Any:  # noqa: ANN401 - any JSON value
    return required(given, name, what="parameter")


def _place(builder: ActionBuilder, given: dict[str, Any]) -> Place:
    return builder.place(_need(given, "x"), _need(given, "y"))


def _read_click(builder: ActionBuilder, given: dict[str, Any]) -> None:
    button = str(given.get("button") or "left")
    count = {1: "single", 2: "double", 3: "triple"}.get(int(given.get("num_clicks") or 1), "single")
    builder.click(_xy(builder, given), kind=count if button == "left" else button)


def _read_scroll(builder: ActionBuilder, given: dict[str, Any]) -> None:
    # The wheel's sign is the operating system's: negative is down.
    across, up = float(given.get("dx") or 0), float(given.get("dy") or 0)
    wheel(builder, None, across, -up, unit=1, field_name="dy")


_DECODERS: Final[Mapping[str, ToolDecoder]] = {
    "MOVE_TO": lambda g, a: g.move(_place(g, a)),
    "CLICK": _read_click,
    "MOUSE_DOWN": lambda g, a: g.down(_xy(g, a), button=str(a.get("button") or "left")),
    "MOUSE_UP": lambda g, a: g.up(_xy(g, a)),
    "RIGHT_CLICK": lambda g, a: g.click(_xy(g, a), kind="right"),
    "DOUBLE_CLICK": lambda g, a: g.click(_xy(g, a), kind="double"),
    "DRAG_TO": lambda g, a: g.drag(None, [_place(g, a)]),
    "SCROLL": _read_scroll,
    "TYPING": lambda g, a: g.type(str(_need(a, "text"))),
    "PRESS": lambda g, a: g.press([str(_need(a, "key"))]),
    "KEY_DOWN": lambda g, a: g.key_down(str(_need(a, "key"))),
    "KEY_UP": lambda g, a: g.key_up(str(_need(a, "key"))),
    "HOTKEY": lambda g, a: g.press([str(key) for key in _need(a, "keys")]),
    "WAIT": lambda g, _: g.wait(None),
    "DONE": lambda g, _: g.finish(success=True),
    "FAIL": lambda g, _: g.finish(success=False),
}


CODEC: Final = Codec(
    name="osworld",
    title="OSWorld computer_13",
    places="pixels of the picture",
    encoder=_encode,
    unsaid={"hold", "submit", "drag_start", "drag_button", "drag_path", "hover_seconds", "wait_seconds"},
    decode=decode,
)
