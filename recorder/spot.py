"""Finds a spot of a known colour on pictures of the screen: in its place, whole, and nowhere beside it."""

from __future__ import annotations

import threading
import time
from typing import Final

from demopack.domain.geometry import Rect
from recorder.backends.base import Grab, ScreenSource

__all__ = ["COLOURS", "grab_with", "same_place"]

COLOURS: Final = ((214, 40, 110), (20, 150, 220))
"""The spot is shown in one and then in the other; red, green and blue, 0 to 255."""

_SHOWN_S = 0.4
_AGAIN_S = 0.03


def grab_with(screen: ScreenSource, box: Rect, colour: tuple[int, int, int]) -> Grab | None:
    """The first picture on which that colour fills that box and lies nowhere beside it; None when time is up."""
    deadline, pause = time.monotonic() + _SHOWN_S, threading.Event()
    while True:
        grab = screen.grab()
        if _shows(grab, box, colour):
            return grab
        if time.monotonic() > deadline:
            return None
        # A compositor draws what we asked for with its next picture.
        pause.wait(_AGAIN_S)


def _shows(grab: Grab, box: Rect, colour: tuple[int, int, int]) -> bool:
    shown = grab.space.to_pixels(box).clamped(grab.size)
    if not shown.area:
        return False
    left, top, right, bottom = shown.x1, shown.y1, shown.x2, shown.y2
    around = grab.image[max(0, top - 8) : bottom + 8, max(0, left - 8) : right + 8]
    same = (around == colour).all(axis=2)
    inside = (grab.image[top:bottom, left:right] == colour).all(axis=2)
    return bool(inside.all()) and int(same.sum()) == inside.size


def same_place(first: Grab, last: Grab) -> bool:
    """Whether two pictures show the same part of the desktop."""
    return first.size == last.size and first.space == last.space
