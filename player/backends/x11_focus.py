"""What the keys go to on X11: the window that has the server's own input focus, whatever the window manager says."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.geometry import Rect
from demopack.domain.steps import WindowInfo

__all__ = ["X11FocusReader"]

_DEEPEST: Final = 32  # windows inside each other, from what has the focus up to the root


class X11FocusReader:
    """Asks the server; never waits for a program or for the window manager, whose news may be late.

    Args:
        display: an ``Xlib.display.Display`` of our own.
    """

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - python-xlib has no types
        from Xlib.error import XError

        self._display = display
        self._root = display.screen().root
        self._state = display.intern_atom("WM_STATE")
        self._name = display.intern_atom("_NET_WM_NAME")
        self._gone: type[Exception] = XError

    def number(self) -> int:
        """The X11 number of what has the focus; 0 and 1 are nothing, and whatever lies under the pointer."""
        focus = self._display.get_input_focus().focus
        return int(focus) if isinstance(focus, int) else int(focus.id)

    def window_number(self) -> int:
        """The X11 number of the program's window around what has the focus; 0 where nothing has it."""
        try:
            client, _ = self._client()
        except self._gone:
            return 0  # it has gone meanwhile
        return 0 if client is None else int(client.id)

    def window(self) -> WindowInfo | None:
        """The program's window around what has the focus; None where nothing has it."""
        try:
            client, frame = self._client()
            return None if client is None else self._info(client, frame)
        except self._gone:
            return None  # it has gone meanwhile

    def _client(self) -> tuple[Any, Any]:
        """The program's window, and the outermost window around it: the frame of the window manager, if there is one.

        The program's window is the one that the window manager marked; where it marked none, it is the outermost.
        """
        window = self._display.get_input_focus().focus
        if isinstance(window, int) or window.id == self._root.id:
            return None, None
        client = None
        for _ in range(_DEEPEST):
            if client is None and window.get_full_property(self._state, 0) is not None:
                client = window
            parent = window.query_tree().parent
            if isinstance(parent, int) or parent.id == self._root.id:
                break
            window = parent
        return client or window, window

    def _info(self, client: Any, frame: Any) -> WindowInfo:  # noqa: ANN401 - python-xlib has no types
        geometry = frame.get_geometry()
        border = 2 * geometry.border_width
        wm_class = client.get_wm_class()
        return WindowInfo(
            title=self._title(client),
            app=str(wm_class[1] or wm_class[0]) if wm_class else "",
            box=Rect(
                geometry.x, geometry.y, geometry.x + geometry.width + border, geometry.y + geometry.height + border
            ),
        )

    def _title(self, client: Any) -> str:  # noqa: ANN401 - python-xlib has no types
        found = client.get_full_property(self._name, 0)
        if found is None:
            name = client.get_wm_name()
            return name if isinstance(name, str) else ""
        value = found.value
        return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)
