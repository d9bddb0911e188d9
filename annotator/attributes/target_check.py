"""Checks of an action: its element, its fields, and the steps that follow a box."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from annotator.document import Document
from annotator.step_words import words_of
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect, iou
from demopack.domain.steps import Step
from demopack.errors import ActionError

_POINTED: Final = frozenset({"click", "hover", "drag", "scroll"})
_RADIUS_PX, _MAX_OFFERED = 60, 3
"""Pixels around a spot in which elements are offered, and how many of them."""
_TOLERANCE_PX = 3
"""Pixels by which an inner box may stick out of the box around it and still lie in it."""
_SAME_BOX_IOU = 0.8
"""Boxes that overlap more (intersection over union) are one thing that was marked twice."""
_CONTAINER_AREA_RATIO = 4.0
"""A box around the target that is larger than this many times it is its container, not its rival."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetCheck:
    """What is to be said about one end of a step.

    Attributes:
        trouble: the spot hits no element; it hits several that cannot be told apart by size; the chosen element does
            not lie under the spot; empty when all is well.
        offers: what could be chosen instead, the likeliest first, the present target left out.
    """

    trouble: Literal["", "none", "several", "elsewhere"] = ""
    offers: tuple[Element, ...] = ()


def check_target(step: Step, elements: Sequence[Element], *, end: bool = False) -> TargetCheck:
    """How the spot of a step and the elements of its before-frame fit together.

    Args:
        step: a step without a pointer, or whose action has no place, is never in trouble.
        elements: of its before-frame.
        end: look at the end of a drag.
    """
    at = _spot(step, end=end)
    if at is None:
        return TargetCheck()
    x, y = at.x, at.y
    # Thousands of elements, after each edit: only those under the spot are looked at closely.
    hit = [e for e in elements if (b := e.box).x1 <= x < b.x2 and b.y1 <= y < b.y2 and e.review != "rejected"]
    under = sorted(hit, key=lambda e: e.box.area)
    uid = step.end_uid if end else step.target_uid
    chosen = next((element for element in under if element.uid == uid), None)
    if chosen is None and uid is not None and any(e.uid == uid and e.review != "rejected" for e in elements):
        return TargetCheck(trouble="elsewhere", offers=tuple(under[:_MAX_OFFERED]))
    if not under:
        kept = [element for element in elements if element.review != "rejected"]
        near = sorted((distance(e.box, at), e.box.area, i) for i, e in enumerate(kept))
        offers = tuple(kept[i] for far, _, i in near[:_MAX_OFFERED] if far <= _RADIUS_PX)
        return TargetCheck(trouble="none", offers=offers) if kept else TargetCheck()
    if chosen is None:
        return TargetCheck(trouble="several", offers=tuple(under[:_MAX_OFFERED]))
    rivals = [element for element in under if element is not chosen and _rival(element.box, chosen.box)]
    if not rivals:
        return TargetCheck()
    # What lies around the target may be what was meant, once it is not clear anyway.
    most = _CONTAINER_AREA_RATIO * chosen.box.area
    around = [e for e in under if e not in rivals and e is not chosen and e.box.area <= most]
    return TargetCheck(trouble="several", offers=tuple([*rivals, *around][:_MAX_OFFERED]))


def distance(box: Rect, at: Point) -> float:
    """Pixels from a position to the nearest one of a box; 0 inside."""
    dx = max(box.x1 - at.x, at.x - (box.x2 - 1), 0)
    dy = max(box.y1 - at.y, at.y - (box.y2 - 1), 0)
    return math.hypot(dx, dy)


def _spot(step: Step, *, end: bool) -> Point | None:
    pointer = step.pointer
    if pointer is None or step.before is None or step.action.action_type not in _POINTED:
        return None
    if not end:
        return pointer.at
    return pointer.end if step.action.action_type == "drag" else None


def _rival(other: Rect, chosen: Rect) -> bool:
    """Whether two boxes under one spot leave open which is meant: nested ones do not, the inner one lies on top."""
    if iou(other, chosen) >= _SAME_BOX_IOU:
        return True
    outer, inner = (other, chosen) if other.area >= chosen.area else (chosen, other)
    return not outer.grown(_TOLERANCE_PX).encloses(inner)


_FIELDS: Final[Mapping[str, str]] = {
    "wait_duration_s": tr("A wait lasts longer than 0 seconds."),
    "duration_s": tr("Leave it at 0 when it was not measured."),
    "app": tr("Name the program that is started."),
    "description": tr("Say what is read."),
    "text_to_type": tr("Write the text that was typed."),
    "scroll_steps": tr("A scroll has one notch at least."),
    "presses": tr("A key is pressed once at least."),
}
_TROUBLES: Final[Mapping[tuple[str, bool], str]] = {
    ("none", False): tr("The pointer hit no element."),
    ("none", True): tr("The drag ended on no element."),
    ("several", False): tr("Several elements lie under the pointer."),
    ("several", True): tr("Several elements lie where the drag ended."),
    ("elsewhere", False): tr("The target does not lie under the pointer."),
    ("elsewhere", True): tr("The drag did not end on this element."),
}
"""By trouble and end."""


def field_words(name: str, value: object, error: ActionError) -> str:
    """The sentence for one field; what the contract says where there is none of our own.

    Args:
        name: of the parameter.
        value: what was written.
        error: what the contract said about it.
    """
    if name == "key_info" and not value:
        return tr("Write a key, for instance Ctrl+S.")
    return _FIELDS.get(name, str(error))


def target_words(aim: TargetCheck, *, end: bool) -> str:
    """What is wrong with one end of a step, and what to do; empty when nothing is."""
    if not aim.trouble:
        return ""
    told = _TROUBLES[aim.trouble, end]
    if aim.offers:
        return f"{told} {tr('Which one was meant?')}"
    return told if aim.trouble == "several" else f"{told} {tr('Draw a box where it was, or pick another element.')}"


def followed_words(edit: Edit, document: Document) -> str:
    """One sentence about the steps whose target moved, or is another one now; empty when no step is concerned.

    Args:
        edit: what was done.
        document: as it is after the edit.
    """
    elements = [change for change in edit.changes if change.kind == "element"]
    if not elements:
        return ""
    moved = {c.key for c in elements if c.before and c.after and c.before.get("box") != c.after.get("box")}
    rebound = {change.key for change in edit.changes if change.kind == "step" and change.before and change.after}
    told: list[str] = []
    for number, step in enumerate(document.steps, start=1):
        targets = step.target_uid, step.end_uid
        if step.id in rebound and targets == (None, None):
            told.append(tr("Step {number} hits no element now.").format(number=number))
        elif step.id in rebound:
            told.append(tr("Step {number} is now: {done}.").format(number=number, done=words_of(document, step)))
        elif not moved.isdisjoint(targets):
            told.append(tr("The target of step {number} moved along.").format(number=number))
    if len(told) > 2:
        return tr("{count} steps follow this change.").format(count=len(told))
    return " ".join(told)
