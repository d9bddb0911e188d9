"""Fits boxes to what can be seen: each side moves to the nearest visual edge. Works on pixels alone.

An *edge* is a step of more than ``level`` between neighbouring pixels, in any colour channel; 50 is the rule of CAAP's
annotation tool. A side first grows while something crosses it, then shrinks over everything that is even. Because
steps between neighbours count, and not the distance from one ground colour, gradients are ground, in light and dark.

Two cases that this rule alone gets wrong are dealt with apart: a box just inside a border grows onto it, and a faint
outline around the box, as dark themes have it, wins over the strong text inside.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect
from demopack.pixels.colours import steps
from demopack.pixels.masks import crop, runs, size_of

Image: TypeAlias = npt.NDArray[np.uint8]
"""Shape (height, width, channels), 0..255; channels after the third are ignored."""

Side = Literal["left", "top", "right", "bottom"]
ALL_SIDES: Final[frozenset[Side]] = frozenset({"left", "top", "right", "bottom"})

DEFAULT_LEVEL: Final = 50
_FAINT_LEVEL: Final = 10
"""A straight outline of this strength is meant, text of it is not."""
_MAX_BORDER_PX: Final = 2
"""Pixels; a frame that a box lies just inside of is this thick at most."""
_BAND_LINES: Final = 8
"""Lines that are looked at together, twice as many each time: most edges are near, so that little is read in vain."""
_MAX_ROUNDS: Final = 4


def tightened(image: Image, box: Rect, *, level: int = DEFAULT_LEVEL, sides: frozenset[Side] = ALL_SIDES) -> Rect:
    """The box with its sides on visual edges; where nothing can be seen in it, or it has no area, as it was.

    Args:
        image: the frame's pixels.
        box: pixels of the frame; a part outside is cut off.
        level: difference between neighbouring pixels, 0..255, above which there is an edge.
        sides: which may move.
    """
    size = size_of(image)
    box = box.clamped(size)
    if not sides or box.area == 0:
        return box
    strong = _settled(image, box, level, sides)
    faint = min(level, _FAINT_LEVEL)
    outline = None if faint == level else _settled(image, box, faint, sides)
    if sides == ALL_SIDES and outline is not None and outline != strong and _outlined(image, outline, faint):
        return outline
    if strong is not None:
        return strong
    return box if outline is None else outline


# ----------------------------------------------------------------------------------------------------------------------


def busy_lines(lines: Image, level: int) -> npt.NDArray[np.bool_]:
    """Which lines have an edge along themselves; lines are the first axis."""
    if lines.shape[1] < 2:
        return np.zeros(len(lines), dtype=np.bool_)
    return np.asarray(steps(lines[:, 1:], lines[:, :-1]).max(axis=1) > level, dtype=np.bool_)


def _turn(image: Image, box: Rect, side: Side) -> tuple[Image, Rect]:
    """Picture and box turned so that a side is the top: line 0 is the outermost, lines run along the side."""
    pixels = image[..., :3]
    if side in ("left", "right"):
        pixels, box = pixels.swapaxes(0, 1), box.turned
    if side in ("right", "bottom"):
        pixels, box = pixels[::-1], Rect(box.x1, len(pixels) - box.y2, box.x2, len(pixels) - box.y1)
    return pixels, box


def _with_side(image: Image, box: Rect, side: Side, line: int) -> Rect:
    """The box with a side on a line of the turned picture."""
    height, width = image.shape[:2]
    edges: dict[Side, dict[str, int]] = {
        "left": {"x1": line}, "top": {"y1": line}, "right": {"x2": width - line}, "bottom": {"y2": height - line},
    }  # fmt: skip
    return replace(box, **edges[side])


def _settled(image: Image, box: Rect, level: int, sides: frozenset[Side]) -> Rect | None:
    """All sides moved until none moves any more; None when the box holds no edge."""
    # Sides at the frame's edge last: what they should stop at is known once the others lie well.
    order = sorted(sides, key=lambda side: (_turn(image, box, side)[1].y1 == 0, side))
    found = False
    for _ in range(_MAX_ROUNDS):
        before = box
        for side in order:
            place = _place(*_turn(image, box, side), level, along=side in ("left", "right"))
            if place is not None:
                found = True
                box = _with_side(image, box, side, place)
        if box == before:
            break
    if not found:
        return None
    return _onto_border(image, box, level) if sides == ALL_SIDES else box


def _place(image: Image, box: Rect, level: int, *, along: bool) -> int | None:
    """Where the top of a turned box belongs; None when there is no edge as far as its other side."""
    if box.y1 == 0 and _touching(image, box, level):
        return 0
    lines = image[:, box.x1 : box.x2]
    grown = _grown(lines, box, level, bridge=max(2, box.width // 8) if along else 1)
    return grown if grown < box.y1 else _shrunk(lines, box, level)


def _touching(image: Image, box: Rect, level: int) -> bool:
    """Whether the thing ends at the frame's edge: there an edge lies across it at both ends of the side."""
    ends = [x for x in (box.x1, box.x2) if 0 < x < image.shape[1]]
    line = image[:1]
    return bool(ends) and all(int(steps(line[:, x : x + 1], line[:, x - 1 : x])[0, 0]) > level for x in ends)


def _grown(lines: Image, box: Rect, level: int, *, bridge: int) -> int:
    """Outwards while something crosses the side; gaps of ``bridge`` lines, as between letters, do not end it."""
    limit = max(0, box.y1 - max(16, box.height // 2))
    if limit == box.y1:
        return box.y1
    if not busy_lines(lines[box.y1 - 1 : box.y1 + 1], level).all():
        return box.y1
    busy = busy_lines(lines[limit : box.y1 + 1], level)[::-1]  # the box's own line first
    top, calm = 0, 0
    for i, one in enumerate(busy.tolist()):
        calm = 0 if one else calm + 1
        if calm > bridge:
            break
        top = i if one else top
    # What goes on beyond the limit is no thing that the box is about: a photo, a pattern.
    if top == len(busy) - 1 and limit > 0:
        return box.y1
    # The border that ends what was followed is even, so that nothing crosses it.
    return box.y1 - top - (_border(lines, box.y1 - top, level) or 0)


def _shrunk(lines: Image, box: Rect, level: int) -> int | None:
    """Inwards to the first line that differs from the one before, or has an edge along itself."""
    begin, size = box.y1, _BAND_LINES
    while begin < box.y2:
        end = min(begin + size, box.y2)
        first = max(begin - 1, 0)
        found = np.flatnonzero(_edge_lines(lines[first:end], level)[begin - first :])
        if found.size:
            return begin + int(found[0])
        begin, size = end, size * 2
    return None


def _edge_lines(lines: Image, level: int) -> npt.NDArray[np.bool_]:
    """Which lines differ from the one before, or have an edge along themselves."""
    found = busy_lines(lines, level)
    found[1:] |= steps(lines[1:], lines[:-1]).max(axis=1, initial=0) > level
    return found


def _onto_border(image: Image, box: Rect, level: int) -> Rect:
    """The box with the border that it lies just inside of, if there is one on all four sides."""
    grown = box
    for side in sorted(ALL_SIDES):
        lines, turned = _turn(image, box, side)
        thick = _border(lines[:, turned.x1 : turned.x2], turned.y1, level)
        if thick is None:
            return box
        grown = _with_side(image, grown, side, turned.y1 - thick)
    return grown


def _border(lines: Image, top: int, level: int) -> int | None:
    """Thickness of an even line just above ``top`` that has an edge on both of its sides."""
    if top < 2 or not _edged(lines, top, level):
        return None
    return next((d for d in range(1, _MAX_BORDER_PX + 1) if top - d > 0 and _edged(lines, top - d, level)), None)


def _edged(lines: Image, at: int, level: int, *, share: float = 0.85) -> bool:
    """Whether the boundary between two lines is an edge nearly everywhere; corners may be round."""
    return bool((steps(lines[at : at + 1], lines[at - 1 : at]) > level).mean() >= share)


def _outlined(image: Image, box: Rect, level: int) -> bool:
    """Whether every side of a box is a straight edge."""
    for side in ALL_SIDES:
        lines, turned = _turn(image, box, side)
        if turned.y1 == 0 or turned.width < 4:
            return False
        if not _edged(lines[:, turned.x1 : turned.x2], turned.y1, level, share=0.7):
            return False
    return True


Cut = tuple[int, int]
"""Where the first part ends and the second begins, in pixels of the frame."""

_NEAR_SHARE = 0.08
"""Of the box's length: a gap this near to the pointer is meant."""


def long_way(box: Rect) -> Literal["x", "y"]:
    """The way in which a box is longer, which is how it is cut."""
    return "x" if box.width >= box.height else "y"


def cut_of(image: Image | None, box: Rect, *, across: Literal["x", "y"], at: int | None) -> Cut | None:
    """The cut through a box.

    Args:
        image: pixels of the frame; None where they are not there, then nothing is known about gaps.
        box: what is cut.
        across: ``x`` for parts side by side, ``y`` for parts one above the other.
        at: where the pointer is on that axis; None, or a place outside, for the widest gap, else the middle.

    Returns:
        None where the box is too thin.
    """
    low, high = (box.x1, box.x2) if across == "x" else (box.y1, box.y2)
    if high - low < 2:
        return None
    found = [] if image is None else gaps(image, box, across=across)
    if at is None or not low < at < high:
        return found[0] if found else ((low + high) // 2, (low + high) // 2)
    reach = max(3, round((high - low) * _NEAR_SHARE))
    near = [gap for gap in found if gap[0] - reach <= at <= gap[1] + reach]
    return min(near, key=lambda gap: abs((gap[0] + gap[1]) / 2 - at), default=(at, at))


def gaps(image: Image, box: Rect, *, across: Literal["x", "y"]) -> list[tuple[int, int]]:
    """Even stretches between the things in a box, as (first, last + 1) pixels of the frame, widest first.

    Args:
        image: the frame's pixels.
        box: where to look.
        across: ``x`` finds gaps between things that stand side by side, ``y`` between lines.
    """
    box = box.clamped(size_of(image))
    if box.area == 0:
        return []
    part = crop(image, box)[..., :3]
    lines = part if across == "y" else part.swapaxes(0, 1)
    start = box.y1 if across == "y" else box.x1
    even = ~_edge_lines(lines, DEFAULT_LEVEL)
    found = [(start + a, start + b) for a, b in runs(even) if a > 0 and b < len(even)]
    return sorted(found, key=lambda gap: (gap[0] - gap[1], gap[0]))
