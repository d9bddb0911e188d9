"""Specimens: one action of each kind that vocabularies treat differently, on a picture of 1000 x 500 pixels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from demopack.codecs.placed_action import PlacedAction
from demopack.domain.actions import ActionTarget, ActionType, parse_action
from demopack.domain.elements import ElementType, NumberedElement
from demopack.domain.geometry import Point, Rect, Size, to_norm_xywh

_SIZE = Size(1000, 500)
_AT, _BETWEEN, _TO = Point(500, 100), Point(420, 300), Point(300, 400)


def _element(number: int, kind: ElementType, text: str, box: tuple[int, int, int, int]) -> NumberedElement:
    return NumberedElement(
        number=number, uid=f"e{number}", frame="f", type=kind, box=Rect(*box), text=text, review="approved"
    )


_BUTTON = _element(1, "button", "Save", (460, 90, 540, 110))
_FIELD = _element(2, "input_field", "Name", (200, 200, 400, 230))


def _placed(
    kind: ActionType,
    *way: Point,
    element: NumberedElement | None = None,
    **parameters: Any,  # noqa: ANN401 - plain JSON
) -> PlacedAction:
    """An action on an element, at the first point of the way; more points are a drag's."""
    places = [ActionTarget(bbox=to_norm_xywh(Rect.at_point(point), _SIZE)) for point in way]
    target = places[0] if places else None
    if element is not None:
        box = to_norm_xywh(element.box, _SIZE)
        target = ActionTarget(element_id=element.number, text=element.text, bbox=box)
    if len(way) > 1:
        path = [[point.x / _SIZE.width, point.y / _SIZE.height] for point in way[1:-1]]
        parameters |= {"end_target": places[-1], "path": path}
    return PlacedAction(
        action=parse_action({"action_type": kind, "target": target, "parameters": parameters}),
        at=way[0] if way else None,
        to=way[-1] if len(way) > 1 else None,
        way=way if len(way) > 1 else (),
        size=_SIZE,
        target=element,
        target_text="" if element is None else element.text or "",
    )


def _on(kind: ActionType, **parameters: Any) -> PlacedAction:  # noqa: ANN401 - plain JSON
    return _placed(kind, _AT, element=_BUTTON, **parameters)


SPECIMENS: Final[Mapping[str, PlacedAction]] = {
    "click": _on("click"),
    "click, no element": _placed("click", _AT),
    "click, Ctrl held": _on("click", modifiers=["ctrl"]),
    "click, two keys held": _on("click", modifiers=["ctrl", "shift"]),
    "click, held 1.5 s": _on("click", hold_s=1.5),
    "double click": _on("click", click_type="double"),
    "triple click": _on("click", click_type="triple"),
    "right click": _on("click", click_type="right"),
    "middle click": _on("click", click_type="middle"),
    "type": _placed("type", element=_FIELD, text_to_type="Ada"),
    "type, not ASCII": _placed("type", element=_FIELD, text_to_type="Zoë"),
    "type and Enter": _placed("type", element=_FIELD, text_to_type="Ada", submit=True),
    "key": _placed("press_key", key_info="PageDown"),
    "key, 3 times": _placed("press_key", key_info="Tab", presses=3),
    "two keys": _placed("press_key", key_info="Ctrl+C"),
    "keys with Alt": _placed("press_key", key_info="Alt+F4"),
    "four keys": _placed("press_key", key_info="Ctrl+Alt+Shift+T"),
    "scroll down": _placed("scroll", _AT, scroll_direction="down", scroll_steps=3),
    "scroll up": _placed("scroll", _AT, scroll_direction="up", scroll_steps=3),
    "scroll right": _placed("scroll", _AT, scroll_direction="right", scroll_steps=2),
    "scroll left": _placed("scroll", _AT, scroll_direction="left", scroll_steps=2),
    "hover": _on("hover"),
    "hover for 2 s": _on("hover", duration_s=2.0),
    "wait 2.5 s": _placed("wait", wait_duration_s=2.5),
    "drag": _placed("drag", _AT, _TO, element=_BUTTON),
    "drag on a way": _placed("drag", _AT, _BETWEEN, _TO, element=_BUTTON),
    "drag, right button": _placed("drag", _AT, _TO, element=_BUTTON, button="right"),
    "launch": _placed("launch", app="gedit"),
    "extract data": _placed("extract_data", description="price", data="12 EUR"),
    "finish, success": _placed("finish_goal"),
    "finish, failure": _placed("finish_goal", status="failure"),
}
