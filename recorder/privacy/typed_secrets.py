"""Typed secrets: a placeholder in the gesture, and neither characters nor their number. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from demopack.domain.events import InputEvent
from demopack.domain.keys import PASTE_KEYS
from demopack.redaction.matches import SECRET_KINDS
from demopack.redaction.recognisers import recognise
from demopack.reduction.gestures import Gesture

_NAME_WORDS, _NAME_LENGTH = 3, 32
_EDITING = frozenset(
    {"Backspace", "Delete", "Insert", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"}
)
_COMMANDS = frozenset({"A", "C", "X", "Y", "Z"})
_MODIFIERS = frozenset({"Ctrl", "Alt", "Meta"})
_MIN_SECRET_CHARS = 6  # shorter secrets are ordinary words too often
_KEPT_TEXTS = 4096
STAND_IN = re.compile(r"<secret:[\w .-]{1,40}>")
"""What stands for a secret in a text."""


def placeholder(name: str) -> str:
    """What stands for a secret."""
    return f"<secret:{name}>"


def stand_in_of(text: str) -> str:
    """The first placeholder of a secret in a text; empty where none is."""
    found = STAND_IN.search(text)
    return "" if found is None else found.group()


def label_of(text: str) -> str:
    """The name of a secret from its field's label: ``Master password:`` becomes ``master_password``.

    A label that is a whole sentence, or none in Latin letters, gives ``password``.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)
    name = "_".join(words)
    return name if 0 < len(words) <= _NAME_WORDS and len(name) <= _NAME_LENGTH else "password"


def enters_text(gesture: Gesture) -> bool:
    """Whether it puts characters into a field: typing, a space, a paste, a character under AltGr."""
    if gesture.kind == "type":
        return True
    info = gesture.key_info
    return gesture.kind == "press_key" and (info in PASTE_KEYS or info == "Space" or len(info) == 1)


def edits_only(gesture: Gesture) -> bool:
    """Whether it only changes or selects what is in a field: Backspace, arrows, ``Ctrl+A``, with or without Shift."""
    if gesture.kind != "press_key":
        return False
    *modifiers, key = gesture.key_info.split("+")
    if key in _EDITING:
        return "Alt" not in modifiers
    return key in _COMMANDS and bool(_MODIFIERS & set(modifiers)) and "Alt" not in modifiers


def without_keystrokes(gesture: Gesture) -> Gesture:
    """The gesture without what its raw events tell: of the keys only the first and the last event stay, both blank.

    How many keys there were, and their rhythm, would tell something too.
    """
    keys = [event for event in gesture.events if event.kind in {"key_down", "key_up"}]
    kept = dict.fromkeys((keys[0], keys[-1])) if keys else {}
    events = tuple(
        _blank(event) if event in kept else event
        for event in gesture.events
        if event in kept or event.kind not in {"key_down", "key_up"}
    )
    return replace(gesture, events=events, start=_blank(gesture.start))


def _blank(event: InputEvent) -> InputEvent:
    return replace(event, key="", char="") if event.kind in {"key_down", "key_up"} else event


def typed_characters(events: Iterable[InputEvent]) -> str:
    """Every character that was typed, those that were taken back again too."""
    return "".join(event.char for event in events if event.kind == "key_down")


class TypedSecrets:
    """Hides secrets in texts: those that can be recognised, and those that were typed before in this recording.

    The latter are kept in memory only, so that they are known again where a program shows them. Short ones are not
    kept: they would be found inside ordinary words.
    """

    def __init__(self, *, recognised: bool) -> None:
        """``recognised``: whether texts that look like a secret count as one."""
        self._recognised = recognised
        self._names: dict[str, str] = {}
        self._harmless: set[str] = set()

    def add(self, secret: str, *, name: str) -> None:
        """Know it from now on."""
        if len(secret) >= _MIN_SECRET_CHARS:
            self._names.setdefault(secret, name)

    def hide(self, text: str) -> tuple[str, int]:
        """The text with a placeholder for each secret in it, and how many there were."""
        count = 0
        for secret, name in sorted(self._names.items(), key=lambda item: -len(item[0])):
            if secret in text:
                count += text.count(secret)
                text = text.replace(secret, placeholder(name))
        if self._recognised and text not in self._harmless:
            found = [match for match in recognise(text) if match.kind in SECRET_KINDS]
            for match in reversed(found):
                text = text[: match.start] + placeholder(match.kind) + text[match.end :]
                self.add(match.value, name=match.kind)
            count += len(found)
            if len(self._harmless) > _KEPT_TEXTS:
                self._harmless.clear()
            self._harmless.add(text)  # trees say the same at each step
        return text, count
