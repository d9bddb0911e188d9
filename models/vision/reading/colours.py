"""Cuts a line of text where its colour changes: a link within a sentence is an element of its own."""

from __future__ import annotations

import itertools
from typing import Final

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from models.vision.reading.lines import AIR

__all__ = ["split_by_colour"]

_INK: Final = 90
"""Steps of red, green and blue together between ink and ground."""
_WORD_GAP: Final = 0.2
"""Blank between two words, as a share of the line's height."""
_COLOURFUL, _GREY = 90, 45
"""Steps between the largest and the smallest of red, green and blue: of a link's ink, and of plain ink."""
_SOLID: Final = 0.6
"""Share of a word's box that is ink where its ground is coloured: marked text, a badge."""

_MOST: Final = 5
"""A line with more changes is coloured by its words' roles, as source code is, and no line of links."""

_Word = tuple[int, int, bool | None]


def split_by_colour(image: RgbImage, box: Rect) -> list[tuple[Rect, bool]]:
    """The parts of a line, plain and coloured by turns; the line itself, as plain, where it has one colour.

    Args:
        image: shape (height, width, 3), uint8.
        box: a line's letters with ``AIR`` around them; inside the picture.

    Returns:
        Boxes from the left to the right, and whether each is coloured beside plain words, as a link is.
    """
    crop = image[box.y1 : box.y2, box.x1 : box.x2].astype(np.int16)
    words = _words(crop)
    told = [colourful for _, _, colourful in words if colourful is not None]
    if len(words) < 2 or len(told) < len(words) or len(set(told)) < 2:
        return [(box, False)]
    size = Size(image.shape[1], image.shape[0])
    parts: list[tuple[Rect, bool]] = []
    for colourful, group in itertools.groupby(words, key=lambda word: word[2]):
        run = list(group)
        x1, x2 = box.x1 + run[0][0] - AIR, box.x1 + run[-1][1] + AIR
        parts.append((Rect(x1, box.y1, x2, box.y2).clamped(size), bool(colourful)))
    return parts if len(parts) <= _MOST else [(box, False)]


def _words(crop: npt.NDArray[np.int16]) -> list[_Word]:
    """Columns of each word, half-open, and whether its ink has a colour; None where that cannot be told."""
    edge = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    ground = np.median(edge, axis=0)
    # On a coloured ground everything has a colour.
    if ground.max() - ground.min() > _GREY:
        return []
    contrast = np.abs(crop - ground).sum(axis=2)
    ink = contrast > _INK
    columns = np.flatnonzero(_without_strokes(ink).any(axis=0))
    if not columns.size:
        return []
    widest = max(2.0, _WORD_GAP * (crop.shape[0] - 2 * AIR))
    ends = np.flatnonzero(np.diff(columns) > widest)
    starts = [int(columns[0]), *(int(columns[i + 1]) for i in ends)]
    stops = [*(int(columns[i]) + 1 for i in ends), int(columns[-1]) + 1]
    return [(a, b, _colour(crop[:, a:b], contrast[:, a:b], ink[:, a:b])) for a, b in zip(starts, stops, strict=True)]


def _without_strokes(ink: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The ink without lines under words, which bridge the blank to the next one."""
    longest = max(10, ink.shape[0])
    letters = ink.copy()
    for row in letters:
        edges = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(np.int8)))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if end - start >= longest:
                row[start:end] = False
    return letters


def _colour(crop: npt.NDArray[np.int16], contrast: npt.NDArray[np.int16], ink: npt.NDArray[np.bool_]) -> bool | None:
    if ink.mean() > _SOLID:
        return None
    # The middle of a stroke: its rims are mixed with the ground.
    strongest = crop[contrast >= 0.75 * contrast.max()].mean(axis=0)
    spread = float(strongest.max() - strongest.min())
    return True if spread >= _COLOURFUL else False if spread <= _GREY else None
