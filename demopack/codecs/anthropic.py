"""Anthropic's computer tools, one for each action: whole pixels of the picture that was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from demopack.codecs.action_builder import ActionBuilder
from demopack.codecs.base import Codec
from demopack.codecs.computer_tools import (
    CLICK_TOOLS,
    ToolDecoder,
    end_message,
    keys_in,
    object_of,
    pair_of,
    read_calls,
)
from demopack.codecs.coordinates import PIXELS
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.json_answers import Call, calls_of, words_of
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction, encoded
from demopack.domain import actions
from demopack.domain.geometry import Point
from demopack.domain.keys import spell

_MAX_WAIT_S: Final = 100


def _call(name: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"name": name, "input": given}


def _pair(point: Point) -> list[int]:
    return [point.x, point.y]


def _encode(placed: PlacedAction) -> EncodedAction:
    keys = "+".join(spell(name.capitalize(), "xdotool") for name in placed.action.held)
    held = {"text": keys} if keys else {}
    match placed.action:
        case actions.ClickAction() as action:
            return encoded(_call(CLICK_TOOLS[action.click_type], coordinate=_pair(placed.point), **held))
        case actions.TypeAction() as action:
            call = _call("type", text=action.text_to_type)
            return encoded(call, *([_call("key", text="Return")] if action.submit else []))
        case actions.PressKeyAction() as action:
            repeat = {"repeat": action.presses} if action.presses > 1 else {}
            return encoded(_call("key", text="+".join(spell(name, "xdotool") for name in action.keys), **repeat))
        case actions.ScrollAction() as action:
            place = {} if placed.at is None else {"coordinate": _pair(placed.at)}
            amount = {"scroll_direction": action.scroll_direction, "scroll_amount": action.scroll_steps}
            return encoded(_call("scroll", **place, **amount, **held))
        case actions.DragAction():
            start, end = _pair(placed.point), _pair(placed.end_point)
            return encoded(_call("left_click_drag", start_coordinate=start, coordinate=end, **held))
        case actions.HoverAction():
            return encoded(_call("mouse_move", coordinate=_pair(placed.point)))
        case actions.WaitAction() as action:
            whole = min(_MAX_WAIT_S, max(1, round(action.wait_duration_s)))
            losses = () if whole == action.wait_duration_s else ("wait_rounded",)
            return encoded(_call("wait", duration=whole), losses=losses)
        case actions.FinishGoalAction() as action:
            return end_message(action)
        case _:
            raise NotExpressibleError("no_word")


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """``tool_use`` blocks: one tool for each action, or the older single tool ``computer`` with ``action``.

    Raises:
        ActionError: an action is unknown or not complete.
    """
    data = object_of(answer)
    if data.get("type") == "message" and "content" not in data:
        return read_calls([], _ANTHROPIC, observation, "pixels", str(data.get("text", "")))
    calls = [
        Call(name=str(call.arguments.get("action")), arguments=call.arguments) if call.name == "computer" else call
        for call in calls_of(data)
    ]
    return read_calls(calls, _ANTHROPIC, observation, "pixels", words_of(data))


def _clicked(kind: str) -> ToolDecoder:
    return lambda g, a: g.click(pair_of(g, a.get("coordinate")), kind=kind, held=keys_in(a.get("text")))


def _hold_key(builder: ActionBuilder, given: dict[str, Any]) -> None:
    builder.press(keys_in(given["text"]))
    builder.notes.append("How long the key was held is left out.")


def _dragged(builder: ActionBuilder, given: dict[str, Any]) -> None:
    end = pair_of(builder, given["coordinate"])
    builder.drag(pair_of(builder, given.get("start_coordinate")), [end] if end else [], held=keys_in(given.get("text")))


_ANTHROPIC: Final[Mapping[str, ToolDecoder]] = {
    **{name: _clicked(kind) for kind, name in CLICK_TOOLS.items()},
    "left_click_drag": _dragged,
    "left_mouse_down": lambda g, a: g.down(pair_of(g, a.get("coordinate"))),
    "left_mouse_up": lambda g, a: g.up(pair_of(g, a.get("coordinate"))),
    "type": lambda g, a: g.type(str(a["text"])),
    "key": lambda g, a: g.press(keys_in(a["text"]), presses=int(a.get("repeat") or 1)),
    "hold_key": _hold_key,
    "scroll": lambda g, a: g.scroll(
        pair_of(g, a.get("coordinate")),
        str(a["scroll_direction"]),
        int(a["scroll_amount"]) if a.get("scroll_amount") else None,
        held=keys_in(a.get("text")),
    ),
    "mouse_move": lambda g, a: g.move(pair_of(g, a["coordinate"]) or (0.0, 0.0)),
    "wait": lambda g, a: g.wait(float(a["duration"]) if a.get("duration") else None),
}


CODEC: Final = Codec(
    name="anthropic",
    title="Anthropic computer toolset",
    places=PIXELS.words,
    encoder=_encode,
    unsaid={"hold", "submit", "drag_button", "drag_path", "hover_seconds", "finish_text"},
    decode=decode,
    coordinates=PIXELS,
)
