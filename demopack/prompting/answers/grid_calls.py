"""Gemini's and Qwen's computer use: places on a grid of 1000 by 1000."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from demopack.prompting.answers.calls import Call, calls_of
from demopack.prompting.answers.computer_use import (
    NOTCH,
    CallHand,
    dicts_in,
    keys_in,
    object_of,
    pair_of,
    read_calls,
    wheel,
    xy_of,
)
from demopack.prompting.answers.gestures import Gestures
from demopack.prompting.answers.loose import as_object, loose_json
from demopack.prompting.answers.parsed import ParsedAnswer
from demopack.prompting.scene import Scene

__all__ = ["from_gemini", "from_qwen"]

_THOUGHT = re.compile(r"^(?:Thought|Action):[ \t]*", re.MULTILINE)


def from_gemini(answer: str | dict[str, Any], scene: Scene) -> ParsedAnswer:
    """``function_call`` parts; ``intent`` in the arguments is the reasoning.

    Raises:
        ActionError: an action is unknown or not complete.
    """
    data = object_of(answer)
    if data.get("type") == "message":
        return read_calls([], _GEMINI, scene, "thousand", str(data.get("text", "")))
    calls = calls_of(data)
    intents = [str(call.arguments["intent"]) for call in calls if call.arguments.get("intent")]
    said = [str(part["text"]) for part in dicts_in(data.get("parts")) if part.get("text")]
    return read_calls(calls, _GEMINI, scene, "thousand", "\n".join([*said, *intents]))


def from_qwen(answer: str | dict[str, Any], scene: Scene) -> ParsedAnswer:
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
    return read_calls(calls, _QWEN, scene, "thousand", words)


def _block(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """The JSON right after the tag; what comes after it, the closing tag included, does not count."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text.strip())[0]
    except (ValueError, RecursionError):
        return loose_json(text.partition("</tool_call>")[0])[0]


def _gemini_click(kind: str) -> CallHand:
    return lambda g, a: g.click(xy_of(g, a), kind=kind)


def _gemini_scroll(gestures: Gestures, given: dict[str, Any]) -> None:
    direction = str(given["direction"])
    size = gestures.scene.size
    steps = None
    if size is not None and given.get("magnitude"):
        along = size.width if direction in {"left", "right"} else size.height
        steps = max(1, round(float(given["magnitude"]) / 1000 * along / NOTCH))
    gestures.scroll(xy_of(gestures, given) if "x" in given else None, direction, steps)


def _gemini_drag(gestures: Gestures, given: dict[str, Any]) -> None:
    end = gestures.place(given["destination_x"], given["destination_y"])
    gestures.drag(xy_of(gestures, given), [end])


def _gemini_type_at(gestures: Gestures, given: dict[str, Any]) -> None:
    gestures.click(xy_of(gestures, given))
    if given.get("clear_before_typing"):
        gestures.press(["Ctrl", "A"])
    gestures.type(str(given["text"]), submit=bool(given.get("press_enter")))


_GEMINI: Final[Mapping[str, CallHand]] = {
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


def _qwen_click(kind: str) -> CallHand:
    return lambda g, a: g.click(pair_of(g, a.get("coordinate")), kind=kind)


def _qwen_drag(gestures: Gestures, given: dict[str, Any]) -> None:
    end = pair_of(gestures, given["coordinate"])
    gestures.drag(None, [end] if end else [])


_QWEN: Final[Mapping[str, CallHand]] = {
    "left_click": _qwen_click("single"),
    "right_click": _qwen_click("right"),
    "middle_click": _qwen_click("middle"),
    "double_click": _qwen_click("double"),
    "triple_click": _qwen_click("triple"),
    "left_click_drag": _qwen_drag,
    "type": lambda g, a: g.type(str(a["text"])),
    "key": lambda g, a: g.press(keys_in(a["keys"])),
    "mouse_move": lambda g, a: g.move(pair_of(g, a["coordinate"]) or (0.0, 0.0)),
    # Positive pixels scroll up, and to the right.
    "scroll": lambda g, a: wheel(g, pair_of(g, a.get("coordinate")), 0, -float(a["pixels"]), []),
    "hscroll": lambda g, a: wheel(g, pair_of(g, a.get("coordinate")), float(a["pixels"]), 0, []),
    "wait": lambda g, a: g.wait(float(a["time"]) if a.get("time") else None),
    "terminate": lambda g, a: g.finish(success=str(a.get("status", "success")) == "success"),
    "answer": lambda g, a: g.extract("the answer", str(a["text"])),
}
