"""What accessibility told about an element while a step was recorded, joined with what the models found there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from demopack.domain.elements import ATTRIBUTES, Element, ElementType, Evidence, State
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, iou
from demopack.domain.marks import MARKS
from demopack.domain.records import new_id
from demopack.domain.roles import TYPES_OF_ROLES
from demopack.domain.steps import AccessibleElement, Step
from demopack.domain.text_likeness import label_likeness
from models.vision.fusion import ROWS
from models.vision.reports.elements import FIELDS, REPORTED_CONFIDENCE

_STATES: Mapping[str, State] = {
    "checked": "checked", "focused": "focused", "expanded": "expanded", "selected": "highlighted",
}  # fmt: skip
_NAMED: frozenset[ElementType] = frozenset({
    "button", "checkbox", "radio", "toggle", "menu", "menu_item", "tab", "list_item", "tree_item", "hyperlink",
})  # fmt: skip
"""Types whose text is what they are called, whatever was read on them: "Close" instead of "Cl lose"."""
_WRITTEN: frozenset[ElementType] = frozenset({"input_field", "text_area"})
LISTED: frozenset[ElementType] = frozenset({"list_item", "tree_item", "menu_item", "tabled_text"})
"""What lists, tables and menus hold. Such a thing may pop up, and be said to have the input, while somebody types."""
_TAKE_INPUT: frozenset[ElementType] = frozenset({*FIELDS, *MARKS, "button", "slider"})
_PARTS: frozenset[ElementType] = frozenset({"icon", "text"})
_IN_ENTRIES: frozenset[ElementType] = frozenset({*_PARTS, *MARKS, "tabled_text", "hyperlink", "button"})
"""What the words and the picture of a menu's entry, or of a picture that can be chosen in a list, are taken for."""
_OWNED: Mapping[ElementType, frozenset[ElementType]] = {
    "input_field": frozenset({"text"}),
    "text_area": frozenset({"text"}),
    "dropdown": frozenset({"text", "tabled_text"}),
}
"""What stands in a field is a part of it."""
_IN_CELLS: frozenset[ElementType] = frozenset({*MARKS, "dropdown", "input_field", "spinner", "button", "slider"})
"""Controls that a cell may hold of which its program tells no more than the cell."""
_MIN_INSIDE = 0.8
_MIN_SAME_IOU = 0.5
"""Overlap (IoU) from which both mean the same thing."""
_RING_PX = 6
"""What a control draws around itself where it has the input."""
MAX_SCREEN_SHARE = 0.5
"""Share of the frame; what is larger is a container, not what was pointed at."""


def join_accessibility(
    elements: Sequence[Element],
    frame: Frame,
    steps: Sequence[Step],
    *,
    known: Sequence[Rect] = (),
    changes: Callable[[Step], Sequence[Rect] | None] = lambda _: None,
) -> list[Element]:
    """The elements of a frame with what was told about those that the steps on it pointed at and typed into.

    What was told becomes evidence of the element that lies there, which takes its type where the role is plain and a
    state where it has one. Where nothing was found it becomes an element of its own.

    Args:
        elements: what the models found on the frame.
        frame: which.
        steps: of the demo; those that began on another frame are ignored.
        known: windows whose whole trees are known, pixels of the frame: what had the input in them is known by that.
        changes: boxes in which a step's before- and after-frame differ; None when there is nothing to compare.
    """
    joined = list(elements)
    for step, following in pairwise([*steps, None]):
        if step is None or step.before is None or step.before.id != frame.id:
            continue
        pointed = _pointed(step, frame)
        if pointed is None or TYPES_OF_ROLES.get(pointed.role) is None:
            pointed = _took_input(step, following, frame, changes) or pointed
        for told in (None if step.focused is pointed else step.focused, pointed):
            box = None if told is None else box_on_frame(told, frame)
            if told is None or box is None:
                continue
            is_known = any(window.contains(box.center) for window in known)
            if not is_known or _adds(joined, told, box, step, is_pointed=told is pointed):
                joined = _with(joined, told, box, frame, is_pointed=told is pointed)
            elif told is not pointed:
                joined = [_as_written_now(one, told, box) for one in joined]
    return joined


def _pointed(step: Step, frame: Frame) -> AccessibleElement | None:
    """What was pointed at.

    Where the program told nothing of it, or only what lies behind what popped up: the control under the pointer that
    had the input.
    """
    told, focused = step.pointed, step.focused
    if focused is None or step.pointer is None or (told is not None and TYPES_OF_ROLES.get(told.role) is not None):
        return told
    box = box_on_frame(focused, frame)
    is_it = box is not None and box.contains(Point(step.pointer.x, step.pointer.y))
    return focused if is_it and TYPES_OF_ROLES.get(focused.role) in {*_NAMED, *MARKS, "slider"} else told


def _took_input(
    step: Step, following: Step | None, frame: Frame, changes: Callable[[Step], Sequence[Rect] | None]
) -> AccessibleElement | None:
    """The control under a click that has the input afterwards, where the program names only what lies around it.

    Qt tells nothing of what is in some pages but where the input is.
    """
    told = None if following is None else following.focused
    if told is None or following is None or step.pointer is None or step.action.action_type != "click":
        return None
    kind = TYPES_OF_ROLES.get(told.role)
    box = box_on_frame(told, frame) if kind in _TAKE_INPUT and following.window == step.window else None
    if box is None or not box.contains(step.pointer.at):
        return None
    if any(part.intersection(box) and not box.grown(_RING_PX).encloses(part) for part in changes(step) or ()):
        return None  # it came up with a page or a dialog where something else was clicked
    # Marks and numbers may be others than before the click.
    states = tuple(state for state in told.states if state not in _STATES)
    return told.model_copy(
        update={"states": states, "value": told.value if kind in _WRITTEN or kind == "dropdown" else ""}
    )


def _adds(elements: Sequence[Element], told: AccessibleElement, box: Rect, step: Step, *, is_pointed: bool) -> bool:
    """Whether something in a window whose tree is known adds to that.

    Where the input was may have been told before the screen moved on, but for a field that took text or a key.
    What was pointed at was there; but a program may name the cell that lies behind what it shows above it.
    """
    kind = _kind_of(told, box, is_pointed=is_pointed)
    if not is_pointed:
        reported = any(_is_reported(one) and overlap_with(one, box) >= _MIN_SAME_IOU for one in elements)
        return step.action.action_type in {"type", "press_key"} and kind in FIELDS and not reported
    if any(
        one.source == "accessibility" and one.type == kind and one.text == told.name and box.encloses(one.box)
        for one in elements
    ):
        return False  # of a group with a box to tick, or a branch, the row alone
    if kind in {"text", "icon", "image"} and any(
        one.source == "accessibility"
        and one.type in ROWS
        and one.text
        and one.box.encloses(box)
        and (kind != "text" or one.text == told.name)
        for one in elements
    ):
        return False  # what is written on a row, or its picture
    if kind == "tabled_text" and any(
        one.source == "accessibility" and one.type in ROWS and one.text == told.name and one.box.intersection(box)
        for one in elements
    ):
        return False  # the only cell of a row, which may reach out of sight
    at = None if step.pointer is None else Point(step.pointer.x, step.pointer.y)
    controls = (
        one for one in elements if one.source == "accessibility" and one.type in _NAMED - {"list_item", "tree_item"}
    )
    return kind not in {"text", "tabled_text"} or at is None or not any(one.box.contains(at) for one in controls)


def _is_reported(element: Element) -> bool:
    """Whether it was told, and is no row or cell, in which a field may open."""
    return element.source == "accessibility" and element.type not in ROWS | {"tabled_text", "text"}


def _as_written_now(element: Element, told: AccessibleElement, box: Rect) -> Element:
    """A field with what stood in it as a step began; its window's tree may have been read before the last letters."""
    is_it = element.source == "accessibility" and element.type in _WRITTEN and element.review == "unreviewed"
    if not is_it or told.secure or not told.value or overlap_with(element, box) < _MIN_SAME_IOU:
        return element
    return element.but(text=told.value)


def box_on_frame(told: AccessibleElement, frame: Frame, *, most: float = MAX_SCREEN_SHARE) -> Rect | None:
    """Where it lies on the frame, in pixels; None when that is not known, outside, or more than a share of that."""
    if told.box is None or not told.box.area:
        return None
    box = frame.space.to_pixels(told.box)
    on_frame = box.clamped(frame.size)
    if on_frame.area < 0.5 * box.area or on_frame.area > most * frame.width * frame.height:
        return None
    return on_frame


def _kind_of(told: AccessibleElement, box: Rect, *, is_pointed: bool) -> ElementType | None:
    """What its role says; where the input is, and can be written, is a field, be it a cell or a line of a document."""
    kind = TYPES_OF_ROLES.get(told.role)
    if "editable" in told.states and told.role == "paragraph":
        return "text_area"
    if "editable" in told.states and kind is None and not is_pointed:
        return "input_field"
    if kind == "input_field" and ("multi line" in told.states or (told.role == "text" and box.height > 48)):
        return "text_area"
    return kind


def _with(
    elements: Sequence[Element], told: AccessibleElement, box: Rect, frame: Frame, *, is_pointed: bool
) -> list[Element]:
    kind = _kind_of(told, box, is_pointed=is_pointed)
    # The name of a field is its label; what is written in it is its value.
    said = told.value if kind in FIELDS else told.name or told.value
    text = None if told.secure or not said else said
    name = told.name or (None if told.secure else told.value or None)
    evidence = Evidence(source="accessibility", type=kind, box=box, text=name, confidence=REPORTED_CONFIDENCE)
    in_row = kind in _WRITTEN and not is_pointed
    same = [e for e in elements if not in_row or e.source != "accessibility" or _is_reported(e)]
    best = max(same, key=lambda e: overlap_with(e, box), default=None)
    if best is not None and overlap_with(best, box) >= _MIN_SAME_IOU:
        return [_told(e, evidence, told) if e.uid == best.uid else e for e in elements]
    if kind is None or (kind in LISTED and not is_pointed):
        return list(elements)  # what pops up while somebody types comes and goes
    # The sign or the words on a control are a part of it, and so are the words in a field, whose value was told.
    owned = _PARTS if kind in _NAMED else _OWNED.get(kind, frozenset[ElementType]())
    owned = _IN_ENTRIES if kind == "menu_item" or (kind in LISTED and box.width < 2 * box.height) else owned
    parts = [e for e in elements if e.type in owned and e.box.share_in(box) >= _MIN_INSIDE]
    parts = [e for e in parts if e.source != "human" and e.review == "unreviewed"]
    words = " ".join(e.text for e in sorted(parts, key=lambda e: (e.box.y1, e.box.x1)) if e.text)
    fresh = Element(
        uid=new_id("el"),
        frame=frame.id,
        type=kind,
        box=box,
        text=text or (words or None if kind == "dropdown" and not told.secure else None),
        placeholder=words or None if kind in _WRITTEN and not said and not told.secure else None,
        states=_states(told, kind),
        source="accessibility",
        confidence=REPORTED_CONFIDENCE,
        evidence=(evidence,),
    )
    gone = {e.uid for e in parts}
    return [*(e for e in elements if e.uid not in gone), fresh.cleaned()]


def overlap_with(element: Element, box: Rect) -> float:
    """How much of what was told is an element (IoU): as it stands, its mark alone, or as its window's tree told it."""
    told = (said.box for said in element.evidence if said.source == "accessibility")
    return max(iou(one, box) for one in (element.box, element.mark_box, *told) if one is not None)


def _told(element: Element, evidence: Evidence, told: AccessibleElement) -> Element:
    """The element with the evidence; told twice, the last word counts. A person's element stays as it is.

    So does one that the tree of its window told: that was read before the step began.
    """
    if element.source in {"human", "accessibility"} or element.review != "unreviewed":
        return element
    own = Evidence(
        source=element.source, type=element.type, box=element.box, text=element.text, confidence=element.confidence
    )
    others = tuple(e for e in element.evidence or (own,) if e.source != "accessibility")
    is_switch = told.role == "toggle button" and element.type in MARKS  # toolkits call a switch so, too
    in_cell = told.role == "table cell" and not told.name and element.type in _IN_CELLS
    # The button in a list that drops down has no name of its own in GTK.
    drops_down = told.role == "toggle button" and not told.name and _was_seen_as(element, "dropdown")
    own_kind = "dropdown" if drops_down else element.type
    kind = own_kind if is_switch or in_cell or drops_down else evidence.type or element.type
    states = {**element.states, **_states(told, kind)}
    text = element.text
    alike = kind not in FIELDS and evidence.text and label_likeness(evidence.text, text or "")
    if evidence.text and (kind in _NAMED or alike or (not text and kind not in FIELDS)):
        text = evidence.text  # what was read there stays in the evidence
    changed = {"type": kind, "text": text, "states": states, "evidence": (*others, evidence)}
    return element.model_copy(update=changed).cleaned()


def _was_seen_as(element: Element, kind: ElementType) -> bool:
    """Whether it is that by the pixels, whatever was made of it since."""
    return element.type == kind or any(said.type == kind for said in element.evidence if said.source == "detector")


def _states(told: AccessibleElement, kind: ElementType) -> dict[State, bool]:
    """The states that were told as true, of those that the type may have; what is not told may just not be known."""
    known = {_STATES[state]: True for state in told.states if state in _STATES}
    return {state: value for state, value in known.items() if state in ATTRIBUTES[kind].states}
