"""The small square or round marks of what can be ticked."""

from __future__ import annotations

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect
from demopack.pixels import drawn
from lab.screens.apps.sheet import Sheet


def mark_in(sheet: Sheet, region: Rect) -> Rect | None:
    """The only thing in a region, if it is about as wide as it is high and of a mark's size."""
    return drawn.mark_in(sheet.image, region, scale=sheet.scale)


def kind_of_mark(sheet: Sheet, mark: Rect) -> ElementType:
    """A square one or a round one."""
    return "checkbox" if drawn.has_edge(sheet.image, mark) else "radio"
