"""X11 keysyms: their characters, their names in our table, and dead keys. The one table, for recorder and player."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import unicodedata
from functools import cache
from typing import Any

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
_LEGACY = {1: "iso8859_2", 2: "iso8859_3", 3: "iso8859_4", 5: "iso8859_6", 6: "koi8_r", 7: "iso8859_7",
           0xC: "iso8859_8", 0xD: "tis_620"}  # fmt: skip
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
    library = _xkbcommon()
    if library is not None:
        code = int(library.xkb_keysym_to_utf32(keysym))
        return chr(code) if code >= 0x20 and code != 0x7F else ""
    return _legacy_char(keysym)


def _legacy_char(keysym: int) -> str:
    """Without libxkbcommon: the old blocks of keysyms are the old 8-bit character sets."""
    if keysym == 0x20AC:
        return "€"
    codec = _LEGACY.get(keysym >> 8)
    if codec is None:
        return ""
    try:
        return bytes([keysym & 0xFF]).decode(codec)
    except UnicodeDecodeError:
        return ""


@cache
def _xkbcommon() -> Any:  # noqa: ANN401 - a C library
    """libxkbcommon, which every Qt and GTK desktop has; None where it is missing."""
    name = ctypes.util.find_library("xkbcommon") or "libxkbcommon.so.0"
    try:
        library = ctypes.CDLL(name)
    except OSError:
        return None
    pointer = ctypes.c_void_p
    signatures: tuple[tuple[str, Any, list[Any]], ...] = (
        ("xkb_keysym_to_utf32", ctypes.c_uint32, [ctypes.c_uint32]),
        ("xkb_context_new", pointer, [ctypes.c_int]),
        ("xkb_compose_table_new_from_locale", pointer, [pointer, ctypes.c_char_p, ctypes.c_int]),
        ("xkb_compose_state_new", pointer, [pointer, ctypes.c_int]),
        ("xkb_compose_state_feed", ctypes.c_int, [pointer, ctypes.c_uint32]),
        ("xkb_compose_state_get_status", ctypes.c_int, [pointer]),
        ("xkb_compose_state_get_utf8", ctypes.c_int, [pointer, ctypes.c_char_p, ctypes.c_size_t]),
        ("xkb_compose_state_reset", None, [pointer]),
    )
    for function, result, arguments in signatures:
        entry = getattr(library, function, None)
        if entry is None:
            return None
        entry.restype, entry.argtypes = result, arguments
    return library


_COMPOSING, _COMPOSED, _CANCELLED = 1, 2, 3


class Composer:
    """Follows dead keys and Compose sequences, by the same tables as the toolkits; without them by Unicode's rules."""

    def __init__(self) -> None:
        self._pending: list[int] = []
        self._state: int | None = None
        self._tried = False

    def feed(self, keysym: int) -> str | None:
        """What a key press types.

        Returns:
            The text when the press ends a sequence, empty while a sequence goes on, None when no sequence is open and
            the key speaks for itself.
        """
        if not self._pending and not is_dead(keysym):
            return None
        self._pending.append(keysym)
        library, state = _xkbcommon(), self._compose_state()
        if library is None or state is None:
            return self._feed_unicode()
        library.xkb_compose_state_feed(state, keysym)
        status = int(library.xkb_compose_state_get_status(state))
        if status == _COMPOSING:
            return ""
        text = ""
        if status == _COMPOSED:
            buffer = ctypes.create_string_buffer(64)
            library.xkb_compose_state_get_utf8(state, buffer, 64)
            text = buffer.value.decode("utf-8", errors="replace")
        elif status != _CANCELLED:
            text = self._unicode_text() or ""
        library.xkb_compose_state_reset(state)
        self._pending.clear()
        return text

    def _compose_state(self) -> int | None:
        if not self._tried:
            self._tried = True
            library = _xkbcommon()
            if library is not None:
                table = _compose_table(library)
                self._state = library.xkb_compose_state_new(table, 0) if table else None
        return self._state

    def _feed_unicode(self) -> str:
        text = self._unicode_text()
        if text is None:
            return ""
        self._pending.clear()
        return text

    def _unicode_text(self) -> str | None:
        """The base character with the marks of the dead keys before it; None while the base has not come."""
        *dead, last = self._pending
        if is_dead(last) and last not in dead:
            return None
        marks = "".join(_MARKS[k - _DEAD_FIRST] for k in dead if 0 <= k - _DEAD_FIRST < len(_MARKS))
        base = " " if is_dead(last) else keysym_char(last)
        return unicodedata.normalize("NFC", base + marks)


@cache
def _compose_table(library: Any) -> int | None:  # noqa: ANN401 - a C library
    wanted = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or "C"
    context = library.xkb_context_new(0)
    # The C locale composes nothing, yet a desktop whose programs start in it types accents all the same.
    names = [wanted] if wanted not in {"C", "POSIX"} else []
    for name in (*names, "en_US.UTF-8"):
        table: int | None = library.xkb_compose_table_new_from_locale(context, name.encode(), 0)
        if table:
            return table
    return None
