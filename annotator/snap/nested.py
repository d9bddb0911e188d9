"""Nested boxes that a person could mean by pointing at a place, smallest first; and the next one around a box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from annotator.snap.letters import (
    MARGIN_PX,
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
from annotator.snap.parts import outlines_at, parts_around, shapes_at
from annotator.snap.rows import rows_at
from annotator.words import tr
from demopack.domain.geometry import Rect, Size, overlap_of_smaller
from demopack.domain.overlap import Boxes
from demopack.pixels.masks import Mask

Kind = Literal["icon", "word", "line", "block", "row", "shape", "panel"]
_SAME_PX: Final = 2
"""Pixels; boxes whose sides all lie this near are one."""
_NEARLY_SAME_PX: Final = 3
"""Pixels; a tight box, without air around its foreground, is no other step on the way from smaller to larger."""
_MIN_PANEL_SHARE: Final = 0.2
"""Of the picture's area; larger shapes are panels and windows."""
_MAX_SHARE: Final = 0.97
_WIDE_PX: Final = 48
"""Pixels; a narrower box has what it is around in its middle."""
_MIN_ROW_PX: Final = 10
_MIN_BLOCK_LINES: Final = 1.7
"""Times the height of a line; what is higher has more than one."""
_MIN_ICON_PX: Final = 11
"""Pixels; a smaller piece of foreground alone is a letter."""
_MAX_NESTED: Final = 12


@dataclass(frozen=True, slots=True)
class Nested:
    """One box that may be meant, and what it is around."""

    box: Rect
    kind: Kind


def nested_at(edges: Mask, x: int, y: int, *, others: Sequence[Rect] = ()) -> tuple[Nested, ...]:
    """The boxes that a person could mean by pointing at a place, smallest first; empty where nothing is.

    Args:
        edges: of the frame, from :func:`demopack.pixels.colours.edges_of`.
        x: pixels of the frame.
        y: as ``x``.
        others: boxes that are there already; rows of a list follow them.
    """
    height, width = edges.shape
    if not (0 <= x < width and 0 <= y < height):
        return ()
    size = Size(width, height)
    parts = parts_around(edges, x, y)
    shapes = [*shapes_at(parts), *outlines_at(parts, x, y)]
    letters = letters_in(parts)
    # The smallest shape around the place that is more than the hollow of a letter.
    inside = next((box for box in sorted(shapes, key=lambda box: box.area) if not is_hollow(box, letters)), None)
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
        rows = [row for row in rows if row.height >= max(word.height, _MIN_ROW_PX)]
    found = [one for one in found if one.kind != "block" or not any(row.encloses(one.box) for row in rows)]
    found += [Nested(box, "row") for box in rows]
    panel = _MIN_PANEL_SHARE * width * height
    found += [Nested(box, "panel" if box.area > panel else "shape") for box in shapes]
    clamped = [Nested(one.box.clamped(size), one.kind) for one in found]
    return _sifted([one for one in clamped if one.box.area < _MAX_SHARE * width * height])


def nested_in(edges: Mask, box: Rect, *, others: Sequence[Rect] = ()) -> tuple[Nested, ...]:
    """All that may be meant by a box: seen from its middle, and from beside it where the middle is empty."""
    center, found = box.center, list[Nested]()
    beside = (box.x1 + box.width // 4, box.x2 - box.width // 4 - 1) if box.width >= _WIDE_PX else ()
    for x in (center.x, *beside):
        found += nested_at(edges, x, center.y, others=others)
        if any(one.kind not in ("shape", "panel") for one in found):
            break
    return _sifted([one for one in found if overlap_of_smaller(one.box, box) >= 0.6])


def next_of(found: Sequence[Nested], box: Rect, *, back: bool = False) -> Nested | None:
    """The next larger box than one, or the next smaller one; from the end to the other end."""
    others = [one for one in found if not same_box(one.box, box, within=_NEARLY_SAME_PX)]
    if not others:
        return None
    if back:
        return next((one for one in reversed(others) if one.box.area < box.area), others[-1])
    return next((one for one in others if one.box.area > box.area), others[0])


def same_box(a: Rect, b: Rect, *, within: int = _SAME_PX) -> bool:
    """Whether nobody would tell two boxes apart: no side is further off than so many pixels."""
    return max(abs(a.x1 - b.x1), abs(a.y1 - b.y1), abs(a.x2 - b.x2), abs(a.y2 - b.y2)) <= within


# ----------------------------------------------------------------------------------------------------------------------


def _written(letters: Boxes, seed: Rect, word: Rect) -> list[Nested]:
    line, thing = line_of(letters, seed), thing_of(letters, seed)
    block = blocks_of(letters, line)
    found = [Nested(word, "word"), Nested(line, "line")]
    # Otherwise it is the line with an icon beside it.
    if block.height >= _MIN_BLOCK_LINES * line.height:
        found.append(Nested(block, "block"))
    if thing is not None and not (word.width > 1.6 * thing.width):
        found.append(Nested(thing, "icon"))
    square = max(seed.width, seed.height) <= 1.7 * min(seed.width, seed.height)
    if square and min(seed.width, seed.height) >= _MIN_ICON_PX and len(within(letters, word)) <= 3:
        found.append(Nested(seed, "icon"))
    low = MARGIN_PX
    aired = [Rect(max(b.x1 - low, 0), max(b.y1 - low, 0), b.x2 + low, b.y2 + low) for b in (one.box for one in found)]
    return [Nested(box, one.kind) for box, one in zip(aired, found, strict=True)]


def _sifted(found: Sequence[Nested]) -> tuple[Nested, ...]:
    """By size, each box once; of two that are the same, the one that is drawn is kept, not the one around writing."""
    kept: list[Nested] = []
    for one in sorted(found, key=lambda nested: _ORDER[nested.kind]):
        if min(one.box.width, one.box.height) >= 3 and not any(same_box(one.box, other.box) for other in kept):
            kept.append(one)
    return tuple(sorted(kept, key=lambda nested: nested.box.area)[:_MAX_NESTED])


_ORDER: Final[dict[Kind, int]] = {"shape": 0, "panel": 1, "line": 2, "icon": 3, "word": 4, "row": 5, "block": 6}


# In words -----------------------------------------------------------------------------------------------------------


DRAWN_WORDS: Final[dict[Kind, str]] = {
    "icon": tr("Drew a box around the icon. Click again for the next larger one."),
    "word": tr("Drew a box around the word. Click again for the next larger one."),
    "line": tr("Drew a box around the line of text. Click again for the next larger one."),
    "block": tr("Drew a box around the lines of text. Click again for the next larger one."),
    "row": tr("Drew a box around the row. Click again for the next larger one."),
    "shape": tr("Drew a box along the outline. Click again for the next larger one."),
    "panel": tr("Drew a box around the panel. Click again for the next larger one."),
}
"""What the status line says about a box that a click made."""
FITTED_WORDS: Final[dict[Kind, str]] = {
    "icon": tr("Fitted to the icon."),
    "word": tr("Fitted to the word."),
    "line": tr("Fitted to the line of text."),
    "block": tr("Fitted to the lines of text."),
    "row": tr("Fitted to the row."),
    "shape": tr("Fitted to the outline around."),
    "panel": tr("Fitted to the panel around."),
}
"""What the status line says about a box that a key fitted."""
