"""Where a box is cut: at the pointer, in the gap that lies there, or in the widest gap."""

from __future__ import annotations

from typing import Literal

from annotator.tighten import Image, gaps
from demopack.domain.geometry import Rect

__all__ = ["Cut", "cut_of", "long_way"]

Cut = tuple[int, int]
"""Where the first part ends and the second begins, in pixels of the frame."""

_NEAR = 0.08
"""Of the box's length: a gap this near to the pointer is meant."""


def long_way(box: Rect) -> Literal["x", "y"]:
    """The way in which a box is longer, which is how it is cut."""
    return "x" if box.width >= box.height else "y"


def cut_of(image: Image | None, box: Rect, *, across: Literal["x", "y"], at: int | None) -> Cut | None:
    """The cut through a box.

    Args:
        image: pixels of the frame; None where they are not there, then nothing is known about gaps.
        box: what is cut.
        across: ``x`` for parts side by side, ``y`` for parts one above the other.
        at: where the pointer is on that axis; None, or a place outside, for the widest gap, else the middle.

    Returns:
        None where the box is too thin.
    """
    low, high = (box.x1, box.x2) if across == "x" else (box.y1, box.y2)
    if high - low < 2:
        return None
    found = [] if image is None else gaps(image, box, across=across)
    if at is None or not low < at < high:
        return found[0] if found else ((low + high) // 2, (low + high) // 2)
    reach = max(3, round((high - low) * _NEAR))
    near = [gap for gap in found if gap[0] - reach <= at <= gap[1] + reach]
    return min(near, key=lambda gap: abs((gap[0] + gap[1]) / 2 - at), default=(at, at))
