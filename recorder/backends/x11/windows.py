"""Windows of an X11 desktop, kept up to date from the server's events: which has the input, and where our own are."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from demopack.domain.geometry import Rect, subtract
from demopack.domain.steps import WindowInfo
from recorder.backends.base import DesktopWindows, SeenWindow, WindowSource
from recorder.backends.x11.xlib import (
    connection_lost,
    cut,
    numbers_of,
    open_display,
    property_of,
    server_errors,
    title_of,
    xlib,
)

_CLOSE_S = 1.0
_NO_CHOICE = ("_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_DESKTOP")
_ATOMS = ("_NET_WM_NAME", "_NET_WM_PID", "WM_STATE", "WM_NAME", "WM_CLASS")
_FRAMES, _CHILDREN = 3, 16  # so deep a window manager may have put a program's window into its own


@dataclass(slots=True, eq=False, kw_only=True)
class TopLevel:
    """A child of the root window.

    Attributes:
        window: the child itself: a window manager's frame, or the program's window where nothing frames it.
        box: on the virtual desktop, its border included.
        border: width of the border, pixels.
        depth: bits per pixel; 32 may be translucent.
        mapped: whether it is on the screen, covered or not.
        input_only: whether it can never be seen.
        client_id: the program's window; that of the frame where there is none.
        pid: the program's process; 0 when unknown.
        title: as shown.
        app: the program's name; empty when unknown.
        named: whether the program's window has been found; a frame may still be empty.
    """

    window: Any
    box: Rect
    border: int = 0
    depth: int = 24
    mapped: bool = False
    input_only: bool = False
    client_id: int = 0
    pid: int = 0
    title: str = ""
    app: str = ""
    named: bool = False

    @property
    def own(self) -> bool:
        """Whether it belongs to this process."""
        return self.pid == os.getpid()


class Stacking:
    """Reads each window once, and again only what an event says has changed.

    The owner of the connection selects the root's substructure events and hands every event to :meth:`note`.
    """

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        self._display = display
        self._x = xlib("X")
        self._root = display.screen().root
        self._described_by = {display.get_atom(name) for name in _ATOMS}
        errors: Any = xlib("error")
        self._gone: tuple[type[Exception], ...] = (errors.XError, AttributeError)  # no SHAPE: no such method
        self._known: dict[int, TopLevel] = {}
        self._clients: dict[int, int] = {}
        self._order: tuple[TopLevel, ...] = ()
        self._stale = True
        shape = display.query_extension("SHAPE")
        self._shape_event = -1 if shape is None else int(shape.first_event)
        self.ignored: set[int] = set()
        """Windows of ours that are only a tool and never seen."""

    def note(self, event: Any) -> bool:  # noqa: ANN401 - an untyped library
        """Take in an event; returns whether it is about windows."""
        x = self._x
        if event.type == x.PropertyNotify:
            top = self._clients.get(event.window.id)
            if top is None or event.atom not in self._described_by:
                return False  # programs note in their windows when they were last used
            self._forget(top)
            return True
        if not x.CreateNotify <= event.type <= x.CirculateNotify:
            return bool(event.type == self._shape_event)
        if event.window.id in self.ignored:
            if event.type == x.DestroyNotify:
                self.ignored.discard(event.window.id)
            return False
        self._stale = True
        known = self._known.get(event.window.id)
        if known is not None:
            self._update(known, event)
        if event.type == x.ReparentNotify:
            # A window manager has framed something: which of the frames that is, nobody says.
            for window_id in [window_id for window_id, top in self._known.items() if not top.named]:
                self._forget(window_id)
        return True

    def _update(self, known: TopLevel, event: Any) -> None:  # noqa: ANN401 - an untyped library
        if event.type == self._x.ConfigureNotify:
            known.box = box_of(event)
            known.border = event.border_width
        elif event.type == self._x.UnmapNotify:
            known.mapped = False
        elif event.type != self._x.CirculateNotify:
            self._forget(known.window.id)

    def read(self) -> tuple[TopLevel, ...]:
        """The windows on the screen, topmost first."""
        if self._stale:
            self._stale = False
            children = self._root.query_tree().children
            present = {window.id for window in children}
            for gone in [window_id for window_id in self._known if window_id not in present]:
                self._forget(gone)
            entries = [self._entry(window) for window in reversed(children) if window.id not in self.ignored]
            self._order = tuple(top for top in entries if top is not None and top.mapped and not top.input_only)
        return self._order

    def shape(self, top: TopLevel) -> list[Rect]:
        """What of its box a window covers, as boxes on the virtual desktop; all of it for an ordinary window."""
        try:
            found = top.window.shape_get_rectangles(0)
        except self._gone:
            return [top.box]
        dx, dy = top.box.x1 + top.border, top.box.y1 + top.border
        parts = (Rect(r.x + dx, r.y + dy, r.x + r.width + dx, r.y + r.height + dy) for r in found.rectangles)
        return [part for part in (p.intersection(top.box) for p in parts) if part is not None]

    def _forget(self, window_id: int) -> None:
        self._known.pop(window_id, None)
        self._clients = {client: top for client, top in self._clients.items() if top != window_id}
        self._stale = True

    def _entry(self, window: Any) -> TopLevel | None:  # noqa: ANN401 - an untyped library
        known = self._known.get(window.id)
        if known is not None:
            return known
        try:
            found = self._ask(window)
        except self._gone:
            return None  # it has gone meanwhile
        self._known[window.id] = found
        return found

    def _ask(self, window: Any) -> TopLevel:  # noqa: ANN401 - an untyped library
        if self._shape_event >= 0:
            window.shape_select_input(1)
        attributes = window.get_attributes()
        geometry = window.get_geometry()
        top = TopLevel(
            window=window,
            box=box_of(geometry),
            border=geometry.border_width,
            depth=geometry.depth,
            mapped=attributes.map_state == self._x.IsViewable,
            input_only=attributes.win_class == self._x.InputOnly,
            client_id=window.id,
            named=attributes.win_class == self._x.InputOnly,
        )
        if not top.input_only:
            client = None if attributes.override_redirect else self._client(top, window, 0)
            self._describe(top, client or window)
        return top

    def _client(self, top: TopLevel, window: Any, depth: int) -> Any:  # noqa: ANN401 - an untyped library
        """The program's window in a window manager's frame; None where nothing is framed."""
        # Watched before it is asked, so that no change falls between the two.
        self._watch(top, window)
        if property_of(self._display, window, "WM_STATE") is not None:
            return window
        if depth >= (1 if window.get_wm_class() else _FRAMES):
            return None
        # The last is on top: that is the program, the others are ornaments.
        for child in window.query_tree().children[::-1][:_CHILDREN]:
            found = self._client(top, child, depth + 1)
            if found is not None:
                return found
        return None

    def _describe(self, top: TopLevel, window: Any) -> None:  # noqa: ANN401 - an untyped library
        self._watch(top, window)
        top.client_id = window.id
        top.pid = next(iter(numbers_of(self._display, window, "_NET_WM_PID")), 0)
        top.title = title_of(self._display, window)
        wm_class = window.get_wm_class()
        top.app = app_of(wm_class)
        top.named = bool(wm_class or top.pid)

    def _watch(self, top: TopLevel, window: Any) -> None:  # noqa: ANN401 - an untyped library
        window.change_attributes(event_mask=self._x.PropertyChangeMask)
        self._clients[window.id] = top.window.id


def box_of(it: Any) -> Rect:  # noqa: ANN401 - an untyped library
    """The box of a geometry or of an event about it, border included."""
    border = 2 * it.border_width
    return Rect(it.x, it.y, it.x + it.width + border, it.y + it.height + border)


def app_of(wm_class: tuple[str, str] | None) -> str:
    """The name of a program by the class of its window; empty when unknown."""
    return str(wm_class[1] or wm_class[0]) if wm_class else ""


class X11Windows(WindowSource):
    """Asks the server on a connection of its own, and only after something about the windows has changed."""

    def __init__(self, *, display: str | None = None) -> None:
        self._display = open_display(display, quiet=True)
        self._x = xlib("X")
        self._root = self._display.screen().root
        self._root.change_attributes(event_mask=self._x.PropertyChangeMask | self._x.SubstructureNotifyMask)
        self._stacking = Stacking(self._display)
        self._changed = True
        self._found = DesktopWindows()
        self._closed = False
        self._busy = threading.Lock()

    def read(self) -> DesktopWindows:
        """See :class:`WindowSource`; what opaque windows cover completely is left out."""
        with self._busy, contextlib.suppress(*server_errors()):
            while not self._closed and self._display.pending_events():
                event = self._display.next_event()
                about_desktop = event.type == self._x.PropertyNotify and event.window.id == self._root.id
                self._changed |= self._stacking.note(event) or about_desktop
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
                with contextlib.suppress(*server_errors()):
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
                SeenWindow(
                    title=top.title,
                    app=top.app,
                    box=top.box,
                    see_through=top.depth >= 32,
                    process=top.pid,
                    number=top.window.id,
                )
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
        self._before = self.active()

    def active(self) -> int:
        """The window that has the input; 0 when the window manager does not tell."""
        return next(iter(numbers_of(self._display, self._root, "_NET_ACTIVE_WINDOW")), 0)

    def take(self, window: int) -> None:
        """Give it to a window of ours, by its X11 number."""
        with contextlib.suppress(*connection_lost()):
            self._activate(window)

    def give_back(self) -> None:
        """Give it back to whoever had it, and leave; calling it twice is harmless."""
        before, self._before = self._before, 0
        with contextlib.suppress(*connection_lost()):
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
