"""Cuts through a box: at the pointer, in the gap that lies there, or in the widest gap."""

from __future__ import annotations

from typing import Literal

from annotator.snap.tighten import DEFAULT_LEVEL, Image, busy_lines
from demopack.domain.geometry import Rect
from demopack.pixels.colours import steps
from demopack.pixels.masks import crop, runs, size_of

Cut = tuple[int, int]
"""Where the first part ends and the second begins, in pixels of the frame."""

_NEAR_SHARE = 0.08
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
    reach = max(3, round((high - low) * _NEAR_SHARE))
    near = [gap for gap in found if gap[0] - reach <= at <= gap[1] + reach]
    return min(near, key=lambda gap: abs((gap[0] + gap[1]) / 2 - at), default=(at, at))


def gaps(image: Image, box: Rect, *, across: Literal["x", "y"]) -> list[tuple[int, int]]:
    """Even stretches between the things in a box, as (first, last + 1) pixels of the frame, widest first.

    Args:
        image: the frame's pixels.
        box: where to look.
        across: ``x`` finds gaps between things that stand side by side, ``y`` between lines.
    """
    box = box.clamped(size_of(image))
    if box.area == 0:
        return []
    part = crop(image, box)[..., :3]
    lines = part if across == "y" else part.swapaxes(0, 1)
    start = box.y1 if across == "y" else box.x1
    even = ~busy_lines(lines, DEFAULT_LEVEL)
    if len(lines) > 1:
        stepped = steps(lines[1:], lines[:-1]).max(axis=1) > DEFAULT_LEVEL
        even[1:] &= ~stepped
    found = [(start + a, start + b) for a, b in runs(even) if a > 0 and b < len(even)]
    return sorted(found, key=lambda gap: (gap[0] - gap[1], gap[0]))
