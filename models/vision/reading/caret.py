"""Finds the text cursor, which a reader of text would take for an l, an I or a bar."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect
from models.vision.reading.gray import Gray

__all__ = ["caret_columns"]

_DARK = 60
"""Steps of brightness between a cursor and its ground; cursors are drawn in the colour of the text."""
_REACH = 8
"""Rows above and below a line in which its cursor ends; a longer bar is a border or a rule."""
_WIDEST = 2


def caret_columns(gray: Gray, line: Rect) -> npt.NDArray[np.bool_]:
    """Which columns of a line hold nothing but its text cursor.

    A cursor is a straight bar of one or two pixels that is higher than every letter of its line: it runs from the
    highest possible letter to the lowest, and a little farther.

    Args:
        gray: the whole picture.
        line: the rows of the letters, over the width that is asked for; inside the picture.

    Returns:
        Shape (line.width,).
    """
    caret = np.zeros(line.width, dtype=np.bool_)
    if line.height < 6 or line.width < 1:
        return caret
    top, bottom = max(0, line.y1 - _REACH), min(gray.shape[0], line.y2 + _REACH)
    part = gray[top:bottom, line.x1 : line.x2]
    ground = np.median(part[line.y1 - top : line.y2 - top])
    ink: npt.NDArray[np.bool_] = np.abs(part - ground) > _DARK
    above, below = line.y1 - top, line.y2 - top
    full: npt.NDArray[np.bool_] = np.asarray(ink[above:below].all(axis=0))
    for start, end in _runs(full):
        if end - start > _WIDEST:
            continue
        bar: npt.NDArray[np.bool_] = np.asarray(ink[:, start:end].all(axis=1))
        first, last = above, below
        while first > 0 and bar[first - 1]:
            first -= 1
        while last < len(bar) and bar[last]:
            last += 1
        longer = (last - first) - (below - above)
        ends = (first > 0 or top == 0) and (last < len(bar) or bottom == gray.shape[0])
        # It stands alone at its ends: a letter with a long stem has company there.
        alone = not _beside(ink, first, start, end) and not _beside(ink, last - 1, start, end)
        if longer >= 2 and ends and alone:
            caret[start:end] = True
    return caret


def _beside(ink: npt.NDArray[np.bool_], row: int, start: int, end: int) -> bool:
    left = bool(ink[row, start - 1]) if start > 0 else False
    right = bool(ink[row, end]) if end < ink.shape[1] else False
    return left or right


def _runs(mask: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Stretches of True, as half-open intervals."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(edges[i]), int(edges[i + 1])) for i in range(0, len(edges), 2)]
