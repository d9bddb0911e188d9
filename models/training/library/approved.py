"""Frames of a demo that a person has approved, with what is true on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from demopack.domain.demos import Demo
from demopack.domain.elements import Element, Review, containment
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect, iou
from models.training.labelled_screens import GroundTruth

_SAME_PLACE = 0.5
"""Overlap (IoU) from which something true stands where another element was rejected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovedFrame:
    """A frame of a demo that can be learned from.

    Attributes:
        demo: id.
        frame: its record.
        truth: what is true on it.
        approved: elements that were approved one by one.
        rejected: boxes where nothing stands.
    """

    demo: str
    frame: Frame
    truth: tuple[GroundTruth, ...]
    approved: int
    rejected: tuple[Rect, ...]


def approved_frames(demo: Demo, left_out: Counter[str]) -> Iterator[ApprovedFrame]:
    """The frames of a demo that can be learned from; why the others cannot is counted.

    A frame counts when all of its elements have been reviewed, or when a step that begins on it was approved: whoever
    approves a step has its screen with all boxes before their eyes. On such a frame everything counts that was not
    rejected; a frame that was reviewed in part is left out, because what nobody looked at would be learned as ground,
    and so is one with an element that a person doubts.
    """
    by_step = {step.before.id for step in demo.steps if step.review == "approved" and step.before is not None}
    for frame in demo.frames():
        elements = demo.elements.get(frame.id, ())
        kept = [element for element in elements if element.review != "rejected"]
        if not elements:
            left_out["no elements on it"] += 1
            continue
        if not kept:
            left_out["everything on it was rejected"] += 1
            continue
        if any(element.review in _open(approved_as_a_whole=frame.id in by_step) for element in kept):
            left_out["not approved"] += 1
            continue
        rejected = [
            element.box.clamped(frame.size)
            for element in elements
            # A double, or a thing under a wrong name, was rejected where something does stand.
            if element.review == "rejected" and all(iou(element.box, other.box) < _SAME_PLACE for other in kept)
        ]
        yield ApprovedFrame(
            demo=demo.head.id,
            frame=frame,
            truth=_truth(kept, frame),
            approved=sum(element.review == "approved" for element in kept),
            rejected=tuple(box for box in rejected if box.area),
        )


def _open(*, approved_as_a_whole: bool) -> frozenset[Review]:
    """What keeps a frame from being learned: a doubt does so even where the step was approved."""
    return frozenset({"doubtful"}) if approved_as_a_whole else frozenset({"doubtful", "unreviewed"})


def _truth(elements: list[Element], frame: Frame) -> tuple[GroundTruth, ...]:
    holders = set(containment(elements).values())
    placed = [(element.cleaned(), element.box.clamped(frame.size)) for element in elements]
    return tuple(
        GroundTruth(
            type=element.type,
            box=box,
            text=element.text or None,
            subtype=element.subtype or None,
            states=element.states,
            leaf=element.uid not in holders,
        )
        for element, box in placed
        if box.area
    )
