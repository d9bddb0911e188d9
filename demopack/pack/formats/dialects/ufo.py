"""UFO's functions on Windows controls: the element by its label and text, a bare point in fractions of the window."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.geometry import Point, Rect, to_window_fraction
from demopack.domain.keys import MODIFIERS
from demopack.pack.formats.acts import Act
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Say, Spoken, by_kind, no_word

__all__ = ["DIALECT"]

_HELD = {"ctrl": "CONTROL", "shift": "SHIFT", "alt": "MENU", "meta": "LWIN"}
_PREFIX = {"Ctrl": "^", "Alt": "%", "Shift": "+"}
_NAMED = {
    "Enter": "ENTER", "Tab": "TAB", "Escape": "ESC", "Backspace": "BACKSPACE", "Delete": "DELETE", "Insert": "INSERT",
    "Home": "HOME", "End": "END", "PageUp": "PGUP", "PageDown": "PGDN", "ArrowUp": "UP", "ArrowDown": "DOWN",
    "ArrowLeft": "LEFT", "ArrowRight": "RIGHT", "Space": "SPACE", "Plus": "+", "CapsLock": "CAPSLOCK",
    "NumLock": "NUMLOCK", "ScrollLock": "SCROLLLOCK", "Pause": "BREAK", "Meta": "LWIN", "Menu": "APPS",
    **{f"F{n}": f"F{n}" for n in range(1, 21)},
}  # fmt: skip
_SPECIAL = frozenset("+^%~(){}[]")


def _call(function: str, **args: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"Function": function, "Args": args}


def _fraction(act: Act, point: Point) -> tuple[float, float] | None:
    window = act.window or (None if act.size is None else Rect(0, 0, act.size.width, act.size.height))
    if window is None:
        return None
    x, y = to_window_fraction(point, window)
    return round(x, 4), round(y, 4)


def _click(act: Act) -> Spoken:
    if act.click_type == "triple":
        return no_word()
    losses = ("hold",) if "hold_s" in act.parameters else ()
    button = act.click_type if act.click_type in {"right", "middle"} else "left"
    given: dict[str, Any] = {"button": button, "double": act.click_type == "double"}
    if act.target is not None:
        if len(act.modifiers) > 1:
            losses = (*losses, "modifiers")
        elif act.modifiers:
            given["pressed"] = _HELD[act.modifiers[0]]
        return Spoken(calls=(_call("click_input", **given),), losses=losses)
    place = None if act.at is None else _fraction(act, act.at)
    if place is None:
        return NO_PLACE
    losses = (*losses, "modifiers") if act.modifiers else losses
    return Spoken(calls=(_call("click_on_coordinates", x=place[0], y=place[1], **given),), losses=losses)


def _escaped(text: str) -> str:
    """Text as pywinauto types it: its signs for keys in braces."""
    named = {"\n": "{ENTER}", "\t": "{TAB}"}
    return "".join(named.get(char) or (f"{{{char}}}" if char in _SPECIAL else char) for char in text)


def _type(act: Act) -> Spoken:
    if act.target is not None and not act.submits:
        return Spoken(calls=(_call("set_edit_text", text=act.text, clear_current_text=False),))
    keys = _escaped(act.text) + ("{ENTER}" if act.submits else "")
    return Spoken(calls=(_call("keyboard_input", keys=keys),))


def _press(act: Act) -> Spoken:
    held = [name for name in act.keys if name in MODIFIERS]
    rest = [name for name in act.keys if name not in MODIFIERS]
    known = all(name in _NAMED or len(name) == 1 for name in rest) and all(name in _PREFIX for name in held)
    if not known or not rest:
        return no_word("keys")
    keys = "".join(f"{{{_NAMED[name]}}}" if name in _NAMED else _escaped(name.lower()) for name in rest)
    whole = "".join(_PREFIX[name] for name in held) + keys
    return Spoken(calls=(_call("keyboard_input", keys=whole * act.presses),))


def _scroll(act: Act) -> Spoken:
    if act.direction in {"left", "right"}:
        return no_word()
    way = act.notches if act.direction == "up" else -act.notches
    return Spoken(calls=(_call("wheel_mouse_input", wheel_dist=way),), losses=("modifiers",) if act.modifiers else ())


def _drag(act: Act) -> Spoken:
    start = None if act.at is None else _fraction(act, act.at)
    end = None if act.to is None else _fraction(act, act.to)
    if start is None or end is None:
        return NO_PLACE
    held = _HELD[act.modifiers[0]].lower() if len(act.modifiers) == 1 else None
    call = _call(
        "drag_on_coordinates", start_x=start[0], start_y=start[1], end_x=end[0], end_y=end[1], button=act.button,
        duration=1.0, key_hold=held,
    )  # fmt: skip
    losses = ("modifiers",) if len(act.modifiers) > 1 else ()
    return Spoken(calls=(call,), losses=(*losses, "drag_path") if len(act.way) > 2 else losses)


def _extract(act: Act) -> Spoken:
    about, data = str(act.parameters["description"]), act.parameters.get("data")
    return Spoken(calls=(_call("summary", text=about if data is None else f"{about}: {data}"),))


def _finish(act: Act) -> Spoken:
    return Spoken(calls=(_call(""),), losses=("finish_failure",) if act.failed else ())


_SAY: Final[dict[str, Say]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "drag": _drag,
    "extract_data": _extract,
    "finish_goal": _finish,
}


DIALECT: Final = Dialect(
    name="ufo",
    title="UFO / LAM",
    places="the element's label and text; fractions of the window",
    say=by_kind(_SAY),
)
