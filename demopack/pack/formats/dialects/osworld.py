"""OSWorld's ``computer_13``: absolute pixels, the wheel's sign as the operating system counts it."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.keys import spell
from demopack.pack.formats.acts import Act
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Say, Spoken, by_kind

__all__ = ["DIALECT"]


def _call(kind: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"action_type": kind, "parameters": given}


def _held(act: Act, *calls: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    keys = [spell(name.capitalize(), "pyautogui") for name in act.modifiers]
    down = tuple(_call("KEY_DOWN", key=key) for key in keys)
    return (*down, *calls, *(_call("KEY_UP", key=key) for key in reversed(keys)))


def _click(act: Act) -> Spoken:
    if act.at is None:
        return NO_PLACE
    place = {"x": act.at.x, "y": act.at.y}
    losses = ("hold",) if "hold_s" in act.parameters else ()
    call = {
        "single": _call("CLICK", button="left", **place),
        "double": _call("DOUBLE_CLICK", **place),
        "triple": _call("CLICK", button="left", **place, num_clicks=3),
        "right": _call("RIGHT_CLICK", **place),
        "middle": _call("CLICK", button="middle", **place),
    }[act.click_type]
    return Spoken(calls=_held(act, call), losses=losses)


def _type(act: Act) -> Spoken:
    call = _call("TYPING", text=act.text)
    if act.submits:
        return Spoken(calls=(call, _call("PRESS", key="enter")), losses=("submit",))
    return Spoken(calls=(call,))


def _press(act: Act) -> Spoken:
    keys = [spell(name, "pyautogui") for name in act.keys]
    call = _call("PRESS", key=keys[0]) if len(keys) == 1 else _call("HOTKEY", keys=keys)
    return Spoken(calls=(call,) * act.presses, losses=("presses",) if act.presses > 1 else ())


def _scroll(act: Act) -> Spoken:
    way = act.notches * (1 if act.direction in {"up", "right"} else -1)
    sideways = act.direction in {"left", "right"}
    move = () if act.at is None else (_call("MOVE_TO", x=act.at.x, y=act.at.y),)
    return Spoken(calls=_held(act, *move, _call("SCROLL", dx=way if sideways else 0, dy=0 if sideways else way)))


def _drag(act: Act) -> Spoken:
    if act.at is None or act.to is None:
        return NO_PLACE
    calls = (_call("MOVE_TO", x=act.at.x, y=act.at.y), _call("DRAG_TO", x=act.to.x, y=act.to.y))
    losses = ("drag_start", *(() if act.button == "left" else ("drag_button",)))
    return Spoken(calls=_held(act, *calls), losses=(*losses, "drag_path") if len(act.way) > 2 else losses)


def _hover(act: Act) -> Spoken:
    if act.at is None:
        return NO_PLACE
    losses = ("hover_seconds",) if "duration_s" in act.parameters else ()
    return Spoken(calls=(_call("MOVE_TO", x=act.at.x, y=act.at.y),), losses=losses)


_SAY: Final[dict[str, Say]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "drag": _drag,
    "hover": _hover,
    "wait": lambda _: Spoken(calls=(_call("WAIT"),), losses=("wait_seconds",)),
    "finish_goal": lambda act: Spoken(calls=(_call("FAIL" if act.failed else "DONE"),)),
}


DIALECT: Final = Dialect(
    name="osworld",
    title="OSWorld computer_13",
    places="pixels of the picture",
    say=by_kind(_SAY),
)
