"""What a person could mean by pointing at a place, smallest first; and what lies next around a box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from annotator.seen.ink import (
    AIR,
    blocks_of,
    is_hollow,
    letters_in,
    line_of,
    parted,
    seed_of,
    thing_of,
    within,
    word_of,
)
from annotator.seen.parts import Boxes, Mask, edges_of, parts_around
from annotator.seen.rows import rows_at
from annotator.seen.shapes import outlines_at, shapes_at
from annotator.tighten import Image
from demopack.domain.geometry import Rect, Size

__all__ = ["Kind", "Nested", "nested_at", "nested_boxes", "nested_in", "next_of", "same_box", "wider_box"]

Kind = Literal["icon", "word", "line", "block", "row", "shape", "panel"]
_SAME: Final = 2
"""Pixels; boxes whose sides all lie this near are one."""
_NEARLY: Final = 3
"""Pixels; a tight box, without air around its ink, is no other step on the way from smaller to larger."""
_PANEL: Final = 0.2
"""Of the picture's area; larger shapes are panels and windows."""
_WHOLE: Final = 0.97
_WIDE: Final = 48
"""Pixels; a narrower box has what it is around in its middle."""
_LOWEST_ROW: Final = 10
_LINES: Final = 1.7
"""Times the height of a line; what is higher has more than one."""
_GLYPH: Final = 11
"""Pixels; a smaller piece of ink alone is a letter."""
_MOST: Final = 12


@dataclass(frozen=True, slots=True)
class Nested:
    """One box that may be meant, and what it is around."""

    box: Rect
    kind: Kind


def nested_boxes(image: Image, x: int, y: int, *, others: Sequence[Rect] = ()) -> tuple[Rect, ...]:
    """The boxes that a person could mean by pointing at a place, smallest first; empty where nothing is.

    Args:
        image: the frame's pixels.
        x: pixels of the frame.
        y: as ``x``.
        others: boxes that are there already; rows of a list follow them.
    """
    return tuple(one.box for one in nested_at(edges_of(image), x, y, others=others))


def nested_at(edges: Mask, x: int, y: int, *, others: Sequence[Rect] = ()) -> tuple[Nested, ...]:
    """As :func:`nested_boxes`, from the edges of the picture, and with what each box is around."""
    height, width = edges.shape
    if not (0 <= x < width and 0 <= y < height):
        return ()
    size = Size(width, height)
    parts = parts_around(edges, x, y)
    shapes = [*shapes_at(parts), *outlines_at(parts, x, y)]
    letters = letters_in(parts)
    inside = _ground(shapes, letters)
    letters = parted(parts.edges, within(letters, inside), x, y)
    seed = seed_of(letters, x, y)
    found: list[Nested] = []
    word = None if seed is None else word_of(letters, seed)
    if seed is not None and word is not None:
        found = _written(letters, seed, word)
        # What lies in a word of several letters is a part of a letter.
        if word.area > 1.5 * seed.area:
            shapes = [box for box in shapes if not word.encloses(box)]
    rows = rows_at(parts, letters, x, y, inside=inside, others=others)
    if word is not None:
        # What is lower than what is written at the place is no row of it: the strokes of an icon, for instance.
        rows = [row for row in rows if row.height >= max(word.height, _LOWEST_ROW)]
    found = [one for one in found if one.kind != "block" or not any(row.encloses(one.box) for row in rows)]
    found += [Nested(box, "row") for box in rows]
    found += [Nested(box, _kind(box, size)) for box in shapes]
    clamped = [Nested(one.box.clamped(size), one.kind) for one in found]
    return _sifted([one for one in clamped if one.box.area < _WHOLE * width * height])


def wider_box(image: Image, box: Rect, *, others: Sequence[Rect] = ()) -> Rect | None:
    """The next larger box around what a box is around; after the largest the smallest; None where nothing is.

    Args:
        image: the frame's pixels.
        box: pixels of the frame.
        others: as in :func:`nested_boxes`.
    """
    found = nested_in(edges_of(image), box, others=others)
    after = next_of(found, box)
    return None if after is None else after.box


def nested_in(edges: Mask, box: Rect, *, others: Sequence[Rect] = ()) -> tuple[Nested, ...]:
    """All that may be meant by a box: seen from its middle, and from beside it where the middle is empty."""
    center, found = box.center, list[Nested]()
    beside = (box.x1 + box.width // 4, box.x2 - box.width // 4 - 1) if box.width >= _WIDE else ()
    for x in (center.x, *beside):
        found += nested_at(edges, x, center.y, others=others)
        if any(one.kind not in ("shape", "panel") for one in found):
            break
    return _sifted([one for one in found if _bears(one.box, box)])


def next_of(found: Sequence[Nested], box: Rect, *, back: bool = False) -> Nested | None:
    """The next larger box than one, or the next smaller one; from the end to the other end."""
    others = [one for one in found if not same_box(one.box, box, within=_NEARLY)]
    if not others:
        return None
    if back:
        return next((one for one in reversed(others) if one.box.area < box.area), others[-1])
    return next((one for one in others if one.box.area > box.area), others[0])


def same_box(a: Rect, b: Rect, *, within: int = _SAME) -> bool:
    """Whether nobody would tell two boxes apart: no side is further off than so many pixels."""
    sides = (a.x1 - b.x1, a.y1 - b.y1, a.x2 - b.x2, a.y2 - b.y2)
    return all(abs(side) <= within for side in sides)


# ----------------------------------------------------------------------------------------------------------------------


def _kind(box: Rect, size: Size) -> Kind:
    return "panel" if box.area > _PANEL * size.width * size.height else "shape"


def _ground(shapes: Sequence[Rect], letters: Boxes) -> Rect | None:
    """The smallest shape around the place that is more than the hollow of a letter."""
    return next((box for box in sorted(shapes, key=lambda box: box.area) if not is_hollow(box, letters)), None)


def _written(letters: Boxes, seed: Rect, word: Rect) -> list[Nested]:
    line, thing = line_of(letters, seed), thing_of(letters, seed)
    block = blocks_of(letters, line)
    found = [Nested(word, "word"), Nested(line, "line")]
    # Otherwise it is the line with an icon beside it.
    if block.height >= _LINES * line.height:
        found.append(Nested(block, "block"))
    if thing is not None and not (word.width > 1.6 * thing.width):
        found.append(Nested(thing, "icon"))
    square = max(seed.width, seed.height) <= 1.7 * min(seed.width, seed.height)
    if square and min(seed.width, seed.height) >= _GLYPH and len(within(letters, word)) <= 3:
        found.append(Nested(seed, "icon"))
    return [Nested(_aired(one.box), one.kind) for one in found]


def _aired(box: Rect) -> Rect:
    return Rect(max(box.x1 - AIR, 0), max(box.y1 - AIR, 0), box.x2 + AIR, box.y2 + AIR)


def _bears(box: Rect, on: Rect) -> bool:
    """Whether one lies in the other for the most part."""
    wide = min(box.x2, on.x2) - max(box.x1, on.x1)
    high = min(box.y2, on.y2) - max(box.y1, on.y1)
    return wide > 0 and high > 0 and wide * high >= 0.6 * min(box.area, on.area)


def _sifted(found: Sequence[Nested]) -> tuple[Nested, ...]:
    """By size, each box once; of two that are the same, the one that is drawn is kept, not the one around ink."""
    kept: list[Nested] = []
    for one in sorted(found, key=lambda nested: _ORDER[nested.kind]):
        if min(one.box.width, one.box.height) >= 3 and not any(same_box(one.box, other.box) for other in kept):
            kept.append(one)
    return tuple(sorted(kept, key=lambda nested: nested.box.area)[:_MOST])


_ORDER: Final[dict[Kind, int]] = {"shape": 0, "panel": 1, "line": 2, "icon": 3, "word": 4, "row": 5, "block": 6}
