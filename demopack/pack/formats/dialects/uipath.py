"""The UiPath planner's actions for OSWorld: targets are named in words, a grounding model finds them."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.keys import spell
from demopack.errors import ActionError
from demopack.pack.formats.acts import Act, element_words
from demopack.pack.formats.spoken import Dialect, Say, Spoken, by_kind, lost_modifiers, no_word

__all__ = ["DIALECT"]

_CLICKS = {
    "single": ("click", "Click"), "double": ("double_click", "Double click"),
    "triple": ("triple_click", "Triple click"), "right": ("right_click", "Right click"),
}  # fmt: skip


def _call(kind: str, description: str, /, **parameters: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"type": kind, "description": description, **({"parameters": parameters} if parameters else {})}


def _target(act: Act) -> str:
    return element_words(act.target, act.target_text, act.at, label=act.label)


def _end(act: Act) -> str:
    return element_words(act.end, "", act.to, label=act.end_label)


def _click(act: Act) -> Spoken:
    if act.click_type not in _CLICKS:
        return no_word()
    kind, verb = _CLICKS[act.click_type]
    losses = ("target", *lost_modifiers(act), *(("hold",) if "hold_s" in act.parameters else ()))
    return Spoken(calls=(_call(kind, f"{verb} {_target(act)}."),), losses=losses)


def _type(act: Act) -> Spoken:
    where = f" into {_target(act)}" if act.target is not None or act.target_text else ""
    call = _call("type", f"Type '{act.text}'{where}.", text=act.text)
    if not act.submits:
        return Spoken(calls=(call,))
    enter = _call("key_press", "Press Enter to confirm the text.", key="Enter")
    return Spoken(calls=(call, enter), losses=("submit",))


def _press(act: Act) -> Spoken:
    try:
        keys = " ".join(spell(name, "uipath") for name in act.keys)
    except ActionError:
        return no_word("keys")
    call = _call("key_press", f"Press '{keys}'.", key=keys)
    return Spoken(calls=(call,) * act.presses, losses=("presses",) if act.presses > 1 else ())


def _scroll(act: Act) -> Spoken:
    what = _target(act) if act.target is not None or act.target_text else "the main page"
    given = {"element_description": what, "direction": act.direction, "distance": act.notches}
    call = _call("scroll", f"Scroll {what} {act.direction}.", **given)
    return Spoken(calls=(call,), losses=("target", *lost_modifiers(act)))


def _drag(act: Act) -> Spoken:
    start, end = _target(act), _end(act)
    call = _call("drag", f"Drag {start} to {end}.", start_description=start, end_description=end)
    losses = ("target", *lost_modifiers(act), *(() if act.button == "left" else ("drag_button",)))
    return Spoken(calls=(call,), losses=(*losses, "drag_path") if len(act.way) > 2 else losses)


def _hover(act: Act) -> Spoken:
    losses = ("target", *(("hover_seconds",) if "duration_s" in act.parameters else ()))
    return Spoken(calls=(_call("mouse_move", f"Move the mouse to {_target(act)}."),), losses=losses)


def _extract(act: Act) -> Spoken:
    about = str(act.parameters["description"])
    call = _call(
        "extract_data", f"Extract from the screen: {about}.", description=about, data=act.parameters.get("data")
    )
    return Spoken(calls=(call,))


def _finish(act: Act) -> Spoken:
    status, words = ("failure", "cannot be completed") if act.failed else ("success", "is completed")
    return Spoken(calls=(_call("finish", f"The task {words}.", status=status),))


_SAY: Final[dict[str, Say]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "drag": _drag,
    "hover": _hover,
    "wait": lambda _: Spoken(calls=(_call("wait", "Wait for the screen to change."),), losses=("wait_seconds",)),
    "extract_data": _extract,
    "finish_goal": _finish,
}


DIALECT: Final = Dialect(
    name="uipath",
    title="UiPath planner",
    places="a description of the element",
    say=by_kind(_SAY),
)
