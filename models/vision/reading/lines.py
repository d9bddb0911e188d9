"""Cuts a roughly detected line of text into tight boxes, one for each label.

A text detector gives loose boxes, and joins labels that stand in one row: the words of a menu bar, the cells of a
table. Pixels tell them apart: a gap wider than a space, or a rule, ends a label.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect, Size
from models.vision.reading.caret import caret_columns
from models.vision.reading.gray import Gray

__all__ = ["AIR", "content_region", "lines_inside", "split_line"]


_INK = 32
"""Steps of brightness that make an edge; gradients of buttons stay below it."""
_GAP = 0.85
"""A gap wider than this share of the ink's height ends a label; a space is about half of it."""
_MIN_HEIGHT = 8
_RULE = 24
"""A blank gap whose brightness varies by more than this holds a vertical rule."""
AIR = 2
"""Pixels around the ink of a line, as ``docs/formats/screens.md`` lays down; the recogniser reads such crops best."""
_STROKE = 4
_HIGHEST = 72
"""Higher things inside a control are no line of text."""


def content_region(gray: Gray, *, margin: int = 32, smallest: tuple[int, int] = (320, 160)) -> Rect | None:
    """The part of a picture that is not blank, with a margin; None when all of it is.

    Args:
        gray: the whole picture.
        margin: pixels around the content.
        smallest: width and height that the region has at least, as far as the picture has them.
    """
    rows = np.flatnonzero((np.abs(np.diff(gray, axis=1)) > _INK).any(axis=1))
    columns = np.flatnonzero((np.abs(np.diff(gray, axis=0)) > _INK).any(axis=0))
    if not rows.size or not columns.size:
        return None
    height, width = gray.shape
    x1, x2 = _widened(int(columns[0]) - margin, int(columns[-1]) + margin, smallest[0], width)
    y1, y2 = _widened(int(rows[0]) - margin, int(rows[-1]) + margin, smallest[1], height)
    return Rect(x1, y1, x2, y2)


def _widened(low: int, high: int, least: int, end: int) -> tuple[int, int]:
    """The interval grown to ``least`` around its middle and moved into 0..``end``."""
    grow = max(0, least - (high - low))
    low, high = low - grow // 2, high + grow - grow // 2
    shift = max(0, -low) - max(0, high - end)
    return max(0, low + shift), min(end, high + shift)


def split_line(gray: Gray, box: Rect, *, gap: float = _GAP) -> list[Rect]:
    """The labels inside one detected line, left to right; empty where there is no ink.

    Args:
        gray: the whole picture.
        box: where the detector saw a line; inside the picture.
        gap: a blank wider than this share of the ink's height ends a label.
    """
    crop = gray[box.y1 : box.y2, box.x1 : box.x2]
    if crop.shape[0] < 2 or crop.shape[1] < 2:
        return []
    top, bottom = _text_rows(crop)
    # One row more on each side: a rule beside the text runs through them, a letter does not.
    core = crop[max(0, top - 1) : min(crop.shape[0], bottom + 1)]
    blank = (core.max(axis=0) - core.min(axis=0)) <= _INK
    blank |= caret_columns(gray, Rect(box.x1, box.y1 + top, box.x2, box.y1 + bottom))
    spans = _spans(core.mean(axis=0), np.flatnonzero(~blank), gap * max(_MIN_HEIGHT, bottom - top))
    size = Size(gray.shape[1], gray.shape[0])
    return [
        Rect(box.x1 + start - AIR, box.y1 + top - AIR, box.x1 + end + AIR, box.y1 + bottom + AIR).clamped(size)
        for start, end in spans
    ]


def lines_inside(gray: Gray, box: Rect, *, border: int = 3) -> list[Rect]:
    """The labels inside a control, line after line, by ink alone; no text detector looks.

    Args:
        gray: the whole picture.
        box: the control's outer edge; inside the picture.
        border: pixels on each side that belong to its frame.
    """
    inner = Rect(
        box.x1 + border, box.y1 + border, max(box.x1 + border, box.x2 - border), max(box.y1 + border, box.y2 - border)
    )
    part = gray[inner.y1 : inner.y2, inner.x1 : inner.x2]
    if part.shape[0] < 4 or part.shape[1] < 3:
        return []
    edges = np.abs(np.diff(part, axis=1)) > _INK
    edges = edges[:, edges.mean(axis=0) < 0.8]
    rows = _joined(_runs(np.flatnonzero(edges.sum(axis=1) >= 2)))
    found: list[Rect] = []
    for top, bottom in rows:
        if 4 <= bottom - top <= _HIGHEST:
            low, high = max(inner.y1, inner.y1 + top - 1), min(inner.y2, inner.y1 + bottom + 1)
            found.extend(split_line(gray, Rect(inner.x1, low, inner.x2, high)))
    # A focus ring or a rounded corner leaves thin strokes beside the border, which would be read as 1, I or C.
    return [
        line
        for line in found
        if line.width > _STROKE + 2 * AIR or (line.x1 > inner.x1 + _STROKE and line.x2 < inner.x2 - _STROKE)
    ]


def _joined(rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Rows of ink with the dots and accents over them."""
    joined: list[tuple[int, int]] = []
    for start, end in rows:
        if joined:
            above = joined[-1]
            small = min(above[1] - above[0], end - start) <= 3
            if start - above[1] <= (2 if small else 1):
                joined[-1] = (above[0], end)
                continue
        joined.append((start, end))
    return joined


def _runs(indices: npt.NDArray[np.intp]) -> list[tuple[int, int]]:
    """Stretches of consecutive numbers, as half-open intervals."""
    if indices.size == 0:
        return []
    parts = np.split(indices, np.flatnonzero(np.diff(indices) > 1) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts]


def _text_rows(crop: Gray) -> tuple[int, int]:
    """The rows of the line in the middle of a loose crop, as a half-open interval.

    Counts edges along each row: text has many, a horizontal border none, and a vertical border has one in nearly
    every row, so its columns are left out.
    """
    height = crop.shape[0]
    edges = np.abs(np.diff(crop, axis=1)) > _INK
    edges = edges[:, edges.mean(axis=0) < 0.8]
    count = edges.sum(axis=1)
    runs = _runs(np.flatnonzero(count >= 2))
    if not runs:
        return 0, height
    middle_low, middle_high = height * 0.35, height * 0.65

    def weight(run: tuple[int, int]) -> float:
        start, end = run
        central = start <= middle_high and end > middle_low
        return float(count[start:end].sum()) * (1.0 if central else 0.01)

    best = max(range(len(runs)), key=lambda i: weight(runs[i]))
    top, bottom = runs[best]
    if best > 0:
        above_top, above_bottom = runs[best - 1]
        # Dots and accents over letters; a thing that touches the crop's edge is the line above.
        near = top - above_bottom <= max(1, (bottom - top) // 5)
        small = above_bottom - above_top <= (bottom - top) * 0.4
        if near and small and above_top > 0:
            top = above_top
    return top, bottom


def _spans(brightness: npt.NDArray[np.float64], ink: npt.NDArray[np.intp], widest: float) -> list[tuple[int, int]]:
    """Columns of ink joined over blanks of at most ``widest`` into labels, as half-open intervals."""
    spans: list[tuple[int, int]] = []
    for start, end in _runs(ink):
        if spans:
            gap = brightness[spans[-1][1] : start]
            rule = gap.size >= 3 and float(gap.max() - gap.min()) > _RULE
            if gap.size <= widest and not rule:
                spans[-1] = (spans[-1][0], end)
                continue
        spans.append((start, end))
    return spans
