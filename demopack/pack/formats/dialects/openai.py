"""OpenAI's ``computer`` tool: batched actions in whole pixels of the picture that was sent."""

from __future__ import annotations

from typing import Any, Final

from demopack.pack.formats.acts import Act
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Say, Spoken, by_kind

__all__ = ["DIALECT", "DONE", "FAILED", "PIXELS_A_NOTCH"]

PIXELS_A_NOTCH: Final = 100
DONE, FAILED = "The task is done.", "The task could not be done."

_KEYS = {"Escape": "ESC", "Meta": "SUPER"}
_BUTTONS = {"single": "left", "right": "right", "middle": "wheel"}


def _key(name: str) -> str:
    return _KEYS.get(name, name.upper())


def _held(act: Act) -> dict[str, Any]:
    return {"keys": [_key(name.capitalize()) for name in act.modifiers]} if act.modifiers else {}


def _click(act: Act) -> Spoken:
    if act.at is None:
        return NO_PLACE
    place = {"x": act.at.x, "y": act.at.y, **_held(act)}
    losses = ("hold",) if "hold_s" in act.parameters else ()
    if act.click_type == "double":
        return Spoken(calls=({"type": "double_click", **place},), losses=losses)
    call = {"type": "click", "button": _BUTTONS.get(act.click_type, "left"), **place}
    if act.click_type == "triple":
        return Spoken(calls=(call, call, call), losses=(*losses, "click_count"))
    return Spoken(calls=(call,), losses=losses)


def _type(act: Act) -> Spoken:
    call = {"type": "type", "text": act.text}
    if act.submits:
        return Spoken(calls=(call, {"type": "keypress", "keys": ["ENTER"]}), losses=("submit",))
    return Spoken(calls=(call,))


def _press(act: Act) -> Spoken:
    call = {"type": "keypress", "keys": [_key(name) for name in act.keys]}
    return Spoken(calls=(call,) * act.presses, losses=("presses",) if act.presses > 1 else ())


def _scroll(act: Act) -> Spoken:
    at = act.at or act.middle
    if at is None:
        return NO_PLACE
    way = act.notches * PIXELS_A_NOTCH * (1 if act.direction in {"down", "right"} else -1)
    sideways = act.direction in {"left", "right"}
    amount = {"scroll_x": way if sideways else 0, "scroll_y": 0 if sideways else way}
    return Spoken(calls=({"type": "scroll", "x": at.x, "y": at.y, **amount, **_held(act)},))


def _drag(act: Act) -> Spoken:
    if len(act.way) < 2:
        return NO_PLACE
    path = [{"x": point.x, "y": point.y} for point in act.way]
    losses = () if act.button == "left" else ("drag_button",)
    return Spoken(calls=({"type": "drag", "path": path, **_held(act)},), losses=losses)


def _hover(act: Act) -> Spoken:
    if act.at is None:
        return NO_PLACE
    losses = ("hover_seconds",) if "duration_s" in act.parameters else ()
    return Spoken(calls=({"type": "move", "x": act.at.x, "y": act.at.y},), losses=losses)


def _finish(act: Act) -> Spoken:
    return Spoken(calls=({"type": "message", "text": FAILED if act.failed else DONE},), losses=("finish_text",))


_SAY: Final[dict[str, Say]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "drag": _drag,
    "hover": _hover,
    "wait": lambda _: Spoken(calls=({"type": "wait"},), losses=("wait_seconds",)),
    "finish_goal": _finish,
}


DIALECT: Final = Dialect(
    name="openai",
    title="OpenAI computer",
    places="whole pixels of the picture",
    say=by_kind(_SAY),
)
