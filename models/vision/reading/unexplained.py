"""Where there is ink that no detection explains, so that a text detector has to look only there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect, Size
from models.vision.found import Found
from models.vision.reading.gray import Gray
from models.vision.tiles import boxes_of, tiles_of

__all__ = ["unexplained_areas"]

_INK = 32
_LEAST = 10
"""Edges in a tile that are worth a look; the border of a pane has fewer."""
_AIR = 2
_MARGIN = 24
"""Pixels around the ink that the text detector needs to see."""
_ALL = 0.5
"""Share of a picture from which on one look at all of it is cheaper than many at parts."""
_HOLDS_TEXT: frozenset[ElementType] = frozenset(
    {"window", "dialog", "toolbar", "image", "list_item", "tree_item", "other"}
)
"""Types around other elements: ink inside them is not explained by them."""


def unexplained_areas(gray: Gray, detections: Sequence[Found], *, within: Rect | None = None) -> list[Rect]:
    """Areas that hold edges like those of letters outside every detection; empty when everything is explained.

    Args:
        gray: the whole picture.
        detections: what was detected on it.
        within: where to look; None for everywhere.
    """
    size = Size(gray.shape[1], gray.shape[0])
    # Letters change brightness along a row; long vertical borders do, too, but not along a column.
    across = np.zeros(gray.shape, dtype=np.bool_)
    across[:, :-1] = np.abs(np.diff(gray, axis=1)) > _INK
    down = np.zeros(gray.shape, dtype=np.bool_)
    down[:-1] = np.abs(np.diff(gray, axis=0)) > _INK
    for one in detections:
        if one.type not in _HOLDS_TEXT:
            box = Rect(one.box.x1 - _AIR, one.box.y1 - _AIR, one.box.x2 + _AIR, one.box.y2 + _AIR).clamped(size)
            across[box.y1 : box.y2, box.x1 : box.x2] = False
    asked = Rect(0, 0, size.width, size.height) if within is None else within
    across[: asked.y1], across[asked.y2 :] = False, False
    across[:, : asked.x1], across[:, asked.x2 :] = False, False
    tiles = tiles_of(across, least=_LEAST) & tiles_of(down, least=4)
    areas = [_widened(box, size) for box in boxes_of(tiles, size)]
    areas = _joined(areas)
    if sum(area.area for area in areas) >= _ALL * asked.area:
        return [asked if within is None else _widened(asked, size)]
    return areas


def _widened(box: Rect, size: Size) -> Rect:
    """The box with a margin, its sides multiples of 32, which the text detector's net needs to see pixels unscaled."""
    x1, x2 = _span(box.x1 - _MARGIN, box.x2 + _MARGIN, size.width)
    y1, y2 = _span(box.y1 - _MARGIN, box.y2 + _MARGIN, size.height)
    return Rect(x1, y1, x2, y2)


def _span(low: int, high: int, end: int) -> tuple[int, int]:
    wanted = -(-(high - low) // 32) * 32
    low = max(0, min(low, end - wanted))
    return low, min(end, low + wanted)


def _joined(areas: Sequence[Rect]) -> list[Rect]:
    left = list(areas)
    joined: list[Rect] = []
    while left:
        one = left.pop()
        close = [other for other in left if one.intersection(other) is not None]
        if not close:
            joined.append(one)
            continue
        for other in close:
            left.remove(other)
            one = one.union(other)
        left.append(one)
    return sorted(joined, key=lambda area: (area.y1, area.x1))
