"""Rows of lists, menus and tables around a place, around which often nothing is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from annotator.snap.letters import line_of, seed_of
from annotator.snap.parts import PictureParts
from demopack.domain.geometry import Rect
from demopack.domain.overlap import Boxes, as_rect, enclosed
from demopack.pixels.masks import Mask, runs

_SAME_PX: Final = 2
_MIN_ROW_PX: Final = 6
_MAX_ROWS_APART: Final = 6
"""Rows; a neighbour further off says nothing about a place."""
_MAX_BAR_PADDING: Final = 1.3
"""Times the height of a line; so much is free above and below what is written in a bar, at most."""
_MAX_RULE_PX, _MIN_RULE_PX, _MAX_ROW_PX = 3, 40, 120
"""Pixels: how high and how long a line between rows is, and how high a row."""
_MIN_LIST_ROWS: Final = 3
"""Lines that are equally far apart; so many are a list, and no bar."""
_DIVIDER_SHARE: Final = 0.9
_MAX_PITCH: Final = 4.0
"""Times the height of a line; lines further apart are not rows of one list."""


def rows_at(
    parts: PictureParts, letters: Boxes, x: int, y: int, *, inside: Rect | None, others: Sequence[Rect]
) -> list[Rect]:
    """The rows and cells that the place may belong to, by what is around it.

    Args:
        parts: what lies around the place.
        letters: pieces of foreground in the shape.
        x: pixels of the frame.
        y: as ``x``.
        inside: the shape around the place.
        others: boxes that are there already.
    """
    columns = _above_each_other(y, x, [box.turned for box in others])
    near = [*_above_each_other(x, y, others), *(box.turned for box in columns)]
    # Below the last row of a list is nothing.
    beside = [box for box in near if enclosed(letters, box, dy=1).any() and not _crosses(box, inside)]
    found = [*beside, *_between_lines(parts.foreground, x, y)]
    if inside is None:
        return found
    level = letters[(letters[:, 1] <= y + 2) & (letters[:, 3] >= y - 2)]
    if len(level):
        first = line_of(letters, as_rect(level[level[:, 0].argmin()]))
        # What neighbours say is surer than the rhythm of lines, of which a row may have several.
        row, rows = (None, 0) if beside else _by_rhythm(letters, first, inside)
        seed = seed_of(level, x, y)
        if row is not None:
            written = Rect(x, y, x + 1, y + 1) if seed is None else line_of(letters, seed)
            found.append(_between(parts.edges, row, written))
        if seed is not None and (row is None or rows < _MIN_LIST_ROWS):
            found += _in_bar(letters, line_of(letters, seed), inside)
    return found


def _between(edges: Mask, row: Rect, written: Rect) -> Rect:
    """A row cut where something runs from its top to its bottom: a divider, a scroll bar, the end of its background."""
    part = edges[row.y1 + 1 : row.y2 - 1, row.x1 : row.x2]
    if not part.size:
        return row
    through = np.flatnonzero(part.mean(axis=0) >= _DIVIDER_SHARE) + row.x1
    left = through[through < written.x1].max(initial=row.x1 - 1) + 1
    right = through[through >= written.x2].min(initial=row.x2 - 1) + 1
    return Rect(int(left), row.y1, int(right), row.y2)


def _above_each_other(x: int, y: int, others: Sequence[Rect]) -> list[Rect]:
    """The place of the next one, or of one between, where boxes of equal size stand above each other."""
    column = [box for box in others if box.x1 <= x < box.x2 and box.height >= _MIN_ROW_PX and not box.y1 <= y < box.y2]
    found: list[tuple[int, Rect]] = []
    while column:
        box, column = column[0], column[1:]
        like = [o for o in column if _alike(o, box)]
        column = [o for o in column if not _alike(o, box)]
        steps = np.diff(np.unique([box.y1, *(one.y1 for one in like)]))
        steps = steps[steps >= box.height - _SAME_PX]
        if not steps.size:
            continue
        pitch = int(steps.min())
        nearest = min([box, *like], key=lambda one: abs(one.center.y - y))
        rows = round((y - nearest.center.y) / pitch)
        if rows and abs(rows) <= _MAX_ROWS_APART:
            top, bottom = max(nearest.y1 + rows * pitch, 0), max(nearest.y2 + rows * pitch, 0)
            found.append((abs(rows), Rect(nearest.x1, top, nearest.x2, bottom)))
    return [box for _, box in sorted(found, key=lambda one: one[0])[:2]]


def _alike(a: Rect, b: Rect) -> bool:
    return max(abs(a.x1 - b.x1), abs(a.x2 - b.x2), abs(a.height - b.height)) <= _SAME_PX


def _crosses(row: Rect, shape: Rect | None) -> bool:
    """Whether neither lies in the other."""
    if shape is None:
        return False
    return not shape.grown(_SAME_PX).encloses(row) and not row.encloses(shape)


def _between_lines(foreground: Boxes, x: int, y: int) -> list[Rect]:
    """Between two thin lines that begin and end in line with each other."""
    wide, high = foreground[:, 2] - foreground[:, 0], foreground[:, 3] - foreground[:, 1]
    lines = foreground[
        (high <= _MAX_RULE_PX) & (wide >= _MIN_RULE_PX) & (foreground[:, 0] <= x) & (x < foreground[:, 2])
    ]
    above, below = lines[lines[:, 3] <= y], lines[lines[:, 1] > y]
    if not len(above) or not len(below):
        return []
    top, bottom = as_rect(above[above[:, 3].argmax()]), as_rect(below[below[:, 1].argmin()])
    if abs(top.x1 - bottom.x1) > _SAME_PX or abs(top.x2 - bottom.x2) > _SAME_PX or bottom.y1 - top.y2 > _MAX_ROW_PX:
        return []
    return [Rect(top.x1, top.y2, top.x2, bottom.y1)]


def _by_rhythm(letters: Boxes, line: Rect, inside: Rect) -> tuple[Rect | None, int]:
    """As high as the lines of a list are apart, and as wide as the list; and how many rows there seem to be."""
    column = letters[(letters[:, 0] < line.x1 + 4 * line.height) & (letters[:, 2] > line.x1)]
    bands = _bands(column)
    middle = (line.y1 + line.y2) / 2
    here = next((i for i, (low, high) in enumerate(bands) if low - 2 <= middle <= high + 2), None)
    if here is None:
        return None, 0
    centers = [(low + high) / 2 for low, high in bands]
    apart = [abs(centers[i] - centers[here]) for i in (here - 1, here + 1) if 0 <= i < len(centers)]
    if not apart or not line.height < min(apart) <= _MAX_PITCH * line.height:
        return None, 0
    pitch, center, rows = _regular(centers, here, min(apart))
    top, bottom = max(round(center - pitch / 2), inside.y1), min(round(center + pitch / 2), inside.y2)
    return (Rect(inside.x1, top, inside.x2, bottom), rows) if bottom > top else (None, 0)


def _regular(centers: list[float], here: int, pitch: float) -> tuple[float, float, int]:
    """How far lines around one are apart, where its middle is (low letters shift it), and how many there are."""
    run = [here]
    for way in (-1, 1):
        at = here + way
        while 0 <= at < len(centers) and abs(abs(centers[at] - centers[at - way]) - pitch) <= 0.15 * pitch + 1:
            run.append(at)
            at += way
    first, last = min(run), max(run)
    if last > first:
        pitch = (centers[last] - centers[first]) / (last - first)
    return pitch, float(np.median([centers[i] - (i - here) * pitch for i in run])), len(run)


def _bands(letters: Boxes) -> list[tuple[int, int]]:
    """Where lines of foreground lie, from top to bottom."""
    covered = np.zeros(letters[:, 3].max(initial=0), dtype=np.bool_)
    for low, high in letters[:, [1, 3]]:
        covered[low:high] = True
    return runs(covered)


def _in_bar(letters: Boxes, line: Rect, inside: Rect) -> list[Rect]:
    """A cell of a bar, as menus and tabs have it: halfway to what is written on both sides, as high as the bar."""
    level = letters[(letters[:, 1] < line.y2) & (letters[:, 3] > line.y1)]
    left = level[level[:, 2] <= line.x1][:, 2].max(initial=-(1 << 30))
    right = level[level[:, 0] >= line.x2][:, 0].min(initial=1 << 30)
    gaps = [gap for gap in (line.x1 - int(left), int(right) - line.x2) if gap <= 5 * line.height]
    if not gaps:
        return []
    pad, room = min(gaps) // 2, round(_MAX_BAR_PADDING * line.height)
    top, bottom = inside.y1, inside.y2
    if line.y1 - top > room and bottom - line.y2 > room:
        return []
    # A bar that nothing is drawn around begins or ends with the window; its words stand in its middle.
    top = max(line.y1 - (bottom - line.y2), top) if line.y1 - top > room else top
    bottom = min(line.y2 + (line.y1 - top), bottom) if bottom - line.y2 > room else bottom
    return [Rect(max(line.x1 - pad, inside.x1), top, min(line.x2 + pad, inside.x2), bottom)]
