"""Which key of an X11 keyboard makes which character, and which keys are free to be lent to other characters. Pure."""

from __future__ import annotations

import string
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from demopack.domain.keys import NAMED_KEYS, spell
from demopack.errors import ReplayError

__all__ = [
    "CAPS_LOCK",
    "SHIFT",
    "SIGNS",
    "KeyTable",
    "SpareKeys",
    "Stroke",
    "key_keysym",
    "keysym_name",
    "text_keysyms",
]

SHIFT: Final = 0xFFE1
"""Keysym of the left Shift key."""
CAPS_LOCK: Final = 0xFFE5
"""Keysym of Caps Lock."""

SIGNS: Final = frozenset(range(0x21, 0x7F)) - frozenset(map(ord, string.ascii_letters))
"""Keysyms of the digits and signs of ASCII; which of them need Shift depends on the layout."""

_NO_SYMBOL: Final = 0
_VENDOR = range(0x10080000, 0x10090000)  # XF86 keysyms: media and launch keys

# Keysym numbers of the X protocol for the names that demopack.domain.keys gives.
_KEYSYMS: Final = {
    "ctrl": 0xFFE3, "alt": 0xFFE9, "shift": SHIFT, "super": 0xFFEB, "ISO_Level3_Shift": 0xFE03,
    "Return": 0xFF0D, "Tab": 0xFF09, "Escape": 0xFF1B, "BackSpace": 0xFF08, "Delete": 0xFFFF, "Insert": 0xFF63,
    "Home": 0xFF50, "End": 0xFF57, "Page_Up": 0xFF55, "Page_Down": 0xFF56,
    "Up": 0xFF52, "Down": 0xFF54, "Left": 0xFF51, "Right": 0xFF53, "space": 0x20, "plus": 0x2B,
    "Caps_Lock": CAPS_LOCK, "Num_Lock": 0xFF7F, "Scroll_Lock": 0xFF14, "Print": 0xFF61, "Pause": 0xFF13,
    "Menu": 0xFF67, "XF86AudioRaiseVolume": 0x1008FF13, "XF86AudioLowerVolume": 0x1008FF11,
    "XF86AudioMute": 0x1008FF12, "XF86AudioPlay": 0x1008FF14, "XF86AudioNext": 0x1008FF17,
    "XF86AudioPrev": 0x1008FF16, **{f"F{n}": 0xFFBD + n for n in range(1, 21)},
}  # fmt: skip

_NAMES: Final = {
    0xFFE2: "Shift", 0xFFE4: "Ctrl", 0xFFEA: "Alt", 0xFFE7: "Alt", 0xFFE8: "Alt", 0xFFEC: "Meta",
    **{_KEYSYMS[key.xdotool]: name for name, key in NAMED_KEYS.items() if key.xdotool in _KEYSYMS},
}  # fmt: skip
"""Right-hand modifiers count as their left twins; Meta_L and Meta_R lie on the Alt keys."""

_CONTROL: Final = {"\n": 0xFF0D, "\t": 0xFF09}


def _char_keysym(char: str) -> int:
    """The keysym of one character: Latin-1 as it is, everything else in the Unicode range."""
    code = ord(char)
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else 0x01000000 | code


def keysym_name(keysym: int) -> str | None:
    """The canonical name of the key that bears a keysym without shift; None for keys without a name here."""
    name = _NAMES.get(keysym)
    if name is None and 0x20 < keysym <= 0x7E:
        return chr(keysym).upper()
    return name


def text_keysyms(text: str) -> list[int]:
    """One keysym per character to type; line feed is Return, tab is Tab, CR LF is one Return.

    Raises:
        ReplayError: the text holds a control character or half of a surrogate pair, which no key produces.
    """
    keysyms: list[int] = []
    for char in text.replace("\r\n", "\n").replace("\r", "\n"):
        code = ord(char)
        if char in _CONTROL:
            keysyms.append(_CONTROL[char])
        elif code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000:
            raise ReplayError(
                f"The text holds the character U+{code:04X}, which no key produces; nothing was typed.",
                hint="Take it out of the step's text.",
            )
        else:
            keysyms.append(_char_keysym(char))
    return keysyms


def key_keysym(name: str) -> int:
    """The keysym of a canonical key name or single character; letters without shift.

    Raises:
        ReplayError: there is no such key on X11.
    """
    spelled = spell(name, "xdotool")
    keysym = _KEYSYMS.get(spelled)
    if keysym is None and len(spelled) == 1:
        keysym = _char_keysym(spelled)
    if keysym is None:
        raise ReplayError(f"There is no key {name} on this desktop.", hint="Correct the step's key_info.")
    return keysym


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key, and whether Shift has to be held for it."""

    keycode: int
    shift: bool = False


class KeyTable:
    """A keyboard mapping as the core protocol gives it.

    Args:
        rows: keysyms per key: group 1 without and with shift, group 2 without and with shift, more.
        first: keycode of the first row.
        modifiers: keycodes that are modifiers.
        group: the group (layout) in force, from 0.
    """

    def __init__(self, rows: Sequence[Sequence[int]], *, first: int, modifiers: Collection[int], group: int) -> None:
        self._rows = rows
        self._first = first
        self._modifiers = frozenset(modifiers)
        # The core protocol lays out two groups in a known order; under a third one nothing is taken for granted.
        self._columns = (2 * group, 2 * group + 1) if group in {0, 1} else ()
        self._strokes: dict[int, Stroke] = {}
        for shift, column in enumerate(self._columns):
            for keycode, row in self._keys():
                keysym = row[column] if column < len(row) else _NO_SYMBOL
                if keysym != _NO_SYMBOL and keycode not in self._modifiers:
                    self._strokes.setdefault(keysym, Stroke(keycode, bool(shift)))

    def _keys(self) -> Iterable[tuple[int, Sequence[int]]]:
        return enumerate(self._rows, start=self._first)

    def stroke(self, keysym: int) -> Stroke | None:
        """How the layout in force makes this keysym; None when it cannot."""
        return self._strokes.get(keysym)

    def any_key(self, keysym: int) -> int | None:
        """A key that bears this keysym without shift in any group; shortcuts work through it under every layout."""
        for column in (*self._columns[:1], 0, 2):
            for keycode, row in self._keys():
                if column < len(row) and row[column] == keysym:
                    return keycode
        return None

    def row(self, keycode: int) -> tuple[int, ...]:
        """The keysyms of a key."""
        return tuple(self._rows[keycode - self._first])

    def spare(self) -> list[int]:
        """Keys that can be lent: those that make nothing, out of one run of keys that make nothing or are media keys.

        Keys of a run can be mapped in one request. Each request makes every program on the desktop read the keyboard
        anew; the window manager, which has to answer clicks meanwhile, takes a while for it. Media keys lie between,
        but are never lent: browsers look at the key itself and go back or reload, whatever it bears.
        """
        free = [k for k, row in self._keys() if k not in self._modifiers and _is_free(row)]
        runs = [[k for _, k in run] for _, run in groupby(enumerate(free), key=lambda pair: pair[1] - pair[0])]
        empty = [[k for k in run if not any(self.row(k))] for run in runs]
        return max(empty, key=lambda run: len(run), default=list[int]())


def _is_free(row: Sequence[int]) -> bool:
    return all(keysym == _NO_SYMBOL or keysym in _VENDOR for keysym in row)


class SpareKeys:
    """Lends spare keys to characters that the layout does not have; the one that rested longest is lent anew."""

    def __init__(self, keycodes: Sequence[int]) -> None:
        self._free = list(keycodes)
        self._lent: OrderedDict[int, int] = OrderedDict()

    @property
    def size(self) -> int:
        """How many characters can be lent a key at the same time."""
        return len(self._free) + len(self._lent)

    def keycode(self, keysym: int) -> int | None:
        """The key that bears the keysym now."""
        return self._lent.get(keysym)

    def lent(self) -> dict[int, int]:
        """Keysym by keycode, of every key on loan."""
        return {keycode: keysym for keysym, keycode in self._lent.items()}

    def lend(self, keysyms: Collection[int]) -> tuple[dict[int, int], bool]:
        """Give each keysym a key.

        Returns:
            The keys to map anew, keysym by keycode; and whether one of them bore another keysym until now.

        Raises:
            ReplayError: there are more keysyms than keys.
        """
        if len(set(keysyms)) > self.size:
            raise ReplayError(
                "This keyboard has no spare key for a character outside its layout.",
                hint="Switch to a keyboard layout that has the characters of the text.",
            )
        for keysym in keysyms:
            if keysym in self._lent:
                self._lent.move_to_end(keysym)
        changed: dict[int, int] = {}
        evicted = False
        for keysym in dict.fromkeys(keysyms):
            if keysym in self._lent:
                continue
            if self._free:
                keycode = self._free.pop(0)
            else:
                _, keycode = self._lent.popitem(last=False)
                evicted = True
            self._lent[keysym] = keycode
            changed[keycode] = keysym
        return changed, evicted
