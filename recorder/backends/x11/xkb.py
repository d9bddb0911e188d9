"""The server's keyboard map with all its layouts and levels, read through libxkbcommon as the toolkits do."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_P, _U, _I = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int


class XkbMap:
    """One snapshot of the server's map; satisfies ``x11_keymap.BaseMap``. Made by :meth:`read`."""

    def __init__(self, library: Any, keymap: int, state: int) -> None:  # noqa: ANN401 - a C library
        self._library = library
        self._keymap = keymap
        self._state = state

    @classmethod
    def read(cls, display_name: str) -> XkbMap | None:
        """Ask the server; None where the libraries or the XKB extension are missing."""
        libraries = _libraries()
        if libraries is None:
            return None
        xkb, x11, xcb = libraries
        connection = xcb.xcb_connect(display_name.encode(), None)
        keymap = 0
        try:
            # Without XKB on the connection the device id below is refused.
            enabled = x11.xkb_x11_setup_xkb_extension(connection, 1, 0, 0, None, None, None, None)
            if xcb.xcb_connection_has_error(connection) or not enabled:
                return None
            device = x11.xkb_x11_get_core_keyboard_device_id(connection)
            context = xkb.xkb_context_new(0)
            if device >= 0:
                keymap = x11.xkb_x11_keymap_new_from_device(context, connection, device, 0) or 0
            xkb.xkb_context_unref(context)
        finally:
            xcb.xcb_disconnect(connection)
        return cls(xkb, keymap, xkb.xkb_state_new(keymap)) if keymap else None

    def keysym(self, keycode: int, state: int) -> int:
        """What the key means with these modifiers (low byte) and this layout (bits 13 and 14); 0 when nothing."""
        self._library.xkb_state_update_mask(self._state, state & 0xFF, 0, 0, 0, 0, (state >> 13) & 3)
        return int(self._library.xkb_state_key_get_one_sym(self._state, keycode))

    def plain(self, keycode: int, group: int) -> list[int]:
        """The key without modifiers: in layout ``group`` first, then in every other layout."""
        layouts = int(self._library.xkb_keymap_num_layouts_for_key(self._keymap, keycode))
        if not layouts:
            return []
        first = group if group < layouts else 0
        found = [self._level0(keycode, n) for n in (first, *(n for n in range(layouts) if n != first))]
        return [keysym for keysym in found if keysym]

    def _level0(self, keycode: int, layout: int) -> int:
        symbols = ctypes.POINTER(_U)()
        count = self._library.xkb_keymap_key_get_syms_by_level(self._keymap, keycode, layout, 0, ctypes.byref(symbols))
        return int(symbols[0]) if count else 0

    def close(self) -> None:
        """Free the snapshot; calling it twice is harmless."""
        if self._keymap:
            self._library.xkb_state_unref(self._state)
            self._library.xkb_keymap_unref(self._keymap)
            self._keymap = self._state = 0


@cache
def _libraries() -> tuple[Any, Any, Any] | None:
    names = (("xkbcommon", "0"), ("xkbcommon-x11", "0"), ("xcb", "1"))
    try:
        xkb, x11, xcb = (ctypes.CDLL(f"lib{name}.so.{version}") for name, version in names)
    except OSError:
        return None
    short = ctypes.POINTER(ctypes.c_uint16)
    signatures: tuple[tuple[Any, str, Any, list[Any]], ...] = (
        (xcb, "xcb_connect", _P, [ctypes.c_char_p, _P]),
        (xcb, "xcb_connection_has_error", _I, [_P]),
        (xcb, "xcb_disconnect", None, [_P]),
        (x11, "xkb_x11_setup_xkb_extension", _I,
         [_P, ctypes.c_uint16, ctypes.c_uint16, _I, short, short, _P, _P]),
        (x11, "xkb_x11_get_core_keyboard_device_id", ctypes.c_int32, [_P]),
        (x11, "xkb_x11_keymap_new_from_device", _P, [_P, _P, ctypes.c_int32, _I]),
        (xkb, "xkb_context_new", _P, [_I]),
        (xkb, "xkb_context_unref", None, [_P]),
        (xkb, "xkb_state_new", _P, [_P]),
        (xkb, "xkb_state_unref", None, [_P]),
        (xkb, "xkb_keymap_unref", None, [_P]),
        (xkb, "xkb_state_update_mask", _I, [_P, _U, _U, _U, _U, _U, _U]),
        (xkb, "xkb_state_key_get_one_sym", _U, [_P, _U]),
        (xkb, "xkb_keymap_num_layouts_for_key", _U, [_P, _U]),
        (xkb, "xkb_keymap_key_get_syms_by_level", _I, [_P, _U, _U, _U, _P]),
    )  # fmt: skip
    for library, name, result, arguments in signatures:
        entry = getattr(library, name, None)
        if entry is None:
            return None
        entry.restype, entry.argtypes = result, arguments
    return xkb, x11, xcb
