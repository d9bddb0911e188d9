"""Windows of a recording desktop as its panel lists them, and the room that the panel keeps free for itself."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any, Final

from recorder.backends.x11.xlib import numbers_of, open_display, server_errors, title_of, xlib
from recorder.desktop.controls import RecordingWatch

_FOLLOWED: Final = ("_NET_CLIENT_LIST", "_NET_ACTIVE_WINDOW", "_DEMOPACK_RECORDER")
_UNLISTED: Final = ("_NET_WM_STATE_SKIP_TASKBAR",)
_UNLISTED_KINDS: Final = ("DOCK", "UTILITY", "DESKTOP", "SPLASH")
_BY_PAGER: Final = 2  # the source of a request that a person made in a panel


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedWindow:
    """One window.

    Attributes:
        number: of the window in the system.
        title: as its program gives it.
        is_active: whether it has the input.
    """

    number: int
    title: str
    is_active: bool


class WindowList:
    """Follows the windows on a connection of its own, used from one thread.

    Attributes:
        recording: the recording that runs here.
    """

    def __init__(self, display: str | None = None) -> None:
        """Connect.

        Args:
            display: an X server other than the one in ``DISPLAY``.

        Raises:
            CaptureError: it cannot be reached.
        """
        self._display = open_display(display, quiet=True)
        self._root = self._display.screen().root
        self._root.change_attributes(event_mask=xlib("X").PropertyChangeMask | xlib("X").StructureNotifyMask)
        self.recording = RecordingWatch(self._display)
        self._watched: set[int] = set()
        self._display.sync()

    def close(self) -> None:
        """Let go of the connection."""
        with contextlib.suppress(*server_errors()):
            self._display.close()

    def fileno(self) -> int:
        """A descriptor that becomes readable when something may have changed."""
        return int(self._display.fileno())

    def has_news(self) -> bool:
        """Whether the list, a title or the size of the screen has changed since the last call.

        Raises:
            OSError: the server has ended.
        """
        x, news = xlib("X"), False
        followed = {self._display.get_atom(name) for name in _FOLLOWED}
        while self._display.pending_events():
            event = self._display.next_event()
            if event.type == x.PropertyNotify:
                news = news or event.window.id != self._root.id or event.atom in followed
            elif event.type in {x.ConfigureNotify, x.DestroyNotify}:
                news = True
        return news

    def screen_size(self) -> tuple[int, int]:
        """Width and height of the screen, pixels."""
        geometry = self._root.get_geometry()
        return int(geometry.width), int(geometry.height)

    def read(self) -> list[ListedWindow]:
        """The windows, in the order in which they were opened."""
        active = next(iter(numbers_of(self._display, self._root, "_NET_ACTIVE_WINDOW")), 0)
        found: list[ListedWindow] = []
        for number in numbers_of(self._display, self._root, "_NET_CLIENT_LIST"):
            with contextlib.suppress(xlib("error").XError):
                window = self._window(number)
                if self._is_listed(window):
                    found.append(
                        ListedWindow(number=number, title=title_of(self._display, window), is_active=number == active)
                    )
        return found

    def _window(self, number: int) -> Any:  # noqa: ANN401 - an untyped library
        window = self._display.create_resource_object("window", number)
        if number not in self._watched:
            self._watched.add(number)
            window.change_attributes(event_mask=xlib("X").PropertyChangeMask)
        return window

    def _is_listed(self, window: Any) -> bool:  # noqa: ANN401 - an untyped library
        kinds = numbers_of(self._display, window, "_NET_WM_WINDOW_TYPE")
        states = numbers_of(self._display, window, "_NET_WM_STATE")
        left_out = {self._display.get_atom(name) for name in _UNLISTED}
        panels = {self._display.get_atom(f"_NET_WM_WINDOW_TYPE_{kind}") for kind in _UNLISTED_KINDS}
        # A program often gives a window several kinds, the one that it is first.
        return not panels & set(kinds[:1]) and not left_out & set(states)

    def show(self, number: int) -> None:
        """Bring a window to the front and give it the input."""
        self._request("_NET_ACTIVE_WINDOW", number, [_BY_PAGER, 0, 0, 0, 0])

    def minimise(self, number: int) -> None:
        """Put a window away."""
        window = self._display.create_resource_object("window", number)
        self._send("WM_CHANGE_STATE", window, [xlib("Xutil").IconicState, 0, 0, 0, 0])

    def close_window(self, number: int) -> None:
        """Ask a window's program to close it."""
        self._request("_NET_CLOSE_WINDOW", number, [0, _BY_PAGER, 0, 0, 0])

    def _request(self, name: str, number: int, data: list[int]) -> None:
        self._send(name, self._display.create_resource_object("window", number), data)

    def _send(self, name: str, window: Any, data: list[int]) -> None:  # noqa: ANN401 - an untyped library
        x = xlib("X")
        message = xlib("protocol.event").ClientMessage(
            window=window, client_type=self._display.intern_atom(name), data=(32, data)
        )
        self._root.send_event(message, event_mask=x.SubstructureRedirectMask | x.SubstructureNotifyMask)
        self._display.flush()

    def keep_free(self, number: int, *, bottom: int) -> None:
        """Keep other windows from a strip of the screen.

        Args:
            number: of the window that stands there.
            bottom: height of the strip at the screen's lower edge, pixels.
        """
        window = self._display.create_resource_object("window", number)
        window.change_property(
            self._display.intern_atom("_NET_WM_STRUT"), xlib("Xatom").CARDINAL, 32, [0, 0, 0, bottom]
        )
        self._display.flush()
