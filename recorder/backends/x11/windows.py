"""Windows of an X11 desktop: which there are, which one has the input, and where our own are to be seen."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import Any

from demopack.domain.geometry import Rect, subtract
from demopack.domain.steps import WindowInfo
from recorder.backends.base import DesktopWindows, SeenWindow, WindowSource
from recorder.backends.x11.stacking import Stacking, TopLevel
from recorder.backends.x11.xlib import connection_lost, cut, numbers_of, open_display, server_errors, title_of, xlib

_CLOSE_S = 1.0
_NO_CHOICE = ("_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_DESKTOP")


class X11Windows(WindowSource):
    """Asks the server on a connection of its own, and only after something about the windows has changed."""

    def __init__(self, *, display: str | None = None) -> None:
        self._display = open_display(display, quiet=True)
        self._x = xlib("X")
        self._root = self._display.screen().root
        self._root.change_attributes(event_mask=self._x.PropertyChangeMask | self._x.SubstructureNotifyMask)
        self._gone = server_errors()
        self._stacking = Stacking(self._display)
        self._changed = True
        self._found = DesktopWindows()
        self._closed = False
        self._busy = threading.Lock()

    def read(self) -> DesktopWindows:
        """See :class:`WindowSource`; what opaque windows cover completely is left out."""
        with self._busy, contextlib.suppress(*self._gone):
            while not self._closed and self._display.pending_events():
                self._stacking.note(self._display.next_event())
                self._changed = True
            if self._changed and not self._closed:
                self._changed = False
                self._found = self._ask()
        return self._found

    def close(self) -> None:
        """See :class:`WindowSource`."""
        if not self._closed:
            self._closed = True
            cut(self._display)
            if self._busy.acquire(timeout=_CLOSE_S):
                with contextlib.suppress(*self._gone):
                    self._display.close()
                self._busy.release()

    def _ask(self) -> DesktopWindows:
        tops = self._stacking.read()
        active_id = next(iter(numbers_of(self._display, self._root, "_NET_ACTIVE_WINDOW")), 0)
        active = next((top for top in tops if active_id and active_id in {top.client_id, top.window.id}), None)
        return DesktopWindows(
            active=None if active is None else _info(active),
            own=tuple(visible_own(tops, self._stacking)),
            own_active=active is not None and active.own,
            stack=tuple(
                SeenWindow(title=top.title, app=top.app, box=top.box, see_through=True)
                if top.depth >= 32
                else _info(top)
                for top in self._seen(tops)
                if not top.own
            ),
        )

    def _seen(self, tops: tuple[TopLevel, ...]) -> Iterator[TopLevel]:
        """The windows of which something can be seen."""
        screen = self._root.get_geometry()
        whole = Rect(0, 0, screen.width, screen.height)
        above: list[Rect] = []
        for top in tops:
            box = top.box.intersection(whole)
            if box is not None and subtract(box, above):
                yield top
            if top.depth < 32:  # with an alpha channel: what lies beneath may shine through
                above.append(top.box)


def visible_own(tops: tuple[TopLevel, ...], stacking: Stacking) -> list[Rect]:
    """The parts of our windows that no window of others above them covers.

    Args:
        tops: topmost first.
        stacking: knows the shapes of windows; asked only where one lies above one of ours.
    """
    above: list[TopLevel] = []
    found: list[Rect] = []
    for top in tops:
        if top.own:
            covers = [part for other in above if other.box.intersection(top.box) for part in stacking.shape(other)]
            found += subtract(top.box, covers)
        else:
            above.append(top)
    return found


def _info(top: TopLevel) -> WindowInfo:
    return WindowInfo(title=top.title, app=top.app, box=top.box)


def client_titles(display: str | None = None) -> list[str]:
    """Titles of the other programs' windows, topmost first, each once; without panels and the desktop itself.

    Raises:
        CaptureError: there is no X server.
    """
    connection = open_display(display)
    try:
        root = connection.screen().root
        no_choice = {connection.intern_atom(name) for name in _NO_CHOICE}
        found: list[str] = []
        for window_id in reversed(numbers_of(connection, root, "_NET_CLIENT_LIST_STACKING")):
            window = connection.create_resource_object("window", window_id)
            try:
                if no_choice & set(numbers_of(connection, window, "_NET_WM_WINDOW_TYPE")):
                    continue
                if os.getpid() in numbers_of(connection, window, "_NET_WM_PID"):
                    continue
                title = title_of(connection, window)
            except (xlib("error").BadWindow, xlib("error").BadDrawable):
                continue  # it has gone meanwhile
            if title and title not in found:
                found.append(title)
        return found
    finally:
        connection.close()


_FROM_A_PAGER = 2


class X11Focus:
    """One loan of the input to a window of ours; the window that had it before gets it back.

    A hot-key reaches us beside the window system, so a window that we then open has no claim to the input: window
    managers hold it back as unasked for. A request that comes as from a pager is always granted.
    """

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
