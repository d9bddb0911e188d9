"""Boxes that are kept under a name, to be placed on other pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pydantic import Field

from annotator.across.anchors import Anchor, anchors_for, find_anchor
from annotator.across.carry import CarriedElement
from annotator.across.merging import merge
from annotator.across.pixels import codes_of
from annotator.commands import element_changes, make_edit
from annotator.document import Document
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Box, Element, ElementType, State
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.records import Moment, Record, new_id

__all__ = ["Place", "PlaceTemplate", "Template", "TemplateElement", "place_of", "placed", "template_of"]

_WRITTEN_IN: frozenset[ElementType] = frozenset({"input_field", "text_area", "dropdown", "spinner", "slider"})


class TemplateElement(Record):
    """One box of a template, in pixels of the picture that it was made of.

    Attributes:
        type: what it is.
        box: where it lay.
        text: what is written on it; fields have none, because what stands in them is another thing each time.
        subtype: for icons and shapes.
        states: as they were.
    """

    type: ElementType
    box: Box
    text: str | None = None
    subtype: str | None = None
    states: dict[State, bool] = Field(default_factory=dict[State, bool])


class Template(Record):
    """Some boxes under a name.

    Attributes:
        schema_version: of this record.
        id: names its file.
        name: given by a person.
        made: when, in UTC.
        elements: the boxes.
        anchors: pieces of its picture by which its place is found on another one; without any it goes where it was.
    """

    schema_version: Literal[1] = 1
    id: str
    name: str
    made: Moment
    elements: tuple[TemplateElement, ...]
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a template belongs on a picture.

    Attributes:
        dx: pixels to the right of where it was.
        dy: pixels below.
        found: a piece of its own picture was found; else it is where it was.
    """

    dx: int = 0
    dy: int = 0
    found: bool = False


def template_of(name: str, elements: Sequence[Element], image: RgbImage) -> Template:
    """A template of some elements of a picture.

    Args:
        name: given by a person.
        elements: rejected ones are left out.
        image: the picture.
    """
    kept = [element for element in elements if element.review != "rejected"]
    return Template(
        id=new_id("template"),
        name=" ".join(name.split()),
        made=datetime.now(UTC),
        elements=tuple(
            TemplateElement(
                type=e.type,
                box=e.box,
                text=None if e.type in _WRITTEN_IN else e.text,
                subtype=e.subtype,
                states=e.states,
            )
            for e in kept
        ),
        anchors=anchors_for(codes_of(image), kept),
    )


def place_of(template: Template, image: RgbImage) -> Place:
    """Where a template belongs on a picture: where most of its pieces are found, each in one place only."""
    codes = codes_of(image)
    votes: Counter[tuple[int, int]] = Counter()
    for anchor in template.anchors:
        places = find_anchor(codes, anchor)
        if len(places) == 1:
            x, y = places[0]
            votes[x - anchor.box.x1, y - anchor.box.y1] += 1
    if not votes:
        return Place()
    (dx, dy), _ = votes.most_common(1)[0]
    return Place(dx=dx, dy=dy, found=True)


def placed(template: Template, place: Place, frame: Frame) -> list[Rect | None]:
    """The boxes of a template on a picture, in its order; None for those that have no room there."""
    moved = (element.box.moved(place.dx, place.dy) for element in template.elements)
    return [box if box.area and box.inside(frame.size) else None for box in moved]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceTemplate:
    """The boxes of a template, on a picture; what a person said there in the same place stays."""

    template: Template
    place: Place
    frame: Frame

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        made = [
            CarriedElement(element=self._element(one, box), origin=f"{self.template.id}/{i}", how="same")
            for i, (one, box) in enumerate(
                zip(self.template.elements, placed(self.template, self.place, self.frame), strict=True)
            )
            if box is not None
        ]
        merged = merge(made, document.elements(self.frame.id))
        number = tr("1 element") if merged.count == 1 else tr("{count} elements").format(count=merged.count)
        changes = element_changes(document, dict(merged.replaced), merged.added)
        return make_edit(
            tr("Place {number} of the template “{name}”").format(number=number, name=self.template.name), changes
        )

    def _element(self, one: TemplateElement, box: Rect) -> Element:
        return Element(
            uid=new_id("el"),
            frame=self.frame.id,
            type=one.type,
            box=box,
            text=one.text,
            subtype=one.subtype,
            states=dict(one.states),
            source="human",
            review="approved",
        )
