"""Input on X11 through the XTEST extension, and what it goes to: the window with the server's own input focus."""

from __future__ import annotations

import contextlib
import os
from typing import Any, Final

from demopack.domain.events import Button
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import WindowInfo
from demopack.errors import CaptureError, ReplayError
from player.backends.base import InputCheck, nothing_to_check
from player.backends.x11_keyboard import X11Keyboard
from recorder.backends.x11.xlib import property_of, title_of

_BUTTONS: Final[dict[Button, int]] = {"left": 1, "middle": 2, "right": 3}
_BUTTON_MASKS: Final = {"left": 1 << 8, "middle": 1 << 9, "right": 1 << 10}
_WHEEL: Final = {"up": 4, "down": 5, "left": 6, "right": 7}
_DEEPEST: Final = 32  # windows inside each other, from what has the focus up to the root


class X11Performer(X11Keyboard):
    """One connection to an X server. What has the focus it asks the server: a window manager's news may be late.

    Args:
        display: for instance ``:0``; None takes ``$DISPLAY``.

    Raises:
        CaptureError: there is no X server, or it has no XTEST.
    """

    sees_keys = True
    sees_focus = True

    def __init__(self, display: str | None = None) -> None:
        from Xlib.error import XError

        super().__init__(_connect(display))
        self._gone: type[Exception] = XError
        self._buttons: set[Button] = set()
        self._closed = False

    def position(self) -> Point:
        """Where the pointer is on the virtual desktop."""
        answer = self._root.query_pointer()
        return Point(answer.root_x, answer.root_y)

    def move(self, x: int, y: int) -> None:
        """Put the pointer there at once."""
        from Xlib import X

        self._fake(X.MotionNotify, x=x, y=y)

    def press(self, button: Button) -> None:
        """Press a mouse button."""
        from Xlib import X

        self._buttons.add(button)
        self._fake(X.ButtonPress, _number(button))

    def release(self, button: Button) -> None:
        """Release a mouse button."""
        from Xlib import X

        self._fake(X.ButtonRelease, _number(button))
        self._buttons.discard(button)

    def scroll(self, *, dx: int = 0, dy: int = 0, check: InputCheck = nothing_to_check) -> None:
        """Turn the wheel: X has a button for each direction."""
        from Xlib import X

        for amount, plus, minus in ((dy, "up", "down"), (dx, "right", "left")):
            for _ in range(abs(amount)):
                check()
                number = _WHEEL[plus if amount > 0 else minus]
                self._fake(X.ButtonPress, number)
                self._fake(X.ButtonRelease, number)

    def held(self) -> frozenset[str]:
        """Keys and buttons that are down through this connection."""
        return super().held() | {f"{button} button" for button in self._buttons}

    def foreign_buttons(self) -> frozenset[str]:
        """Mouse buttons that a person or another program holds down."""
        mask = self._root.query_pointer().mask
        return frozenset(name for name, bit in _BUTTON_MASKS.items() if mask & bit and name not in self._buttons)

    def focus_number(self) -> int:
        """The X11 number of what has the input focus; 0 and 1 are nothing, and whatever lies under the pointer."""
        focus = self._display.get_input_focus().focus
        return int(focus) if isinstance(focus, int) else int(focus.id)

    def window_number(self) -> int:
        """The X11 number of the program's window around it; 0 where nothing has the focus."""
        with contextlib.suppress(self._gone):
            client, _ = self._client()
            return 0 if client is None else int(client.id)
        return 0

    def focused_window(self) -> WindowInfo | None:
        """The program's window around what has the input focus; None where nothing has it."""
        with contextlib.suppress(self._gone):
            client, frame = self._client()
            return None if client is None else self._info(client, frame)
        return None

    def release_all(self) -> None:
        """Let go of everything that is down."""
        super().release_all()
        for button in tuple(self._buttons):
            self.release(button)

    def close(self) -> None:
        """Let go of everything, give the spare keys back, and disconnect."""
        if self._closed:
            return
        self._closed = True
        try:
            self.release_all()
            self.restore()
        finally:
            self._display.close()

    def _client(self) -> tuple[Any, Any]:
        """The program's window, and the outermost window around it: the frame of the window manager, if there is one.

        The program's window is the one that the window manager marked; where it marked none, it is the outermost.
        """
        window = self._display.get_input_focus().focus
        if isinstance(window, int) or window.id == self._root.id:
            return None, None
        client = None
        for _ in range(_DEEPEST):
            if client is None and property_of(self._display, window, "WM_STATE") is not None:
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
            title=title_of(self._display, client),
            app=str(wm_class[1] or wm_class[0]) if wm_class else "",
            box=Rect(
                geometry.x, geometry.y, geometry.x + geometry.width + border, geometry.y + geometry.height + border
            ),
        )


def _number(button: Button) -> int:
    number = _BUTTONS.get(button)
    if number is None:
        raise ReplayError(f"There is no mouse button {button} to press.", hint="Correct the step's button.")
    return number


def _connect(name: str | None) -> Any:  # noqa: ANN401 - python-xlib has no types
    from Xlib import display
    from Xlib.error import DisplayError

    try:
        connection = display.Display(name or os.environ.get("DISPLAY", ""))
    except (DisplayError, OSError) as error:
        raise CaptureError(
            f"The X server {name or os.environ.get('DISPLAY', '')} does not answer; nothing was performed.",
            details=str(error),
            hint="Check DISPLAY, and that this user may use the server.",
        ) from error
    if not connection.has_extension("XTEST"):
        connection.close()
        raise CaptureError(
            "This X server does not let programs press keys: it has no XTEST extension.",
            hint="Replay on another display.",
        )
    return connection
