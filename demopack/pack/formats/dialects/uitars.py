"""UI-TARS 1.0: one line of pseudo-code, places on a grid of 0 to 1000."""

from __future__ import annotations

from typing import Final

from demopack.domain.geometry import Point, to_thousand
from demopack.domain.keys import spell
from demopack.pack.formats.acts import Act
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Say, Spoken, by_kind, lost_modifiers, no_word

__all__ = ["DIALECT"]

_WORDS = {"single": "click", "double": "left_double", "right": "right_single", "triple": "click"}


def _box(act: Act, point: Point) -> str:
    x, y = to_thousand(point, act.size) if act.size is not None else (point.x, point.y)
    return f"'({x},{y})'"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"').replace("\n", "\\n")
    return f"'{escaped}'"


def _click(act: Act) -> Spoken:
    if act.click_type not in _WORDS:
        return no_word()
    if act.at is None or act.size is None:
        return NO_PLACE
    losses = lost_modifiers(act) + (("hold",) if "hold_s" in act.parameters else ())
    call = f"{_WORDS[act.click_type]}(start_box={_box(act, act.at)})"
    if act.click_type == "triple":
        return Spoken(calls=(call, call, call), losses=(*losses, "click_count"))
    return Spoken(calls=(call,), losses=losses)


def _type(act: Act) -> Spoken:
    # A line end at the end of the content stands for Enter; one that was typed looks the same.
    return Spoken(calls=(f"type(content={_quoted(act.text + (chr(10) if act.submits else ''))})",))


def _press(act: Act) -> Spoken:
    if len(act.keys) > 3:
        return no_word("key_count")
    call = f"hotkey(key={_quoted(' '.join(spell(name, 'pyautogui') for name in act.keys))})"
    return Spoken(calls=(call,) * act.presses, losses=("presses",) if act.presses > 1 else ())


def _scroll(act: Act) -> Spoken:
    at = act.at or act.middle
    if at is None or act.size is None:
        return NO_PLACE
    call = f"scroll(start_box={_box(act, at)}, direction='{act.direction}')"
    return Spoken(calls=(call,), losses=("scroll_steps", *lost_modifiers(act)))


def _drag(act: Act) -> Spoken:
    if act.at is None or act.to is None or act.size is None:
        return NO_PLACE
    losses = lost_modifiers(act) + (() if act.button == "left" else ("drag_button",))
    call = f"drag(start_box={_box(act, act.at)}, end_box={_box(act, act.to)})"
    return Spoken(calls=(call,), losses=(*losses, "drag_path") if len(act.way) > 2 else losses)


def _finish(act: Act) -> Spoken:
    said = "failure" if act.failed else "success"
    return Spoken(calls=(f"finished(content='{said}')",), losses=("finish_failure",) if act.failed else ())


_SAY: Final[dict[str, Say]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "drag": _drag,
    "wait": lambda _: Spoken(calls=("wait()",), losses=("wait_seconds",)),
    "finish_goal": _finish,
}


DIALECT: Final = Dialect(
    name="ui-tars",
    title="UI-TARS",
    places="0 to 1000 of width and height",
    say=by_kind(_SAY),
)
