"""Binds every step of a demo to elements; for the keyboard, to the element that had the focus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from demopack.domain.actions import PressKeyAction
from demopack.domain.binding import bind
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.roles import TYPES_OF_ROLES
from demopack.domain.steps import Step
from demopack.domain.text_likeness import label_likeness
from models.vision.reports.elements import AROUND
from models.vision.reports.pointed import LISTED, box_on_frame, overlap_with
from models.vision.reports.rows import TABLES

TEXT_TYPES: frozenset[ElementType] = frozenset({"input_field", "text_area", "spinner", "dropdown"})
"""Types that take typed text."""
_EDITING = frozenset({
    "Enter", "Backspace", "Delete", "Tab", "Home", "End", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown",
    "Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+X", "Ctrl+Z", "Ctrl+Y", "Shift+Tab",
})  # fmt: skip
"""Keys that work on the text where the focus is."""
_ON_TEXT = frozenset({"Backspace", "Delete", "Home", "End", "ArrowLeft", "ArrowRight", "Ctrl+A", "Ctrl+Z"})
"""Keys that never take the input from a field to a list that it filters."""
_ANYTHING: frozenset[ElementType] = frozenset({"other", "tabled_text", "input_field", "text_area"})
"""What a role without a type of its own may be: a canvas, or the cell of a sheet that takes the text."""
_MENUS = frozenset({"menu", "popup menu"})
_MOVES_FOCUS = frozenset({"Tab", "Shift+Tab"})
_SAME_IOU = 0.5
_INSIDE_SHARE = 0.8
"""Share of what changed that must lie in the element that took the text."""

_Changes = Callable[[Step], Sequence[Rect] | None]


def bind_steps(
    steps: Sequence[Step], elements: Mapping[str, Sequence[Element]], *, fixed: frozenset[str], changes: _Changes
) -> list[Step]:
    """The steps, bound where an element can be named for sure.

    Pointer steps bind to the smallest element under the pointer. Typing goes where the program told that the input was,
    else where the last click went, unless the screen says otherwise: text that appeared elsewhere belongs to the
    element around it. After Tab only that counts.

    Args:
        steps: of one demo, in order.
        elements: by frame id; a frame that is missing has not been parsed, and its steps stay as they are.
        fixed: ids of steps whose target a person chose or approved; they stay as they are.
        changes: boxes in which a step's before- and after-frame differ; None when there is nothing to compare.
    """
    bound: list[Step] = []
    focus: Element | None = None
    for step in steps:
        if step.before is not None and step.before.id in elements and step.id not in fixed:
            here = elements[step.before.id]
            field = _goes_on_in(step, bound[-1] if bound else None, here, focus)
            if step.pointer is not None:
                step = bind(step, here)
            elif field is not None:
                step = step.but(target_uid=field.uid)
            else:
                step = _bind_keyboard(step, here, focus, changes)
        bound.append(step)
        focus = _focus_after(step, elements, focus)
    return bound


def _focus_after(step: Step, elements: Mapping[str, Sequence[Element]], focus: Element | None) -> Element | None:
    if isinstance(step.action, PressKeyAction) and step.action.key_info in _MOVES_FOCUS:
        return None
    if step.action.action_type not in {"click", "type"}:
        return focus
    here = elements.get(step.before.id, ()) if step.before is not None else ()
    return next((element for element in here if element.uid == step.target_uid), None)


def _bind_keyboard(step: Step, here: Sequence[Element], focus: Element | None, changes: _Changes) -> Step:
    action = step.action
    if action.action_type not in {"type", "press_key"}:
        return step
    told = _told_focus(step, here)
    rows = [one for one in here if one.type == "menu_item" and one.source == "accessibility"]
    if rows and (told is None or told.type not in {"menu", "menu_item"}):
        # The open menu has the input, whatever its program says of what lies behind it.
        opened = _only(one for one in rows if one.states.get("highlighted")) or _only(
            one for one in here if one.type == "menu" and one.states.get("expanded")
        )
        return step.but(target_uid=None if opened is None else opened.uid)
    role = None if step.focused is None else TYPES_OF_ROLES.get(step.focused.role)
    if told is not None and role not in (LISTED | {"tab"} if action.action_type == "type" else {"tab"}):
        return step.but(target_uid=told.uid)
    if action.action_type == "press_key" and told is None and _is_elsewhere(step, here):
        return step.model_copy(update={"target_uid": None})
    # The input is in something in a window or a dialog: these say nothing of where.
    focused = bind(step.model_copy(update={"target_uid": None}), [one for one in here if one.type not in AROUND])
    if focused.target_uid is not None:
        return focused
    shown = [] if focus is None or _is_out_of_sight(step) else [e for e in here if e.review != "rejected"]
    same = [e for e in shown if focus and (e.uid == focus.uid or e.track_id == focus.track_id)]
    candidate = same[0] if len(same) == 1 else None
    if isinstance(action, PressKeyAction) and told is not None and candidate is None:
        candidate = told  # Qt says of the tab that is shown that it has the input, whatever has it in its page
    elif isinstance(action, PressKeyAction):
        goes_there = candidate is not None and candidate.type in TEXT_TYPES | {"other", "text", "tabled_text"}
        if action.key_info not in _EDITING or not goes_there:
            candidate = None
    else:
        candidate = _where_text_went(candidate, here, changes(step)) or (None if told and told.type == "tab" else told)
    return step.model_copy(update={"target_uid": None if candidate is None else candidate.uid})


def _goes_on_in(step: Step, previous: Step | None, here: Sequence[Element], focus: Element | None) -> Element | None:
    """The field in which a key works on the text that was typed just before.

    A row that the words find is said to have the input, which is still where they are typed.
    """
    action, told = step.action, step.focused
    if previous is None or previous.target_uid is None or told is None or TYPES_OF_ROLES.get(told.role) not in LISTED:
        return None
    before = previous.action
    is_text = before.action_type == "type" or (isinstance(before, PressKeyAction) and before.key_info in _ON_TEXT)
    if not is_text or not isinstance(action, PressKeyAction) or action.key_info not in _ON_TEXT:
        return None
    if focus is None or focus.type not in TEXT_TYPES:
        return None
    return _only(e for e in here if e.uid == focus.uid or e.track_id == focus.track_id)


def _is_out_of_sight(step: Step) -> bool:
    """Whether the program told that the input was in a field that lies outside the picture."""
    told, frame = step.focused, step.before
    if told is None or told.box is None or not told.box.area or frame is None:
        return False
    seen = frame.space.to_pixels(told.box).intersection(Rect(0, 0, frame.width, frame.height))
    return seen is None and TYPES_OF_ROLES.get(told.role) is not None


def _is_elsewhere(step: Step, here: Sequence[Element]) -> bool:
    """Whether the program told that the input was in a menu, or where none of those is that seem to have it."""
    told, frame = step.focused, step.before
    if told is None or frame is None:
        return False
    if told.role in _MENUS:
        return True
    box = box_on_frame(told, frame, most=1.0)
    # Qt says of the tab that is shown that it has the input.
    return (
        box is not None
        and (TYPES_OF_ROLES.get(told.role) not in {None, "tab"} or told.role in TABLES)
        and not any(one.states.get("focused") and one.box.intersection(box) is not None for one in here)
    )


def _only(elements: Iterable[Element]) -> Element | None:
    """The element, where there is one and no other."""
    found = list(elements)
    return found[0] if len(found) == 1 else None


def _told_focus(step: Step, here: Sequence[Element]) -> Element | None:
    """The element that had the input as the step began, as its program told; None where it is not seen in its place.

    Two steps may begin on the same picture, and the states on that are those of one moment.
    """
    told, frame = step.focused, step.before
    box = None if told is None or frame is None else box_on_frame(told, frame, most=1.0)
    if told is None or box is None:
        return None
    kind = TYPES_OF_ROLES.get(told.role)
    same = [
        one
        for one in here
        if one.review != "rejected"
        and (one.type == kind or {one.type, kind} <= TEXT_TYPES or (kind is None and one.type in _ANYTHING))
        and overlap_with(one, box) >= _SAME_IOU
        and (kind is None or _may_be_called(one, told.name))
    ]
    if same or kind != "text" or "editable" not in told.states:
        return max(same, key=lambda one: overlap_with(one, box), default=None)
    around = [one for one in here if one.type in TEXT_TYPES and box.share_in(one.box) >= _INSIDE_SHARE]
    return min(around, key=lambda one: one.box.area, default=None)  # the document of a paragraph


def _may_be_called(element: Element, name: str) -> bool:
    """Whether a program called an element so, or told nothing of it; its place alone may be that of before a scroll."""
    called = [said.text for said in element.evidence if said.source == "accessibility" and said.text]
    return not name or not called or any(label_likeness(name, text) for text in called)


def _where_text_went(
    candidate: Element | None, here: Sequence[Element], changed: Sequence[Rect] | None
) -> Element | None:
    """The element that took the text: the candidate, unless the picture changed somewhere else only."""
    if not changed:
        return candidate
    if candidate is not None and any(box.intersection(candidate.box) for box in changed):
        return candidate
    largest = changed[0]
    around = [
        e for e in here if e.review != "rejected" and e.type in TEXT_TYPES and largest.share_in(e.box) >= _INSIDE_SHARE
    ]
    return min(around, key=lambda e: e.box.area, default=None)
