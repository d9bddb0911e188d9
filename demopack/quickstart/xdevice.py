"""A mouse and a keyboard on an X server, through its XTEST extension. The only file here that knows Xlib."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Any

from demopack.domain.keys import spell
from demopack.errors import CaptureError

__all__ = ["KeyStroke", "XDevice"]

_KEY_PRESS, _KEY_RELEASE, _BUTTON_PRESS, _BUTTON_RELEASE, _MOTION = 2, 3, 4, 5, 6
_NO_SYMBOL = 0
_UNICODE = 0x01000000
_MODIFIERS = {"Ctrl": "Control_L", "Alt": "Alt_L", "Shift": "Shift_L", "Meta": "Super_L"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyStroke:
    """One key of the keyboard.

    Attributes:
        keycode: of the server.
        shift: whether Shift must be held for the wanted character.
    """

    keycode: int
    shift: bool = False


class XDevice:
    """Presses, releases and moves at once; pace and order are the caller's.

    Characters that the keyboard lacks are put on free keys by :meth:`add_characters`. Do that before anything listens:
    each change of the layout is told to every program.
    """

    def __init__(self, display: str) -> None:
        from Xlib.display import Display
        from Xlib.error import DisplayError

        try:
            self._display: Any = Display(display)
        except (DisplayError, OSError) as error:
            raise CaptureError(
                f"There is no X server at {display!r}.", details=str(error), hint="Check the variable DISPLAY."
            ) from error
        if not self._display.has_extension("XTEST"):
            self._display.close()
            raise CaptureError("This X server has no XTEST extension, so nothing can be pressed on it.")
        self._keys: dict[int, KeyStroke] = {}
        self._free: list[int] = []
        self._added: list[int] = []
        self._read_keyboard()

    def close(self) -> None:
        """Take the added keys off again and leave the server."""
        for keycode in self._added:
            self._display.change_keyboard_mapping(keycode, [(_NO_SYMBOL,) * self._width])
        self._added.clear()
        self._display.sync()
        self._display.close()

    def __enter__(self) -> XDevice:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Pointer --------------------------------------------------------------------------------------------------

    def position(self) -> tuple[int, int]:
        """Where the pointer is, pixels of the virtual desktop."""
        answer = self._display.screen().root.query_pointer()
        return int(answer.root_x), int(answer.root_y)

    def move(self, x: int, y: int) -> None:
        """Put the pointer somewhere."""
        self._send(_MOTION, x=x, y=y)

    def button(self, number: int, *, down: bool) -> None:
        """Press or release a button: 1 left, 2 middle, 3 right, 4 to 7 wheel up, down, left, right."""
        self._send(_BUTTON_PRESS if down else _BUTTON_RELEASE, detail=number)

    # Keyboard -------------------------------------------------------------------------------------------------

    def key(self, keycode: int, *, down: bool) -> None:
        """Press or release a key."""
        self._send(_KEY_PRESS if down else _KEY_RELEASE, detail=keycode)

    def stroke_for(self, character: str) -> KeyStroke:
        """The key that writes a character.

        Raises:
            CaptureError: the keyboard has no such key; add it first.
        """
        return self._find(_keysym_of(character), character)

    def named_key(self, name: str) -> int:
        """The keycode of a key by its canonical name (``demopack.domain.keys``), for instance ``Enter`` or ``Ctrl``."""
        from Xlib import XK

        symbol = XK.string_to_keysym(_MODIFIERS.get(name) or spell(name, "xdotool"))
        return self._find(int(symbol) or _keysym_of(name.lower()), name).keycode

    def add_characters(self, text: str) -> None:
        """Give every character of a text a key.

        Raises:
            CaptureError: the keyboard has no free key left.
        """
        for character in dict.fromkeys(text):
            symbol = _keysym_of(character)
            if symbol in self._keys:
                continue
            if not self._free:
                raise CaptureError(f"The keyboard has no free key left for {character!r}.")
            keycode = self._free.pop()
            # On both levels, so that Shift changes nothing.
            self._display.change_keyboard_mapping(keycode, [(symbol,) * self._width])
            self._added.append(keycode)
            self._keys[symbol] = KeyStroke(keycode=keycode)
        self._display.sync()

    # Inside ---------------------------------------------------------------------------------------------------

    def _send(self, kind: int, *, detail: int = 0, x: int = 0, y: int = 0) -> None:
        from Xlib.ext import xtest

        xtest.fake_input(self._display, kind, detail=detail, x=x, y=y)
        # A round trip: when this returns, the server has taken the event.
        self._display.sync()

    def _find(self, symbol: int, what: str) -> KeyStroke:
        stroke = self._keys.get(symbol)
        if stroke is None:
            raise CaptureError(f"The keyboard has no key for {what!r}.")
        return stroke

    def _read_keyboard(self) -> None:
        first = int(self._display.display.info.min_keycode)
        last = int(self._display.display.info.max_keycode)
        rows = self._display.get_keyboard_mapping(first, last - first + 1)
        self._width = len(rows[0])
        for keycode, row in enumerate(rows, start=first):
            symbols = [int(symbol) for symbol in row[:2]]
            if not any(row):
                self._free.append(keycode)
            for level, symbol in enumerate(symbols):
                if symbol != _NO_SYMBOL:
                    self._keys.setdefault(symbol, KeyStroke(keycode=keycode, shift=level == 1))


def _keysym_of(character: str) -> int:
    """X11's number of a character: Latin-1 as it is, everything else by its code point."""
    code = ord(character)
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else _UNICODE | code
