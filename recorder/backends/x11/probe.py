"""A hand and a spot of colour on an X11 screen, to see whether what is done there arrives."""

from __future__ import annotations

import contextlib
from typing import Any

from demopack.domain.geometry import Rect
from recorder.backends.x11.xlib import connection_lost, open_display, xlib

_SIDE = 14
_BESIDE = 48  # away from the pointer, so that nothing under it is left or entered


class X11Probe:
    """Moves the pointer by one pixel and back; shows a small window that no window manager touches."""

    def __init__(self, *, display: str | None = None) -> None:
        """Connect.

        Raises:
            CaptureError: there is no X server, or it shows only a part of a Wayland session.
        """
        self._display = open_display(display, whole=True)
        self._x = xlib("X")
        self._screen = self._display.screen()
        self._window: Any = None
        self._box = Rect(0, 0, 0, 0)

    def nudge(self) -> bool:
        """Move the pointer by one pixel and back; both moves are relative, so a hand on the mouse is not disturbed.

        Returns:
            Whether the server lets programs do that (its XTEST extension).
        """
        if not self._display.has_extension("XTEST"):
            return False
        at = int(self._screen.root.query_pointer().root_x)
        step = -1 if at > 0 else 1
        fake_input = xlib("ext.xtest").fake_input
        for x in (step, -step):
            fake_input(self._display, self._x.MotionNotify, detail=1, x=x, y=0)
        self._display.sync()
        return True

    def show(self, colour: tuple[int, int, int]) -> Rect:
        """Show a spot of this colour (red, green, blue, 0 to 255); returns its box, pixels of the virtual desktop."""
        red, green, blue = (part * 257 for part in colour)
        pixel = int(self._screen.default_colormap.alloc_color(red, green, blue).pixel)
        window = self._window
        if window is None:
            window = self._window = self._make(pixel)
        else:
            window.change_attributes(background_pixel=pixel)
            window.clear_area()
        window.configure(stack_mode=self._x.Above)
        self._display.sync()
        return self._box

    def close(self) -> None:
        """Take the spot away and leave; calling it twice is harmless."""
        with contextlib.suppress(*connection_lost()):
            if self._window is not None:
                self._window.destroy()
                self._window = None
            self._display.close()

    def _make(self, pixel: int) -> Any:  # noqa: ANN401 - an untyped library
        pointer = self._screen.root.query_pointer()
        x, y = int(pointer.root_x), int(pointer.root_y)
        left = x - _BESIDE if x > self._screen.width_in_pixels // 2 else x + _BESIDE - _SIDE
        top = min(max(y, 0), self._screen.height_in_pixels - _SIDE)
        window = self._screen.root.create_window(
            left, top, _SIDE, _SIDE, 0, self._x.CopyFromParent, background_pixel=pixel, override_redirect=1
        )
        # It does not say whose it is: windows of ours are left out of every picture.
        window.map()
        self._box = Rect(left, top, left + _SIDE, top + _SIDE)
        return window
