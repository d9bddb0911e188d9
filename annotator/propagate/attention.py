"""Regions of a picture that changed since the one before, and those of them that ask for attention."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from annotator.document import Document
from annotator.propagate.carry import CONTAINERS
from annotator.propagate.comparison import compare
from annotator.propagate.sources import PropagationStep, hop_to
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
        if any(_is_open(e) for e in inside) or not any(_explains(region, e) for e in inside):
            found.append(region)
    return tuple(found)


def _is_open(element: Element) -> bool:
    return element.review == "doubtful" or is_suggestion(element)


def _may_change(region: Rect, element: Element) -> bool:
    """Whether a change in a region may concern an element that meets it; what merely lies around it does not count."""
    return element.type not in CONTAINERS or region.encloses(element.box)


def _explains(region: Rect, element: Element) -> bool:
    """Whether an element that a person knows of is what changed in a region, not just a neighbour that it touches."""
    return region.contains(element.box.center) or element.box.encloses(region)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcomingPicture:
    """A picture on which a region may ask for attention, as it stood when the search began.

    Attributes:
        place: of a step that was done on it, from 0.
        hop: what to compare before anything is known; None where that is known, or nothing can be compared.
        open: a region is known to ask for attention.
        settled: its steps are approved.
        elements: what is on it.
    """

    place: int
    hop: PropagationStep | None
    open: bool
    settled: bool
    elements: tuple[Element, ...]


_Compared: TypeAlias = tuple[PropagationStep, tuple[Rect, ...]]


@dataclass(slots=True, kw_only=True)
class FirstOpen:
    """What a search found.

    Attributes:
        place: of the step to go to, from 0; None where no picture asks for attention.
        compared: what was learnt on the way.
    """

    place: int | None = None
    compared: list[_Compared] = field(default_factory=list[_Compared])


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
        steps = self._document.steps_on(frame.id)
        if not regions or (steps and all(step.review == "approved" for step in steps)):
            return ()
        return asking(regions, self._document.elements(frame.id))

    def ahead(self, index: int) -> list[UpcomingPicture]:
        """The pictures in the order in which a search goes on: after a step, from the beginning, that step's own last.

        That comes first if nothing is known of it yet.

        Args:
            index: of the current step, from 0.
        """
        steps = self._document.steps
        found: dict[str, UpcomingPicture] = {}
        for place in [*range(index + 1, len(steps)), *range(index + 1)]:
            frame = steps[place].before
            if frame is not None and frame.id not in found:
                found[frame.id] = self._look(place, frame)
        own = steps[index].before if 0 <= index < len(steps) else None
        rest = [one for key, one in found.items() if own is None or key != own.id]
        if own is None:
            return rest
        here = self._look(index, own)
        return [*rest, here] if here.hop is None else [here, *rest]

    def _look(self, place: int, frame: Frame) -> UpcomingPicture:
        steps = self._document.steps_on(frame.id)
        return UpcomingPicture(
            place=place,
            hop=self.unknown(frame),
            open=bool(self.open_regions(frame)),
            settled=all(step.review == "approved" for step in steps),
            elements=self._document.elements(frame.id),
        )


def changed_regions(hop: PropagationStep, read: Callable[[str], RgbImage]) -> tuple[Rect, ...]:
    """What changed between two pictures; slow, so it belongs off the window's thread.

    Raises:
        CorruptFrameError: a picture is damaged.
    """
    return compare(read(hop.source.id), read(hop.target.id)).regions


def first_open(ahead: Iterable[UpcomingPicture], read: Callable[[str], RgbImage], control: JobControl) -> FirstOpen:
    """The first picture on which a region asks for attention; those of which nothing is known are compared.

    Raises:
        CancelledError: it was cancelled.
        CorruptFrameError: a picture is damaged.
    """
    pictures = list(ahead)
    found = FirstOpen()
    for done, one in enumerate(pictures):
        control.step(done, len(pictures), tr("Looking for what changed"))
        if one.hop is not None and not one.settled:
            regions = changed_regions(one.hop, read)
            found.compared.append((one.hop, regions))
            is_open = bool(asking(regions, one.elements))
        else:
            is_open = one.open
        if is_open:
            found.place = one.place
            break
    return found
