"""Tells boxes to tick and round buttons from letters, and cuts them off the lines of text that swallowed them.

A text detector likes to take a check box for the first letter of its label; a search for small circles likes to take
the letter O for a radio button. The gap behind the shape tells them apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demopack.domain.geometry import Rect
from models.vision.reading.gray import Gray
from models.vision.reading.lines import split_line
from models.vision.shapes.closed import Shape

__all__ = ["clip_to_frames", "separate_marks"]

_INK = 32


def separate_marks(gray: Gray, lines: Sequence[Rect], marks: Sequence[Shape]) -> tuple[list[Rect], list[Shape]]:
    """The lines without the marks at their beginning, and the marks without letters.

    Args:
        gray: the whole picture.
        lines: tight boxes around text.
        marks: small squares and circles.
    """
    kept: list[Shape] = []
    cut = list(lines)
    for mark in marks:
        line = next((one for one in cut if _mostly_in(mark.box, one)), None)
        if line is None:
            kept.append(mark)
            cut = _beside(gray, cut, mark.box)
            continue
        rest = Rect(min(mark.box.x2 + 1, line.x2), line.y1, line.x2, line.y2)
        gap = _gap(gray, rest)
        at_start = mark.box.x1 - line.x1 <= max(5, round(0.4 * mark.box.height))
        if at_start and gap is not None and gap + 1 >= max(3, round(0.22 * mark.box.width)):
            kept.append(mark)
            place = cut.index(line)
            cut[place : place + 1] = split_line(gray, rest)
        elif gap is None and at_start and mark.kind == "square":
            kept.append(mark)
            cut.remove(line)
    return cut, kept


def _beside(gray: Gray, lines: Sequence[Rect], mark: Rect) -> list[Rect]:
    """The lines, those that begin on a mark beginning behind it: its border is no letter."""
    result: list[Rect] = []
    for line in lines:
        common = line.intersection(mark)
        if common is None or not mark.x1 < line.x1 < mark.x2 or 2 * common.height < min(line.height, mark.height):
            result.append(line)
        else:
            result += split_line(gray, Rect(min(mark.x2 + 1, line.x2), line.y1, line.x2, line.y2))
    return result


def clip_to_frames(gray: Gray, lines: Sequence[Rect], frames: Sequence[Rect]) -> list[Rect]:
    """The lines, none of them leaving the frame that it stands in: a border taken for ink makes boxes too high.

    Args:
        gray: the whole picture.
        lines: boxes around text.
        frames: outer edges of fields, buttons and cells.
    """
    result: list[Rect] = []
    for line in lines:
        around = [frame for frame in frames if frame.contains(line.center)]
        frame = min(around, key=lambda f: f.area, default=None)
        inner = None if frame is None or frame.encloses(line) else _inset(frame).intersection(line)
        # A line that crosses a frame for a good part of its length does not stand in it.
        if inner is None or inner.width < 0.7 * line.width:
            result.append(line)
        else:
            result.extend(split_line(gray, inner))
    return result


def _inset(frame: Rect) -> Rect:
    return Rect(frame.x1 + 2, frame.y1 + 2, max(frame.x1 + 2, frame.x2 - 2), max(frame.y1 + 2, frame.y2 - 2))


def _mostly_in(inner: Rect, outer: Rect) -> bool:
    common = inner.intersection(outer)
    return common is not None and common.area >= 0.6 * inner.area


def _gap(gray: Gray, rest: Rect) -> int | None:
    """Blank columns at the left of a box; None when there is nothing but blank."""
    part = gray[rest.y1 : rest.y2, rest.x1 : rest.x2]
    if part.size == 0:
        return None
    ink = np.flatnonzero((part.max(axis=0) - part.min(axis=0)) > _INK)
    return int(ink[0]) if ink.size else None
