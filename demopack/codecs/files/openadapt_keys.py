"""Keys of OpenAdapt's recorder as our own: by the character it heard, the key's name, or its number alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from demopack.codecs.action_builder import key_name
from demopack.codecs.files.base import ImportLog
from demopack.codecs.files.json_object import JsonObject
from demopack.codecs.files.raw_events import TYPED_BY_KEY
from demopack.domain.actions import Action, PressKeyAction, TypeAction
from demopack.domain.keys import NAMED_KEYS, join_keys
from demopack.errors import ActionError

US_KEYBOARD: Final = "keys that are told by their number alone are read as on a US keyboard"
_NUMBER_PAD: Final[Mapping[str, str]] = {
    **{f"num{digit}": str(digit) for digit in range(10)},
    "decimal": ".", "multiply": "*", "add": "+", "divide": "/", "subtract": "-", "equals": "=",
}  # fmt: skip
"""What macOS calls the keys of the number pad."""
_SILENT: Final = frozenset({"fn", "clear", "Multi_key", "Compose"})
"""Keys that type nothing by themselves, and that no action of ours stands for; so do accents (``dead_*``)."""
_ROWS: Final = (
    (10, "1234567890-=", "!@#$%^&*()_+"),
    (24, "qwertyuiop[]", "QWERTYUIOP{}"),
    (38, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (51, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
)
"""Keys of a US keyboard by X11's number of the first key of a row; plain, and with Shift."""
_US: Final[Mapping[int, tuple[str, str]]] = {
    first + place: pair
    for first, plain, shifted in _ROWS
    for place, pair in enumerate(zip(plain, shifted, strict=True))
}
_X11: Final[Mapping[int, str]] = {
    9: "Escape", 22: "Backspace", 23: "Tab", 36: "Enter", 104: "Enter", 65: "Space", 37: "Ctrl", 105: "Ctrl",
    50: "Shift", 62: "Shift", 64: "Alt", 108: "AltGr", 133: "Meta", 134: "Meta", 66: "CapsLock", 77: "NumLock",
    78: "ScrollLock", 107: "PrintScreen", 127: "Pause", 135: "Menu", 110: "Home", 111: "ArrowUp", 112: "PageUp",
    113: "ArrowLeft", 114: "ArrowRight", 115: "End", 116: "ArrowDown", 117: "PageDown", 118: "Insert", 119: "Delete",
    95: "F11", 96: "F12", **{66 + number: f"F{number}" for number in range(1, 11)},
}  # fmt: skip
"""Keys by their number under X11 that mean the same on every keyboard."""


def action_of_keys(names: Sequence[str]) -> Action:
    """What keys do that went down one after the other and are told by name alone: typing, or a combination.

    Raises:
        ActionError: one of them is unknown, or they are neither.
    """
    numbers = [int(number) if (number := name.removeprefix("keycode_")).isdigit() else 0 for name in names]
    plain = [_X11.get(number) or _US.get(number, (name,))[0] for name, number in zip(names, numbers, strict=True)]
    keys = [key_name(name) for name in plain]
    shift = "Shift" in keys
    rest = [(name, key, number) for name, key, number in zip(plain, keys, numbers, strict=True) if key != "Shift"]
    typed = [TYPED_BY_KEY.get(key, name) if len(name) == 1 or key in TYPED_BY_KEY else "" for name, key, _ in rest]
    if rest and all(typed):
        # A character that the recorder heard has its Shift in it; a number has not.
        return TypeAction(
            text_to_type="".join(
                _US[number][shift] if number in _US else char for char, (_, _, number) in zip(typed, rest, strict=True)
            )
        )
    return PressKeyAction(key_info=join_keys(keys))


@dataclass(slots=True)
class KeyReader:
    """Reads keys in order: what is let go is what was pressed, though its character may have changed meanwhile.

    Attributes:
        log: hears what had to be assumed.
        windows: whether Windows was recorded: its Ctrl and right Alt together are AltGr.
    """

    log: ImportLog
    windows: bool = False
    _down: dict[str, str] = field(default_factory=dict[str, str])

    def read(self, row: JsonObject, *, pressed: bool) -> tuple[str, str]:
        """Canonical name of the key, and what it typed; both empty for a key that nobody knows."""
        names = ("key_vk", "canonical_key_vk", "canonical_key_name", "key_name", "key_char")
        identity = next((text for name in names if (text := row.text(name))), "")
        if not pressed and identity in self._down:
            return self._down.pop(identity), ""
        key, char = self._key(row)
        if pressed:
            self._down[identity] = key
        return key, char if pressed else ""

    def _key(self, row: JsonObject) -> tuple[str, str]:
        name, char = row.text("key_name") or row.text("canonical_key_name"), row.text("key_char")
        if len(char) == 1 and char < " ":  # what Ctrl made of a letter
            char = chr(ord(char) + 96)
        if char and char.isprintable():
            return self._named(char), char
        if name in _NUMBER_PAD:
            return self._named(_NUMBER_PAD[name]), _NUMBER_PAD[name]
        if name in _SILENT or name.startswith("dead_"):
            return "Dead", ""
        number = name.removeprefix("keycode_") if name.startswith("keycode_") else ""
        if number.isdigit():
            return self._by_number(int(number), row)
        if self.windows and name == "alt_r" and "Ctrl" in self._down.values():
            return "AltGr", ""
        try:
            key = key_name(name)
        except ActionError:
            return self._unknown(row, name)
        return key, TYPED_BY_KEY.get(key, key if key not in NAMED_KEYS and len(key) == 1 else "")

    def _by_number(self, number: int, row: JsonObject) -> tuple[str, str]:
        """A key of which X11 told the number alone, as it does for programs that hear the newer kind of events."""
        if number in _X11:
            return _X11[number], TYPED_BY_KEY.get(_X11[number], "")
        if number not in _US:
            return self._unknown(row, f"keycode_{number}")
        self.log.assume("us_keyboard", US_KEYBOARD, row.place)
        char = _US[number]["Shift" in self._down.values()]
        return self._named(char), char

    def _unknown(self, row: JsonObject, name: str) -> tuple[str, str]:
        self.log.assume("unknown_key", "keys that nobody knows stand as a doubt in the text", f"{row.place}: {name!r}")
        return "", ""

    @staticmethod
    def _named(char: str) -> str:
        """The canonical name of the key that types a character; several characters at once have none."""
        return key_name(char) if len(char) == 1 else char
