"""Qwen's ``computer_use`` tool: places on a grid of 0 to 999 (Qwen3-VL), or in pixels of the resized picture (2.5-VL).

Scrolling up is positive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from demopack.codecs.action_builder import ActionBuilder
from demopack.codecs.base import Codec
from demopack.codecs.computer_tools import (
    CLICK_TOOLS,
    PIXELS_A_NOTCH,
    ToolDecoder,
    keys_in,
    object_of,
    pair_of,
    read_calls,
    wheel,
)
from demopack.codecs.coordinates import BELOW_THOUSAND, QWEN_PIXELS, CoordinateGrid
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.json_answers import Call, as_object, calls_of, loose_json
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import (
    EncodedAction,
    NotExpressibleError,
    PlacedAction,
    encoded,
    repeated,
    scroll_notches,
)
from demopack.codecs.texts import texts
from demopack.domain import actions
from demopack.domain.geometry import Point, Size
from demopack.domain.keys import spell


def _call(action: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"name": "computer_use", "arguments": {"action": action, **given}}


def _place(placed: PlacedAction, point: Point, coordinates: CoordinateGrid) -> list[int]:
    return list(placed.written(point, coordinates))


def _encode(placed: PlacedAction, *, coordinates: CoordinateGrid) -> EncodedAction:
    place = partial(_place, placed, coordinates=coordinates)
    match placed.action:
        case actions.ClickAction() as action:
            return encoded(_call(CLICK_TOOLS[action.click_type], coordinate=place(placed.point)))
        case actions.TypeAction() as action:
            call = _call("type", text=action.text_to_type)
            return encoded(call, *([_call("key", keys=["enter"])] if action.submit else []))
        case actions.PressKeyAction() as action:
            keys = [spell(name, "pyautogui") for name in action.keys]
            return repeated(_call("key", keys=keys), action.presses, "presses")
        case actions.ScrollAction() as action:
            across, up = scroll_notches(action, positive="up")
            return encoded(_call("hscroll" if across else "scroll", pixels=(across or up) * PIXELS_A_NOTCH))
        case actions.DragAction():
            # The drag itself tells only where it ends: it begins where the pointer is.
            start, end = place(placed.point), place(placed.end_point)
            return encoded(_call("mouse_move", coordinate=start), _call("left_click_drag", coordinate=end))
        case actions.HoverAction():
            return encoded(_call("mouse_move", coordinate=place(placed.point)))
        case actions.WaitAction() as action:
            return encoded(_call("wait", time=action.wait_duration_s))
        case actions.FinishGoalAction() as action:
            return encoded(_call("terminate", status=action.status))
        case _:
            raise NotExpressibleError("no_word")


def tool(size: Size | None, coordinates: CoordinateGrid = BELOW_THOUSAND) -> dict[str, Any]:
    """The function ``computer_use`` as Qwen-Agent defines functions.

    Args:
        size: of the picture; None where it is not known, and the model is told no size of the screen then.
        coordinates: the numbers that the function takes places in; their extent is the size of the screen.
    """
    words = texts("qwen")
    found: dict[str, Any] = json.loads(words.get("function"))
    about = [words.get("about")]
    if size is not None or coordinates is BELOW_THOUSAND:
        width, height = coordinates.extent(size or Size(1, 1))
        about.append(words.get("resolution", width=width, height=height))
    return {**found, "description": "\n".join(about)}


def _system(size: Size | None, *, coordinates: CoordinateGrid) -> str:
    definition = {"type": "function", "function": tool(size, coordinates)}
    return texts("qwen").get("system", tool=json.dumps(definition, ensure_ascii=False))


_THOUGHT = re.compile(r"^(?:Thought|Action):[ \t]*", re.MULTILINE)


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """``<tool_call>`` blocks with ``computer_use`` calls, the thought before them.

    Raises:
        ActionError: an action is unknown or not complete.
    """
    words = ""
    if isinstance(answer, str) and "<tool_call>" in answer:
        words = _THOUGHT.sub("", answer[: answer.index("<tool_call>")]).strip()
        items = [as_object(_block(part), "The call") for part in answer.split("<tool_call>")[1:]]
    else:
        items = [object_of(answer)]
    calls: list[Call] = []
    for item in items:
        called = calls_of(item)
        arguments = called[0].arguments if called and "action" not in item else item
        calls.append(Call(name=str(arguments.get("action")), arguments=arguments))
    return read_calls(calls, _QWEN, observation, "thousand", words)


def decode_pixels(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """As :func:`decode`, but places are pixels of the picture as the model sees it, which Qwen2.5-VL writes.

    Raises:
        ActionError: as :func:`decode`; (``unknown_size``) the size of the picture is not known.
    """
    return decode(answer, QWEN_PIXELS.measured(observation))


def _block(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """The JSON right after the tag; what comes after it, the closing tag included, does not count."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text.strip())[0]
    except (ValueError, RecursionError):
        return loose_json(text.partition("</tool_call>")[0])[0]


def _clicked(kind: str) -> ToolDecoder:
    return lambda g, a: g.click(pair_of(g, a.get("coordinate")), kind=kind)


def _dragged(builder: ActionBuilder, given: dict[str, Any]) -> None:
    end = pair_of(builder, given["coordinate"])
    builder.drag(None, [end] if end else [])


_QWEN: Final[Mapping[str, ToolDecoder]] = {
    **{name: _clicked(kind) for kind, name in CLICK_TOOLS.items()},
    "left_click_drag": _dragged,
    "type": lambda g, a: g.type(str(a["text"])),
    "key": lambda g, a: g.press(keys_in(a["keys"])),
    "mouse_move": lambda g, a: g.move(pair_of(g, a["coordinate"]) or (0.0, 0.0)),
    # Positive pixels scroll up, and to the right.
    "scroll": lambda g, a: wheel(g, pair_of(g, a.get("coordinate")), 0, -float(a["pixels"]), []),
    "hscroll": lambda g, a: wheel(g, pair_of(g, a.get("coordinate")), float(a["pixels"]), 0, []),
    "wait": lambda g, a: g.wait(float(a["time"]) if a.get("time") else None),
    "terminate": lambda g, a: g.finish(success=str(a.get("status", "success")) == "success"),
    "answer": lambda g, a: g.add(actions.ExtractDataAction(description="the answer", data=str(a["text"]))),
}


CODEC: Final = Codec(
    name="qwen",
    title="Qwen computer_use",
    places=BELOW_THOUSAND.words,
    encoder=partial(_encode, coordinates=BELOW_THOUSAND),
    unsaid=frozenset({"modifiers", "hold", "submit", "drag_start", "drag_button", "drag_path", "hover_seconds"}),
    decode=decode,
    coordinates=BELOW_THOUSAND,
    system=partial(_system, coordinates=BELOW_THOUSAND),
    sentences="qwen",
)
PIXEL_CODEC: Final = replace(
    CODEC,
    name="qwen2.5-vl",
    title="Qwen2.5-VL computer_use",
    places=QWEN_PIXELS.words,
    encoder=partial(_encode, coordinates=QWEN_PIXELS),
    decode=decode_pixels,
    coordinates=QWEN_PIXELS,
    system=partial(_system, coordinates=QWEN_PIXELS),
)
