"""Draws the outlines of thousands of boxes straight into pixels: a few array operations, however many there are.

A painter spends a call and most of its time on each box; here all boxes of one line style are written at once.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["DASHES", "Boxes", "LineKind", "Pixels", "draw_outlines"]

Boxes: TypeAlias = npt.NDArray[np.int64]
"""Shape (n, 4): left, top, right, bottom in pixels, right and bottom exclusive."""
Pixels: TypeAlias = npt.NDArray[np.uint32]
"""Shape (height, width)."""

_Places: TypeAlias = npt.NDArray[np.int64]

LineKind = Literal["solid", "dashed", "dotted", "double"]
DASHES: Final[dict[LineKind, tuple[int, int]]] = {
    "solid": (1, 1),
    "dashed": (6, 4),
    "dotted": (3, 1),
    "double": (1, 1),
}
"""Period of a line, and how many pixels of it are drawn."""

_INSET: Final = 2
_PART: Final = 256
"""Boxes; their pixels stay in the processor's cache, which is faster than all boxes at once."""


def draw_outlines(
    pixels: Pixels,
    boxes: Boxes,
    colours: npt.NDArray[np.uint32],
    *,
    kind: LineKind,
    clip: tuple[int, int, int, int] | None = None,
    width: int = 1,
) -> None:
    """Draw outlines inside the edges of boxes; of two that cross, the later wins.

    Args:
        pixels: what is drawn on.
        boxes: in its pixels; they may lie outside.
        colours: of each box, shape (n,).
        kind: of the line; a double one has a second line inside, where there is room.
        clip: left, top, right, bottom: nothing outside is touched; None for everything.
        width: of the line in pixels, for screens that are scaled.
    """
    height, across = pixels.shape
    left, top, right, bottom = clip or (0, 0, across, height)
    area = (max(left, 0), max(top, 0), min(right, across), min(bottom, height))
    if area[0] >= area[2] or area[1] >= area[3]:
        return
    for inset in range(width):
        _draw(pixels, _inside(boxes, inset), colours, DASHES[kind], area)
    if kind == "double":
        gap = _INSET * width
        roomy = (boxes[:, 2] - boxes[:, 0] > 3 * gap) & (boxes[:, 3] - boxes[:, 1] > 3 * gap)
        for inset in range(width):
            _draw(pixels, _inside(boxes[roomy], gap + inset), colours[roomy], DASHES[kind], area)


def _inside(boxes: Boxes, by: int) -> Boxes:
    return boxes if by == 0 else boxes + np.array([by, by, -by, -by])


def _draw(
    pixels: Pixels,
    boxes: Boxes,
    colours: npt.NDArray[np.uint32],
    dash: tuple[int, int],
    area: tuple[int, int, int, int],
) -> None:
    # A box without area is still a line, or a point.
    last = np.maximum(boxes[:, 2:] - 1, boxes[:, :2])
    x, y = np.stack([boxes[:, 0], last[:, 0]], axis=1), np.stack([boxes[:, 1], last[:, 1]], axis=1)
    rows = _Across(pixels.shape[1], area[1], area[3])
    columns = _Across(1, area[0], area[2])
    part = _PART * dash[0]
    # First all lines of one way, then those of the other: so the same one lies on top whichever boxes are drawn.
    for at, along, across, way in ((y, x, rows, columns), (x, y, columns, rows)):
        for start in range(0, len(boxes), part):
            these = slice(start, start + part)
            _draw_part(pixels, (at[these], along[these]), (across, way), colours[these], dash)


def _draw_part(
    pixels: Pixels,
    ends: tuple[_Places, _Places],
    ways: tuple[_Across, _Across],
    colours: npt.NDArray[np.uint32],
    dash: tuple[int, int],
) -> None:
    """Both parallel lines of each box, box by box. ``ends``: where they lie, and where they begin and end."""
    period, drawn = dash
    # Each pixel of a dash is a line of its own that has a pixel in every period: so there is no mask, and no loop.
    times = 2 * drawn
    at = ends[0].reshape(-1).repeat(drawn) if drawn > 1 else ends[0].reshape(-1)
    begin, end = ends[1][:, 0].repeat(times), ends[1][:, 1].repeat(times) + 1
    if drawn > 1:
        begin += np.tile(np.arange(drawn), 2 * len(colours))
    _lines(pixels.reshape(-1), at, ways[0], _Along(begin, end, period, ways[1]), colours.repeat(times))


class _Across(NamedTuple):
    """One direction of the picture: how far apart its pixels are in memory, and which of them may be touched."""

    stride: int
    low: int
    high: int


class _Along(NamedTuple):
    """Where lines begin and end, and which of their pixels are drawn: each ``period``-th."""

    begin: _Places
    end: _Places
    period: int
    way: _Across


def _lines(
    flat: npt.NDArray[np.uint32], at: _Places, across: _Across, along: _Along, colours: npt.NDArray[np.uint32]
) -> None:
    """Parallel lines, each pixel's place reckoned from one running number: two passes over the pixels, no loop."""
    begin, end, period, way = along
    # A line that begins outside goes on inside in the same rhythm.
    begin = begin + np.maximum(-((begin - way.low) // period), 0) * period
    lengths = (np.minimum(end, way.high) - begin + period - 1) // period
    seen = np.flatnonzero((at >= across.low) & (at < across.high) & (lengths > 0))
    if not seen.size:
        return
    lengths = lengths[seen]
    step = way.stride * period
    offsets = np.cumsum(lengths) - lengths
    base = at[seen] * across.stride + begin[seen] * way.stride - offsets * step
    places = base.repeat(lengths)
    places += _run(len(places), step)
    flat[places] = colours[seen].repeat(lengths)


def _run(count: int, step: int) -> _Places:
    run = np.arange(count, dtype=np.int64)
    return run if step == 1 else np.multiply(run, step, out=run)
