"""Rows, columns and grids of equal elements: what stands in one line with another one, at about equal distances."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from annotator.alike.looks import Boxes
from demopack.domain.frames import RgbImage

__all__ = ["column_of", "grid_of", "like_colours", "row_of"]

_Places: TypeAlias = npt.NDArray[np.int64]
_Flags: TypeAlias = npt.NDArray[np.bool_]
_Colours: TypeAlias = npt.NDArray[np.int16]

_OFF: Final = 3
"""Pixels by which edges may be off and still stand in one line; boxes that were found are not exact."""
_SKIPPED: Final = 3.2
"""A gap of so many usual distances ends a line; two rows of a table may be missing, or a heading stand between."""
_PAIR: Final = 8
"""So many heights two that stand alone may be apart."""
_GROUND, _INK = 24, 96
"""Steps of a colour channel, 0..255, by which grounds and inks may differ: the rows of a table are often striped."""
_ACROSS, _DOWN = 16, 10
"""Points of a box that are looked at, in each of so many lines."""
_MOST_LINES: Final = 40
"""Of a line so many members are followed across, when a grid is looked for."""


def column_of(boxes: Boxes, place: int) -> _Places:
    """The boxes over and under one, left, right or middle in one line with it, itself among them, from the top."""
    middle = boxes[:, 0] + boxes[:, 2]
    edges = [boxes[:, 0] * 2, boxes[:, 2] * 2, middle]
    return _longest(edges, boxes[:, 1] + boxes[:, 3], boxes, place)


def row_of(boxes: Boxes, place: int) -> _Places:
    """The boxes beside one, top, bottom or middle in one line with it, itself among them, from the left."""
    middle = boxes[:, 1] + boxes[:, 3]
    edges = [boxes[:, 1] * 2, boxes[:, 3] * 2, middle]
    return _longest(edges, boxes[:, 0] + boxes[:, 2], boxes, place)


def grid_of(boxes: Boxes, row: _Places, column: _Places) -> _Places:
    """What stands in a row of one of the column, or in a column of one of the row; in order of their places."""
    found = {int(i) for i in row} | {int(i) for i in column}
    if len(row) < 2 or len(column) < 2:
        return np.array(sorted(found), dtype=np.int64)
    for line, across in ((column, row_of), (row, column_of)):
        for member in line[:_MOST_LINES]:
            found.update(int(i) for i in across(boxes, int(member)))
    return np.array(sorted(found), dtype=np.int64)


def _longest(edges: list[npt.NDArray[np.int64]], along: npt.NDArray[np.int64], boxes: Boxes, place: int) -> _Places:
    """The longest of the lines through one box; edges and places along the line count half pixels."""
    found = [_chain(np.flatnonzero(np.abs(edge - edge[place]) <= 2 * _OFF), along, boxes, place) for edge in edges]
    return max(found, key=len)


def _chain(line: _Places, along: npt.NDArray[np.int64], boxes: Boxes, place: int) -> _Places:
    """The members of a line that follow each other without a wide gap."""
    if len(line) < 2:
        return line
    line = line[np.argsort(along[line], kind="stable")]
    steps = np.diff(along[line]) / 2
    apart = steps[steps > 0]
    usual = float(np.median(apart)) if len(apart) else 0.0
    height = int(boxes[place, 3] - boxes[place, 1])
    limit = _SKIPPED * usual if len(line) > 2 else _PAIR * height
    ends = np.flatnonzero(steps > limit)
    at = int(np.flatnonzero(line == place)[0])
    first = int(ends[ends < at].max()) + 1 if (ends < at).any() else 0
    last = int(ends[ends >= at].min()) + 1 if (ends >= at).any() else len(line)
    return line[first:last]


def like_colours(image: RgbImage, boxes: Boxes, place: int, *, ink: bool) -> _Flags:
    """Which boxes have the ground of one of them, and what is written on it in a like colour.

    Args:
        image: the frame's pixels, shape (height, width, 3 or more).
        boxes: of the elements.
        place: index of the one.
        ink: whether the colour of what is on the ground counts.
    """
    points = _sampled(image, boxes)
    ground = np.median(points, axis=1).astype(np.int16)
    alike: _Flags = np.abs(ground - ground[place]).max(axis=1) <= _GROUND
    if not ink:
        return alike
    off = np.abs(points - ground[:, None, :]).sum(axis=2)
    inks = np.take_along_axis(points, off.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    alike &= np.abs(inks - inks[place]).max(axis=1) <= _INK
    return alike


def _sampled(image: RgbImage, boxes: Boxes) -> _Colours:
    """Colours of some pixels of each box, shape (boxes, points, 3)."""
    height, width = image.shape[:2]
    # Each line begins a little further: strokes at equal distances would slip through a regular net.
    down = (np.arange(_DOWN) + 0.5) / _DOWN
    across = (np.arange(_ACROSS)[None, :] + (np.arange(_DOWN)[:, None] * 0.618) % 1) / _ACROSS
    wide, tall = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    x = (boxes[:, 0, None, None] + across * wide[:, None, None]).astype(np.int64).clip(0, width - 1)
    y = (boxes[:, 1, None] + down * tall[:, None]).astype(np.int64).clip(0, height - 1)
    flat = (y[:, :, None] * width + x).reshape(len(boxes), -1)
    points: _Colours = np.take(image.reshape(-1, image.shape[2]), flat, axis=0)[..., :3].astype(np.int16)
    return points
