"""CAAP's eleven functions: elements by their place and text, Ctrl+A, Ctrl+C and Ctrl+V, a drag in three parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from demopack.domain.elements import State
from demopack.domain.geometry import Point, Rect, caap_notation
from demopack.pack.formats.acts import Act
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Say, Spoken, by_kind, no_word
from demopack.pack.rows import ElementRow

__all__ = ["DIALECT", "element_arg"]

_KEYS = {f"Ctrl+{letter}": f"press_control_{letter}" for letter in "ACV"}


def element_arg(element: ElementRow) -> str:
    """An element as CAAP writes it: ``{type: radio, X: 31 [10-52], Y: 62 [55-70], checked: False, text: "EiTE"}``."""
    return element_data(
        element.type, Rect(*element.box), text=element.text, subtype=element.subtype, states=element.states
    )


def element_data(
    kind: str,
    box: Rect,
    *,
    text: str | None = None,
    subtype: str | None = None,
    states: Mapping[State, bool] | None = None,
    visible: bool | None = None,
) -> str:
    """What CAAP says about an element: a tick before the text, every other state after it, as in the paper's figures.

    Args:
        kind: its type.
        box: in pixels.
        text: what is written on it.
        subtype: of icons and shapes.
        states: those that are known.
        visible: whether it can be seen now; None to leave that out.
    """
    known = dict(states or {})
    parts = [f"type: {kind}", caap_notation(box)]
    if subtype:
        parts.append(f"subtype: {subtype}")
    if "checked" in known:
        parts.append(f"checked: {known.pop('checked')}")
    if text is not None:
        # One element, one line.
        parts.append(f'text: "{" ".join(text.split())}"')
    parts += [f"{state}: {value}" for state, value in sorted(known.items())]
    if visible is not None:
        parts.append(f"visible: {visible}")
    return f"{{{', '.join(parts)}}}"


def _call(name: str, arg: str | None = None) -> dict[str, Any]:
    return {"name": name} if arg is None else {"name": name, "arg": arg}


def _point(point: Point) -> str:
    return f"{{x={point.x}, y={point.y}}}"


def _click(act: Act) -> Spoken:
    losses = ("hold",) if "hold_s" in act.parameters else ()
    if act.click_type in {"right", "middle"}:
        return no_word()
    held = [name for name in act.modifiers if name != "ctrl"]
    losses = (*losses, "modifiers") if held else losses
    if act.target is not None:
        name = "control_click_element" if "ctrl" in act.modifiers else "click_element"
        call = _call(name, element_arg(act.target))
    elif act.at is not None:
        losses = (*losses, "modifiers") if "ctrl" in act.modifiers and not held else losses
        call = _call("click_new_point", _point(act.at))
    else:
        return NO_PLACE
    count = {"double": 2, "triple": 3}.get(act.click_type, 1)
    return Spoken(calls=(call,) * count, losses=(*losses, "click_count") if count > 1 else losses)


def _type(act: Act) -> Spoken:
    flat = act.text.replace("\n", "\\n")
    call = _call("type_text", f'"{flat}"')
    return Spoken(calls=(call,), losses=("submit_left_out",) if act.submits else ())


def _press(act: Act) -> Spoken:
    name = _KEYS.get("+".join(act.keys))
    if name is None:
        return no_word("keys")
    return Spoken(calls=(_call(name),) * act.presses, losses=("presses",) if act.presses > 1 else ())


def _drag(act: Act) -> Spoken:
    if len(act.way) < 2:
        return NO_PLACE
    moves = [_call("drag_mouse_move", _point(point)) for point in act.way[1:]]
    calls = (_call("drag_mouse_hold_down", _point(act.way[0])), *moves, _call("drag_mouse_release"))
    losses = ("modifiers",) if act.modifiers else ()
    return Spoken(calls=calls, losses=(*losses, "drag_button") if act.button != "left" else losses)


def _hover(act: Act) -> Spoken:
    if act.target is None:
        return no_word()
    losses = ("hover_seconds",) if "duration_s" in act.parameters else ()
    return Spoken(calls=(_call("point_element", element_arg(act.target)),), losses=losses)


_SAY: Final[dict[str, Say]] = {"click": _click, "type": _type, "press_key": _press, "drag": _drag, "hover": _hover}


DIALECT: Final = Dialect(
    name="caap",
    title="CAAP",
    places="the element's centre and edges in pixels",
    say=by_kind(_SAY),
)
