"""OpenAdapt's ``Action``: targets by node, words and pixels; what it has no field for stays in ``raw``."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.geometry import Point
from demopack.domain.keys import MODIFIERS, spell
from demopack.pack.formats.acts import Act, element_words
from demopack.pack.formats.dialects.openai import PIXELS_A_NOTCH
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Say, Spoken, by_kind, no_word
from demopack.pack.rows import ElementRow

__all__ = ["DIALECT"]

_CLICKS = {"single": "click", "double": "double_click", "right": "right_click", "triple": "click"}


def _target(element: ElementRow | None, text: str, at: Point | None, label: str) -> dict[str, Any]:
    found: dict[str, Any] = {"description": element_words(element, text, at, label=label)}
    if element is not None:
        found["node_id"] = str(element.element_id)
    return found if at is None else {**found, "x": at.x, "y": at.y}


def _act(kind: str, act: Act, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    call: dict[str, Any] = {"type": kind}
    if act.at is not None or act.target is not None or act.target_text:
        call["target"] = _target(act.target, act.target_text, act.at, act.label)
    if act.modifiers:
        call["modifiers"] = act.modifiers
    return {**call, **given}


def _click(act: Act) -> Spoken:
    if act.click_type not in _CLICKS:
        return no_word()
    call = _act(_CLICKS[act.click_type], act)
    losses = ("hold",) if "hold_s" in act.parameters else ()
    if act.click_type == "triple":
        return Spoken(calls=(call, call, call), losses=(*losses, "click_count"))
    return Spoken(calls=(call,), losses=losses)


def _type(act: Act) -> Spoken:
    if not act.text:
        # The type refuses an empty text.
        return Spoken(calls=({"type": "key", "key": "enter"},)) if act.submits else no_word()
    call = _act("type", act, text=act.text)
    return (
        Spoken(calls=(call, {"type": "key", "key": "enter"}), losses=("submit",))
        if act.submits
        else Spoken(calls=(call,))
    )


def _press(act: Act) -> Spoken:
    held = [spell(name, "pyautogui") for name in act.keys if name in MODIFIERS]
    rest = [spell(name, "pyautogui") for name in act.keys if name not in MODIFIERS]
    key = "+".join(rest) if rest else held.pop()
    call: dict[str, Any] = {"type": "hotkey", "key": key, "modifiers": held} if held else {"type": "key", "key": key}
    return Spoken(calls=(call,) * act.presses, losses=("presses",) if act.presses > 1 else ())


def _scroll(act: Act) -> Spoken:
    amount = {"scroll_direction": act.direction, "scroll_amount": act.notches * PIXELS_A_NOTCH}
    return Spoken(calls=(_act("scroll", act, **amount),))


def _drag(act: Act) -> Spoken:
    if act.to is None:
        return NO_PLACE
    losses = () if act.button == "left" else ("drag_button",)
    call = _act("drag", act, drag_end=_target(act.end, "", act.to, act.end_label))
    return Spoken(calls=(call,), losses=(*losses, "drag_path") if len(act.way) > 2 else losses)


def _hover(act: Act) -> Spoken:
    rest = act.parameters.get("duration_s")
    return Spoken(calls=(_act("hover", act, **({} if rest is None else {"duration_seconds": rest})),))


def _extract(act: Act) -> Spoken:
    data = act.parameters.get("data")
    text = str(act.parameters["description"] if data is None else data)
    return Spoken(calls=({"type": "answer", "answer": text},), losses=("data",) if data is None else ())


_SAY: Final[dict[str, Say]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "drag": _drag,
    "hover": _hover,
    "wait": lambda act: Spoken(calls=({"type": "wait", "duration_seconds": act.seconds},)),
    "launch": lambda act: Spoken(calls=({"type": "open_app", "app_name": str(act.parameters["app"])},)),
    "extract_data": _extract,
    "finish_goal": lambda act: Spoken(calls=({"type": "fail" if act.failed else "done"},)),
}


DIALECT: Final = Dialect(
    name="openadapt",
    title="OpenAdapt",
    places="pixels, the element's number, and words",
    say=by_kind(_SAY),
)
