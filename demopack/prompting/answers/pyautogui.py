"""PyAutoGUI calls, those of AgentNet and OpenCUA included."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from demopack.errors import ActionError
from demopack.prompting.answers.code import CodeCall, Hand, answer_from, code_calls, run_calls
from demopack.prompting.answers.gestures import Gestures, Place
from demopack.prompting.answers.parsed import ParsedAnswer
from demopack.prompting.scene import Scene

__all__ = ["from_pyautogui"]

_FENCE = re.compile(r"```(?:python|py|code)?[ \t]*\n(.*?)```", re.DOTALL)
_END = re.compile(r"#[^\n]*\btask ends here:\s*(success|failure)", re.IGNORECASE)


def from_pyautogui(answer: str, scene: Scene) -> ParsedAnswer:
    """PyAutoGUI calls. Places are fractions where every number with a place is written with a dot and at most 1.

    Raises:
        ActionError: a call is unknown, cannot be read, or there is none.
    """
    code = "\n".join(_FENCE.findall(answer)) or answer
    calls = code_calls(code)
    gestures = Gestures(scene=scene, space="fraction" if _are_fractions(calls) else "pixels")
    if scene.space is None and any("x" in call.named or call.args for call in calls):
        gestures.notes.append(f"Places were read as {'fractions' if gestures.space == 'fraction' else 'pixels'}.")
    run_calls(gestures, calls, _PYAUTOGUI)
    end = _END.search(code)
    if end is not None:
        gestures.finish(success=end.group(1).lower() == "success")
    return answer_from(gestures, answer[: answer.find(code)].replace("```python", "").strip("`\n ") if code else "")


def _are_fractions(calls: Sequence[CodeCall]) -> bool:
    numbers = [n for call in calls for n in (call.named.get("x"), call.named.get("y")) if isinstance(n, (int, float))]
    return bool(numbers) and all(isinstance(n, float) and 0 <= n <= 1 for n in numbers)


def _xy(gestures: Gestures, call: CodeCall, *, at: int = 0) -> Place | None:
    x, y = call.get("x", at), call.get("y", at + 1)
    return None if x is None or y is None else gestures.place(x, y)


def _need_xy(gestures: Gestures, call: CodeCall) -> Place:
    place = _xy(gestures, call)
    if place is None:
        raise ActionError(
            f"{call.name} has no place.", code="missing_argument", field="x, y", hint="Give x and y as numbers."
        )
    return place


def _py_click(kind: str) -> Hand:
    def hand(gestures: Gestures, call: CodeCall) -> None:
        counts = {1: kind, 2: "double", 3: "triple"}
        button = str(call.named.get("button", "left"))
        named = counts.get(int(call.named.get("clicks", 1)), kind) if button == "left" else button
        gestures.click(_xy(gestures, call), kind=named)

    return hand


def _py_write(gestures: Gestures, call: CodeCall) -> None:
    text = call.get("message", 0)
    if isinstance(text, list):
        for key in cast("Sequence[Any]", text):
            gestures.press([str(key)])
        return
    gestures.type(str(text if text is not None else call.get("text", 0, "")))


def _py_press(gestures: Gestures, call: CodeCall) -> None:
    keys = call.get("keys", 0) or call.get("key", 0)
    for key in cast("Sequence[Any]", keys) if isinstance(keys, list) else [keys]:
        gestures.press([str(key)], presses=int(call.get("presses", 1, 1)))


def _py_hotkey(gestures: Gestures, call: CodeCall) -> None:
    keys: list[Any] = list(call.args) or list(call.named.get("args", []))
    if len(keys) == 1 and isinstance(keys[0], list):
        keys = list(cast("Sequence[Any]", keys[0]))
    gestures.press([str(key) for key in keys])


def _py_scroll(*, sideways: bool) -> Hand:
    def hand(gestures: Gestures, call: CodeCall) -> None:
        clicks = call.get("clicks", 0)
        if not isinstance(clicks, (int, float)) or not clicks:
            raise ActionError(
                "The scroll has no distance.", code="scroll_without_direction", field="clicks", hint="Say how far."
            )
        ways = ("right", "left") if sideways else ("up", "down")
        gestures.scroll(_xy(gestures, call, at=1), ways[0] if clicks > 0 else ways[1], max(1, round(abs(clicks))))

    return hand


def _py_drag(gestures: Gestures, call: CodeCall) -> None:
    gestures.drag(None, [_need_xy(gestures, call)], button=str(call.named.get("button", "left")))


_PYAUTOGUI: Final[Mapping[str, Hand]] = {
    "click": _py_click("single"),
    "leftClick": _py_click("single"),
    "doubleClick": _py_click("double"),
    "tripleClick": _py_click("triple"),
    "rightClick": _py_click("right"),
    "middleClick": _py_click("middle"),
    "moveTo": lambda g, c: g.move(_need_xy(g, c)),
    "dragTo": _py_drag,
    "mouseDown": lambda g, c: g.down(_xy(g, c), button=str(c.named.get("button", "left"))),
    "mouseUp": lambda g, c: g.up(_xy(g, c)),
    "write": _py_write,
    "typewrite": _py_write,
    "press": _py_press,
    "hotkey": _py_hotkey,
    "keyDown": lambda g, c: g.key_down(str(c.get("key", 0))),
    "keyUp": lambda g, c: g.key_up(str(c.get("key", 0))),
    "scroll": _py_scroll(sideways=False),
    "vscroll": _py_scroll(sideways=False),
    "hscroll": _py_scroll(sideways=True),
    "time.sleep": lambda g, c: g.wait(float(c.get("seconds", 0, 1.0))),
    "sleep": lambda g, c: g.wait(float(c.get("seconds", 0, 1.0))),
    "wait": lambda g, c: g.wait(float(c.get("seconds", 0)) if c.get("seconds", 0) is not None else None),
    "terminate": lambda g, c: g.finish(success=str(c.get("status", 0, "success")) == "success"),
}
