"""Keyboard map: which keysym a key code means in a given state. Pure; the server is asked elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from recorder.backends.x11.keysyms import keysym_char

SHIFT_MASK, LOCK_MASK, CONTROL_MASK = 1, 2, 4
_KEYPAD_FIRST, _KEYPAD_LAST = 0xFF80, 0xFFBD
_NUM_LOCK, _LEVEL3 = 0xFF7F, 0xFE03


class BaseMap(Protocol):
    """A keyboard map as the server has it."""

    def keysym(self, keycode: int, state: int) -> int:
        """What the key means with these modifiers and this layout; 0 when nothing."""
        ...

    def plain(self, keycode: int, group: int) -> list[int]:
        """The key without modifiers: in layout ``group`` first, then in every other layout."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreMap:
    """Rows of keysyms by key code, as the core protocol's ``GetKeyboardMapping`` returns them.

    Columns 0 and 1 are the first layout without and with Shift, 2 and 3 the second layout, 4 and 5 the first with
    AltGr, 6 and 7 the second with AltGr. Further layouts and mixed widths do not fit into this; see ``x11_xkb``.

    Attributes:
        rows: keysyms by key code.
        num_lock_mask: the modifier bit of Num Lock; 0 when none has it.
        level3_mask: the modifier bit of AltGr; 0 when none has it.
    """

    rows: Mapping[int, Sequence[int]]
    num_lock_mask: int = 0x10
    level3_mask: int = 0x80

    @classmethod
    def of(cls, first: int, keysyms: Sequence[Sequence[int]], modifiers: Sequence[Sequence[int]]) -> CoreMap:
        """From the server's two answers: the rows from key code ``first`` on, and eight lists of key codes."""
        rows = {first + i: tuple(int(k) for k in row) for i, row in enumerate(keysyms)}
        masks = {_NUM_LOCK: 0, _LEVEL3: 0}
        for bit, codes in enumerate(modifiers):
            for keysym in (k for code in codes for k in rows.get(code, ())):
                if keysym in masks and bit >= 3:
                    masks[keysym] |= 1 << bit
        return cls(rows=rows, num_lock_mask=masks[_NUM_LOCK], level3_mask=masks[_LEVEL3])

    def keysym(self, keycode: int, state: int) -> int:
        """See :class:`BaseMap`."""
        row = self.rows.get(keycode, ())
        shift = bool(state & SHIFT_MASK)
        plain, shifted = self._pair(row, state)
        if state & self.num_lock_mask and _KEYPAD_FIRST <= shifted <= _KEYPAD_LAST:
            return plain if shift else shifted
        if state & LOCK_MASK and _has_case(plain, shifted):
            shift = not shift
        return (shifted or _upper(plain)) if shift else (plain or shifted)

    def _pair(self, row: Sequence[int], state: int) -> tuple[int, int]:
        group = min((state >> 13) & 3, 1)
        level3 = (4 + 2 * group, 4) if self.level3_mask and state & self.level3_mask else ()
        pairs = [(_at(row, at), _at(row, at + 1)) for at in (*level3, 2 * group, 0)]
        return next((pair for pair in pairs if any(pair)), (0, 0))

    def plain(self, keycode: int, group: int) -> list[int]:
        """See :class:`BaseMap`."""
        row = self.rows.get(keycode, ())
        return [k for at in (2 * min(group, 1), 0, 2) if (k := _at(row, at))]


@dataclass(slots=True, kw_only=True)
class KeyboardMap:
    """The server's map, and on top of it what programs have changed since, in the order of the event stream.

    A program may map a spare key to a character, press it, and take the mapping back, all within a millisecond. Asking
    the server after the press is then too late; following the requests themselves is exact.

    Attributes:
        base: the server's map when it was last asked for.
        remapped: rows of keysyms by key code, changed since.
    """

    base: BaseMap
    remapped: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])

    def remap(self, first: int, rows: Sequence[Sequence[int]]) -> None:
        """Follow a ``ChangeKeyboardMapping`` request: new rows from key code ``first`` on."""
        for offset, row in enumerate(rows):
            self.remapped[first + offset] = tuple(row)

    def _map(self, keycode: int) -> BaseMap:
        return CoreMap(rows=self.remapped) if keycode in self.remapped else self.base

    def keysym(self, keycode: int, state: int) -> int:
        """What the key means with the modifiers and the layout of ``state``; 0 when nothing."""
        return self._map(keycode).keysym(keycode, state)

    def name_keysym(self, keycode: int, state: int) -> int:
        """The key's own keysym without modifiers, in Latin letters where another layout has them.

        Programs look for Ctrl+C under a Cyrillic layout too, so a combination is named by its Latin letter.
        """
        found = self._map(keycode).plain(keycode, (state >> 13) & 3)
        if not found:
            return 0
        latin = [k for k in found if 0x20 < k < 0x7F]
        return latin[0] if latin and keysym_char(found[0]).isalpha() else found[0]


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
