"""Anthropic's computer tools, one for each action: whole pixels of the picture that was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from demopack.codecs.action_builder import ActionBuilder
from demopack.codecs.base import Codec, encoder
from demopack.codecs.computer_tools import ToolDecoder, end_message, keys_in, object_of, pair_of, read_calls
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.json_answers import Call, calls_of, words_of
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import EncodedAction, PlacedAction, encoded
from demopack.domain.actions import ClickAction, DragAction, PressKeyAction, ScrollAction, TypeAction, WaitAction
from demopack.domain.geometry import Point
from demopack.domain.keys import spell

WAIT_LIMIT: Final = 100
"""Seconds; the tool takes no more at once."""
_CLICKS = {
    "single": "left_click", "double": "double_click", "triple": "triple_click", "right": "right_click",
    "middle": "middle_click",
}  # fmt: skip


def _call(name: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"name": name, "input": given}


def _held(action: ClickAction | ScrollAction | DragAction) -> dict[str, Any]:
    keys = [spell(name.capitalize(), "xdotool") for name in action.modifiers]
    return {"text": "+".join(keys)} if keys else {}


def _pair(point: Point) -> list[int]:
    return [point.x, point.y]


def _click(action: ClickAction, placed: PlacedAction) -> EncodedAction:
    return encoded(_call(_CLICKS[action.click_type], coordinate=_pair(placed.point), **_held(action)))


def _type(action: TypeAction, _placed: PlacedAction) -> EncodedAction:
    call = _call("type", text=action.text_to_type)
    return encoded(call, *([_call("key", text="Return")] if action.submit else []))


def _press(action: PressKeyAction, _placed: PlacedAction) -> EncodedAction:
    repeat = {"repeat": action.presses} if action.presses > 1 else {}
    return encoded(_call("key", text="+".join(spell(name, "xdotool") for name in action.keys), **repeat))


def _scroll(action: ScrollAction, placed: PlacedAction) -> EncodedAction:
    place = {} if placed.at is None else {"coordinate": _pair(placed.at)}
    amount = {"scroll_direction": action.scroll_direction, "scroll_amount": action.scroll_steps}
    return encoded(_call("scroll", **place, **amount, **_held(action)))


def _drag(action: DragAction, placed: PlacedAction) -> EncodedAction:
    start, end = _pair(placed.point), _pair(placed.end_point)
    return encoded(_call("left_click_drag", start_coordinate=start, coordinate=end, **_held(action)))


def _wait(action: WaitAction, _placed: PlacedAction) -> EncodedAction:
    whole = min(WAIT_LIMIT, max(1, round(action.wait_duration_s)))
    losses = () if whole == action.wait_duration_s else ("wait_rounded",)
    return encoded(_call("wait", duration=whole), losses=losses)


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


def _anthropic_click(kind: str) -> ToolDecoder:
    return lambda g, a: g.click(pair_of(g, a.get("coordinate")), kind=kind, held=keys_in(a.get("text")))


def _hold_key(builder: ActionBuilder, given: dict[str, Any]) -> None:
    builder.press(keys_in(given["text"]))
    builder.notes.append("How long the key was held is left out.")


def _anthropic_drag(builder: ActionBuilder, given: dict[str, Any]) -> None:
    end = pair_of(builder, given["coordinate"])
    builder.drag(pair_of(builder, given.get("start_coordinate")), [end] if end else [], held=keys_in(given.get("text")))


_ANTHROPIC: Final[Mapping[str, ToolDecoder]] = {
    "left_click": _anthropic_click("single"),
    "right_click": _anthropic_click("right"),
    "middle_click": _anthropic_click("middle"),
    "double_click": _anthropic_click("double"),
    "triple_click": _anthropic_click("triple"),
    "left_click_drag": _anthropic_drag,
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
    places="whole pixels of the picture",
    encode=encoder(
        unsaid={"hold", "submit", "drag_button", "drag_path", "hover_seconds", "finish_text"},
        click=_click,
        type=_type,
        press_key=_press,
        scroll=_scroll,
        drag=_drag,
        hover=lambda _, placed: encoded(_call("mouse_move", coordinate=_pair(placed.point))),
        wait=_wait,
        finish_goal=end_message,
    ),
    decode=decode,
)
