"""X11 keysyms (characters, names, dead keys; for recorder and player), and which one a key means in a given state."""

from __future__ import annotations

import ctypes
import os
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any

from demopack.errors import CaptureError

DEAD_KEY = "Dead"
"""``InputEvent.key`` of a key that types nothing by itself: dead accents, Compose, brightness, input methods."""

_NAMES: dict[int, str] = {
    0xFFE1: "Shift", 0xFFE2: "Shift", 0xFFE3: "Ctrl", 0xFFE4: "Ctrl", 0xFFE9: "Alt", 0xFFEA: "Alt",
    0xFFE7: "Alt", 0xFFE8: "Alt", 0xFFEB: "Meta", 0xFFEC: "Meta", 0xFFED: "Meta", 0xFFEE: "Meta",
    0xFE03: "AltGr", 0xFE11: "AltGr", 0xFF7E: "AltGr",
    0xFF0D: "Enter", 0xFF8D: "Enter", 0xFF09: "Tab", 0xFF89: "Tab", 0xFE20: "Tab", 0xFF1B: "Escape",
    0xFF08: "Backspace", 0xFFFF: "Delete", 0xFF9F: "Delete", 0xFF63: "Insert", 0xFF9E: "Insert",
    0xFF50: "Home", 0xFF95: "Home", 0xFF57: "End", 0xFF9C: "End", 0xFF55: "PageUp", 0xFF9A: "PageUp",
    0xFF56: "PageDown", 0xFF9B: "PageDown", 0xFF52: "ArrowUp", 0xFF97: "ArrowUp", 0xFF54: "ArrowDown",
    0xFF99: "ArrowDown", 0xFF51: "ArrowLeft", 0xFF96: "ArrowLeft", 0xFF53: "ArrowRight", 0xFF98: "ArrowRight",
    0x20: "Space", 0xFF80: "Space", 0xFFE5: "CapsLock", 0xFF7F: "NumLock", 0xFF14: "ScrollLock",
    0xFF61: "PrintScreen", 0xFF13: "Pause", 0xFF67: "Menu", 0xFE08: "CapsLock", 0xFE0A: "CapsLock",
    0x1008FF13: "VolumeUp", 0x1008FF11: "VolumeDown", 0x1008FF12: "VolumeMute", 0x1008FF14: "MediaPlayPause",
    0x1008FF17: "MediaNext", 0x1008FF16: "MediaPrevious",
    **{0xFFBE + n: f"F{n + 1}" for n in range(20)},
}  # fmt: skip
_MULTI_KEY = 0xFF20
_KEYPAD = {0xFFAA: "*", 0xFFAB: "+", 0xFFAC: ",", 0xFFAD: "-", 0xFFAE: ".", 0xFFAF: "/", 0xFFBD: "="}
# The combining mark of each dead key of the main block, from dead_grave on.
_MARKS = ["̀", "́", "̂", "̃", "̄", "̆", "̇", "̈", "̊", "̋", "̌", "̧", "̨", "ͅ", "゙", "゚", "̣", "̉", "̛"]
_DEAD_FIRST, _DEAD_LAST = 0xFE50, 0xFE93


def key_name(keysym: int) -> str:
    """The canonical name of a key that has one; empty for characters and unknown keys."""
    return _NAMES.get(keysym, "")


def keysyms_of(name: str) -> tuple[int, ...]:
    """Every keysym that :func:`key_name` calls so, the usual one first; of a character its own, in lower case."""
    if name == "Plus":
        return (0x2B,)
    if len(name) == 1:
        return (char_keysym(name.lower()),)
    return tuple(keysym for keysym, known in _NAMES.items() if known == name)


def char_keysym(char: str) -> int:
    """The keysym of one character: Latin-1 as it is, everything else in the Unicode range."""
    code = ord(char)
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else 0x01000000 | code


def is_dead(keysym: int) -> bool:
    """Whether this key only prepares the next character."""
    return _DEAD_FIRST <= keysym <= _DEAD_LAST or keysym == _MULTI_KEY


def types_nothing(keysym: int) -> bool:
    """Whether it is certain that a key without a name types nothing: switches, input methods, vendors' keys."""
    return 0xFE00 <= keysym <= 0xFEFF or 0xFF00 <= keysym <= 0xFFFF or 0x10000000 <= keysym <= 0x1FFFFFFF


@cache
def keysym_char(keysym: int) -> str:
    """The character that a keysym stands for; empty for a key that types nothing."""
    if 0x20 <= keysym <= 0x7E or 0xA0 <= keysym <= 0xFF:
        return chr(keysym)
    if 0x01000100 <= keysym <= 0x0110FFFF:
        return chr(keysym - 0x01000000)
    if 0xFFB0 <= keysym <= 0xFFB9:
        return chr(keysym - 0xFFB0 + ord("0"))
    if keysym in _KEYPAD:
        return _KEYPAD[keysym]
    if keysym < 0x100 or keysym >= 0xFD00:
        return ""
    code = int(xkbcommon().xkb_keysym_to_utf32(keysym))
    return chr(code) if code >= 0x20 and code != 0x7F else ""


def open_library(name: str, signatures: tuple[tuple[str, Any, list[Any]], ...]) -> Any:  # noqa: ANN401 - a C library
    """A C library by its file name, with the result and argument types of the functions that are called.

    Raises:
        CaptureError: it is missing.
    """
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise CaptureError(
            "Keys cannot be read: libxkbcommon-x11 is missing.",
            details=str(error),
            hint="Install it; on Debian and Ubuntu its package is libxkbcommon-x11-0.",
        ) from error
    for function, result, arguments in signatures:
        entry = getattr(library, function)
        entry.restype, entry.argtypes = result, arguments
    return library


_P, _U, _I = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int


@cache
def xkbcommon() -> Any:  # noqa: ANN401 - a C library
    """libxkbcommon, which every Qt and GTK desktop has.

    Raises:
        CaptureError: it is missing.
    """
    return open_library(
        "libxkbcommon.so.0",
        (
            ("xkb_keysym_to_utf32", _U, [_U]),
            ("xkb_context_new", _P, [_I]),
            ("xkb_context_unref", None, [_P]),
            ("xkb_state_new", _P, [_P]),
            ("xkb_state_unref", None, [_P]),
            ("xkb_state_update_mask", _I, [_P, _U, _U, _U, _U, _U, _U]),
            ("xkb_state_key_get_one_sym", _U, [_P, _U]),
            ("xkb_keymap_unref", None, [_P]),
            ("xkb_keymap_num_layouts_for_key", _U, [_P, _U]),
            ("xkb_keymap_key_get_syms_by_level", _I, [_P, _U, _U, _U, _P]),
            ("xkb_compose_table_new_from_locale", _P, [_P, ctypes.c_char_p, _I]),
            ("xkb_compose_state_new", _P, [_P, _I]),
            ("xkb_compose_state_feed", _I, [_P, _U]),
            ("xkb_compose_state_get_status", _I, [_P]),
            ("xkb_compose_state_get_utf8", _I, [_P, ctypes.c_char_p, ctypes.c_size_t]),
            ("xkb_compose_state_reset", None, [_P]),
        ),
    )


_COMPOSING, _COMPOSED, _CANCELLED = 1, 2, 3


class Composer:
    """Follows dead keys and Compose sequences by the toolkits' tables; by Unicode's rules what these do not hold."""

    def __init__(self) -> None:
        self._pending: list[int] = []
        table = _compose_table()
        self._state: int | None = xkbcommon().xkb_compose_state_new(table, 0) if table else None

    def feed(self, keysym: int) -> str | None:
        """What a key press types.

        Returns:
            The text when the press ends a sequence, empty while a sequence goes on, None when no sequence is open and
            the key speaks for itself.
        """
        if not self._pending and not is_dead(keysym):
            return None
        self._pending.append(keysym)
        library, text = xkbcommon(), self._unicode_text()
        if self._state is not None:
            library.xkb_compose_state_feed(self._state, keysym)
            status = int(library.xkb_compose_state_get_status(self._state))
            if status == _COMPOSING:
                return ""
            if status == _COMPOSED:
                buffer = ctypes.create_string_buffer(64)
                library.xkb_compose_state_get_utf8(self._state, buffer, 64)
                text = buffer.value.decode("utf-8", errors="replace")
            elif status == _CANCELLED:
                text = ""
            library.xkb_compose_state_reset(self._state)
        elif text is None:
            return ""
        self._pending.clear()
        return text or ""

    def _unicode_text(self) -> str | None:
        """The base character with the marks of the dead keys before it; None while the base has not come."""
        *dead, last = self._pending
        if is_dead(last) and last not in dead:
            return None
        marks = "".join(_MARKS[k - _DEAD_FIRST] for k in dead if 0 <= k - _DEAD_FIRST < len(_MARKS))
        base = " " if is_dead(last) else keysym_char(last)
        return unicodedata.normalize("NFC", base + marks)


@cache
def _compose_table() -> int | None:
    wanted = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or "C"
    context = xkbcommon().xkb_context_new(0)
    # The C locale composes nothing, yet a desktop whose programs start in it types accents all the same.
    names = [wanted] if wanted not in {"C", "POSIX"} else []
    tables = (
        xkbcommon().xkb_compose_table_new_from_locale(context, name.encode(), 0) for name in (*names, "en_US.UTF-8")
    )
    return next((table for table in tables if table), None)


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
                "Keyboard and mouse cannot be watched in this session.",
                details="the X server has no XKB extension",
                hint="Start demopack inside a desktop session.",
            )
        return cls(keymap)

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
        found: list[int] = []
        for layout in order:
            symbols = ctypes.POINTER(ctypes.c_uint32)()
            keysyms = ctypes.byref(symbols)
            if xkbcommon().xkb_keymap_key_get_syms_by_level(self._keymap, keycode, layout, 0, keysyms) and symbols[0]:
                found.append(int(symbols[0]))
        return found

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
    char = keysym_char(plain)
    upper = char.upper()
    if state & LOCK_MASK and char != upper == (keysym_char(shifted) if shifted else upper):
        shift = not shift
    if not shift:
        return plain or shifted
    return shifted or (char_keysym(upper) if len(upper) == 1 and upper != char else plain)


def _at(row: Sequence[int], column: int) -> int:
    return row[column] if column < len(row) else 0
