"""Counts what a library can teach the models, from what is stored alone: no picture is opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from demopack.domain.elements import Element, ElementSource, ElementType
from demopack.domain.geometry import iou
from demopack.jobs import JobControl
from demopack.store import Library
from models.training.library.collect import USED_TYPES, as_seen, true_frames

_FOUND_IOU: Final = 0.5
_PIXELS: Final[frozenset[ElementSource]] = frozenset({"detector", "describer", "ocr", "rule"})
"""Sources that know nothing but the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySurvey:
    """What a library can teach.

    Attributes:
        approved: screens that a person approved.
        reported: screens of which programs reported what is on them, and that nobody has looked at.
        used: elements on both that a person could use.
        missed: of these, what no model found, by type.
        mistaken: of these, what every model took for something else, by what it is.
        left_out: why other screens cannot be learned from -> how many.
    """

    approved: int = 0
    reported: int = 0
    used: int = 0
    missed: Mapping[ElementType, int] = field(default_factory=dict["ElementType", int])
    mistaken: Mapping[ElementType, int] = field(default_factory=dict["ElementType", int])
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def screens(self) -> int:
        """How many there are to learn from; those that are nearly the same count as one in a training."""
        return self.approved + self.reported


def survey(library: Library, *, with_reported: bool = True, control: JobControl | None = None) -> LibrarySurvey:
    """Count the screens that :func:`~models.training.library.collect.collect` would take, and what they would teach.

    What the models found of an element is told by its evidence; a picture that is in several demos counts once.

    Args:
        library: where the demos are.
        with_reported: also screens of which programs reported what is on them.
        control: progress and cancelling.

    Raises:
        CancelledError: by ``control``.
    """
    control = control or JobControl()
    left_out, missed, mistaken = Counter[str](), Counter[ElementType](), Counter[ElementType]()
    seen: set[str] = set()
    approved = reported = used = 0
    ids = [summary.head.id for summary in library.demos()]
    for number, demo_id in enumerate(ids):
        control.step(number, len(ids), "Looking through the demos")
        demo = library.demo(demo_id)
        for row, _ in true_frames(demo, left_out, with_reported=with_reported):
            if row.frame in seen:
                continue
            seen.add(row.frame)
            approved, reported = approved + (not row.reported), reported + bool(row.reported)
            for one in demo.elements.get(row.frame, ()):
                if one.type not in USED_TYPES or one.review == "rejected":
                    continue
                if row.reported and one.source not in {"accessibility", "human"}:
                    continue
                used += 1
                kinds, kind = _found_as(one), as_seen(one).type
                missed[kind] += not kinds
                mistaken[kind] += bool(kinds) and kind not in kinds
    return LibrarySurvey(
        approved=approved,
        reported=reported,
        used=used,
        missed=dict((+missed).most_common()),
        mistaken=dict((+mistaken).most_common()),
        left_out=dict(sorted(left_out.items())),
    )


def _found_as(one: Element) -> set[ElementType]:
    """What models took an element for that they found at its place; empty where they found nothing there."""
    places = (one.box,) if one.mark_box is None else (one.box, one.mark_box)
    said: set[ElementType] = {
        evidence.type
        for evidence in one.evidence
        if evidence.source in _PIXELS
        and evidence.type is not None
        and (evidence.box is None or any(iou(evidence.box, place) >= _FOUND_IOU for place in places))
    }
    if not one.evidence and one.source in _PIXELS:
        said.add(one.type)
    return said
