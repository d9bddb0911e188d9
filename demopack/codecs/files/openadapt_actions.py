"""OpenAdapt's nodes as elements on a picture, and its actions as ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from demopack.codecs.action_builder import MODIFIER_NAMES, key_name, key_parts, keys_text
from demopack.codecs.computer_tools import PIXELS_A_NOTCH
from demopack.codecs.files.base import ImportLog
from demopack.codecs.files.builder import DemoBuilder, pixel_at
from demopack.codecs.files.json_object import JsonObject
from demopack.codecs.files.openadapt_keys import US_KEYBOARD, action_of_keys
from demopack.domain import actions
from demopack.domain.binding import target_of
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, Element, ElementType, State, reading_order
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, Size, to_norm_xywh
from demopack.domain.steps import Pointer
from demopack.errors import ActionError
from demopack.json_text import as_list, object_in

_TYPES: Final[dict[str, ElementType]] = {
    "text_static": "text", "label": "text", "heading": "text", "paragraph": "text", "link": "hyperlink",
    "text_input": "input_field", "combobox": "dropdown", "table_cell": "tabled_text", "button": "button",
    "checkbox": "checkbox", "radio": "radio", "list_item": "list_item", "menu": "menu", "menu_item": "menu_item",
    "tab": "tab", "tree_item": "tree_item", "image": "image", "icon": "icon", "toolbar": "toolbar",
    "scrollbar": "scrollbar", "slider": "slider", "window": "window", "dialog": "dialog",
}  # fmt: skip
_SHAPE_SLACK: Final = 0.02
_MAX_NOTCHES: Final = 100_000
NOTED: Final[Mapping[str, str]] = {
    "goto": "The browser went to {url}.",
    "back": "The browser went back.",
    "forward": "The browser went forward.",
    "refresh": "The page was loaded again.",
    "close_app": "{app} was closed.",
    "window_focus": "The window {app} came to the front.",
    "screenshot": "A screenshot was taken.",
    "select_monitor": "Another monitor was chosen.",
    "window_resize": "A window was given another size.",
    "window_move": "A window was moved.",
}
"""Actions that no pointer and no key of ours stands for."""
_FIELDS: Final = {
    "action.target": "target",
    "action.parameters.key_info": "key",
    "action.parameters.scroll_direction": "scroll_direction",
    "action.parameters.wait_duration_s": "duration_seconds",
    "action.parameters.app": "app_name",
}
"""Where OpenAdapt has what our contract complains about."""
_STARTS: Final = ("normalized_start", "normalized_coordinates", "start_coordinates", "coordinates", "element")
_ENDS: Final = ("normalized_end", "end_coordinates")
"""Where openadapt-ml tells a place, the surest first."""
_POINTING: Final = frozenset({"click", "scroll", "hover", "drag"})


class Nodes:
    """The elements of one state.

    Attributes:
        frame: the picture; None without one.
        found: all of them, in the order of the file.
        scale: pixels of the picture for one unit of the state, across and down.
        size: of what places are meant for; None where nobody knows.
    """

    def __init__(self, state: JsonObject, frame: Frame | None, builder: DemoBuilder) -> None:
        self._builder = builder
        self.frame = frame
        self.size = self._size_of(state, frame)
        self.scale = (1.0, 1.0)
        if frame is not None and self.size is not None:
            self.scale = (frame.width / self.size.width, frame.height / self.size.height)
        self._by_node: dict[str, Element] = {}
        for node in state.rows("nodes"):
            element = self._element(node)
            if element is not None:
                self._by_node[node.text("node_id")] = element
        self.found = tuple(self._by_node.values())

    def element(self, node_id: str) -> Element | None:
        """The element of a node."""
        return self._by_node.get(node_id)

    def _size_of(self, state: JsonObject, frame: Frame | None) -> Size | None:
        options, log = self._builder.options, self._builder.log
        viewport = as_list(state.get("viewport") or state.get("screen_size"))
        sides = [side for side in viewport if isinstance(side, int) and side > 0]
        given = options.screen
        if given is None and len(viewport) == len(sides) == 2:
            given = Size(*sides)
        if given is None:
            if frame is not None:
                log.assume(
                    "viewport", "the viewport is not said; places are read as pixels of the picture", state.place
                )
            return None if frame is None else frame.size
        if frame is not None and given != frame.size:
            if abs(given.width * frame.height / (given.height * frame.width) - 1) > _SHAPE_SLACK:
                why = (
                    f"it is {given.width} x {given.height}, but the picture is {frame.width} x {frame.height}, "
                    "which is another shape"
                )
                raise state.wrong("viewport", why, code="viewport", hint="Say the right size with --screen.")
            log.assume(
                "coordinates_scaled", "places in the viewport were drawn to the size of the picture", state.place
            )
        return given

    def _element(self, node: JsonObject) -> Element | None:
        log, frame = self._builder.log, self.frame
        box = node.row("bbox")
        if frame is None or box is None or node.flag("is_visible") is False:
            log.lose("nodes", "nodes that have no box, no picture or are not visible", node.place)
            return None
        x, y, w, h = (box.number(name) or 0.0 for name in ("x", "y", "width", "height"))
        sx, sy = self.scale
        edges = (round(x * sx), round(y * sy), round((x + max(w, 0)) * sx), round((y + max(h, 0)) * sy))
        whole = Rect(*edges)
        rect = whole.clamped(frame.size)
        if not rect.area:
            log.lose("nodes_outside", "nodes without area, or wholly beside the picture", node.place)
            return None
        if rect != whole:
            log.assume("clipped", "boxes of nodes were cut at the edge of the picture", node.place)
        if node.get("parent_id"):
            log.lose("parents", "parents of nodes: ours are worked out from the boxes", node.place)
        return self._made(node, rect, frame)

    def _made(self, node: JsonObject, rect: Rect, frame: Frame) -> Element:
        extra = object_in(node.get("attributes"))
        kind, subtype = self._type(node, extra)
        confidence = node.number("confidence")
        self._builder.log.assume(
            "finder", "who found the nodes is not said; they are taken from accessibility", node.place
        )
        own = extra.get("track_id")
        return Element(
            uid=f"{self._builder.demo}_{frame.id[:8]}_{node.text('node_id', default=None)}",
            frame=frame.id,
            type=kind,
            box=rect,
            text=node.text("text") or node.text("name") or node.text("value") or None,
            subtype=subtype,
            states=_states(node, extra, kind),
            source="accessibility",
            confidence=None if confidence is None else min(max(confidence, 0.0), 1.0),
            track_id=own if isinstance(own, str) else None,
        ).cleaned()

    def _type(self, node: JsonObject, extra: dict[str, Any]) -> tuple[ElementType, str | None]:
        own, subtype = extra.get("type"), extra.get("subtype")
        if own in ELEMENT_TYPES:
            return own, subtype if isinstance(subtype, str) else None
        role = node.text("role", default="unknown").lower()
        found = _TYPES.get(role)
        if found is not None:
            return found, None
        self._builder.log.assume("roles", "roles that are no type of ours became “other”", f"{node.place}: {role}")
        return "other", role


def _states(node: JsonObject, extra: dict[str, Any], kind: ElementType) -> dict[State, bool]:
    """States that can be seen: OpenAdapt's flags are false also where nobody looked, so only what is set counts."""
    own = extra.get("states")
    if isinstance(own, dict):
        return _only_states(object_in(own))
    may = ATTRIBUTES[kind].states
    selected = node.flag("is_selected") is True
    flags: dict[str, Any] = {
        "disabled": node.flag("is_enabled") is False,
        "focused": node.flag("is_focused") is True,
        "checked": selected and "checked" in may,
        "highlighted": selected and "checked" not in may,
    }
    return _only_states({name: True for name, value in flags.items() if value and name in may})


def _only_states(values: dict[str, Any]) -> dict[State, bool]:
    return {state: bool(values[state]) for state in STATES if state in values}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aim:
    target: actions.ActionTarget | None = None
    element: Element | None = None
    point: Point | None = None


def own_action(raw: JsonObject) -> actions.Action | None:
    """The action that our own exporter left beside OpenAdapt's; None where there is none."""
    if "action_type" not in raw.data or "parameters" not in raw.data:
        return None
    try:
        return actions.parse_action({name: raw.get(name) for name in ("action_type", "target", "parameters")})
    except ActionError:
        return None


def decode_action(
    row: JsonObject, nodes: Nodes, builder: DemoBuilder, *, group: int
) -> tuple[actions.Action, dict[str, Any]]:
    """One action, and what it says of its step: the elements it was done to, and exact pixels where they are told.

    Args:
        row: the field ``action``.
        nodes: of the state before it.
        builder: of the demo; hears what was assumed.
        group: how many steps of the file it stands for.

    Raises:
        BadRowError: it is unknown or not complete.
    """
    aim = _aim(row.row("target") or _told_apart(row, *_STARTS), nodes, builder)
    end = _aim(row.row("drag_end") or _told_apart(row, *_ENDS), nodes, builder)
    raw = row.row("raw")
    action = None if raw is None else own_action(raw)
    if action is None:
        action = _decoded(row, aim, end, builder.log)
    else:
        builder.log.assume("own", "our own action stands beside OpenAdapt's, and was taken", row.place)
        if group > 1:
            builder.log.assume("joined_own", "steps that were made of one step of ours are one again", row.place)
    given: dict[str, Any] = {
        "target_uid": None if aim.element is None else aim.element.uid,
        "end_uid": None if end.element is None else end.element.uid,
    }
    if aim.point is not None and action.action_type in _POINTING:
        end_x, end_y = (None, None) if end.point is None else (end.point.x, end.point.y)
        given["pointer"] = Pointer(x=aim.point.x, y=aim.point.y, end_x=end_x, end_y=end_y)
    return action, given


def _decoded(row: JsonObject, aim: _Aim, end: _Aim, log: ImportLog) -> actions.Action:
    kind = row.text("type", default=None)
    pressed = _keys_beside(row)
    if pressed and aim.target is None and not row.text("text") and kind in {"click", "type", "key"}:
        # openadapt-ml has no word for a combination, and makes a click or an empty text of it.
        log.assume("raw_keys", "what was pressed is taken from the keys that stand in “raw”", row.place)
        if any(key.startswith("keycode_") for key in pressed):
            log.assume("us_keyboard", US_KEYBOARD, row.place)
        try:
            return action_of_keys(pressed)
        except ActionError as error:
            raise row.wrong("raw.keys", error.user_message, code=error.code) from error
    decode = _DECODERS.get(kind)
    if decode is None:
        raise row.wrong("type", f"there is no action called {kind!r}", code="unknown_action")
    try:
        return decode(_Call(row=row, log=log, target=aim.target, end=end.target))
    except ActionError as error:
        raise row.wrong(_FIELDS.get(error.field, "type"), error.user_message, code=error.code) from error


def _told_apart(row: JsonObject, *names: str) -> JsonObject | None:
    """A target as openadapt-ml tells it, in a field for each way: shares, pixels, or the box of an element."""
    for name in names:
        value, at = row.get(name), row.path(name)
        if isinstance(value, list) and len(pair := as_list(value)) == 2:
            return replace(row, data={"x": pair[0], "y": pair[1], "is_normalized": True}, at=at)
        given = row.row(name)
        box = None if given is None else given.row("bounds")
        if given is not None and box is not None:
            x, y, width, height = (box.number(side) or 0.0 for side in ("x", "y", "width", "height"))
            words = given.text("name") or given.text("value") or given.text("role")
            return replace(given, data={"description": words, "x": x + width / 2, "y": y + height / 2})
        if given is not None:
            return replace(given, data={**given.data, "description": given.text("name") or given.text("value")})
    return None


def _aim(given: JsonObject | None, nodes: Nodes, builder: DemoBuilder) -> _Aim:
    """The aim of a target: its node first, then its place, then words."""
    if given is None:
        return _Aim()
    element = nodes.element(given.text("node_id")) if given.get("node_id") is not None else None
    if given.get("node_id") is not None and element is None:
        builder.log.lose("node_missing", "a target names a node that has no box on the picture", given.place)
    point, target = _place(given, nodes, builder)
    if element is not None and target is None and nodes.frame is not None:
        ordered = reading_order(nodes.found)
        builder.log.assume("no_point", "targets name a node only; the exact pixel is not known", given.place)
        return _Aim(target=target_of(element, ordered, nodes.frame), element=element)
    words = given.text("description")
    if target is None and words:
        why = "targets are told in words only; these stand for the text of the target"
        builder.log.assume("words", why, given.place)
        return _Aim(target=actions.ActionTarget(text=words))
    return _Aim(target=target, element=element, point=point)


def _place(given: JsonObject, nodes: Nodes, builder: DemoBuilder) -> tuple[Point | None, actions.ActionTarget | None]:
    x, y = given.number("x"), given.number("y")
    if x is None or y is None:
        return None, None
    way = builder.options.coordinates
    share = {"fractions": 1, "percent": 100, "thousand": 1000}.get(way)
    if share is None and way == "auto" and given.flag("is_normalized"):
        share = 1
    if share is not None:
        builder.log.assume("normalised", f"places are shares of the screen, of {share} each way", given.place)
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
        return None, actions.ActionTarget(bbox=(round(fractions[0], 6), round(fractions[1], 6), 0.0, 0.0))
    point = pixel_at(fractions, nodes.frame.size)
    return point, actions.ActionTarget(bbox=to_norm_xywh(Rect.at_point(point), nodes.frame.size))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """The field ``action``, what it is aimed at, and where a drag ends."""

    row: JsonObject
    log: ImportLog
    target: actions.ActionTarget | None
    end: actions.ActionTarget | None

    @property
    def aimed(self) -> actions.ActionTarget:
        """The target of an action that needs one: its model refuses None, and says so."""
        return cast("actions.ActionTarget", self.target)

    @property
    def modifiers(self) -> tuple[actions.Modifier, ...]:
        names = [key_name(str(key)) for key in as_list(self.row.get("modifiers"))]
        return tuple(MODIFIER_NAMES[name] for name in names if name in MODIFIER_NAMES)


def _click(kind: actions.ClickType) -> Callable[[_Call], actions.Action]:
    return lambda call: actions.ClickAction(target=call.aimed, click_type=kind, modifiers=call.modifiers)


def _drag(call: _Call) -> actions.Action:
    modifiers = call.modifiers
    if call.end is None:
        raise call.row.wrong("drag_end", "it has no place", code="drag_without_end")
    return actions.DragAction(target=call.aimed, end_target=call.end, modifiers=modifiers)


def _keys_beside(row: JsonObject) -> list[str]:
    """Keys as openadapt-ml notes them beside an action; empty where it did not write the episode."""
    if "normalized_coordinates" not in row.data:
        return []
    return [key for key in as_list(object_in(row.get("raw")).get("keys")) if isinstance(key, str) and key]


def _recorded_wheel(call: _Call) -> tuple[actions.Direction, int] | None:
    """Wheel turns as openadapt-capture recorded them, up and to the right positive; None where they are not told."""
    raw = call.row.row("raw") if "normalized_coordinates" in call.row.data else None
    across, up = (None, None) if raw is None else (raw.number("dx"), raw.number("dy"))
    if across is None or up is None or not (across or up) or max(abs(across), abs(up)) > _MAX_NOTCHES:
        return None
    call.log.assume("raw_wheel", "where and how far to scroll is taken from the wheel's turns in “raw”", call.row.place)
    steps = max(1, round(max(abs(across), abs(up))))
    if abs(across) > abs(up):
        return ("right" if across > 0 else "left"), steps
    return ("up" if up > 0 else "down"), steps


def _scroll(call: _Call) -> actions.Action:
    # openadapt-ml turns the recorder's direction round: what was recorded counts.
    wheel = _recorded_wheel(call)
    if wheel is not None:
        return actions.ScrollAction(
            target=call.target, scroll_direction=wheel[0], scroll_steps=wheel[1], modifiers=call.modifiers
        )
    amount = call.row.number("scroll_amount")
    if amount is None:
        call.log.assume("scroll_steps", "how far to scroll is not said; 3 notches are taken", call.row.place)
        steps = 3
    else:
        why = f"scrolling in pixels is counted in notches of {PIXELS_A_NOTCH}"
        call.log.assume("notches", why, call.row.place)
        steps = max(1, round(abs(amount) / PIXELS_A_NOTCH))
    way = call.row.text("scroll_direction")
    if not way:
        call.log.assume("scroll_way", "where to scroll is not said; down is taken", call.row.place)
    direction = cast("actions.Direction", way or "down")  # the model refuses any other
    return actions.ScrollAction(
        target=call.target, scroll_direction=direction, scroll_steps=steps, modifiers=call.modifiers
    )


def _press(call: _Call) -> actions.Action:
    held = [str(key) for key in as_list(call.row.get("modifiers"))]
    keys = keys_text([*held, *key_parts(call.row.text("key", default=None))])
    return actions.PressKeyAction(target=call.target, key_info=keys)


def _wait(call: _Call) -> actions.Action:
    seconds = call.row.number("duration_seconds") or call.row.number("duration")
    if not seconds:
        call.log.assume("wait_seconds", "how long to wait is not said; 1 second is taken", call.row.place)
    return actions.WaitAction(wait_duration_s=seconds or 1.0)


def _answer(call: _Call) -> actions.Action:
    call.log.assume("answer", "an answer is taken as data that were read off the screen", call.row.place)
    return actions.ExtractDataAction(target=call.target, description="the answer", data=call.row.text("answer"))


_DECODERS: Final[Mapping[str, Callable[[_Call], actions.Action]]] = {
    "click": _click("single"),
    "click_and_type": _click("single"),
    "double_click": _click("double"),
    "right_click": _click("right"),
    "drag": _drag,
    "scroll": _scroll,
    "hover": lambda call: actions.HoverAction(
        target=call.aimed, duration_s=call.row.number("duration_seconds") or None
    ),
    "type": lambda call: actions.TypeAction(target=call.target, text_to_type=call.row.text("text", default=None)),
    "key": _press,
    "hotkey": _press,
    "open_app": lambda call: actions.LaunchAction(app=call.row.text("app_name", default=None)),
    "wait": _wait,
    "answer": _answer,
    "done": lambda _: actions.FinishGoalAction(),
    "fail": lambda _: actions.FinishGoalAction(status="failure"),
}
