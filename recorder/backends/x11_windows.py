"""Windows of an X11 desktop: which one has the input, and where our own are to be seen."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from demopack.domain.geometry import Rect
from demopack.domain.steps import WindowInfo
from recorder.backends.base import WindowSource
from recorder.backends.xlib import open_display, xlib

__all__ = ["X11Windows", "subtract"]

_ATOMS = ("_NET_ACTIVE_WINDOW", "_NET_WM_NAME", "_NET_WM_PID", "UTF8_STRING", "WM_STATE")


class X11Windows(WindowSource):
    """Asks the server on a connection of its own, and only after something about the windows has changed."""

    def __init__(self, *, display: str | None = None) -> None:
        self._display = open_display(display)
        self._x = xlib("X")
        self._root = self._display.screen().root
        self._root.change_attributes(event_mask=self._x.PropertyChangeMask | self._x.SubstructureNotifyMask)
        self._display.set_error_handler(_ignore_error)
        self._atoms = {name: self._display.intern_atom(name) for name in _ATOMS}
        self._gone: tuple[type[Exception], ...] = (xlib("error").XError, xlib("error").ConnectionClosedError, OSError)
        self._watched: set[int] = set()
        self._changed = True
        self._active: WindowInfo | None = None
        self._owns_active = False
        self._own: list[Rect] = []
        self._closed = False

    def active(self) -> WindowInfo | None:
        """See :class:`WindowSource`."""
        self._update()
        return self._active

    def own_windows(self) -> list[Rect]:
        """See :class:`WindowSource`."""
        self._update()
        return list(self._own)

    def owns_active(self) -> bool:
        """See :class:`WindowSource`."""
        self._update()
        return self._owns_active

    def close(self) -> None:
        """See :class:`WindowSource`."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(*self._gone):
                self._display.close()

    def _update(self) -> None:
        with contextlib.suppress(*self._gone):
            while not self._closed and self._display.pending_events():
                self._display.next_event()
                self._changed = True
            if self._changed and not self._closed:
                self._changed = False
                self._read_active()
                self._own = list(self._visible_own())

    # What has the input -----------------------------------------------------------------------------------------

    def _read_active(self) -> None:
        found = self._property(self._root, "_NET_ACTIVE_WINDOW")
        window_id = int(found[0]) if found is not None and len(found) else 0
        self._active, self._owns_active = None, False
        if not window_id:
            return
        window = self._display.create_resource_object("window", window_id)
        try:
            if window_id not in self._watched:
                # Titles change without any event on the root window.
                window.change_attributes(event_mask=self._x.PropertyChangeMask)
                self._watched.add(window_id)
            self._active = WindowInfo(title=self._title(window), app=self._app(window), box=self._frame_box(window))
            self._owns_active = self._pid(window) == os.getpid()
        except self._gone:
            self._changed = True

    def _title(self, window: Any) -> str:  # noqa: ANN401 - an untyped library
        value = self._property(window, "_NET_WM_NAME")
        if value is None:
            name = window.get_wm_name()
            return name if isinstance(name, str) else ""
        return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)

    def _app(self, window: Any) -> str:  # noqa: ANN401 - an untyped library
        wm_class = window.get_wm_class()
        return str(wm_class[1] or wm_class[0]) if wm_class else ""

    def _pid(self, window: Any) -> int:  # noqa: ANN401 - an untyped library
        value = self._property(window, "_NET_WM_PID")
        return int(value[0]) if value is not None and len(value) else 0

    def _property(self, window: Any, name: str) -> Any:  # noqa: ANN401 - an untyped library
        found = window.get_full_property(self._atoms[name], self._x.AnyPropertyType)
        return None if found is None else found.value

    # Where our windows are --------------------------------------------------------------------------------------

    def _visible_own(self) -> Iterator[Rect]:
        """The parts of our top-level windows that no window above them covers."""
        above: list[Rect] = []
        for window in reversed(self._root.query_tree().children):
            try:
                attributes = window.get_attributes()
                if attributes.map_state != self._x.IsViewable or attributes.win_class == self._x.InputOnly:
                    continue
                box = _box(window)
                if self._is_own(window):
                    yield from subtract(box, above)
            except self._gone:
                continue
            above.append(box)

    def _is_own(self, window: Any, depth: int = 0) -> bool:  # noqa: ANN401 - an untyped library
        """Whether this window, or the one that a window manager has framed in it, belongs to this process."""
        pid = self._pid(window)
        if pid or depth > 2:
            return pid == os.getpid()
        return any(self._is_own(child, depth + 1) for child in window.query_tree().children)

    def _frame_box(self, window: Any) -> Rect:  # noqa: ANN401 - an untyped library
        """The outer box: the ancestor that is a child of the root window."""
        while True:
            parent = window.query_tree().parent
            if not parent or parent.id == self._root.id:
                break
            window = parent
        return _box(window)


def _box(window: Any) -> Rect:  # noqa: ANN401 - an untyped library
    """A child of the root window, its border included."""
    geometry = window.get_geometry()
    border = 2 * geometry.border_width
    return Rect(geometry.x, geometry.y, geometry.x + geometry.width + border, geometry.y + geometry.height + border)


def subtract(box: Rect, covers: list[Rect]) -> list[Rect]:
    """What is left of a box when others lie on it, as disjoint boxes."""
    left = [box]
    for cover in covers:
        left = [part for rest in left for part in _cut(rest, cover)]
    return left


def _cut(box: Rect, cover: Rect) -> list[Rect]:
    common = box.intersection(cover)
    if common is None:
        return [box]
    parts = [
        Rect(box.x1, box.y1, box.x2, common.y1),
        Rect(box.x1, common.y2, box.x2, box.y2),
        Rect(box.x1, common.y1, common.x1, common.y2),
        Rect(common.x2, common.y1, box.x2, common.y2),
    ]
    return [part for part in parts if part.area]


def _ignore_error(*_: object) -> None:
    """Windows come and go while we ask about them; python-xlib would print every such answer."""
