"""OpenAdapt's actions as ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from demopack.domain.actions import ActionTarget, AgentAction
from demopack.domain.binding import target_of
from demopack.domain.elements import Element, reading_order
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, to_norm_xywh
from demopack.domain.steps import Pointer
from demopack.errors import ActionError
from demopack.importing.building import Builder
from demopack.importing.openadapt_nodes import Nodes
from demopack.importing.values import Row, list_in
from demopack.pack.formats.dialects.openai import PIXELS_A_NOTCH
from demopack.prompting.answers.key_names import key_name, key_parts, keys_text

__all__ = ["NOTED", "Said", "own_action", "say"]

NOTED: Final[Mapping[str, str]] = {
    "goto": "The browser went to {url}.",
    "back": "The browser went back.",
    "forward": "The browser went forward.",
    "refresh": "The page was loaded again.",
    "close_app": "{app} was closed.",
    "window_focus": "The window {app} came to the front.",
    "screenshot": "A screenshot was taken.",
}
"""Actions that no pointer and no key of ours stands for."""

_MODIFIERS: Final = {"Ctrl": "ctrl", "Alt": "alt", "Shift": "shift", "Meta": "meta"}
_FIELDS: Final = {
    "action.target": "target",
    "action.parameters.key_info": "key",
    "action.parameters.scroll_direction": "scroll_direction",
    "action.parameters.wait_duration_s": "duration_seconds",
    "action.parameters.app": "app_name",
}
"""Where OpenAdapt has what our contract complains about."""
_POINTING: Final = frozenset({"click", "scroll", "hover", "drag"})
_OWN: Final = ("action_type", "target", "parameters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An action, and what it was done to.

    Attributes:
        action: ours.
        target: the element.
        end: the element a drag ended on.
        pointer: exact pixels, where they are told.
    """

    action: AgentAction
    target: Element | None = None
    end: Element | None = None
    pointer: Pointer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aim:
    target: ActionTarget | None = None
    element: Element | None = None
    point: Point | None = None


def own_action(raw: Row) -> AgentAction | None:
    """The action that our own exporter left beside OpenAdapt's; None where there is none."""
    if "action_type" not in raw.data or "parameters" not in raw.data:
        return None
    try:
        return AgentAction.model_validate({name: raw.get(name) for name in _OWN})
    except (ActionError, ValueError):
        return None


def say(row: Row, nodes: Nodes, builder: Builder, *, group: int) -> Said:
    """One action.

    Args:
        row: the field ``action``.
        nodes: of the state before it.
        builder: of the demo; hears what was assumed.
        group: how many steps of the file it stands for.

    Raises:
        BadRowError: it is unknown or not complete.
    """
    aim, end = _aim(row, "target", nodes, builder), _aim(row, "drag_end", nodes, builder)
    raw = row.row("raw")
    own = None if raw is None else own_action(raw)
    if own is not None:
        builder.ledger.assume("own", "our own action stands beside OpenAdapt's, and was taken", row.place)
        if group > 1:
            builder.ledger.assume("joined_own", "steps that were made of one step of ours are one again", row.place)
        pointer = _pointer(aim, end) if own.action_type in _POINTING else None
        return Said(action=own, target=aim.element, end=end.element, pointer=pointer)
    kind = row.text("type", default=None)
    maker = _MAKERS.get(kind)
    if maker is None:
        raise row.wrong("type", f"there is no action called {kind!r}", code="unknown_action")
    try:
        wire = maker(row, builder)
        target = None if kind in _NO_TARGET or aim.target is None else aim.target.to_wire()
        if kind == "drag":
            if end.target is None:
                raise row.wrong("drag_end", "it has no place", code="drag_without_end")
            wire["parameters"]["end_target"] = end.target.to_wire()
        action = AgentAction.model_validate({**wire, "target": target})
    except ActionError as error:
        raise row.wrong(_FIELDS.get(error.field, "type"), error.user_message, code=error.code) from error
    except ValidationError as error:
        raise row.wrong("type", str(error.errors(include_url=False)[0]["msg"]), code="bad_parameter") from error
    pointer = _pointer(aim, end) if kind not in _KEYBOARD else None
    return Said(action=action, target=aim.element, end=end.element, pointer=pointer)


def _pointer(aim: _Aim, end: _Aim) -> Pointer | None:
    if aim.point is None:
        return None
    last = end.point
    return Pointer(
        x=aim.point.x, y=aim.point.y, end_x=None if last is None else last.x, end_y=None if last is None else last.y
    )


def _aim(row: Row, name: str, nodes: Nodes, builder: Builder) -> _Aim:
    """What a target names: its node first, then its place, then words."""
    given = row.row(name)
    if given is None:
        return _Aim()
    element = nodes.element(given.text("node_id")) if given.get("node_id") is not None else None
    if given.get("node_id") is not None and element is None:
        builder.ledger.lose("node_missing", "a target names a node that has no box on the picture", given.place)
    point, target = _place(given, nodes, builder)
    if element is not None and target is None and nodes.frame is not None:
        ordered = reading_order(nodes.found)
        builder.ledger.assume("no_point", "targets name a node only; the exact pixel is not known", given.place)
        return _Aim(target=target_of(element, ordered, nodes.frame), element=element)
    words = given.text("description")
    if target is None and words:
        why = "targets are told in words only; these stand for the text of the target"
        builder.ledger.assume("words", why, given.place)
        return _Aim(target=ActionTarget(text=words))
    return _Aim(target=target, element=element, point=point)


def _place(given: Row, nodes: Nodes, builder: Builder) -> tuple[Point | None, ActionTarget | None]:
    x, y = given.number("x"), given.number("y")
    if x is None or y is None:
        return None, None
    way = builder.options.coordinates
    share = {"fractions": 1, "percent": 100, "thousand": 1000}.get(way)
    if share is None and way == "auto" and given.flag("is_normalized"):
        share = 1
    if share is not None:
        builder.ledger.assume("normalised", f"places are shares of the screen, of {share} each way", given.place)
        fractions = x / share, y / share
    else:
        if 0 < x < 1 and 0 < y < 1:
            why = f"({x:g}, {y:g}) can hardly be pixels"
            hint = "Say what they are: --coordinates fractions, or pixels."
            if way == "auto":
                raise given.wrong("is_normalized", f"it is not set, but {why}", code="scale", hint=hint)
        if nodes.size is None:
            raise given.wrong("x", "it is in pixels, but the screen's size is not known", code="unknown_size",
                              hint="Say it with --screen, for instance 1920x1080.")  # fmt: skip
        fractions = x / nodes.size.width, y / nodes.size.height
    if not (0 <= fractions[0] <= 1 and 0 <= fractions[1] <= 1):
        hint = "Say how places are meant with --coordinates, or for which screen with --screen."
        raise given.wrong("x", f"({x:g}, {y:g}) is not on the screen", code="off_screen", hint=hint)
    if nodes.frame is None:
        return None, ActionTarget(bbox=(round(fractions[0], 6), round(fractions[1], 6), 0.0, 0.0))
    point = _on(fractions, nodes.frame)
    return point, ActionTarget(bbox=to_norm_xywh(Rect.at_point(point), nodes.frame.size))


def _on(fractions: tuple[float, float], frame: Frame) -> Point:
    x, y = round(fractions[0] * frame.width), round(fractions[1] * frame.height)
    return Point(min(x, frame.width - 1), min(y, frame.height - 1))


def _modifiers(row: Row) -> dict[str, Any]:
    names = [key_name(str(key)) for key in list_in(row.get("modifiers"))]
    held = [_MODIFIERS[name] for name in names if name in _MODIFIERS]
    return {"modifiers": held} if held else {}


def _click(kind: str) -> Callable[[Row, Builder], dict[str, Any]]:
    def make(row: Row, _builder: Builder) -> dict[str, Any]:
        more = {} if kind == "single" else {"click_type": kind}
        return {"action_type": "click", "parameters": {**more, **_modifiers(row)}}

    return make


def _drag(row: Row, _builder: Builder) -> dict[str, Any]:
    return {"action_type": "drag", "parameters": _modifiers(row)}


def _scroll(row: Row, builder: Builder) -> dict[str, Any]:
    amount = row.number("scroll_amount")
    if amount is None:
        builder.ledger.assume("scroll_steps", "how far to scroll is not said; 3 notches are taken", row.place)
        steps = 3
    else:
        why = f"scrolling in pixels is counted in notches of {PIXELS_A_NOTCH}"
        builder.ledger.assume("notches", why, row.place)
        steps = max(1, round(abs(amount) / PIXELS_A_NOTCH))
    way = row.text("scroll_direction")
    if not way:
        builder.ledger.assume("scroll_way", "where to scroll is not said; down is taken", row.place)
    return {
        "action_type": "scroll",
        "parameters": {"scroll_direction": way or "down", "scroll_steps": steps, **_modifiers(row)},
    }


def _hover(row: Row, _builder: Builder) -> dict[str, Any]:
    rest = row.number("duration_seconds")
    return {"action_type": "hover", "parameters": {"duration_s": rest} if rest else {}}


def _type(row: Row, _builder: Builder) -> dict[str, Any]:
    return {"action_type": "type", "parameters": {"text_to_type": row.text("text", default=None)}}


def _press(row: Row, _builder: Builder) -> dict[str, Any]:
    held = [str(key) for key in list_in(row.get("modifiers"))]
    return {
        "action_type": "press_key",
        "parameters": {"key_info": keys_text([*held, *key_parts(row.text("key", default=None))])},
    }


def _wait(row: Row, builder: Builder) -> dict[str, Any]:
    seconds = row.number("duration_seconds")
    if not seconds:
        builder.ledger.assume("wait_seconds", "how long to wait is not said; 1 second is taken", row.place)
    return {"action_type": "wait", "parameters": {"wait_duration_s": seconds or 1.0}}


def _answer(row: Row, builder: Builder) -> dict[str, Any]:
    builder.ledger.assume("answer", "an answer is taken as data that were read off the screen", row.place)
    return {"action_type": "extract_data", "parameters": {"description": "the answer", "data": row.text("answer")}}


_MAKERS: Final[Mapping[str, Callable[[Row, Builder], dict[str, Any]]]] = {
    "click": _click("single"),
    "double_click": _click("double"),
    "right_click": _click("right"),
    "drag": _drag,
    "scroll": _scroll,
    "hover": _hover,
    "type": _type,
    "key": _press,
    "hotkey": _press,
    "open_app": lambda row, _: {"action_type": "launch", "parameters": {"app": row.text("app_name", default=None)}},
    "wait": _wait,
    "answer": _answer,
    "done": lambda _row, _: {"action_type": "finish_goal", "parameters": {}},
    "fail": lambda _row, _: {"action_type": "finish_goal", "parameters": {"status": "failure"}},
}
_NO_TARGET: Final = frozenset({"wait", "open_app", "done", "fail"})
_KEYBOARD: Final = _NO_TARGET | {"type", "key", "hotkey", "answer"}
