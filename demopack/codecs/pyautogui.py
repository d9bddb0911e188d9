"""PyAutoGUI calls as strings: AgentNet's flavour with fractions of the picture, and a script's with pixels."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from demopack.codecs.action_builder import ActionBuilder, Place
from demopack.codecs.base import Codec
from demopack.codecs.code_calls import CallDecoder, CodeCall, answer_from, code_calls
from demopack.codecs.computer_tools import wheel
from demopack.codecs.decoded import DecodedAnswer
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
from demopack.json_text import as_list

_CLICKS = {"single": "click", "double": "doubleClick", "triple": "tripleClick", "right": "rightClick",
           "middle": "middleClick"}  # fmt: skip


def _held(placed: PlacedAction, *calls: str) -> EncodedAction:
    """The calls with the modifiers held around them."""
    keys = [spell(name.capitalize(), "pyautogui") for name in placed.action.held]
    down = [f"pyautogui.keyDown({key!r})" for key in keys]
    return encoded(*down, *calls, *(f"pyautogui.keyUp({key!r})" for key in reversed(keys)))


def _pixels(point: Point) -> str:
    return f"x={point.x}, y={point.y}"


def _wheel(action: actions.ScrollAction, where: str) -> str:
    across, up = scroll_notches(action, positive="up")
    return f"pyautogui.{'hscroll' if across else 'scroll'}({across or up}{where})"


def _encode(placed: PlacedAction, written: Callable[[Point], str]) -> EncodedAction:
    """An action as both flavours say it, each with its own way of writing a place."""
    match placed.action:
        case actions.ClickAction() as action:
            return _held(placed, f"pyautogui.{_CLICKS[action.click_type]}({written(placed.point)})")
        case actions.TypeAction() as action:
            enter = ("pyautogui.press('enter')",) if action.submit else ()
            return encoded(f"pyautogui.write(message={action.text_to_type!r})", *enter)
        case actions.PressKeyAction() as action:
            keys = [spell(name, "pyautogui") for name in action.keys]
            if len(keys) == 1:
                times = f", presses={action.presses}" if action.presses > 1 else ""
                return encoded(f"pyautogui.press({keys[0]!r}{times})")
            return repeated(f"pyautogui.hotkey({', '.join(map(repr, keys))})", action.presses, "presses")
        case actions.ScrollAction() as action:
            return _held(placed, _wheel(action, "" if placed.at is None else f", {written(placed.at)}"))
        case actions.DragAction() as action:
            start, end = written(placed.point), written(placed.end_point)
            return _held(placed, f"pyautogui.moveTo({start})", f"pyautogui.dragTo({end}, button={action.button!r})")
        case actions.HoverAction():
            return encoded(f"pyautogui.moveTo({written(placed.point)})")
        case _:
            raise NotExpressibleError("no_word")


def _encode_agentnet(placed: PlacedAction) -> EncodedAction:
    def fractions(point: Point) -> str:
        if placed.size is None:
            raise NotExpressibleError("no_place")
        return f"x={round(point.x / placed.size.width, 4)}, y={round(point.y / placed.size.height, 4)}"

    match placed.action:
        case actions.ClickAction(click_type="triple"):
            # PyAutoGUI knows tripleClick too; OpenCUA's data name it as an extension of their own.
            return _held(placed, f"computer.tripleClick({fractions(placed.point)})")
        case actions.ScrollAction() as action:
            # AgentNet's scroll has no place of its own, and OpenCUA's tools rescale the places of moves alone.
            known = placed.at is not None and placed.size is not None
            move = (f"pyautogui.moveTo({fractions(placed.point)})",) if known else ()
            return _held(placed, *move, _wheel(action, ""))
        case actions.WaitAction():
            return encoded("computer.wait()")
        case actions.FinishGoalAction() as action:
            return encoded(f"computer.terminate(status={action.status!r})")
        case _:
            return _encode(placed, fractions)


def _encode_script(placed: PlacedAction) -> EncodedAction:
    match placed.action:
        case actions.ClickAction(hold_s=float(seconds), click_type=kind):
            if kind in {"double", "triple"}:
                return replace(_encode(placed, _pixels), losses=("hold",))
            button = "left" if kind == "single" else kind
            down = f"pyautogui.mouseDown({_pixels(placed.point)}, button={button!r})"
            return _held(placed, down, f"time.sleep({seconds})", f"pyautogui.mouseUp(button={button!r})")
        case actions.TypeAction() as action:
            return replace(_encode(placed, _pixels), losses=() if action.text_to_type.isascii() else ("ascii",))
        case actions.DragAction() as action if len(placed.way) > 2:
            between = [f"pyautogui.moveTo({_pixels(point)})" for point in placed.way[1:]]
            down = f"pyautogui.mouseDown({_pixels(placed.point)}, button={action.button!r})"
            up = f"pyautogui.mouseUp({_pixels(placed.end_point)}, button={action.button!r})"
            return _held(placed, down, *between, up)
        case actions.HoverAction(duration_s=float(seconds)):
            return encoded(f"pyautogui.moveTo({_pixels(placed.point)})", f"time.sleep({seconds})")
        case actions.WaitAction() as action:
            return encoded(f"time.sleep({action.wait_duration_s})")
        case actions.FinishGoalAction() as action:
            return encoded(f"# The task ends here: {action.status}")
        case _:
            return _encode(placed, _pixels)


_FENCE = re.compile(r"```(?:python|py|code)?[ \t]*\n(.*?)```", re.DOTALL)
_END = re.compile(r"#[^#\n]*\btask ends here:\s*(success|failure)", re.IGNORECASE)


def decode(answer: str, observation: Observation) -> DecodedAnswer:
    """PyAutoGUI calls. Places are fractions where every number with a place is written with a dot and at most 1.

    Raises:
        ActionError: a call is unknown, cannot be read, or there is none.
    """
    code = "\n".join(_FENCE.findall(answer)) or answer
    calls = code_calls(code)
    builder = ActionBuilder(observation=observation, space="fraction" if _are_fractions(calls) else "pixels")
    if observation.space is None and any("x" in call.named or call.args for call in calls):
        builder.notes.append(f"Places were read as {'fractions' if builder.space == 'fraction' else 'pixels'}.")
    for call in calls:
        builder.do(call.name, call, _PYAUTOGUI)
    end = _END.search(code)
    if end is not None:
        builder.finish(success=end.group(1).lower() == "success")
    return answer_from(builder, answer[: answer.find(code)].replace("```python", "").strip("`\n ") if code else "")


def _are_fractions(calls: Sequence[CodeCall]) -> bool:
    numbers = [n for call in calls for n in (call.named.get("x"), call.named.get("y")) if isinstance(n, (int, float))]
    return bool(numbers) and all(isinstance(n, float) and 0 <= n <= 1 for n in numbers)


def _xy(builder: ActionBuilder, call: CodeCall, *, at: int = 0) -> Place | None:
    x, y = call.get("x", at), call.get("y", at + 1)
    return None if x is None or y is None else builder.place(x, y)


def _need_xy(builder: ActionBuilder, call: CodeCall) -> Place:
    place = _xy(builder, call)
    if place is None:
        raise ActionError(f"{call.name} has no place.", "missing_argument", "x, y", "Give x and y as numbers.")
    return place


def _py_click(kind: str) -> CallDecoder:
    def decode_call(builder: ActionBuilder, call: CodeCall) -> None:
        counts = {1: kind, 2: "double", 3: "triple"}
        button = str(call.named.get("button", "left"))
        named = counts.get(int(call.named.get("clicks", 1)), kind) if button == "left" else button
        builder.click(_xy(builder, call), kind=named)

    return decode_call


def _py_write(builder: ActionBuilder, call: CodeCall) -> None:
    text = call.get("message", 0)
    if not isinstance(text, list):
        builder.type(str(text if text is not None else call.get("text", 0, "")))
    for key in as_list(text):
        builder.press([str(key)])


def _py_press(builder: ActionBuilder, call: CodeCall) -> None:
    keys = call.get("keys", 0) or call.get("key", 0)
    for key in as_list(keys) or [keys]:
        builder.press([str(key)], presses=int(call.get("presses", 1, 1)))


def _py_hotkey(builder: ActionBuilder, call: CodeCall) -> None:
    keys: list[Any] = list(call.args) or list(call.named.get("args", []))
    if len(keys) == 1 and isinstance(keys[0], list):
        keys = as_list(keys[0])
    builder.press([str(key) for key in keys])


def _py_scroll(*, sideways: bool) -> CallDecoder:
    def decode_call(builder: ActionBuilder, call: CodeCall) -> None:
        given = call.get("clicks", 0)
        clicks = float(given) if isinstance(given, (int, float)) else 0.0
        at = _xy(builder, call, at=1) if clicks else None
        across, up = (clicks, 0.0) if sideways else (0.0, clicks)
        wheel(builder, at, across, -up, unit=1, field_name="clicks")

    return decode_call


def _py_drag(builder: ActionBuilder, call: CodeCall) -> None:
    builder.drag(None, [_need_xy(builder, call)], button=str(call.named.get("button", "left")))


_PYAUTOGUI: Final[Mapping[str, CallDecoder]] = {
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


AGENTNET: Final = Codec(
    name="agentnet",
    title="AgentNet / OpenCUA",
    places="fractions of the picture, four decimals",
    encoder=_encode_agentnet,
    unsaid={"hold", "drag_path", "hover_seconds", "wait_seconds"},
    decode=decode,
)
SCRIPT: Final = Codec(
    name="pyautogui",
    title="PyAutoGUI script",
    places="pixels of the picture",
    encoder=_encode_script,
    unsaid={"finish_text"},
    decode=decode,
)
