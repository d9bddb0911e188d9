"""Windows of the replaying program that stay on the screen: left out of what is compared, and never under a click."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from demopack.domain.frames import MASK_COLOUR
from demopack.domain.geometry import Point, Rect
from demopack.domain.screenshots import Screenshot
from recorder.backends.base import ScreenSource


class WindowsInFront:
    """What a replay asks about the windows of its own program; this class itself is for one that shows none."""

    def boxes(self) -> Sequence[Rect]:
        """Where pictures of the screen show them, units of the virtual desktop; asked from the replay's thread."""
        return ()

    def make_room(self, at: Point) -> None:
        """Have none of them at a position of the desktop; returns when that is so. Called from the replay's thread."""


class MaskedScreen(ScreenSource):
    """A screen with those windows painted over: what they show is no part of what is compared, found or waited for."""

    def __init__(self, screen: ScreenSource, windows: WindowsInFront) -> None:
        self._screen = screen
        self._windows = windows

    def grab(self) -> Screenshot:
        """As the screen itself."""
        grab = self._screen.grab()
        hidden = boxes_on(grab, self._windows.boxes())
        if not hidden:
            return grab
        image = grab.image.copy()
        for box in hidden:
            image[box.y1 : box.y2, box.x1 : box.x2] = MASK_COLOUR
        return replace(grab, image=image, raw=None)

    def close(self) -> None:
        """As the screen itself."""
        self._screen.close()


def boxes_on(grab: Screenshot, boxes: Sequence[Rect]) -> list[Rect]:
    """Boxes of the desktop in pixels of a picture, as far as they lie on it."""
    whole = Rect(0, 0, grab.size.width, grab.size.height)
    found = (grab.space.to_pixels(box).intersection(whole) for box in boxes)
    return [box for box in found if box is not None]
