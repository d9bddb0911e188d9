"""Carries a place inside a recorded box over to the same thing's box on a live screen. Pure."""

from __future__ import annotations

from typing import Final

from demopack.domain.geometry import Point, Rect

__all__ = ["place_in"]

_ANCHOR_PX: Final = 24
_RIM_PX: Final = 2


def place_in(point: Point, recorded: Rect, live: Rect, *, written: bool = False) -> Point:
    """The same place in a box that may have moved and grown.

    In a box of the same size the offset stays. In another one, a place near an edge keeps its distance to that edge
    (the arrow of a drop-down list, the mark of a check box), any other place keeps its share of the way. In a box full
    of writing it keeps its distance to the left upper corner: a larger box has room for more lines, not larger ones;
    only its right edge, where a scroll bar may be, is an edge like any other.

    Args:
        point: where it was, in the same pixels as ``recorded``.
        recorded: the box then.
        live: the box now.
        written: whether the box is full of writing.
    """
    return Point(
        _along(point.x, recorded.x1, recorded.x2, live.x1, live.x2, written=written),
        _along(point.y, recorded.y1, recorded.y2, live.y1, live.y2, written=written, far_edge=not written),
    )


def _along(at: int, from1: int, from2: int, to1: int, to2: int, *, written: bool, far_edge: bool = True) -> int:
    before, after = at - from1, from2 - at
    length = to2 - to1
    if length == from2 - from1:
        return to1 + before
    if before <= _ANCHOR_PX and before <= after:
        value = to1 + before
    elif far_edge and after <= _ANCHOR_PX:
        value = to2 - after
    elif written:
        value = to1 + before
    else:
        value = to1 + round(before / (from2 - from1) * length)
    rim = min(_RIM_PX, max(0, (length - 1) // 2))
    return min(max(value, to1 + rim), max(to1, to2 - 1 - rim))
