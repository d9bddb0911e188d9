"""Qwen's ``computer_use`` tool: places on a grid of 0 to 999, scrolling up is positive."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.geometry import Point, to_thousand
from demopack.domain.keys import spell
from demopack.pack.formats.acts import Act
from demopack.pack.formats.dialects.openai import PIXELS_A_NOTCH
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Say, Spoken, by_kind, lost_modifiers

__all__ = ["DIALECT"]

_TOP = 999
_CLICKS = {
    "single": "left_click", "double": "double_click", "triple": "triple_click", "right": "right_click",
    "middle": "middle_click",
}  # fmt: skip


def _call(action: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"name": "computer_use", "arguments": {"action": action, **given}}


def _place(act: Act, point: Point) -> list[int]:
    return list(to_thousand(point, act.size, top=_TOP)) if act.size is not None else [point.x, point.y]


def _click(act: Act) -> Spoken:
    if act.at is None or act.size is None:
        return NO_PLACE
    losses = lost_modifiers(act) + (("hold",) if "hold_s" in act.parameters else ())
    return Spoken(calls=(_call(_CLICKS[act.click_type], coordinate=_place(act, act.at)),), losses=losses)


def _type(act: Act) -> Spoken:
    call = _call("type", text=act.text)
    return (
        Spoken(calls=(call, _call("key", keys=["enter"])), losses=("submit",)) if act.submits else Spoken(calls=(call,))
    )


def _press(act: Act) -> Spoken:
    call = _call("key", keys=[spell(name, "pyautogui") for name in act.keys])
    return Spoken(calls=(call,) * act.presses, losses=("presses",) if act.presses > 1 else ())


def _scroll(act: Act) -> Spoken:
    pixels = act.notches * PIXELS_A_NOTCH * (1 if act.direction in {"up", "right"} else -1)
    action = "hscroll" if act.direction in {"left", "right"} else "scroll"
    return Spoken(calls=(_call(action, pixels=pixels),), losses=lost_modifiers(act))


def _drag(act: Act) -> Spoken:
    if act.at is None or act.to is None or act.size is None:
        return NO_PLACE
    # The drag itself tells only where it ends: it begins where the pointer is.
    calls = (
        _call("mouse_move", coordinate=_place(act, act.at)),
        _call("left_click_drag", coordinate=_place(act, act.to)),
    )
    losses = ("drag_start", *lost_modifiers(act), *(() if act.button == "left" else ("drag_button",)))
    return Spoken(calls=calls, losses=(*losses, "drag_path") if len(act.way) > 2 else losses)


def _hover(act: Act) -> Spoken:
    if act.at is None or act.size is None:
        return NO_PLACE
    losses = ("hover_seconds",) if "duration_s" in act.parameters else ()
    return Spoken(calls=(_call("mouse_move", coordinate=_place(act, act.at)),), losses=losses)


_SAY: Final[dict[str, Say]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "drag": _drag,
    "hover": _hover,
    "wait": lambda act: Spoken(calls=(_call("wait", time=act.seconds),)),
    "finish_goal": lambda act: Spoken(calls=(_call("terminate", status="failure" if act.failed else "success"),)),
}


DIALECT: Final = Dialect(
    name="qwen",
    title="Qwen computer_use",
    places="0 to 999 of width and height",
    say=by_kind(_SAY),
)
