"""Whether the boxes that a program reported lie on its pixels, and where they do not, what would bring them there.

Some toolkits are off by the height of a title bar, some count in units of their own. What was read tells: names stand
in the boxes of what they name. A window is moved or scaled as a whole, or its boxes are not believed at all.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.marks import MARKS
from demopack.domain.text_likeness import letters_in
from models.vision.reports.elements import ReportedElement

LEAST_LETTERS: Final = 3
"""A name with fewer stands in too many places."""
_LEAST_PAIRS: Final = 4
_AGREE: Final = 0.7
"""Share of names that must have been read in their boxes."""
_REACH_PX: Final = 4
_SCALES: Final = (0.25, 4.0)
"""Between which a program's units are to pixels."""
_COMPACT: Final = 2
_Move = tuple[float, float, float, float]
"""Scale and offset along x, then along y."""


def placed_on_pixels(
    reported: Sequence[ReportedElement], found: Sequence[Element], frame: Frame
) -> list[ReportedElement]:
    """The elements of a window, moved or scaled as a whole where that makes their boxes lie on their pixels.

    Args:
        reported: those of one window.
        found: what the models found on the frame, with what was read.
        frame: outside of it nothing is.

    Returns:
        Those that have a box; none where they do not lie there in any way.
    """
    with_box = [one for one in reported if one.box is not None]
    pairs = _pairs(with_box, found)
    if not with_box or len(pairs) < _LEAST_PAIRS or _agreement(pairs) >= _AGREE:
        return with_box
    for move in (_shift(pairs), _scale(pairs)):
        if move is not None and _agreement([(_moved(box, move), read) for box, read in pairs]) >= _AGREE:
            size = Rect(0, 0, frame.width, frame.height)
            boxes = [(one, _moved(one.box, move).intersection(size)) for one in with_box if one.box is not None]
            return [replace(one, box=box) for one, box in boxes if box is not None]
    return []


def _pairs(reported: Sequence[ReportedElement], found: Sequence[Element]) -> list[tuple[Rect, Rect]]:
    """Where something is reported to be and where its name was read, of names that stand there once."""
    read = [letters_in(one.text) for one in found]
    told = [{letters_in(one.name), letters_in(one.text)} for one in reported]  # a field may hold what a label says
    pairs: list[tuple[Rect, Rect]] = []
    for one in reported:
        name = letters_in(one.name)
        if one.box is None or len(name) < LEAST_LETTERS or read.count(name) != 1:
            continue
        if sum(name in words for words in told) != 1:
            continue
        if one.type in MARKS and one.box.width < _COMPACT * one.box.height:
            continue  # a page tells the mark alone: its name stands beside it
        pairs.append((one.box, found[read.index(name)].box))
    return pairs


def _agreement(pairs: Sequence[tuple[Rect, Rect]]) -> float:
    """The share of names that were read in the box in which they are reported."""
    return sum(box.grown(_REACH_PX).contains(read.center) for box, read in pairs) / len(pairs)


def _shift(pairs: Sequence[tuple[Rect, Rect]]) -> _Move | None:
    """How far all boxes are from where their names were read."""
    dx = statistics.median(read.center.x - box.center.x for box, read in pairs)
    dy = statistics.median(read.center.y - box.center.y for box, read in pairs)
    return 1.0, float(dx), 1.0, float(dy)


def _scale(pairs: Sequence[tuple[Rect, Rect]]) -> _Move | None:
    """By how much all boxes are too small or too large."""
    moves: list[float] = []
    for told, read in (
        ([box.center.x for box, _ in pairs], [read.center.x for _, read in pairs]),
        ([box.center.y for box, _ in pairs], [read.center.y for _, read in pairs]),
    ):
        if max(told) - min(told) < 1:
            return None
        slope, offset = np.polyfit(np.array(told, dtype=np.float64), np.array(read, dtype=np.float64), 1)
        if not _SCALES[0] <= slope <= _SCALES[1]:
            return None  # names that stand elsewhere
        moves += [float(slope), float(offset)]
    return moves[0], moves[1], moves[2], moves[3]


def _moved(box: Rect, by: _Move) -> Rect:
    sx, dx, sy, dy = by
    return Rect(round(box.x1 * sx + dx), round(box.y1 * sy + dy), round(box.x2 * sx + dx), round(box.y2 * sy + dy))
