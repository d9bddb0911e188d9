"""One action of each kind that vocabularies treat differently, on a picture of 1000 x 500 pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from demopack.domain.actions import ActionType
from demopack.domain.elements import ElementType
from demopack.domain.geometry import Point, Size
from demopack.pack.formats.acts import Act
from demopack.pack.rows import ElementRow

__all__ = ["SPECIMENS"]

_SIZE = Size(1000, 500)
_AT, _TO = Point(500, 100), Point(300, 400)


def _element(number: int, kind: ElementType, text: str, box: tuple[int, int, int, int]) -> ElementRow:
    width, height = _SIZE
    x1, y1, x2, y2 = box
    return ElementRow(
        demo="d", frame="f", image="frames/d/0001.png", image_size=[width, height], element_id=number, uid=f"e{number}",
        type=kind, box=list(box), bbox=[x1 / width, y1 / height, (x2 - x1) / width, (y2 - y1) / height], text=text,
        subtype=None, states={}, track_id=None, parent=None, parent_by_hand=None, source="human", confidence=None,
        review="approved",
    )  # fmt: skip


_BUTTON = _element(1, "button", "Save", (460, 90, 540, 110))
_FIELD = _element(2, "input_field", "Name", (200, 200, 400, 230))


def _act(kind: ActionType, **parameters: Any) -> Act:  # noqa: ANN401 - plain JSON
    return Act(kind=kind, parameters=parameters, size=_SIZE)


def _on(kind: ActionType, **parameters: Any) -> Act:  # noqa: ANN401 - plain JSON
    return replace(_act(kind, **parameters), at=_AT, target=_BUTTON, target_text="Save")


def _typed(**parameters: Any) -> Act:  # noqa: ANN401 - plain JSON
    return replace(_act("type", **parameters), target=_FIELD, target_text="Name")


def _scrolled(direction: str, steps: int) -> Act:
    return replace(_act("scroll", scroll_direction=direction, scroll_steps=steps), at=_AT)


def _dragged(*between: Point, **parameters: Any) -> Act:  # noqa: ANN401 - plain JSON
    return replace(_on("drag", **parameters), to=_TO, way=(_AT, *between, _TO))


SPECIMENS: Final[Mapping[str, Act]] = {
    "click": _on("click"),
    "click, no element": replace(_act("click"), at=_AT),
    "click, Ctrl held": _on("click", modifiers=["ctrl"]),
    "click, two keys held": _on("click", modifiers=["ctrl", "shift"]),
    "click, held 1.5 s": _on("click", hold_s=1.5),
    "double click": _on("click", click_type="double"),
    "triple click": _on("click", click_type="triple"),
    "right click": _on("click", click_type="right"),
    "middle click": _on("click", click_type="middle"),
    "type": _typed(text_to_type="Ada"),
    "type, not ASCII": _typed(text_to_type="Zoë"),
    "type and Enter": _typed(text_to_type="Ada", submit=True),
    "key": _act("press_key", key_info="PageDown"),
    "key, 3 times": _act("press_key", key_info="Tab", presses=3),
    "two keys": _act("press_key", key_info="Ctrl+C"),
    "keys with Alt": _act("press_key", key_info="Alt+F4"),
    "four keys": _act("press_key", key_info="Ctrl+Alt+Shift+T"),
    "scroll down": _scrolled("down", 3),
    "scroll up": _scrolled("up", 3),
    "scroll right": _scrolled("right", 2),
    "scroll left": _scrolled("left", 2),
    "hover": _on("hover"),
    "hover for 2 s": _on("hover", duration_s=2.0),
    "wait 2.5 s": _act("wait", wait_duration_s=2.5),
    "drag": _dragged(),
    "drag on a way": _dragged(Point(420, 300)),
    "drag, right button": _dragged(button="right"),
    "launch": _act("launch", app="gedit"),
    "extract data": _act("extract_data", description="price", data="12 EUR"),
    "finish, success": _act("finish_goal"),
    "finish, failure": _act("finish_goal", status="failure"),
}
