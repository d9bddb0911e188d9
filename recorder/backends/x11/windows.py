"""Windows of an X11 desktop: which there are, which one has the input, and where our own are to be seen."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

from demopack.domain.geometry import Rect, subtract
from demopack.domain.steps import WindowInfo
from recorder.backends.base import SeenWindow, WindowSource
from recorder.backends.x11.stacking import Stacking, TopLevel
from recorder.backends.x11.xlib import cut, open_display, xlib
from recorder.docked import docked

__all__ = ["X11Windows", "visible_own"]

_CLOSE_S = 1.0


class X11Windows(WindowSource):
    """Asks the server on a connection of its own, and only after something about the windows has changed."""

    def __init__(self, *, display: str | None = None) -> None:
        self._display = open_display(display)
        self._x = xlib("X")
        self._root = self._display.screen().root
        self._root.change_attributes(event_mask=self._x.PropertyChangeMask | self._x.SubstructureNotifyMask)
        self._display.set_error_handler(_ignore_error)
        self._active_atom = self._display.intern_atom("_NET_ACTIVE_WINDOW")
        self._gone: tuple[type[Exception], ...] = (xlib("error").XError, xlib("error").ConnectionClosedError, OSError)
        self._stacking = Stacking(self._display)
        self._changed = True
        self._active: WindowInfo | None = None
        self._owns_active = False
        self._own: list[Rect] = []
        self._stack: tuple[WindowInfo, ...] = ()
        self._closed = False
        self._busy = threading.Lock()

    def active(self) -> WindowInfo | None:
        """See :class:`WindowSource`."""
        self._update()
        return self._active

    def own_windows(self) -> list[Rect]:
        """See :class:`WindowSource`."""
        self._update()
        return [*self._own, *docked()]

    def owns_active(self) -> bool:
        """See :class:`WindowSource`."""
        self._update()
        return self._owns_active

    def stack(self) -> tuple[WindowInfo, ...]:
        """See :class:`WindowSource`; what opaque windows cover completely is left out."""
        self._update()
        return self._stack

    def close(self) -> None:
        """See :class:`WindowSource`."""
        if not self._closed:
            self._closed = True
            cut(self._display)
            if self._busy.acquire(timeout=_CLOSE_S):
                with contextlib.suppress(*self._gone):
                    self._display.close()
                self._busy.release()

    def _update(self) -> None:
        with self._busy, contextlib.suppress(*self._gone):
            while not self._closed and self._display.pending_events():
                self._stacking.note(self._display.next_event())
                self._changed = True
            if self._changed and not self._closed:
                self._changed = False
                self._read()

    def _read(self) -> None:
        tops = self._stacking.read()
        found = self._root.get_full_property(self._active_atom, self._x.AnyPropertyType)
        active_id = int(found.value[0]) if found is not None and len(found.value) else 0
        active = next((top for top in tops if active_id and active_id in {top.client_id, top.window.id}), None)
        self._active = None if active is None else _info(active)
        self._owns_active = active is not None and active.pid == os.getpid()
        self._own = [part for parts in visible_own(tops, self._stacking) for part in parts]
        self._stack = tuple(_seen_info(top) for top in self._seen(tops) if not top.own)

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


def visible_own(tops: tuple[TopLevel, ...], stacking: Stacking) -> Iterator[list[Rect]]:
    """For each window of ours the parts that no window of others above it covers.

    Args:
        tops: topmost first.
        stacking: knows the shapes of windows; asked only where one lies above one of ours.
    """
    above: list[TopLevel] = []
    for top in tops:
        if top.own:
            covers = [part for other in above if other.box.intersection(top.box) for part in stacking.shape(other)]
            yield subtract(top.box, covers)
        else:
            above.append(top)


def _info(top: TopLevel) -> WindowInfo:
    return WindowInfo(title=top.title, app=top.app, box=top.box)


def _seen_info(top: TopLevel) -> WindowInfo:
    return SeenWindow(title=top.title, app=top.app, box=top.box, see_through=True) if top.depth >= 32 else _info(top)


def _ignore_error(*_: object) -> None:
    """Windows come and go while we ask about them; python-xlib would print every such answer."""
