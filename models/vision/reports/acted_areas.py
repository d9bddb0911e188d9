"""Areas that are elements because a step acted on them: an empty list, an empty cell, a canvas, what was scrolled.

Nobody corrects a screen full of containers; so such an area is an element only where a step hit nothing in it, scrolled
it, or had its input there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from demopack.domain.actions import DragAction, ScrollAction
from demopack.domain.elements import SCROLLED_TYPES, Element, ElementType, Evidence
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, iou
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from models.vision.fusion import ROWS
from models.vision.reports.elements import AROUND, REPORTED_CONFIDENCE, ReportedArea
from models.vision.reports.pointed import box_on_frame

_ONLY_SCROLLED: Final = "scroll area"
_CELL: Final = "cell"
_TITLE_BAR: Final = "title bar"
_SPLITTER: Final = "splitter"
_TYPES: Final[Mapping[str, ElementType]] = {_CELL: "tabled_text", _SPLITTER: "resize_handle"}
_LINE: Final = "paragraph"
_COMPLETING: Final = frozenset({"table cell", "list item"})
_SAME_IOU: Final = 0.5
_ON_TITLE_BARS: Final[frozenset[ElementType]] = frozenset({"text", "hyperlink", "image", "menu_item", "tab"})
_LIKE_POINTERS: Final[frozenset[ElementType]] = frozenset({"icon", "shape", "image"})
_OFF_POINTER_PX: Final = 2


def with_acted_areas(
    elements: Sequence[Element], areas: Sequence[ReportedArea], frame: Frame, steps: Sequence[Step]
) -> list[Element]:
    """The elements of a frame, and the areas in which steps acted on no other element.

    Args:
        elements: what is known of the frame.
        areas: see :func:`models.vision.reports.elements.reported_areas`.
        frame: which.
        steps: of the demo; those that began on another frame are ignored.
    """
    known = [one for one in areas if not one.stale]
    made: list[Element] = []
    gone: set[str] = set()
    for previous, step in pairwise([None, *steps] if known else ()):
        if step is None or step.before is None or step.before.id != frame.id:
            continue
        shown = [*elements, *made]
        if step.pointer is None:
            acted = [_with_input(step, previous, known, shown, frame)]
        else:
            ends = [at for at in (step.pointer.at, step.pointer.end) if at is not None]
            splitter = _splitter(step.pointer.at, known) if isinstance(step.action, DragAction) else None
            scrolls = isinstance(step.action, ScrollAction)
            acted = [splitter] if splitter else [_under(at, known, shown, scrolls=scrolls) for at in ends]
            gone |= {
                one.uid
                for area, at in zip(acted, ends, strict=False)
                for one in elements
                if area is not None and one.box.contains(at) and _is_ground(one, area, at)
            }
        made += [_element(area, frame) for area in dict.fromkeys(acted) if area is not None]
    return [*(one for one in elements if one.uid not in gone), *made]


def _splitter(at: Point, areas: Sequence[ReportedArea]) -> ReportedArea | None:
    """The splitter from which something was dragged."""
    return next((one for one in areas if one.kind == _SPLITTER and _is_at(one, at)), None)


def _is_at(area: ReportedArea, at: Point) -> bool:
    """Whether an area is at a point, and no window above it."""
    return area.box.contains(at) and not any(window.contains(at) for window in area.covers)


def _under(
    at: Point, areas: Sequence[ReportedArea], elements: Sequence[Element], *, scrolls: bool
) -> ReportedArea | None:
    """The area under a pointer, where that is what a step acted on."""
    kept_out = {_SPLITTER, _CELL} if scrolls else {_SPLITTER, _ONLY_SCROLLED}
    around = [one for one in areas if _is_at(one, at) and one.kind not in kept_out]
    area = min(around, key=lambda one: one.box.area, default=None)
    under = (one for one in elements if one.box.contains(at) and one.review != "rejected")
    return None if area is None or any(_stands_for(one, area, at, scrolls=scrolls) for one in under) else area


def _with_input(
    step: Step, previous: Step | None, areas: Sequence[ReportedArea], elements: Sequence[Element], frame: Frame
) -> ReportedArea | None:
    """The area that had the input as a step began, as its program told.

    Of a cell in which text stands that was just typed, only the text is told, and mostly in a wrong place.
    """
    told = step.focused
    if told is not None and told.role == _LINE and previous is not None and previous.action.action_type == "type":
        told = previous.focused
    box = None if told is None else box_on_frame(told, frame, most=1.0)
    if box is None or any(one.type not in AROUND and iou(one.box, box) >= _SAME_IOU for one in elements):
        return None
    same = [one for one in areas if iou(one.box, box) >= _SAME_IOU]
    elsewhere = any(one.states.get("focused") for one in elements)
    if not same and not elsewhere and told is not None and told.role in _COMPLETING:
        # A list of completions that is not shown says that it has the input, which is where they would go.
        return min((one for one in areas if one.has_input), key=lambda one: one.box.area, default=None)
    return max(same, key=lambda one: iou(one.box, box), default=None)


def _stands_for(one: Element, area: ReportedArea, at: Point, *, scrolls: bool) -> bool:
    """Whether an element under a point is what a step there acted on, rather than the area around it."""
    if scrolls:
        return one.type in SCROLLED_TYPES and one.box.area <= area.box.area
    return one.type not in AROUND and not _is_ground(one, area, at)


def _is_ground(one: Element, area: ReportedArea, at: Point) -> bool:
    """Whether it is nothing but what is seen in what a program draws: a gap between two lines, or the pointer's shape.

    A brush is drawn as its outline around the pointer, which moves with it. The words on a title bar are a part of it.
    """
    if area.kind == _TITLE_BAR:
        return one.type in _ON_TITLE_BARS and one.source != "human" and one.review == "unreviewed"
    if one.text or one.source != "detector" or one.review != "unreviewed":
        return False
    middle = one.box.center
    is_around = max(abs(middle.x - at.x), abs(middle.y - at.y)) <= _OFF_POINTER_PX
    return one.type in ROWS or (area.kind == "canvas" and one.type in _LIKE_POINTERS and is_around)


def _element(area: ReportedArea, frame: Frame) -> Element:
    kind: ElementType = _TYPES.get(area.kind) or "other"
    said = Evidence(
        source="accessibility", type=kind, box=area.box, text=area.name or None, confidence=REPORTED_CONFIDENCE
    )
    return Element(
        uid=new_id("el"),
        frame=frame.id,
        type=kind,
        subtype=None if area.kind in _TYPES else area.kind,
        box=area.box,
        text=area.name or None,
        states={"focused": True} if area.has_input else {},
        source="accessibility",
        confidence=REPORTED_CONFIDENCE,
        evidence=(said,),
    )
