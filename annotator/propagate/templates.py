"""Boxes that are kept under a name, to be placed on other pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, TypeAlias

import numpy as np
from pydantic import ValidationError

from annotator.box_commands import Appearance
from annotator.commands import element_changes, make_edit
from annotator.document import Document
from annotator.propagate.carry import FIELDS, CarriedElement
from annotator.propagate.merging import merge
from annotator.words import tr
from demopack.atomic import write_text_atomic
from demopack.domain.edits import Edit
from demopack.domain.elements import Box, Element, ElementType
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.records import Moment, Record, new_id
from demopack.errors import BadInputError, DemopackError, NewerVersionError
from demopack.pixels.colours import Codes, codes_of
from demopack.pixels.masks import crop
from demopack.pixels.matching import find_piece, window_numbers
from demopack.store import TEMPLATES

_MAX_ANCHORS = 3
_MAX_TRIED = 24
_UNSTEADY: Final[frozenset[ElementType]] = frozenset({
    "input_field", "text_area", "dropdown", "spinner", "slider", "checkbox", "radio", "toggle", "scrollbar",
    "scrollbar_thumb", "image", "window", "dialog",
})  # fmt: skip
"""Types that look otherwise the next time, or are too large to be found whole."""


class Anchor(Record):
    """A piece of a picture that looked like no other part of it.

    Attributes:
        box: where it lay.
        digest: a number made of its pixels, in hex.
    """

    box: Box
    digest: str


def anchors_for(codes: Codes, elements: Sequence[Element]) -> tuple[Anchor, ...]:
    """Pieces by which the place of some elements can be found again: the most telling of them that occur once.

    Args:
        codes: the picture.
        elements: on it.
    """
    steady = [e for e in elements if e.type not in _UNSTEADY and e.box.width >= 12 and e.box.height >= 8]
    pieces = [(e, crop(codes, e.box)) for e in steady]
    # How much is drawn on a piece: pixels that differ from the one beside them.
    pieces.sort(key=lambda pair: (-int((pair[1][:, 1:] != pair[1][:, :-1]).sum()), pair[0].uid))
    chosen = [(e, piece) for e, piece in pieces[:_MAX_TRIED] if len(find_piece(codes, piece)) == 1][:_MAX_ANCHORS]
    digests = [int(window_numbers(piece, *piece.shape[::-1])[0, 0]) for _, piece in chosen]
    return tuple(Anchor(box=e.box, digest=f"{digest:016x}") for (e, _), digest in zip(chosen, digests, strict=True))


def find_anchor(codes: Codes, anchor: Anchor) -> list[tuple[int, int]]:
    """Where a piece lies on a picture: the left and top edges of each place, from the top.

    Raises:
        ValueError: the digest is no number.
    """
    height, width = codes.shape
    if anchor.box.width > width or anchor.box.height > height:
        return []
    numbers = window_numbers(codes, anchor.box.width, anchor.box.height)
    ys, xs = np.nonzero(numbers == np.uint64(int(anchor.digest, 16)))
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


class Template(Record):
    """Some boxes under a name.

    Attributes:
        schema_version: of this record.
        id: names its file.
        name: given by a person.
        made: when, in UTC.
        elements: the boxes, in pixels of the picture that they were made of; fields have no text, because what stands
            in them is another thing each time.
        anchors: pieces of its picture by which its place is found on another one; without any it goes where it was.
    """

    schema_version: Literal[1] = 1
    id: str
    name: str
    made: Moment
    elements: tuple[Appearance, ...]
    anchors: tuple[Anchor, ...] = ()


Offset: TypeAlias = tuple[int, int]
"""Pixels to the right of where a template was, and below."""


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
        elements=tuple(Appearance.of(e.but(text=None) if e.type in FIELDS else e) for e in kept),
        anchors=anchors_for(codes_of(image), kept),
    )


def place_of(template: Template, image: RgbImage) -> Offset | None:
    """Where a template belongs on a picture: where most of its pieces are found, each in one place only.

    None where none of them is found.
    """
    codes = codes_of(image)
    votes: Counter[tuple[int, int]] = Counter()
    for anchor in template.anchors:
        places = find_anchor(codes, anchor)
        if len(places) == 1:
            x, y = places[0]
            votes[x - anchor.box.x1, y - anchor.box.y1] += 1
    return max(votes, key=lambda place: votes[place], default=None)


def placed(template: Template, place: Offset | None, frame: Frame) -> list[Rect | None]:
    """The boxes of a template on a picture, in its order; None for those that have no room there.

    Without a place they lie where they were.
    """
    moved = (element.box.moved(*(place or (0, 0))) for element in template.elements)
    return [box if box.area and box.inside(frame.size) else None for box in moved]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceTemplate:
    """The boxes of a template, on a picture; what a person said there in the same place stays."""

    template: Template
    place: Offset | None
    frame: Frame

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        made: list[CarriedElement] = []
        places = placed(self.template, self.place, self.frame)
        for i, (one, box) in enumerate(zip(self.template.elements, places, strict=True)):
            if box is not None:
                look = dict(one.model_copy(update={"box": box}))
                element = Element(uid=new_id("el"), frame=self.frame.id, source="human", review="approved", **look)
                made.append(CarriedElement(element=element, origin=f"{self.template.id}/{i}", how="same"))
        merged = merge(made, document.elements(self.frame.id))
        number = tr("1 element") if merged.count == 1 else tr("{count} elements").format(count=merged.count)
        label = tr("Place {number} of the template “{name}”").format(number=number, name=self.template.name)
        return make_edit(label, element_changes(document, merged.replaced, merged.added.values()))


class TemplateStore:
    """Reads and writes them; each file by itself, so that a damaged one costs no other."""

    def __init__(self, library: Path) -> None:
        """The templates of the library in this folder."""
        self.folder = library / TEMPLATES

    def load(self) -> tuple[list[Template], list[DemopackError]]:
        """All templates by name, and what is wrong with those that cannot be read."""
        found: list[Template] = []
        problems: list[DemopackError] = []
        for file in sorted(self.folder.glob("*.json")):
            try:
                found.append(_read(file))
            except DemopackError as error:
                problems.append(error)
        return sorted(found, key=lambda one: (one.name.casefold(), one.id)), problems

    def save(self, template: Template) -> None:
        """Write a template; one with the same id is replaced.

        Raises:
            DiskFullError: nothing was written.
        """
        write_text_atomic(self._file(template), template.model_dump_json(indent=1) + "\n", private=True)

    def rename(self, template: Template, name: str) -> Template:
        """The template under another name; an empty one changes nothing.

        Raises:
            DiskFullError: nothing was written.
        """
        name = " ".join(name.split())
        if not name or name == template.name:
            return template
        renamed = template.model_copy(update={"name": name})
        self.save(renamed)
        return renamed

    def delete(self, template: Template) -> None:
        """Take a template away; ``save`` brings it back."""
        self._file(template).unlink(missing_ok=True)

    def _file(self, template: Template) -> Path:
        return self.folder / f"{template.id}.json"


def _read(file: Path) -> Template:
    try:
        template = Template.model_validate_json(file.read_bytes())
    except (ValueError, OSError) as error:
        wrong = error.errors()[0] if isinstance(error, ValidationError) else None
        where = ".".join(map(str, wrong["loc"])) if wrong is not None else ""
        if wrong is not None and where == "schema_version" and isinstance(wrong["input"], int) and wrong["input"] > 1:
            raise NewerVersionError(
                tr("The template in {file} was written by a newer demopack.").format(file=file),
                hint=tr("Update demopack, or move the file away."),
            ) from error
        what = tr("The template in {file} cannot be read: {value} is not as it should be.")
        hint = tr("Mend the file or move it away; the others work.")
        raise BadInputError(what.format(file=file, value=where or "it"), details=str(error), hint=hint) from error
    # A copied file is a template of its own.
    return template.model_copy(update={"id": file.stem})
