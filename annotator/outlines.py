"""Draws the outlines of thousands of boxes straight into pixels: a few array operations, however many there are.

A painter spends a call and most of its time on each box; here all boxes of every line style are written at once.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

Boxes: TypeAlias = npt.NDArray[np.int64]
"""Shape (n, 4): left, top, right, bottom in pixels, right and bottom exclusive."""
Pixels: TypeAlias = npt.NDArray[np.uint32]
"""Shape (height, width)."""

_Places: TypeAlias = npt.NDArray[np.int64]
_Colours: TypeAlias = npt.NDArray[np.uint32]

LineKind = Literal["solid", "dashed", "dotted", "double", "dash_dot", "sparse"]
LINE_KINDS: Final[tuple[LineKind, ...]] = get_args(LineKind)
"""Where lines of two kinds cross that go the same way, the later kind lies on top."""
DASHES: Final[dict[LineKind, str]] = {
    "solid": "#",
    "dashed": "####..",
    "dotted": "#..",
    "double": "#",
    "dash_dot": "#######..##..",
    "sparse": "##......",
}
"""One period of a line, pixel by pixel: those with a ``#`` are drawn."""

_PERIODS = np.array([len(DASHES[kind]) for kind in LINE_KINDS], dtype=np.int64)
_DRAWN = np.array([DASHES[kind].count("#") for kind in LINE_KINDS], dtype=np.int64)
_PLACES = np.zeros((len(LINE_KINDS), int(_DRAWN.max())), dtype=np.int64)
"""Of each kind, where in its period the pixels lie that are drawn."""
for _number, _kind in enumerate(LINE_KINDS):
    _PLACES[_number, : _DRAWN[_number]] = [place for place, mark in enumerate(DASHES[_kind]) if mark == "#"]
_DOUBLE: Final = LINE_KINDS.index("double")
_INSET: Final = 2
_PIXELS_PER_PART: Final = 40_000
"""Pixels; their places stay in the processor's cache, which is faster than all at once."""


class _Group(NamedTuple):
    """Boxes that are drawn together; ``kinds`` are places in ``LINE_KINDS``."""

    boxes: Boxes
    colours: _Colours
    kinds: _Places


def draw_outlines(
    pixels: Pixels,
    boxes: Boxes,
    colours: _Colours,
    *,
    kinds: _Places,
    clip: tuple[int, int, int, int] | None = None,
    width: int = 1,
) -> None:
    """Draw outlines inside the edges of boxes; of two of one kind that cross, the later wins.

    Args:
        pixels: what is drawn on.
        boxes: in its pixels; they may lie outside.
        colours: of each box, shape (n,).
        kinds: of each box's line, shape (n,), places in ``LINE_KINDS``; a double line has a second one inside, where
            there is room.
        clip: left, top, right, bottom: nothing outside is touched; None for everything.
        width: of the line in pixels, for screens that are scaled.
    """
    height, across = pixels.shape
    left, top, right, bottom = clip or (0, 0, across, height)
    area = (max(left, 0), max(top, 0), min(right, across), min(bottom, height))
    if area[0] >= area[2] or area[1] >= area[3]:
        return
    lines = _lines(boxes, colours, kinds, width)
    flat = pixels.reshape(-1)
    # First all lines of one way, then those of the other: so the same one lies on top whichever boxes are drawn.
    for upright in (False, True):
        _write(flat, *_runs(lines, upright=upright, across=across, area=area))


def _lines(boxes: Boxes, colours: _Colours, kinds: _Places, width: int) -> _Group:
    """Everything that is drawn, in order: by kind, and each line as often as it is wide."""
    found: list[_Group] = []
    for kind in range(len(LINE_KINDS)):
        these = np.flatnonzero(kinds == kind)
        outer = _Group(boxes[these], colours[these], kinds[these])
        found += [_inside(outer, inset) for inset in range(width)]
        if kind == _DOUBLE:
            gap = _INSET * width
            sides = outer.boxes[:, 2:] - outer.boxes[:, :2]
            roomy = (sides > 3 * gap).all(axis=1)
            inner = _Group(outer.boxes[roomy], outer.colours[roomy], outer.kinds[roomy])
            found += [_inside(inner, gap + inset) for inset in range(width)]
    return _Group(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _inside(group: _Group, by: int) -> _Group:
    return group if by == 0 else group._replace(boxes=group.boxes + np.array([by, by, -by, -by]))


def _runs(
    group: _Group, *, upright: bool, across: int, area: tuple[int, int, int, int]
) -> tuple[_Places, _Places, _Places, _Colours]:
    """Both parallel lines of each box, box by box, without what lies outside the area.

    They are runs of pixels of one colour, equally far apart in memory: where each begins, how many pixels it has, how
    far these are apart, and its colour.

    Args:
        group: the boxes.
        upright: the lines that go down, instead of those that go across.
        across: width of the picture.
        area: left, top, right, bottom of what may be touched.
    """
    boxes = group.boxes
    # A box without area is still a line, or a point.
    last = np.maximum(boxes[:, 2:] - 1, boxes[:, :2])
    along, other, stride, over = (1, 0, across, 1) if upright else (0, 1, 1, across)
    at = np.stack([boxes[:, other], last[:, other]], axis=1).reshape(-1)
    begin, end, kinds = boxes[:, along].repeat(2), last[:, along].repeat(2) + 1, group.kinds.repeat(2)
    # Each pixel of a dash is a run of its own that has a pixel in every period: so there is no mask, and no loop.
    times = _DRAWN[kinds]
    nth = np.arange(int(times.sum())) - (np.cumsum(times) - times).repeat(times)
    kinds = kinds.repeat(times)
    begin, period = begin.repeat(times) + _PLACES[kinds, nth], _PERIODS[kinds]
    at, end, colours = at.repeat(times), end.repeat(times), group.colours.repeat(2).repeat(times)
    low, high = area[along], area[along + 2]
    # A line that begins outside goes on inside in the same rhythm.
    begin += np.maximum(-((begin - low) // period), 0) * period
    count = (np.minimum(end, high) - begin + period - 1) // period
    seen = np.flatnonzero((at >= area[other]) & (at < area[other + 2]) & (count > 0))
    first = at[seen] * over + begin[seen] * stride
    return first, count[seen], period[seen] * stride, colours[seen]


def _write(flat: npt.NDArray[np.uint32], firsts: _Places, counts: _Places, steps: _Places, colours: _Colours) -> None:
    """Colour the pixels: each one's place is reckoned from one running number, in two passes over them."""
    part = max(len(counts) * _PIXELS_PER_PART // max(int(counts.sum()), 1), 1)
    for start in range(0, len(counts), part):
        these = slice(start, start + part)
        count, step = counts[these], steps[these]
        ends = np.cumsum(count)
        places = np.arange(int(ends[-1]), dtype=np.int64)
        places *= step.repeat(count)
        places += (firsts[these] - (ends - count) * step).repeat(count)
        flat[places] = colours[these].repeat(count)
