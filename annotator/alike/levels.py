"""Which elements are like one: first what looks the same, then its row, column or grid, then all of its type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from annotator.alike.lines import column_of, grid_of, like_colours, row_of
from annotator.alike.looks import Boxes, same_look
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage

__all__ = ["Level", "LevelName", "alike", "levels_of"]

LevelName = Literal["look", "row", "column", "grid", "type"]

_HEIGHT: Final = 0.15
"""Of its height by which one that stands in the same line may be higher or lower."""
_PICTURES: Final = frozenset({"icon", "image"})
"""Types whose colours differ from one to the next, although they belong together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Elements that have something in common.

    Attributes:
        name: what they have in common.
        uids: of the elements, the one that was asked about first, the others in the order given.
    """

    name: LevelName
    uids: tuple[str, ...]


def alike(image: RgbImage | None, elements: Sequence[Element], uid: str) -> tuple[tuple[str, ...], ...]:
    """The uids of :func:`levels_of`, one tuple for each level."""
    return tuple(level.uids for level in levels_of(image, elements, uid))


def levels_of(image: RgbImage | None, elements: Sequence[Element], uid: str) -> tuple[Level, ...]:
    """What is like an element, from narrow to wide; a level that has nothing which an earlier one has not is left out.

    What looks the same may be of any type; the other levels are of its type.

    Args:
        image: the frame's pixels, shape (height, width, 3 or more); without them only places and types are
            compared.
        elements: of one frame; rejected ones are left out.
        uid: of one of them; of no other, the answer is empty.
    """
    kept = [element for element in elements if element.review != "rejected" and element.box.area]
    place = next((i for i, element in enumerate(kept) if element.uid == uid), None)
    if place is None:
        return ()
    boxes: Boxes = np.array([[e.box.x1, e.box.y1, e.box.x2, e.box.y2] for e in kept], dtype=np.int64)
    found: list[Level] = []
    seen: set[int] = {place}
    for name, members in _tried(image, kept, boxes, place):
        fresh = set(members)
        if not fresh <= seen:
            seen |= fresh
            others = sorted(fresh - {place})
            found.append(Level(name=name, uids=(uid, *(kept[i].uid for i in others))))
    return tuple(found)


def _tried(
    image: RgbImage | None, kept: Sequence[Element], boxes: Boxes, place: int
) -> Iterable[tuple[LevelName, list[int]]]:
    if image is not None:
        alike = np.flatnonzero(same_look(image, boxes, place)).tolist()
        yield "look", [i for i in alike if _same_words(kept[i], kept[place])]
    same = [i for i, element in enumerate(kept) if element.type == kept[place].type]
    yield from _in_line(image, kept[place], boxes, same, place)
    yield "type", same


def _same_words(one: Element, other: Element) -> bool:
    """Whether nothing else is written on them, as far as was read: rows may differ in a single letter."""
    return not one.text or not other.text or one.text.split() == other.text.split()


def _in_line(
    image: RgbImage | None, one: Element, boxes: Boxes, same: list[int], place: int
) -> Iterable[tuple[LevelName, list[int]]]:
    """Its row or its column, whichever has more, then the grid of both."""
    height = one.box.height
    tall = boxes[same, 3] - boxes[same, 1]
    places = np.array(same, dtype=np.int64)[np.abs(tall - height) <= max(_HEIGHT * height, 1)]
    if image is not None:
        at = int(np.flatnonzero(places == place)[0])
        places = places[like_colours(image, boxes[places], at, ink=one.type not in _PICTURES)]
    at = int(np.flatnonzero(places == place)[0])
    here = boxes[places]
    row, column = row_of(here, at), column_of(here, at)
    if len(column) >= len(row):
        yield "column", places[column].tolist()
    else:
        yield "row", places[row].tolist()
    yield "grid", places[grid_of(here, row, column)].tolist()
