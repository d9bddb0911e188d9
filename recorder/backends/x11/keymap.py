"""Keyboard map: which keysym a key code means in a given state, with all layouts, as the toolkits read it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

from demopack.errors import CaptureError
from recorder.backends.x11.keysyms import keysym_char, open_library, xkbcommon

SHIFT_MASK, LOCK_MASK, CONTROL_MASK = 1, 2, 4
_NUM_LOCK_MASK, _LEVEL3_MASK = 0x10, 0x80
_KEYPAD_FIRST, _KEYPAD_LAST = 0xFF80, 0xFFBD


class KeyboardMap:
    """The server's map, and on top of it what programs have changed since, in the order of the event stream.

    A program may map a spare key to a character, press it, and take the mapping back, all within a millisecond. Asking
    the server after the press is then too late; following the requests themselves is exact.

    Attributes:
        remapped: rows of keysyms by key code, changed since the server was asked; see :func:`row_keysym`.
    """

    def __init__(self, keymap: int = 0) -> None:
        """Take libxkbcommon's map of the server, without which only what is remapped is known. See :meth:`read`."""
        self.remapped: dict[int, tuple[int, ...]] = {}
        self._keymap = keymap
        self._state: int = xkbcommon().xkb_state_new(keymap) if keymap else 0

    @classmethod
    def read(cls, display_name: str) -> KeyboardMap:
        """Ask the server.

        Raises:
            CaptureError: libxkbcommon is missing, or the server has no XKB extension.
        """
        xkb, (x11, xcb) = xkbcommon(), _x11_libraries()
        connection = xcb.xcb_connect(display_name.encode(), None)
        keymap = 0
        try:
            # Without XKB on the connection the device id below is refused.
            enabled = x11.xkb_x11_setup_xkb_extension(connection, 1, 0, 0, None, None, None, None)
            if enabled and not xcb.xcb_connection_has_error(connection):
                device = x11.xkb_x11_get_core_keyboard_device_id(connection)
                context = xkb.xkb_context_new(0)
                if device >= 0:
                    keymap = x11.xkb_x11_keymap_new_from_device(context, connection, device, 0) or 0
                xkb.xkb_context_unref(context)
        finally:
            xcb.xcb_disconnect(connection)
        if not keymap:
            raise CaptureError(
                "This X server does not tell what its keys mean: it has no XKB extension.",
                hint="Record on another display, or start the server with XKB.",
            )
        return cls(keymap)

    def remap(self, first: int, rows: Sequence[Sequence[int]]) -> None:
        """Follow a ``ChangeKeyboardMapping`` request: new rows from key code ``first`` on."""
        for offset, row in enumerate(rows):
            self.remapped[first + offset] = tuple(row)

    def keysym(self, keycode: int, state: int) -> int:
        """What the key means with these modifiers (low byte) and this layout (bits 13 and 14); 0 when nothing."""
        if keycode in self.remapped:
            return row_keysym(self.remapped[keycode], state)
        xkb = xkbcommon()
        xkb.xkb_state_update_mask(self._state, state & 0xFF, 0, 0, 0, 0, (state >> 13) & 3)
        return int(xkb.xkb_state_key_get_one_sym(self._state, keycode))

    def name_keysym(self, keycode: int, state: int) -> int:
        """The key's own keysym without modifiers, in Latin letters where another layout has them.

        Programs look for Ctrl+C under a Cyrillic layout too, so a combination is named by its Latin letter.
        """
        found = self._plain(keycode, (state >> 13) & 3)
        if not found:
            return 0
        latin = [k for k in found if 0x20 < k < 0x7F]
        return latin[0] if latin and keysym_char(found[0]).isalpha() else found[0]

    def _plain(self, keycode: int, group: int) -> list[int]:
        """The key without modifiers: in layout ``group`` first, then in every other layout."""
        if keycode in self.remapped:
            row = self.remapped[keycode]
            return [k for at in (2 * min(group, 1), 0, 2) if (k := _at(row, at))]
        layouts = int(xkbcommon().xkb_keymap_num_layouts_for_key(self._keymap, keycode))
        order = sorted(range(layouts), key=lambda layout: layout != group)
        return [keysym for layout in order if (keysym := self._level0(keycode, layout))]

    def _level0(self, keycode: int, layout: int) -> int:
        symbols = ctypes.POINTER(ctypes.c_uint32)()
        keymap = self._keymap
        count = xkbcommon().xkb_keymap_key_get_syms_by_level(keymap, keycode, layout, 0, ctypes.byref(symbols))
        return int(symbols[0]) if count else 0

    def close(self) -> None:
        """Free what libxkbcommon holds; calling it twice is harmless."""
        if self._keymap:
            xkbcommon().xkb_state_unref(self._state)
            xkbcommon().xkb_keymap_unref(self._keymap)
            self._keymap = self._state = 0


@cache
def _x11_libraries() -> tuple[Any, Any]:
    pointer, number, short = ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_uint16)
    setup = [pointer, ctypes.c_uint16, ctypes.c_uint16, number, short, short, pointer, pointer]
    x11 = open_library(
        "libxkbcommon-x11.so.0",
        (
            ("xkb_x11_setup_xkb_extension", number, setup),
            ("xkb_x11_get_core_keyboard_device_id", ctypes.c_int32, [pointer]),
            ("xkb_x11_keymap_new_from_device", pointer, [pointer, pointer, ctypes.c_int32, number]),
        ),
    )
    xcb = open_library(
        "libxcb.so.1",
        (
            ("xcb_connect", pointer, [ctypes.c_char_p, pointer]),
            ("xcb_connection_has_error", number, [pointer]),
            ("xcb_disconnect", None, [pointer]),
        ),
    )
    return x11, xcb


def row_keysym(row: Sequence[int], state: int) -> int:
    """What a remapped key means with the modifiers and the layout of ``state``, by the core protocol's rules.

    Args:
        row: keysyms. Columns 0 and 1 are the first layout without and with Shift, 2 and 3 the second layout, 4 and 5
            the first with AltGr, 6 and 7 the second with AltGr.
        state: modifiers in the low byte, the layout in bits 13 and 14.
    """
    shift = bool(state & SHIFT_MASK)
    group = min((state >> 13) & 3, 1)
    level3 = (4 + 2 * group, 4) if state & _LEVEL3_MASK else ()
    pairs = [(_at(row, at), _at(row, at + 1)) for at in (*level3, 2 * group, 0)]
    plain, shifted = next((pair for pair in pairs if any(pair)), (0, 0))
    if state & _NUM_LOCK_MASK and _KEYPAD_FIRST <= shifted <= _KEYPAD_LAST:
        return plain if shift else shifted
    if state & LOCK_MASK and _has_case(plain, shifted):
        shift = not shift
    return (shifted or _upper(plain)) if shift else (plain or shifted)


def _at(row: Sequence[int], column: int) -> int:
    return row[column] if column < len(row) else 0


def _has_case(plain: int, shifted: int) -> bool:
    char = keysym_char(plain)
    other = keysym_char(shifted) if shifted else char.upper()
    return bool(char) and char != other and char.upper() == other


def _upper(keysym: int) -> int:
    char = keysym_char(keysym)
    upper = char.upper()
    if not char or len(upper) != 1 or upper == char:
        return keysym
    return ord(upper) if ord(upper) <= 0xFF else 0x01000000 + ord(upper)
