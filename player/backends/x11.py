"""Input on X11 through the XTEST extension."""

from __future__ import annotations

import os
from typing import Any, Final

from demopack.domain.events import Button
from demopack.domain.geometry import Point
from demopack.domain.steps import WindowInfo
from demopack.errors import CaptureError, ReplayError
from player.backends.base import Check, Performer, nothing_to_check
from player.backends.x11_focus import X11FocusReader
from player.backends.x11_keyboard import X11Keyboard

__all__ = ["X11Performer"]

_BUTTONS: Final[dict[Button, int]] = {"left": 1, "middle": 2, "right": 3}
_BUTTON_MASKS: Final = {"left": 1 << 8, "middle": 1 << 9, "right": 1 << 10}
_WHEEL: Final = {"up": 4, "down": 5, "left": 6, "right": 7}


class X11Performer(Performer):
    """One connection to an X server.

    Args:
        display: for instance ``:0``; None takes ``$DISPLAY``.

    Raises:
        CaptureError: there is no X server, or it has no XTEST.
    """

    sees_keys = True
    sees_focus = True

    def __init__(self, display: str | None = None) -> None:
        self._display = _connect(display)
        self._root = self._display.screen().root
        self._focus = X11FocusReader(self._display)
        self._keyboard = X11Keyboard(self._display)
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

    def scroll(self, *, dx: int = 0, dy: int = 0, check: Check = nothing_to_check) -> None:
        """Turn the wheel: X has a button for each direction."""
        from Xlib import X

        for amount, plus, minus in ((dy, "up", "down"), (dx, "right", "left")):
            for _ in range(abs(amount)):
                check()
                number = _WHEEL[plus if amount > 0 else minus]
                self._fake(X.ButtonPress, number)
                self._fake(X.ButtonRelease, number)

    def key_down(self, name: str) -> None:
        """Press a key; a sign that needs Shift under this layout gets it."""
        self._keyboard.key_down(name)

    def key_up(self, name: str) -> None:
        """Release a key."""
        self._keyboard.key_up(name)

    def type_text(self, text: str, *, interval_s: float = 0.0, check: Check = nothing_to_check) -> None:
        """Type text; returns when the program that has the input has read it, as far as that can be told."""
        self._keyboard.type_text(text, interval_s=interval_s, check=check)

    def held(self) -> frozenset[str]:
        """Keys and buttons that are down through this connection."""
        return self._keyboard.held() | {f"{button} button" for button in self._buttons}

    def foreign_keys(self) -> frozenset[str]:
        """Keys that a person or another program holds down."""
        return self._keyboard.foreign()

    def foreign_buttons(self) -> frozenset[str]:
        """Mouse buttons that a person or another program holds down."""
        mask = self._root.query_pointer().mask
        return frozenset(name for name, bit in _BUTTON_MASKS.items() if mask & bit and name not in self._buttons)

    def focus_number(self) -> int:
        """The X11 number of what has the input focus."""
        return self._focus.number()

    def window_number(self) -> int:
        """The X11 number of the program's window around it."""
        return self._focus.window_number()

    def focused_window(self) -> WindowInfo | None:
        """The window that has the input focus, as the server says."""
        return self._focus.window()

    def release_all(self) -> None:
        """Let go of everything that is down."""
        self._keyboard.release_all()
        for button in tuple(self._buttons):
            self.release(button)

    def close(self) -> None:
        """Let go of everything, give the spare keys back, and disconnect."""
        if self._closed:
            return
        self._closed = True
        try:
            self.release_all()
            self._keyboard.restore()
        finally:
            self._display.close()

    def _fake(self, kind: int, detail: int = 0, *, x: int = 0, y: int = 0) -> None:
        from Xlib.ext import xtest

        xtest.fake_input(self._display, kind, detail=detail, x=x, y=y)
        # One round trip: when this returns, the server has taken the input in.
        self._display.sync()


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
