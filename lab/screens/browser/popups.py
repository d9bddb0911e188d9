"""The opened list of a native drop-down: Chromium draws it over the page, and the page knows nothing of its place.

What is known is the field, its options and the chosen one. The list hangs on the field; the row of the chosen option
has a strong ground, and from its place and height all other rows follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from models.training.labelled_screens import GroundTruth

_STRONG = 60
"""Steps of a channel between the ground of the chosen row and that of the others."""
_MOST_ROWS = 20
_BORDER = 1


@dataclass(frozen=True, slots=True)
class Popup:
    """An opened list.

    Attributes:
        frame: what it covers of the page.
        rows: its rows that can be seen, as ``menu_item``.
        bar: its scroll bar; None where all rows fit.
    """

    frame: Rect
    rows: tuple[GroundTruth, ...]
    bar: Rect | None


def popup_of(image: RgbImage, field: Rect, options: Sequence[str], *, chosen: int, height: int) -> Popup | None:
    """The list below a drop-down, as it is drawn; None when it cannot be made out.

    Args:
        image: shape (height, width, 3), uint8, at one picture pixel for each CSS pixel.
        field: the drop-down.
        options: what its rows say, from the first.
        chosen: which of them is chosen; its row is the one that stands out.
        height: of a row; used where the chosen row lies below the picture's edge.
    """
    right = _right_edge(image, field)
    if right is None or not 0 <= chosen < len(options):
        return None
    row = _chosen_row(image, field, right)
    if row is None and len(options) <= _MOST_ROWS:
        y = field.y2 + _BORDER + chosen * height
        row = Rect(field.x1 + _BORDER, y, right - _BORDER, y + height)
    if row is None:
        return None
    top, height = field.y2 + _BORDER, row.height
    whole = min(len(options), _MOST_ROWS) * height
    frame = Rect(field.x1, field.y2, right, top + whole + _BORDER)
    size = Size(image.shape[1], image.shape[0])
    bar = Rect(row.x2, top, right - _BORDER, top + whole) if right - _BORDER - row.x2 > 3 else None
    rows: list[GroundTruth] = []
    for index, text in enumerate(options):
        box = row.moved(0, (index - chosen) * height)
        seen = box.intersection(Rect(frame.x1, top, right, min(top + whole, size.height)))
        if seen is not None and seen.area * 2 >= box.area:
            states = {"highlighted": index == chosen, "disabled": False}
            rows.append(GroundTruth.model_validate({"type": "menu_item", "box": seen, "text": text, "states": states}))
    return Popup(frame.clamped(size), tuple(rows), bar.clamped(size) if bar is not None else None)


def _right_edge(image: RgbImage, field: Rect) -> int | None:
    """Where the list's upper border ends; it is one line of one colour."""
    if field.y2 + 2 >= image.shape[0] or field.width < 8:
        return None
    line = image[field.y2, field.x1 :].astype(np.int16)
    same = np.abs(line - line[4]).max(axis=1) <= 4
    ends = np.flatnonzero(~same[4:])
    end = field.x1 + 4 + (int(ends[0]) if ends.size else len(line) - 4)
    return end if end - field.x1 >= field.width - 2 else None


def _chosen_row(image: RgbImage, field: Rect, right: int) -> Rect | None:
    """The row whose ground differs from that of the list."""
    x = field.x1 + 2
    column = image[field.y2 + _BORDER :, x].astype(np.int16)
    values, counts = np.unique(column[: _MOST_ROWS * 24], axis=0, return_counts=True)
    order = counts.argsort()[::-1]
    strong = next((values[i] for i in order if int(values[i].max() - values[i].min()) > _STRONG), None)
    if strong is None:
        return None
    rows = np.flatnonzero((column == strong).all(axis=1))
    y1, y2 = field.y2 + _BORDER + int(rows[0]), field.y2 + _BORDER + int(rows[-1]) + 1
    across = np.flatnonzero((image[y1 + 1, field.x1 : right].astype(np.int16) == strong).all(axis=1))
    if y2 - y1 < 12 or y2 - y1 != rows.size:
        return None
    return Rect(field.x1 + int(across[0]), y1, field.x1 + int(across[-1]) + 1, y2)
