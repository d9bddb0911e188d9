"""X11 keysyms: their characters, their names in our table, and dead keys. The one table, for recorder and player."""

from __future__ import annotations

import ctypes
import os
import unicodedata
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
            "Keys cannot be read: a library of the desktop is missing.",
            details=str(error),
            hint="Install libxkbcommon-x11 (on Debian and Ubuntu the package libxkbcommon-x11-0).",
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
