"""Global keys: found in the stream of events, so that they work in every window and never become a step."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from demopack.domain.events import InputEvent
from demopack.domain.keys import MODIFIERS, join_keys, parse_key_info
from demopack.errors import ActionError, BadInputError
from demopack.settings import HotkeySettings
from recorder.backends import open_input
from recorder.backends.base import InputSource

_MEANINGS = ("start_stop", "pause", "shot", "variable", "note", "forget", "panic", "hold_text")
_COMMANDS = frozenset({"Ctrl", "Alt", "Meta"})
# Without these, nobody can work in a text or a dialog; as hot-keys they would be lost to every program.
_NEEDED = frozenset({"Enter", "Tab", "Escape", "Backspace", "Delete", "Home", "End", "PageUp", "PageDown", "ArrowUp",
                     "ArrowDown", "ArrowLeft", "ArrowRight"})  # fmt: skip
_ALONE = frozenset({*MODIFIERS, "AltGr", "CapsLock", "NumLock", "ScrollLock"})

ConflictKind = Literal["same", "types", "needed", "modifier", "unknown"]
"""Two meanings have the same key; the key types a character; work needs it; it is only a modifier; no such key."""


def recording_hotkeys(settings: HotkeySettings) -> dict[str, str]:
    """The keys that count while recording, by their meaning; one that is switched off has an empty text."""
    return {meaning: getattr(settings, meaning) for meaning in _MEANINGS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Why a choice of hot-keys cannot be used as it is.

    Attributes:
        kind: what is wrong.
        fields: the settings that it concerns, names of :class:`~demopack.settings.HotkeySettings`; two for ``same``.
        key: the key as the user wrote it.
        message: the same as a sentence.
    """

    kind: ConflictKind
    fields: tuple[str, ...]
    key: str
    message: str


def find_conflicts(settings: HotkeySettings) -> list[Conflict]:
    """Everything that is wrong with a choice of hot-keys, in the order of the settings; empty when it can be used.

    Keys that are switched off cannot be wrong. The key that stops a replay is compared with ``start_stop`` alone: the
    others are not watched meanwhile.
    """
    found: list[Conflict] = []
    seen: dict[str, str] = {}
    for field in (*_MEANINGS, "abort_replay"):
        text: str = getattr(settings, field)
        if not text.strip():
            continue
        try:
            key = _parse(field, text)
        except BadInputError as error:
            found.append(Conflict(kind="unknown", fields=(field,), key=text, message=str(error)))
            continue
        wrong = _unfit(field, key)
        if wrong is not None:
            found.append(wrong)
        other = seen.setdefault(key, field)
        if other != field and (field != "abort_replay" or other == "start_stop"):
            message = f"{key} is chosen twice: for {_title(other)} and for {_title(field)}."
            found.append(Conflict(kind="same", fields=(other, field), key=text, message=message))
    return found


def _unfit(field: str, key: str) -> Conflict | None:
    *_, last = names = parse_key_info(key)
    kind: ConflictKind | None = None
    if last in _ALONE or len([name for name in names if name not in MODIFIERS]) != 1:
        kind, why = "modifier", "is not a single key, alone or with modifiers"
    elif _COMMANDS & set(names):
        return None
    elif len(last) == 1 or last in {"Space", "Plus"}:
        kind, why = "types", "types a character"
    elif last in _NEEDED:
        kind, why = "needed", "is needed for working"
    else:
        return None
    return Conflict(kind=kind, fields=(field,), key=key, message=f"{key}, for {_title(field)}, {why}.")


def _title(field: str) -> str:
    title = HotkeySettings.model_fields[field].title or field
    return f"“{title}”"


class HotkeyDetector:
    """Recognises hot-keys, one event after the other."""

    def __init__(self, bindings: Mapping[str, str]) -> None:
        """Take the keys.

        Args:
            bindings: meaning to key text, for instance ``{"pause": "F8"}``; an empty text switches it off.

        Raises:
            BadInputError: a text is not a key.
        """
        self._names = {_parse(meaning, text): meaning for meaning, text in bindings.items() if text.strip()}
        self._held: set[str] = set()
        self._fired: str | None = None

    def feed(self, event: InputEvent) -> tuple[str | None, bool]:
        """Take in one event.

        Returns:
            The meaning of the hot-key that this event completes, or None; and whether the event belongs to a hot-key
            (its last key, repeats and release included) and must leave no step.
        """
        if event.kind not in {"key_down", "key_up"} or not event.key:
            return None, False
        pressed = event.kind == "key_down"
        if event.key in MODIFIERS:
            (self._held.add if pressed else self._held.discard)(event.key)
            return None, False
        if event.key == self._fired:
            if not pressed:
                self._fired = None
            return None, True
        meaning: str | None = None
        if pressed:
            with contextlib.suppress(ActionError):
                meaning = self._names.get(join_keys([*self._held, event.key]))
        if meaning is not None:
            self._fired = event.key
        return meaning, meaning is not None


def _parse(meaning: str, text: str) -> str:
    try:
        return join_keys(parse_key_info(text))
    except ActionError as error:
        raise BadInputError(
            f"The hot-key {text!r} for {meaning.replace('_', ' ')} is not a key.",
            hint="Write it like Ctrl+Alt+R or F8, in the settings under recorder.hotkeys.",
        ) from error


class HotkeyListener:
    """Waits for hot-keys while nothing is being recorded. Stop it before a recording starts."""

    def __init__(self, bindings: Mapping[str, str], on_hotkey: Callable[[str], None]) -> None:
        """Take the keys and what to do.

        Args:
            bindings: meaning to key text, as for :class:`HotkeyDetector`.
            on_hotkey: called with the meaning, in the hook's thread; it must return at once.

        Raises:
            BadInputError: a text is not a key.
        """
        self._detector = HotkeyDetector(bindings)
        self._on_hotkey = on_hotkey
        self._inputs: InputSource | None = None

    def start(self) -> None:
        """Begin to listen.

        Raises:
            CaptureError: input cannot be watched in this session.
        """
        self._inputs = open_input()
        self._inputs.start(self._take)

    def stop(self) -> None:
        """Stop listening; calling it twice is harmless."""
        if self._inputs is not None:
            self._inputs.stop()

    def _take(self, event: InputEvent) -> None:
        meaning, _ = self._detector.feed(event)
        if meaning is not None:
            self._on_hotkey(meaning)
