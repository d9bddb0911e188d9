"""OpenAI's and Anthropic's computer tools: whole pixels of the picture that was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from demopack.errors import ActionError
from demopack.prompting.answers.calls import Call, calls_of, words_of
from demopack.prompting.answers.computer_use import (
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
from demopack.prompting.answers.parsed import ParsedAnswer
from demopack.prompting.scene import Scene

__all__ = ["from_anthropic", "from_openai"]


def from_openai(answer: str | dict[str, Any], scene: Scene) -> ParsedAnswer:
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
    return read_calls(calls, _OPENAI, scene, "pixels", "\n".join(word for word in words if word.strip()))


def from_anthropic(answer: str | dict[str, Any], scene: Scene) -> ParsedAnswer:
    """``tool_use`` blocks: one tool for each action, or the older single tool ``computer`` with ``action``.

    Raises:
        ActionError: an action is unknown or not complete.
    """
    data = object_of(answer)
    if data.get("type") == "message" and "content" not in data:
        return read_calls([], _ANTHROPIC, scene, "pixels", str(data.get("text", "")))
    calls = [
        Call(name=str(call.arguments.get("action")), arguments=call.arguments) if call.name == "computer" else call
        for call in calls_of(data)
    ]
    return read_calls(calls, _ANTHROPIC, scene, "pixels", words_of(data))


_BUTTONS: Final = {"left": "single", "right": "right", "wheel": "middle", "middle": "middle"}


def _openai_click(gestures: Gestures, given: dict[str, Any]) -> None:
    button = str(given.get("button", "left"))
    if button not in _BUTTONS:
        raise ActionError(
            f"The button {button} has no counterpart.",
            code="not_expressible",
            field="button",
            hint=f"Use {', '.join(_BUTTONS)}.",
        )
    gestures.click(xy_of(gestures, given), kind=_BUTTONS[button], held=keys_in(given.get("keys")))


def _openai_drag(gestures: Gestures, given: dict[str, Any]) -> None:
    path = [xy_of(gestures, point) for point in dicts_in(given["path"])]
    gestures.drag(path[0] if path else None, path[1:], held=keys_in(given.get("keys")))


_OPENAI: Final[Mapping[str, CallHand]] = {
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


def _anthropic_click(kind: str) -> CallHand:
    return lambda g, a: g.click(pair_of(g, a.get("coordinate")), kind=kind, held=keys_in(a.get("text")))


def _hold_key(gestures: Gestures, given: dict[str, Any]) -> None:
    gestures.press(keys_in(given["text"]))
    gestures.notes.append("How long the key was held is left out.")


def _anthropic_drag(gestures: Gestures, given: dict[str, Any]) -> None:
    end = pair_of(gestures, given["coordinate"])
    gestures.drag(
        pair_of(gestures, given.get("start_coordinate")), [end] if end else [], held=keys_in(given.get("text"))
    )


_ANTHROPIC: Final[Mapping[str, CallHand]] = {
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
