"""Loan of the input to a window of ours; the window that had it before gets it back.

A hot-key reaches us beside the window system, so a window that we then open has no claim to the input: window managers
hold it back as unasked for. A request that comes as from a pager is always granted.
"""

from __future__ import annotations

import contextlib
from typing import Any

from recorder.backends.x11.xlib import connection_lost, numbers_of, open_display, xlib

_FROM_A_PAGER = 2


class X11Focus:
    """One loan of the input; its connection lives as long as it does."""

    def __init__(self, *, display: str | None = None) -> None:
        """Remember who has the input now.

        Raises:
            CaptureError: there is no X server.
        """
        self._display = open_display(display)
        self._root = self._display.screen().root
        self._gone = connection_lost()
        self._before = self.active()

    def active(self) -> int:
        """The window that has the input; 0 when the window manager does not tell."""
        return next(iter(numbers_of(self._display, self._root, "_NET_ACTIVE_WINDOW")), 0)

    def take(self, window: int) -> None:
        """Give it to a window of ours, by its X11 number."""
        with contextlib.suppress(*self._gone):
            self._activate(window)

    def give_back(self) -> None:
        """Give it back to whoever had it, and leave; calling it twice is harmless."""
        before, self._before = self._before, 0
        with contextlib.suppress(*self._gone):
            if before:
                self._activate(before)
            self._display.close()

    def _activate(self, window: int) -> None:
        x = xlib("X")
        message: Any = xlib("protocol.event").ClientMessage(
            window=self._display.create_resource_object("window", window),
            client_type=self._display.intern_atom("_NET_ACTIVE_WINDOW"),
            data=(32, [_FROM_A_PAGER, x.CurrentTime, 0, 0, 0]),
        )
        self._root.send_event(message, event_mask=x.SubstructureRedirectMask | x.SubstructureNotifyMask)
        self._display.sync()
