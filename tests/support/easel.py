"""Plain coloured windows of ours or of others, put on a screen by a test and seen on its pictures."""

from __future__ import annotations

import contextlib
import os
from types import TracebackType
from typing import Any

import numpy as np

from demopack.domain.geometry import Rect


class Sheet:
    """One window. What it shows is painted by the server, or by :meth:`answer` where it is slow."""

    def __init__(self, easel: Easel, window: Any, colour: int, *, slow: bool) -> None:
        self.window = window
        self._easel = easel
        self._colour = colour
        self._slow = slow
        self._graphics = window.create_gc(foreground=colour)

    def paint(self, colour: int, box: Rect | None = None) -> None:
        """Fill it, or a part of it in its own pixels."""
        if box is None:
            self._colour = colour
            self.window.change_attributes(background_pixel=colour)
            self.window.clear_area()
        else:
            self._graphics.change(foreground=colour)
            self.window.fill_rectangle(self._graphics, box.x1, box.y1, box.width, box.height)
        self._easel.sync()

    def answer(self) -> None:
        """Paint what a slow program has been asked to paint meanwhile."""
        from Xlib import X

        self._easel.sync()
        while self._easel.display.pending_events():
            event = self._easel.display.next_event()
            if event.type == X.Expose and event.window.id == self.window.id:
                self._graphics.change(foreground=self._colour)
                self.window.fill_rectangle(self._graphics, event.x, event.y, event.width, event.height)
        self._easel.sync()

    def put(self, **where: int) -> None:
        """Move, resize or restack: x, y, width, height, stack_mode."""
        self.window.configure(**where)
        self._easel.sync()

    def hide(self) -> None:
        self.window.unmap()
        self._easel.sync()

    def show(self) -> None:
        self.window.map()
        self._easel.sync()

    def cut_out(self, *boxes: Rect) -> None:
        """Give it a shape: only these parts of it, in its own pixels."""
        from Xlib.ext import shape

        self.window.shape_rectangles(
            shape.SO.Set, shape.SK.Bounding, 0, 0, 0, [(b.x1, b.y1, b.width, b.height) for b in boxes]
        )
        self._easel.sync()

    def destroy(self) -> None:
        self.window.destroy()
        self._easel.sync()


class Easel:
    """A connection on which windows are made."""

    def __init__(self, name: str) -> None:
        from Xlib import display

        self.display: Any = display.Display(name)
        self.root: Any = self.display.screen().root

    def sheet(
        self, box: Rect, colour: int, *, own: bool = False, slow: bool = False, title: str = "", managed: bool = False
    ) -> Sheet:
        """A new window on top of all others.

        Args:
            box: where.
            colour: 0xRRGGBB.
            own: whether it belongs to this process.
            slow: whether it paints nothing until :meth:`Sheet.answer`.
            title: its title.
            managed: whether a window manager may frame it.
        """
        from Xlib import X

        ground = {} if slow else {"background_pixel": colour}
        window = self.root.create_window(
            box.x1, box.y1, box.width, box.height, 0, self.display.screen().root_depth,
            override_redirect=not managed, event_mask=X.ExposureMask if slow else 0, **ground,
        )  # fmt: skip
        window.set_wm_name(title)
        window.set_wm_class(title.lower() or "sheet", title or "Sheet")
        window.set_wm_normal_hints(flags=1, min_width=10, min_height=10)  # user-given position
        pid = os.getpid() if own else 1
        cardinal = self.display.intern_atom("CARDINAL")
        window.change_property(self.display.intern_atom("_NET_WM_PID"), cardinal, 32, [pid])
        made = Sheet(self, window, colour, slow=slow)
        made.show()
        return made

    def ground(self, colour: int) -> None:
        """The colour of the desktop itself."""
        self.root.change_attributes(background_pixel=colour)
        self.root.clear_area()
        self.sync()

    def sync(self) -> None:
        self.display.sync()

    def __enter__(self) -> Easel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        from Xlib.error import ConnectionClosedError

        with contextlib.suppress(ConnectionClosedError):  # the server may have been killed
            self.display.close()


def shows(image: np.ndarray, colour: int) -> int:
    """How many pixels have exactly this colour."""
    wanted = np.array([colour >> 16, colour >> 8 & 255, colour & 255], dtype=np.uint8)
    return int((image == wanted).all(axis=2).sum())
