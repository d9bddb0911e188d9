"""The box of an element as four numbers: what is typed is clamped so that the box stays on its picture."""

from __future__ import annotations

from typing import Literal, TypeAlias

from demopack.domain.geometry import Rect, Size

__all__ = ["BoxField", "box_with", "number_of"]

BoxField: TypeAlias = Literal["x", "y", "w", "h"]


def number_of(box: Rect, field: BoxField) -> int:
    """One of the four numbers, in pixels of the picture."""
    return {"x": box.x1, "y": box.y1, "w": box.width, "h": box.height}[field]


def box_with(box: Rect, field: BoxField, value: int, size: Size) -> Rect:
    """The box with one number changed: ``x`` and ``y`` move it, ``w`` and ``h`` move its right or lower edge.

    Args:
        box: as it is.
        field: which number.
        value: what was typed; the nearest number that keeps the box on the picture is taken.
        size: of the picture.
    """
    if field == "x":
        left = _within(value, 0, size.width - box.width)
        return box.moved(left - box.x1, 0)
    if field == "y":
        top = _within(value, 0, size.height - box.height)
        return box.moved(0, top - box.y1)
    if field == "w":
        return Rect(box.x1, box.y1, box.x1 + _within(value, 1, size.width - box.x1), box.y2)
    return Rect(box.x1, box.y1, box.x2, box.y1 + _within(value, 1, size.height - box.y1))


def _within(value: int, low: int, high: int) -> int:
    # A box that is larger than its picture has no place on it: it keeps its lower bound.
    return max(low, min(value, high))
