"""Gives detected lines of text the letters at their ends that the detection left out.

A detector is a few letters off at the ends of a line, and of a long one it sees no more than some hundred pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demopack.domain.geometry import Rect, Size
from models.vision.found import Found
from models.vision.fusion import MARKS
from models.vision.reading.gray import Gray
from models.vision.reading.lines import AIR, split_line

__all__ = ["whole_lines"]

_SPACE = 0.5
"""Of a line's height: the widest blank to a word that the detection left out; a box to tick is further away."""
_REACH = 4
"""Times its height that a line is looked for beyond its end; further away other lines lie at other heights."""
_STEPS = 8
"""How often a line that goes on at the end of that is looked for once more."""
_INK = 32
_LETTERS = 0.3
"""Share of the columns of a text in which an edge of a letter lies, at least."""


def whole_lines(gray: Gray, line: Found, detections: Sequence[Found], size: Size) -> list[Rect]:
    """The lines in a detected one, with letters that the detection left out at its ends.

    It ends before what else was detected beside it: the box before a label, the next cell.

    Args:
        gray: the whole picture.
        line: what was detected.
        detections: everything that was; the line is one of them.
        size: of the picture.
    """
    box = _beside_marks(line.box, detections)
    free = _free(box, line, detections, size)
    lines = _around(gray, box, free, size)
    reach = _REACH * box.height
    for _ in range(_STEPS):
        low, high = max(free[0], box.x1 - reach), min(free[1], box.x2 + reach)
        left = low > free[0] and any(one.x1 <= low + 1 for one in lines) and _has_letters(gray, box, low, box.x1)
        right = high < free[1] and any(one.x2 >= high - 1 for one in lines) and _has_letters(gray, box, box.x2, high)
        if not left and not right:
            break
        box = Rect(low if left else box.x1, box.y1, high if right else box.x2, box.y2)
        lines = _around(gray, box, free, size)
    return lines


def _has_letters(gray: Gray, line: Rect, start: int, end: int) -> bool:
    """Whether brightness changes along a row often enough for letters; on the stripes of a title bar it does not."""
    changes = np.abs(np.diff(gray[line.y1 : line.y2, start:end], axis=1)) > _INK
    return bool(changes.any(axis=0).mean() >= _LETTERS)


def _free(box: Rect, line: Found, detections: Sequence[Found], size: Size) -> tuple[int, int]:
    """How far to the left and to the right nothing else was detected in a line's row."""
    low, high = 0, size.width
    for other in detections:
        if other is line or min(other.box.y2, box.y2) - max(other.box.y1, box.y1) <= 0 or other.box.encloses(box):
            continue
        if low < other.box.x2 <= box.x1 + 2:
            low = other.box.x2
        if box.x2 - 2 <= other.box.x1 < high:
            high = other.box.x1
    return low, high


def _around(gray: Gray, box: Rect, free: tuple[int, int], size: Size) -> list[Rect]:
    reach = _REACH * box.height
    low, high = max(free[0], box.x1 - reach), min(free[1], box.x2 + reach)
    wide = Rect(min(low, box.x1), box.y1 - 1, max(high, box.x2), box.y2 + 1).clamped(size)
    own = Rect(box.x1 + AIR, box.y1, max(box.x1 + AIR + 1, box.x2 - AIR), box.y2)
    return [_nearest(gray, part, own) for part in split_line(gray, wide) if part.x1 < own.x2 and part.x2 > own.x1]


def _beside_marks(box: Rect, detections: Sequence[Found]) -> Rect:
    """A line's box without what it shares with a box to tick before it, whose edge would be read as a letter."""
    for other in detections:
        reaches_in = other.box.x1 < box.x1 < other.box.x2 + AIR <= box.x1 + box.height
        if other.type in MARKS and reaches_in and other.box.y1 < box.center.y < other.box.y2:
            box = Rect(min(other.box.x2 + AIR, box.x2 - 1), box.y1, box.x2, box.y2)
    return box


def _nearest(gray: Gray, line: Rect, own: Rect) -> Rect:
    """The part of a line that the detection saw, with the words that are no more than a space away from it."""
    seen = [part for part in split_line(gray, line, gap=_SPACE) if part.x1 < own.x2 and part.x2 > own.x1]
    if not seen:
        return line
    return Rect(seen[0].x1, line.y1, seen[-1].x2, line.y2)
