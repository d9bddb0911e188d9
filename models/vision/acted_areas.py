"""Areas that are elements because a step acted on them: an empty list, a canvas, what was scrolled.

Nobody corrects a screen full of containers; so such an area is an element only where a step hit nothing in it, scrolled
it, or had its input there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from demopack.domain.actions import ScrollAction
from demopack.domain.elements import SCROLLED_TYPES, Element, Evidence
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from models.vision.accessibility import box_on_frame
from models.vision.reported import AROUND, REPORTED_CONFIDENCE, ReportedArea

_ONLY_SCROLLED: Final = "scroll area"


def with_acted_areas(
    elements: Sequence[Element], areas: Sequence[ReportedArea], frame: Frame, steps: Sequence[Step]
) -> list[Element]:
    """The elements of a frame, and the areas in which steps acted on no other element.

    Args:
        elements: what is known of the frame.
        areas: see :func:`models.vision.reported.reported_areas`.
        frame: which.
        steps: of the demo; those that began on another frame are ignored.
    """
    known = [one for one in areas if not one.stale]
    made: list[Element] = []
    for step in steps if known else ():
        if step.before is None or step.before.id != frame.id:
            continue
        scrolls = isinstance(step.action, ScrollAction)
        for at in _points_of(step, frame):
            under = [one for one in (*elements, *made) if one.box.contains(at) and one.review != "rejected"]
            around = [one for one in known if one.box.contains(at) and (scrolls or one.kind != _ONLY_SCROLLED)]
            area = min(around, key=lambda one: one.box.area, default=None)
            if area is None or any(_stands_for(one, area, scrolls=scrolls) for one in under):
                continue
            made.append(_element(area, frame))
    return [*elements, *made]


def _points_of(step: Step, frame: Frame) -> Iterator[Point]:
    """Where a step acted: under the pointer, or in the middle of what had the input."""
    if step.pointer is not None:
        yield step.pointer.at
        if step.pointer.end is not None:
            yield step.pointer.end
    elif step.focused is not None and (box := box_on_frame(step.focused, frame, most=1.0)) is not None:
        yield box.center


def _stands_for(one: Element, area: ReportedArea, *, scrolls: bool) -> bool:
    """Whether an element under a point is what a step there acted on, rather than the area around it."""
    if scrolls:
        return one.type in SCROLLED_TYPES and one.box.area <= area.box.area
    return one.type not in AROUND


def _element(area: ReportedArea, frame: Frame) -> Element:
    said = Evidence(source="accessibility", type="other", box=area.box, confidence=REPORTED_CONFIDENCE)
    return Element(
        uid=new_id("el"),
        frame=frame.id,
        type="other",
        subtype=area.kind,
        box=area.box,
        states={"focused": True} if area.has_input else {},
        source="accessibility",
        confidence=REPORTED_CONFIDENCE,
        evidence=(said,),
    )
