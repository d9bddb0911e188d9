"""Regions of a picture that changed since the one before, and those of them that ask for attention."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from annotator.document import Document
from annotator.propagate.carry import CONTAINERS
from annotator.propagate.comparison import compare
from annotator.propagate.tracks import PropagationStep, hop_to
from annotator.suggestions.confidence_filter import is_suggestion
from annotator.words import tr
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.overlap import box_array, meeting
from demopack.jobs import JobControl


def to_look_at(region: Rect, elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements in a region that nobody has looked at yet, in reading order of their places."""
    found = [e for e in elements if _is_open(e) and e.box.intersection(region) is not None and _may_change(region, e)]
    return tuple(sorted(found, key=lambda e: (e.box.y1, e.box.x1)))


def asking(regions: Iterable[Rect], elements: Sequence[Element]) -> tuple[Rect, ...]:
    """The regions that ask for attention: something in them is only suggested or doubted, or nothing in them is known.

    Runs on arrays: thousands of elements take milliseconds.
    """
    here = [element for element in elements if element.review != "rejected"]
    edges = box_array(e.box for e in here)
    found: list[Rect] = []
    for region in regions:
        places = np.flatnonzero(meeting(edges, region)).tolist()
        inside = [e for i in places if _may_change(region, e := here[i])]
        # What a person knows of explains a change where it lies in its midst or around it, not as a mere neighbour.
        explained = any(region.contains(e.box.center) or e.box.encloses(region) for e in inside)
        if any(_is_open(e) for e in inside) or not explained:
            found.append(region)
    return tuple(found)


def _is_open(element: Element) -> bool:
    return element.review == "doubtful" or is_suggestion(element)


def _may_change(region: Rect, element: Element) -> bool:
    """Whether a change in a region may concern an element that meets it; what merely lies around it does not count."""
    return element.type not in CONTAINERS or region.encloses(element.box)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcomingPicture:
    """A picture on which a region may ask for attention, as it stood when the search began.

    Attributes:
        place: of a step that was done on it, from 0.
        hop: what to compare before anything is known; None where that is known, or says nothing any more.
        open: a region is known to ask for attention.
        elements: what is on it.
    """

    place: int
    hop: PropagationStep | None
    open: bool
    elements: tuple[Element, ...]


Compared: TypeAlias = tuple[PropagationStep, tuple[Rect, ...]]
"""Two pictures, and the regions that differ between them."""


class AttentionRegions:
    """What changed from picture to picture, as far as it was looked for; asks the document what was settled since."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[tuple[str, str], tuple[Rect, ...]] = {}

    def remember(self, hop: PropagationStep, regions: tuple[Rect, ...]) -> None:
        """What changed between two pictures."""
        self._known[hop.source.id, hop.target.id] = regions

    def unknown(self, frame: Frame) -> PropagationStep | None:
        """The two pictures to compare before anything is known of this one; None when it is, or nothing can be."""
        hop = hop_to(self._document, frame)
        return None if hop is None or (hop.source.id, hop.target.id) in self._known else hop

    def open_regions(self, frame: Frame) -> tuple[Rect, ...]:
        """The regions of a picture that ask for attention, from the top; none once its steps are approved."""
        hop = hop_to(self._document, frame)
        regions = () if hop is None else self._known.get((hop.source.id, hop.target.id), ())
        if not regions or self._is_settled(frame):
            return ()
        return asking(regions, self._document.elements(frame.id))

    def _is_settled(self, frame: Frame) -> bool:
        steps = self._document.steps_on(frame.id)
        return bool(steps) and all(step.review == "approved" for step in steps)

    def ahead(self, index: int) -> list[UpcomingPicture]:
        """The pictures in the order in which a search goes on: after a step, from the beginning, that step's own last.

        That comes first if nothing is known of it yet.

        Args:
            index: of the current step, from 0.
        """
        steps = self._document.steps
        own = steps[index].before if 0 <= index < len(steps) else None
        order = [*range(index + 1, len(steps)), *range(index + 1)]
        if own is not None and self.unknown(own) is not None:
            order.insert(0, index)
        found: dict[str, UpcomingPicture] = {}
        for place in order:
            frame = steps[place].before
            if frame is None or frame.id in found or (own is not None and frame.id == own.id and place != index):
                continue
            found[frame.id] = UpcomingPicture(
                place=place,
                hop=None if self._is_settled(frame) else self.unknown(frame),
                open=bool(self.open_regions(frame)),
                elements=self._document.elements(frame.id),
            )
        return list(found.values())


def changed_regions(hop: PropagationStep, read: Callable[[str], RgbImage]) -> tuple[Rect, ...]:
    """What changed between two pictures; slow, so it belongs off the window's thread.

    Raises:
        CorruptFrameError: a picture is damaged.
    """
    return compare(read(hop.source.id), read(hop.target.id)).regions


def first_open(
    ahead: Sequence[UpcomingPicture], read: Callable[[str], RgbImage], control: JobControl
) -> tuple[int | None, list[Compared]]:
    """The first picture on which a region asks for attention; those of which nothing is known are compared.

    Returns:
        The place of the step to go to, from 0, None where no picture asks for attention; and what was learnt.

    Raises:
        CancelledError: it was cancelled.
        CorruptFrameError: a picture is damaged.
    """
    compared: list[Compared] = []
    for done, one in enumerate(ahead):
        control.step(done, len(ahead), tr("Looking for what changed"))
        is_open = one.open
        if one.hop is not None:
            regions = changed_regions(one.hop, read)
            compared.append((one.hop, regions))
            is_open = bool(asking(regions, one.elements))
        if is_open:
            return one.place, compared
    return None, compared
