"""The small square or round marks of what can be ticked."""

from __future__ import annotations

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect
from demopack.pixels.drawn import differs, ground_of, has_edge, part_of, pieces
from lab.screens.apps.sheet import Sheet

_LEAST_PX, _MOST_PX = 8, 30
_INK = 8
"""Marks that cannot be used are drawn faintly."""


def mark_in(sheet: Sheet, region: Rect) -> Rect | None:
    """The only thing in a region, if it is about as wide as it is high and of a mark's size."""
    part = part_of(sheet.image, region)
    if not part.size:
        return None
    ground = ground_of(part_of(sheet.image, Rect(region.x1 - 2, region.y1, region.x2 + 2, region.y1 + 2)))
    found = [box.moved(region.x1, region.y1) for box in pieces(differs(part, ground, least=_INK), reach=1)]
    found = [box for box in found if box.height >= _LEAST_PX]
    if len(found) != 1:
        return None
    box = found[0]
    square = abs(box.width - box.height) <= 3 * sheet.scale
    return box if square and _LEAST_PX <= box.width <= _MOST_PX * sheet.scale else None


def kind_of_mark(sheet: Sheet, mark: Rect) -> ElementType:
    """A square one or a round one."""
    return "checkbox" if has_edge(sheet.image, mark) else "radio"
