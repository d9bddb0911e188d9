"""Keys of an X11 keyboard: which makes which character, and which can be lent to other characters. Pure."""

from __future__ import annotations

import string
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from demopack.domain.keys import normalise_key
from demopack.errors import ReplayError
from player.backends.base import typed_lines
from recorder.backends.x11.keymap import char_keysym, key_name, keysyms_of

SHIFT: Final = keysyms_of("Shift")[0]
"""Keysym of the left Shift key."""
CAPS_LOCK: Final = keysyms_of("CapsLock")[0]
"""Keysym of Caps Lock."""

SIGNS: Final = frozenset(range(0x21, 0x7F)) - frozenset(map(ord, string.ascii_letters))
"""Keysyms of the digits and signs of ASCII; which of them need Shift depends on the layout."""

_NO_SYMBOL: Final = 0
_VENDOR = range(0x10080000, 0x10090000)  # XF86 keysyms: media and launch keys

_CONTROL: Final = {"\n": 0xFF0D, "\t": 0xFF09}


def keysym_name(keysym: int) -> str | None:
    """The canonical name of the key that bears a keysym without shift; None for keys without a name here."""
    return key_name(keysym) or (normalise_key(chr(keysym)) if 0x20 < keysym <= 0x7E else None)


def text_keysyms(text: str) -> list[int]:
    """One keysym per character to type; line feed is Return, tab is Tab, CR LF is one Return.

    Raises:
        ReplayError: the text holds a control character or half of a surrogate pair, which no key produces.
    """
    return [_CONTROL.get(char) or char_keysym(char) for char in typed_lines(text)]


def key_keysym(name: str) -> int:
    """The keysym of a canonical key name or single character; letters without shift.

    Raises:
        ReplayError: there is no such key on X11.
    """
    keysyms = keysyms_of(name)
    if not keysyms:
        raise ReplayError(f"There is no key {name} on this desktop.", hint="Correct the step's key_info.")
    return keysyms[0]


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
        free = [
            k
            for k, row in self._keys()
            if k not in self._modifiers and all(keysym == _NO_SYMBOL or keysym in _VENDOR for keysym in row)
        ]
        runs = [[k for _, k in run] for _, run in groupby(enumerate(free), key=lambda pair: pair[1] - pair[0])]
        empty = [[k for k in run if not any(self.row(k))] for run in runs]
        return max(empty, key=lambda run: len(run), default=list[int]())


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
