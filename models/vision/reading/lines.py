"""Cuts a roughly detected line of text into tight boxes, one for each label.

A text detector gives loose boxes, and joins labels that stand in one row: the words of a menu bar, the cells of a
table. Pixels tell them apart: a gap wider than a space, or a rule, ends a label.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect

__all__ = ["Gray", "content_region", "split_line", "to_gray"]

Gray: TypeAlias = npt.NDArray[np.int16]
"""Brightness, shape (height, width), 0..255; signed so that differences do not wrap."""

_INK = 32
"""Steps of brightness that make an edge; gradients of buttons stay below it."""
_GAP = 0.85
"""A gap wider than this share of the ink's height ends a label; a space is about half of it."""
_MIN_HEIGHT = 8
_RULE = 24
"""A blank gap whose brightness varies by more than this holds a vertical rule."""


def to_gray(image: RgbImage) -> Gray:
    """Brightness of an RGB picture, by the weights of ITU-R 601."""
    weighted = image.astype(np.float32) @ np.array([0.299, 0.587, 0.114], dtype=np.float32)
    return np.rint(weighted).astype(np.int16)


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


def split_line(gray: Gray, box: Rect) -> list[Rect]:
    """The labels inside one detected line, left to right; empty where there is no ink.

    Args:
        gray: the whole picture.
        box: where the detector saw a line; inside the picture.
    """
    crop = gray[box.y1 : box.y2, box.x1 : box.x2]
    if crop.shape[0] < 2 or crop.shape[1] < 2:
        return []
    top, bottom = _text_rows(crop)
    # One row more on each side: a rule beside the text runs through them, a letter does not.
    core = crop[max(0, top - 1) : min(crop.shape[0], bottom + 1)]
    blank = (core.max(axis=0) - core.min(axis=0)) <= _INK
    spans = _spans(core.mean(axis=0), np.flatnonzero(~blank), max(_MIN_HEIGHT, bottom - top))
    pad = max(2, round((bottom - top) * 0.25))
    height, width = gray.shape
    return [
        Rect(
            max(0, box.x1 + start - pad),
            max(0, box.y1 + top - pad),
            min(width, box.x1 + end + pad),
            min(height, box.y1 + bottom + pad),
        )
        for start, end in spans
    ]


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


def _spans(brightness: npt.NDArray[np.float64], ink: npt.NDArray[np.intp], height: int) -> list[tuple[int, int]]:
    """Columns of ink joined into labels, as half-open intervals."""
    spans: list[tuple[int, int]] = []
    for start, end in _runs(ink):
        if spans:
            gap = brightness[spans[-1][1] : start]
            rule = gap.size >= 3 and float(gap.max() - gap.min()) > _RULE
            if gap.size <= _GAP * height and not rule:
                spans[-1] = (spans[-1][0], end)
                continue
        spans.append((start, end))
    return spans
