"""Finds the headers of tables by their pixels, and the rows below them.

A header is a strip between thin upright lines of one height that stand on a line through all of it. Tabs are no header:
below the one that is shown there is no line. Nor is a row of a grid, which has another of the same columns beside it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect, iou
from demopack.pixels.colours import Gray
from demopack.pixels.masks import crop, runs
from models.vision.detection import Detection
from models.vision.fusion import ROWS
from models.vision.rules import found_by_rule

_STEP: Final = 7
"""Steps of brightness that set a line off from what is on both sides of it."""
_TALL: Final = (14, 60)
"""Pixels from the upper end of a separator to the lower one, at scales of 1 and 2."""
_SLACK_PX: Final = 2
"""Ends of one height lie that close."""
_LINE_PX: Final = 4
"""The line below is that close to the separators."""
_ALONG: Final = 0.95
"""Share of a strip along which there is a line below it."""
_LEAST_CELL_PX: Final = 14
_WRITTEN: Final = 0.5
"""Share of the cells that have words, at least."""
_INK: Final = 40
"""Steps of brightness from one pixel to the next at the edge of a letter."""
_LETTERS: Final = 3
"""Edges of letters in a row of pixels, at least, that words go through."""
_LEAST_LETTER_PX: Final = 4
_MAX_LETTER_SHARE: Final = 0.8
"""Of a cell's height, that letters take at most."""
_MAX_WORDS: Final = 2
"""A name, and an arrow at its end."""
_APART: Final = 0.5
"""Share of a cell's height that is no space between two words."""
_ALIKE: Final = 12
"""Steps of brightness between the grounds of two cells, at most."""
_LEAST_ROWS: Final = 2
_PITCH_SLACK: Final = 0.12
"""Share of the height of a row by which the next one may be elsewhere."""
_SAME_IOU: Final = 0.5
_INSIDE: Final = 0.7
_BARS: Final[frozenset[ElementType]] = frozenset({"tab", "menu"})
_Segment = tuple[int, int, int]
"""An upright line: where, its upper end, the pixel below its lower one."""
_Flags = npt.NDArray[np.bool_]


def find_headers(gray: Gray) -> list[tuple[list[Rect], Rect]]:
    """The cells of each header, from left to right, with the place of what is below it.

    Args:
        gray: brightness of a picture, shape (height, width).
    """
    groups = list(_of_one_height(_separators(gray)))
    strips = [
        strip
        for group in groups
        if not any(_is_above(other, group) for other in groups)
        and (strip := _strip(gray, group)) is not None
        and not (any(_is_above(group, other) for other in groups) and _is_alike(gray, strip))
    ]
    alone = [strip for strip in strips if not any(_is_row_below(strip, other) for other in strips)]
    found: list[tuple[list[Rect], Rect]] = []
    for cells in alone:
        whole = Rect(cells[0].x1, cells[0].y1, cells[-1].x2, cells[0].y2)
        if all(whole.intersection(known[0].union(known[-1])) is None for known, _ in found):
            found.append((cells, Rect(whole.x1, whole.y2, whole.x2, gray.shape[0])))
    return found


def with_tables(gray: Gray, seen: Sequence[Detection]) -> list[Detection]:
    """What was seen, with the cells of headers as buttons, and the rows below them where they are even.

    Args:
        gray: brightness of a picture, shape (height, width).
        seen: what a detector found there: what it takes for tabs or menus, most cells of a strip, is no header.
    """
    kept = list(seen)
    for cells, below in find_headers(gray):
        if 2 * sum(any(iou(cell, one.box) >= _SAME_IOU for one in seen if one.type in _BARS) for cell in cells) >= len(
            cells
        ):
            continue
        strip = cells[0].union(cells[-1])
        kept = [one for one in kept if one.box.share_in(strip) < _INSIDE]
        kept += [found_by_rule("table_header", type="button", box=cell) for cell in cells]
        rows = _rows(gray, below)
        if rows:
            body = rows[0].union(rows[-1])
            kept = [one for one in kept if one.type != "text_area" or body.share_in(one.box) < _INSIDE]
        for row in rows:
            same = [one for one in kept if iou(one.box, row) >= _SAME_IOU]
            if not any(one.type in ROWS for one in same):
                kept = [one for one in kept if one not in same]
                kept.append(found_by_rule("table_header", type="list_item", box=row))
    return kept


def is_header_cell(one: Detection) -> bool:
    """Whether it was found as a cell of a header: no model knows that better."""
    return one.type == "button" and any(said.rule == "table_header" for said in one.evidence)


def _separators(gray: Gray) -> list[_Segment]:
    """Upright lines of one or two pixels with something else on both sides."""
    found: list[_Segment] = []
    for thick in (1, 2):
        inner = gray[:, 1:-thick]
        left, right = inner - gray[:, : -1 - thick], inner - gray[:, 1 + thick :]
        is_line = ((left >= _STEP) & (right >= _STEP)) | ((left <= -_STEP) & (right <= -_STEP))
        if thick == 2:
            is_line &= np.abs(inner - gray[:, 2:-1]) < _STEP
        for x in np.flatnonzero(is_line.sum(axis=0) >= _TALL[0]).tolist():
            found += [(x + 1, y1, y2) for y1, y2 in runs(is_line[:, x]) if _TALL[0] <= y2 - y1 <= _TALL[1]]
    return found


def _of_one_height(segments: Sequence[_Segment]) -> Iterator[list[_Segment]]:
    """Separators whose ends are at the same heights, from left to right; two or more."""
    left = sorted(segments, key=lambda one: (one[2], one[1], one[0]))
    while left:
        first = left[0]
        group = [one for one in left if all(abs(a - b) <= _SLACK_PX for a, b in zip(one[1:], first[1:], strict=True))]
        taken = set(group)
        left = [one for one in left if one not in taken]
        if len(group) > 1:
            yield sorted(group)


def _strip(gray: Gray, group: Sequence[_Segment]) -> list[Rect] | None:
    """The cells that separators stand between; None where they are those of no header."""
    top, bottom = min(one[1] for one in group), max(one[2] for one in group)
    first, last = group[0][0], group[-1][0]
    for y in range(max(1, bottom - _SLACK_PX), min(gray.shape[0] - 1, bottom + _LINE_PX)):
        steps: _Flags = np.abs(gray[y] - gray[y - 1]) >= _STEP
        if last > first and steps[first:last].mean() >= _ALONG and gray.shape[0] - y >= bottom - top:
            x1, x2 = _end(steps, first, -1), _end(steps, last, 1)
            cells = _cells(gray, group, Rect(x1, top, x2, max(y, bottom)))
            return cells if len(cells) >= len(group) - 1 and len(cells) > 1 else None
    return None


def _end(steps: _Flags, start: int, towards: int) -> int:
    """How far a line goes on from a place, gaps of a pixel or two aside."""
    at, gap = start, 0
    while 0 <= at + towards < len(steps) and gap <= _SLACK_PX:
        at += towards
        gap = 0 if steps[at] else gap + 1
    return at - towards * gap + (towards > 0)


def _cells(gray: Gray, group: Sequence[_Segment], strip: Rect) -> list[Rect]:
    """The places between separators; the outer ones only where something is written. None where it is no header."""
    edges = [strip.x1, *(x for x, _, _ in group), strip.x2]
    boxes = [
        Rect(x1 + (number > 0), strip.y1, x2, strip.y2)
        for number, (x1, x2) in enumerate(itertools.pairwise(edges))
        if x2 - x1 >= _LEAST_CELL_PX
    ]
    words = [_words_in(gray, box) for box in boxes]
    written = [0 < count <= _MAX_WORDS for count in words]
    grounds = [float(np.median(crop(gray, box))) for box in boxes]
    inner = slice(1, -1)
    if sum(written) < 2 or sum(written[inner]) < _WRITTEN * len(boxes[inner]) or max(words) > _MAX_WORDS:
        return []
    if max(grounds) - min(grounds) > _ALIKE or any(_is_crossed(gray, x, strip) for x, _, _ in group):
        return []
    return [box for place, box in enumerate(boxes) if written[place] or 0 < place < len(boxes) - 1]


def _words_in(gray: Gray, cell: Rect) -> int:
    """How many words, or signs, stand far apart in a cell; many where they are too high for words."""
    if cell.width < _LETTERS + 4 or cell.height < _LETTERS + 2:
        return 0
    inside = Rect(cell.x1 + 2, cell.y1 + 1, cell.x2 - 2, cell.y2 - 1)
    edges = np.abs(np.diff(crop(gray, inside), axis=1)) >= _INK // 2
    drawn = np.flatnonzero(edges.sum(axis=1) >= _LETTERS)
    if drawn.size < _LEAST_LETTER_PX:
        return 0
    # The marks of a ruler stand on its edge.
    too_high = drawn[-1] - drawn[0] >= _MAX_LETTER_SHARE * cell.height or int(drawn[-1]) >= inside.height - 1
    return _MAX_WORDS + 1 if too_high else len(runs(edges.any(axis=0), step=_APART * cell.height))


def _is_crossed(gray: Gray, x: int, strip: Rect) -> bool:
    """Whether letters come so close to a separator that it lies behind them."""
    for first in (x - 3, x + 3):
        beside = gray[strip.y1 + 2 : strip.y2 - 2, max(0, first) : first + 1]
        if beside.size and int(np.abs(np.diff(beside, axis=0)).max(initial=0)) >= _INK:
            return True
    return False


def _is_above(other: Sequence[_Segment], group: Sequence[_Segment]) -> bool:
    """Whether separators stand right above others, as in a grid."""
    gap = min(y1 for _, y1, _ in group) - max(y2 for _, _, y2 in other)
    places = {x for x, _, _ in other}
    return 0 <= gap <= _LINE_PX and 2 * sum(x in places for x, _, _ in group) >= len(group)


def _is_alike(gray: Gray, strip: Sequence[Rect]) -> bool:
    """Whether a strip has the ground of what is below it."""
    whole = strip[0].union(strip[-1])
    below = whole.moved(0, whole.height + 1)
    return abs(float(np.median(crop(gray, whole))) - float(np.median(crop(gray, below)))) < _STEP


def _is_row_below(strip: Sequence[Rect], other: Sequence[Rect]) -> bool:
    """Whether another strip of the same columns stands above: then this one is a row of its table."""
    mine, theirs = {cell.x1 for cell in strip[1:]}, {cell.x1 for cell in other[1:]}
    return other[0].y2 <= strip[0].y1 and 2 * len(mine & theirs) >= min(len(mine), len(theirs))


def _rows(gray: Gray, below: Rect) -> list[Rect]:
    """The rows of a table that stand in even distances, from the header on."""
    part = gray[below.y1 + 1 : below.y2, below.x1 + 2 : below.x2 - 2]
    if part.shape[1] < _LEAST_CELL_PX:
        return []
    is_written = (np.abs(np.diff(part, axis=1)) >= _INK).sum(axis=1) >= _LETTERS
    bands = [(y1, y2) for y1, y2 in runs(is_written) if y2 - y1 >= 5]
    middles = [below.y1 + 1 + (y1 + y2) / 2 for y1, y2 in bands]
    if len(middles) < _LEAST_ROWS:
        return []
    pitch = middles[1] - middles[0]
    if not _TALL[0] <= pitch <= _TALL[1] or middles[0] - below.y1 > 1.2 * pitch:
        return []
    even = [middles[0]]
    for middle in middles[1:]:
        if abs(middle - even[-1] - pitch) > max(1.5, _PITCH_SLACK * pitch):
            break
        even.append(middle)
    if len(even) < _LEAST_ROWS:
        return []
    pitch = (even[-1] - even[0]) / (len(even) - 1)
    tops = [round(even[0] + number * pitch - pitch / 2) for number in range(len(even) + 1)]
    first = max(below.y1, tops[0])
    # Where lines are drawn between the rows, the table ends with the last of them: what goes on below is a form.
    ends = list(itertools.takewhile(lambda y: _is_lined(gray, below, y - _LINE_PX, y + _LINE_PX), tops[1:]))
    if ends:
        tops = tops[: len(ends) + 1]
    rows = [Rect(below.x1, max(y1, first), below.x2, y2) for y1, y2 in itertools.pairwise(tops)]
    # A row with a line through its middle is none: the even distances are those of something else.
    return [] if any(_is_lined(gray, below, row.y1 + _LINE_PX + 2, row.y2 - _LINE_PX - 2) for row in rows) else rows


def _is_lined(gray: Gray, below: Rect, top: int, bottom: int) -> bool:
    """Whether a line goes through all of a table between two heights."""
    near = gray[max(0, top - 1) : max(0, bottom + 1), below.x1 + 2 : below.x2 - 2]
    steps: _Flags = np.abs(np.diff(near, axis=0)) >= _STEP
    return bool(steps.shape[0] and steps.mean(axis=1).max(initial=0.0) >= _ALONG)
