"""What accessibility told about an element while a step was recorded, joined with what the models found there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from demopack.domain.elements import ATTRIBUTES, Element, ElementType, Evidence, State
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect, iou
from demopack.domain.records import new_id
from demopack.domain.steps import AccessibleElement, Step

_ROLES: Mapping[str, ElementType] = {
    "push button": "button", "button": "button", "toggle button": "button", "split button": "button",
    "check box": "checkbox", "radio button": "radio", "switch": "toggle",
    "combo box": "dropdown", "entry": "input_field", "text": "input_field", "password text": "input_field",
    "spin button": "spinner", "slider": "slider", "scroll bar": "scrollbar",
    "label": "text", "static": "text", "link": "hyperlink", "heading": "text", "caption": "text",
    "menu": "menu", "menu item": "menu_item", "check menu item": "menu_item", "radio menu item": "menu_item",
    "page tab": "tab", "list item": "list_item", "tree item": "tree_item", "table cell": "tabled_text",
    "icon": "icon", "image": "image", "dialog": "dialog", "alert": "dialog",
}  # fmt: skip
"""Roles that say what a person sees; panels, fillers and frames do not."""
_STATES: Mapping[str, State] = {
    "checked": "checked", "focused": "focused", "expanded": "expanded", "selected": "highlighted",
}  # fmt: skip
_MIN_SAME_IOU = 0.5
"""Overlap (IoU) from which both mean the same thing."""
_ACCESSIBILITY_CONFIDENCE = 0.9
"""How sure accessibility is; programs do tell nonsense at times."""
_MAX_SCREEN_SHARE = 0.5
"""Share of the frame; what is larger is a container, not what was pointed at."""


def join_accessibility(elements: Sequence[Element], frame: Frame, steps: Sequence[Step]) -> list[Element]:
    """The elements of a frame with what was told about those that the steps on it pointed at and typed into.

    What was told becomes evidence of the element that lies there, which takes its type where the role is plain and a
    state where it has one. Where nothing was found it becomes an element of its own.

    Args:
        elements: what the models found on the frame.
        frame: which.
        steps: of the demo; those that began on another frame are ignored.
    """
    joined = list(elements)
    for step in steps:
        if step.before is None or step.before.id != frame.id:
            continue
        for told in (step.focused, step.pointed):
            box = None if told is None else box_on_frame(told, frame)
            if told is not None and box is not None:
                joined = _with(joined, told, box, frame)
    return joined


def box_on_frame(told: AccessibleElement, frame: Frame) -> Rect | None:
    """Where it lies on the frame, in pixels; None when that is not known, outside, or too much of the frame."""
    if told.box is None or not told.box.area:
        return None
    box = frame.space.to_pixels(told.box)
    on_frame = box.clamped(frame.size)
    if on_frame.area < 0.5 * box.area or on_frame.area > _MAX_SCREEN_SHARE * frame.width * frame.height:
        return None
    return on_frame


def _with(elements: Sequence[Element], told: AccessibleElement, box: Rect, frame: Frame) -> list[Element]:
    kind = _ROLES.get(told.role)
    if kind == "input_field" and ("multi line" in told.states or (told.role == "text" and box.height > 48)):
        kind = "text_area"
    text = None if told.secure else (told.name or told.value or None)
    evidence = Evidence(source="accessibility", type=kind, box=box, text=text, confidence=_ACCESSIBILITY_CONFIDENCE)
    best = max(elements, key=lambda e: iou(e.box, box), default=None)
    if best is not None and iou(best.box, box) >= _MIN_SAME_IOU:
        return [_told(e, evidence, told) if e.uid == best.uid else e for e in elements]
    if kind is None:
        return list(elements)
    fresh = Element(
        uid=new_id("el"),
        frame=frame.id,
        type=kind,
        box=box,
        text=text,
        states=_states(told, kind),
        source="accessibility",
        confidence=_ACCESSIBILITY_CONFIDENCE,
        evidence=(evidence,),
    )
    return [*elements, fresh.cleaned()]


def _told(element: Element, evidence: Evidence, told: AccessibleElement) -> Element:
    """The element with the evidence; told twice, the last word counts. A person's element stays as it is."""
    if element.source == "human" or element.review != "unreviewed":
        return element
    own = Evidence(
        source=element.source, type=element.type, box=element.box, text=element.text, confidence=element.confidence
    )
    others = tuple(e for e in element.evidence or (own,) if e.source != "accessibility")
    kind = evidence.type or element.type
    states = {**element.states, **_states(told, kind)}
    changed = {"type": kind, "states": states, "evidence": (*others, evidence)}
    return element.model_copy(update=changed).cleaned()


def _states(told: AccessibleElement, kind: ElementType) -> dict[State, bool]:
    """The states that were told as true, of those that the type may have; what is not told may just not be known."""
    known = {_STATES[state]: True for state in told.states if state in _STATES}
    return {state: value for state, value in known.items() if state in ATTRIBUTES[kind].states}
