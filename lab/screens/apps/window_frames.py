"""The windows of a screen with the frames that a window manager draws around them, part by part.

Openbox makes each part of a title bar a small window of its own, so the X server knows exactly where it is.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from demopack.domain.geometry import Rect
from recorder.backends.x11.xlib import numbers_of, open_display, property_of, xlib

_KINDS = ("label", "maximize", "close", "all_desktops", "shade", "icon", "minimize")
"""The windows in openbox's title bar, in the order in which they are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FramedWindow:
    """One window.

    Attributes:
        number: of the program's window.
        box: what the program draws, without an invisible shadow.
        frame: with the frame around it.
        title: as the window manager shows it.
        active: whether it has the input.
        popup: no window manager looks after it: a menu, a list or a tool tip.
        dialog: it belongs to another window.
        parts: of the title bar, each with its kind.
        process: number of its process; 0 when unknown.
    """

    number: int
    box: Rect
    frame: Rect
    title: str = ""
    active: bool = False
    popup: bool = False
    dialog: bool = False
    parts: tuple[tuple[str, Rect], ...] = ()
    process: int = 0


class WindowFrames:
    """Reads them; a connection of its own."""

    def __init__(self, display: str) -> None:
        """Connect.

        Raises:
            CaptureError: the X server cannot be reached.
        """
        self._display = open_display(display, quiet=True)
        self._errors: tuple[type[Exception], ...] = (xlib("error").XError, OSError)

    def close(self) -> None:
        """Let go of the display."""
        with contextlib.suppress(xlib("error").ConnectionClosedError, OSError):
            self._display.close()

    def read(self) -> tuple[FramedWindow, ...]:
        """The windows that are on the screen, topmost first."""
        root = self._display.screen().root
        active = numbers_of(self._display, root, "_NET_ACTIVE_WINDOW")
        found: list[FramedWindow] = []
        for top in reversed(root.query_tree().children):
            with contextlib.suppress(*self._errors):
                window = self._read(top, active)
                if window is not None:
                    found.append(window)
        return tuple(found)

    def move(self, number: int, box: Rect) -> None:
        """Ask the window manager to put a window's inside there."""
        root = self._display.screen().root
        window = self._display.create_resource_object("window", number)
        static, all_of_it, by_a_pager = 10, 0xF << 8, 2 << 12
        # A program that draws its own frame may have its corner left of the screen; the message knows no signs.
        numbers = [static | all_of_it | by_a_pager, box.x1, box.y1, box.width, box.height]
        data = (32, [number & 0xFFFFFFFF for number in numbers])
        event = xlib("protocol.event").ClientMessage(
            window=window, client_type=self._display.intern_atom("_NET_MOVERESIZE_WINDOW"), data=data
        )
        mask = xlib("X").SubstructureRedirectMask | xlib("X").SubstructureNotifyMask
        root.send_event(event, event_mask=mask)
        self._display.sync()

    def paint_root(self, colour: tuple[int, int, int]) -> None:
        """Give the screen a ground."""
        root = self._display.screen().root
        root.change_attributes(background_pixel=colour[0] << 16 | colour[1] << 8 | colour[2])
        root.clear_area(0, 0, 0, 0)
        self._display.sync()

    def _read(self, top: Any, active: list[int]) -> FramedWindow | None:  # noqa: ANN401 - an untyped library
        look = top.get_attributes()
        if look.map_state != xlib("X").IsViewable or look.win_class == xlib("X").InputOnly:
            return None
        frame = self._box(top)
        client = top if look.override_redirect else self._client(top)
        if frame.width < 4 or frame.height < 4:
            return None
        if client is None:
            return None
        if client is top and not self._is_program(top):
            return None
        inner = self._box(client)
        shadow = numbers_of(self._display, client, "_GTK_FRAME_EXTENTS")
        if len(shadow) == 4:
            left, right, above, below = shadow
            inner = Rect(inner.x1 + left, inner.y1 + above, inner.x2 - right, inner.y2 - below)
            frame = inner if frame.encloses(inner) and client is not top else frame
        return FramedWindow(
            number=client.id,
            box=inner,
            frame=inner if client is top or not self._decorated(client) else frame,
            title=self._text(client, "_NET_WM_VISIBLE_NAME") or self._text(client, "_NET_WM_NAME"),
            active=client.id in active,
            popup=client is top,
            dialog=bool(numbers_of(self._display, client, "WM_TRANSIENT_FOR")),
            parts=() if client is top else self._parts(top, client),
            process=next(iter(numbers_of(self._display, client, "_NET_WM_PID")), 0),
        )

    def _is_program(self, window: Any) -> bool:  # noqa: ANN401 - an untyped library
        """Whether an unmanaged window is a program's, not one of the window manager's own."""
        return bool(
            numbers_of(self._display, window, "_NET_WM_PID") or numbers_of(self._display, window, "_NET_WM_WINDOW_TYPE")
        )

    def _decorated(self, client: Any) -> bool:  # noqa: ANN401 - an untyped library
        return any(numbers_of(self._display, client, "_NET_FRAME_EXTENTS"))

    def _client(self, frame: Any) -> Any:  # noqa: ANN401 - an untyped library
        for child in frame.query_tree().children:
            if numbers_of(self._display, child, "WM_STATE"):
                return child
        return None

    def _parts(self, frame: Any, client: Any) -> tuple[tuple[str, Rect], ...]:  # noqa: ANN401
        """The parts of the title bar: the last windows in the strip above the program's window."""
        inner = self._box(client)
        for child in frame.query_tree().children:
            if child.id == client.id or self._box(child).y2 > inner.y1 + 1:
                continue
            inside = child.query_tree().children
            if len(inside) < len(_KINDS):
                continue
            seen = xlib("X").IsViewable
            last = zip(_KINDS, inside[-len(_KINDS) :], strict=True)
            return tuple((kind, self._box(part)) for kind, part in last if part.get_attributes().map_state == seen)
        return ()

    def _box(self, window: Any) -> Rect:  # noqa: ANN401 - an untyped library
        geometry = window.get_geometry()
        corner = self._display.screen().root.translate_coords(window, 0, 0)
        border = geometry.border_width
        # What is translated is the corner inside the border.
        x, y = corner.x - border, corner.y - border
        return Rect(x, y, x + geometry.width + 2 * border, y + geometry.height + 2 * border)

    def _text(self, window: Any, name: str) -> str:  # noqa: ANN401 - an untyped library
        value = property_of(self._display, window, name)
        return value.decode(errors="replace") if isinstance(value, bytes) else ""
