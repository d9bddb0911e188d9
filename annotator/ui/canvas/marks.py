"""What of a step is drawn on its picture."""

from __future__ import annotations

from annotator.document import Document
from annotator.ui.canvas.action_mark import ActionMark
from annotator.words import key_words, tr
from demopack.domain.actions import ActionTarget
from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect, from_norm_xywh
from demopack.domain.steps import Step
from demopack.errors import GeometryError

__all__ = ["mark_of"]

_RINGS = {"double": 2, "triple": 3}
_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
_CLICKS = {
    "single": tr("click"),
    "double": tr("double click"),
    "triple": tr("triple click"),
    "right": tr("right click"),
    "middle": tr("middle click"),
}
_KINDS = {"wait": tr("wait"), "hover": tr("hover"), "extract_data": tr("read"), "launch": tr("start")}


def mark_of(step: Step, document: Document) -> ActionMark:
    """Where and how a step acted, from its pointer, its bound elements, or else its written target."""
    action = step.action
    target, end = document.element(step.target_uid), document.element(step.end_uid)
    at, path = _pointer(step)
    if at is None and target is None and step.before is not None:
        box = _written(action.target, step)
        at = box.center if box is not None and action.action_type in {"click", "drag", "hover", "scroll"} else None
        if action.action_type == "drag" and at is not None and not path:
            to = _written(action.end_target, step)
            path = () if to is None else (to.center,)
    return ActionMark(
        at=at,
        path=path,
        target=_box(target, step),
        end=None if end is target else _box(end, step),
        caption=_caption(step),
        rings=_RINGS.get(str(action.parameters.get("click_type")), 1),
    )


def _pointer(step: Step) -> tuple[Point | None, tuple[Point, ...]]:
    pointer = step.pointer
    if pointer is None or step.action.action_type not in {"click", "drag", "hover", "scroll"}:
        return None, ()
    path: tuple[Point, ...] = ()
    if step.action.action_type == "drag" and pointer.end_x is not None and pointer.end_y is not None:
        path = (*(Point(p.x, p.y) for p in pointer.path), Point(pointer.end_x, pointer.end_y))
    return Point(pointer.x, pointer.y), path


def _box(element: Element | None, step: Step) -> Rect | None:
    here = element is not None and step.before is not None and element.frame == step.before.id
    return element.box if element is not None and here else None


def _written(target: ActionTarget | None, step: Step) -> Rect | None:
    if target is None or target.bbox is None or step.before is None:
        return None
    try:
        return from_norm_xywh(target.bbox, step.before.size)
    except GeometryError:
        return None


def _caption(step: Step) -> str:
    parameters, kind = step.action.parameters, step.action.action_type
    held = "".join(f"{key_words(m)}+" for m in parameters.get("modifiers", ()))
    if kind == "type":
        return f"“{parameters['text_to_type']}”" + (" ⏎" if parameters.get("submit") else "")
    if kind == "press_key":
        return key_words(str(parameters["key_info"]))
    if kind == "scroll":
        return f"{held}{_ARROWS[parameters['scroll_direction']]} {parameters['scroll_steps']}"
    if kind == "click":
        click = str(parameters.get("click_type", "single"))
        return f"{held}{_CLICKS.get(click, click)}" if held or click != "single" else ""
    if kind == "drag":
        return held + tr("drag") if held else ""
    return _KINDS.get(kind, "")
