"""Anthropic's computer tools, one for each action: whole pixels of the picture that was sent."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.keys import spell
from demopack.pack.formats.acts import Act
from demopack.pack.formats.dialects.openai import DONE, FAILED
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Say, Spoken, by_kind

__all__ = ["DIALECT", "WAIT_LIMIT"]

WAIT_LIMIT: Final = 100
"""Seconds; the tool takes no more at once."""
_CLICKS = {
    "single": "left_click", "double": "double_click", "triple": "triple_click", "right": "right_click",
    "middle": "middle_click",
}  # fmt: skip


def _call(name: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"name": name, "input": given}


def _held(act: Act) -> dict[str, Any]:
    return {"text": "+".join(spell(name.capitalize(), "xdotool") for name in act.modifiers)} if act.modifiers else {}


def _click(act: Act) -> Spoken:
    if act.at is None:
        return NO_PLACE
    call = _call(_CLICKS[act.click_type], coordinate=[act.at.x, act.at.y], **_held(act))
    return Spoken(calls=(call,), losses=("hold",) if "hold_s" in act.parameters else ())


def _type(act: Act) -> Spoken:
    call = _call("type", text=act.text)
    return (
        Spoken(calls=(call, _call("key", text="Return")), losses=("submit",)) if act.submits else Spoken(calls=(call,))
    )


def _press(act: Act) -> Spoken:
    repeat = {"repeat": act.presses} if act.presses > 1 else {}
    return Spoken(calls=(_call("key", text="+".join(spell(name, "xdotool") for name in act.keys), **repeat),))


def _scroll(act: Act) -> Spoken:
    place = {} if act.at is None else {"coordinate": [act.at.x, act.at.y]}
    amount = {"scroll_direction": act.direction, "scroll_amount": act.notches}
    return Spoken(calls=(_call("scroll", **place, **amount, **_held(act)),))


def _drag(act: Act) -> Spoken:
    if act.at is None or act.to is None:
        return NO_PLACE
    call = _call(
        "left_click_drag", start_coordinate=[act.at.x, act.at.y], coordinate=[act.to.x, act.to.y], **_held(act)
    )
    losses = () if act.button == "left" else ("drag_button",)
    return Spoken(calls=(call,), losses=(*losses, "drag_path") if len(act.way) > 2 else losses)


def _hover(act: Act) -> Spoken:
    if act.at is None:
        return NO_PLACE
    losses = ("hover_seconds",) if "duration_s" in act.parameters else ()
    return Spoken(calls=(_call("mouse_move", coordinate=[act.at.x, act.at.y]),), losses=losses)


def _wait(act: Act) -> Spoken:
    whole = min(WAIT_LIMIT, max(1, round(act.seconds)))
    return Spoken(calls=(_call("wait", duration=whole),), losses=() if whole == act.seconds else ("wait_rounded",))


def _finish(act: Act) -> Spoken:
    text = FAILED if act.failed else DONE
    return Spoken(calls=({"type": "message", "text": text},), losses=("finish_text",))


_SAY: Final[dict[str, Say]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "drag": _drag,
    "hover": _hover,
    "wait": _wait,
    "finish_goal": _finish,
}


DIALECT: Final = Dialect(
    name="anthropic",
    title="Anthropic computer toolset",
    places="whole pixels of the picture",
    say=by_kind(_SAY),
)
