"""Gemini's computer use: function calls with places on a grid of 0 to 1000."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.geometry import Point, to_thousand
from demopack.domain.keys import spell
from demopack.pack.formats.acts import Act
from demopack.pack.formats.dialects.openai import DONE, FAILED, PIXELS_A_NOTCH
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Say, Spoken, by_kind, lost_modifiers

__all__ = ["DIALECT"]

_TOP = 1000
_CLICKS = {
    "single": "click", "double": "double_click", "triple": "triple_click", "right": "right_click",
    "middle": "middle_click",
}  # fmt: skip


def _call(name: str, **args: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"name": name, "args": args}


def _place(act: Act, point: Point) -> dict[str, Any]:
    x, y = to_thousand(point, act.size, top=_TOP) if act.size is not None else (point.x, point.y)
    return {"x": x, "y": y}


def _click(act: Act) -> Spoken:
    if act.at is None or act.size is None:
        return NO_PLACE
    losses = ("hold",) if "hold_s" in act.parameters else ()
    return Spoken(calls=(_call(_CLICKS[act.click_type], **_place(act, act.at)),), losses=lost_modifiers(act) + losses)


def _press(act: Act) -> Spoken:
    keys = [spell(name, "pyautogui") for name in act.keys]
    call = _call("press_key", key=keys[0]) if len(keys) == 1 else _call("hotkey", keys=keys)
    return Spoken(calls=(call,) * act.presses, losses=("presses",) if act.presses > 1 else ())


def _scroll(act: Act) -> Spoken:
    at = act.at or act.middle
    if at is None or act.size is None:
        return NO_PLACE
    along = act.size.width if act.direction in {"left", "right"} else act.size.height
    far = round(act.notches * PIXELS_A_NOTCH / along * _TOP)
    call = _call("scroll", **_place(act, at), direction=act.direction, magnitude=min(_TOP, max(1, far)))
    return Spoken(calls=(call,), losses=lost_modifiers(act) + (("scroll_steps",) if far > _TOP else ()))


def _drag(act: Act) -> Spoken:
    if act.at is None or act.to is None or act.size is None:
        return NO_PLACE
    end = _place(act, act.to)
    call = _call("drag_and_drop", **_place(act, act.at), destination_x=end["x"], destination_y=end["y"])
    losses = lost_modifiers(act) + (() if act.button == "left" else ("drag_button",))
    return Spoken(calls=(call,), losses=(*losses, "drag_path") if len(act.way) > 2 else losses)


def _hover(act: Act) -> Spoken:
    if act.at is None or act.size is None:
        return NO_PLACE
    losses = ("hover_seconds",) if "duration_s" in act.parameters else ()
    return Spoken(calls=(_call("move", **_place(act, act.at)),), losses=losses)


def _finish(act: Act) -> Spoken:
    text = FAILED if act.failed else DONE
    return Spoken(calls=({"type": "message", "text": text},), losses=("finish_text",))


_SAY: Final[dict[str, Say]] = {
    "click": _click,
    "type": lambda act: Spoken(calls=(_call("type", text=act.text, press_enter=act.submits),)),
    "press_key": _press,
    "scroll": _scroll,
    "drag": _drag,
    "hover": _hover,
    "wait": lambda act: Spoken(calls=(_call("wait", seconds=act.seconds),)),
    "finish_goal": _finish,
}


DIALECT: Final = Dialect(
    name="gemini",
    title="Gemini computer use",
    places="0 to 1000 of width and height",
    say=by_kind(_SAY),
)
