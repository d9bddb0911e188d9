"""Global keys: found in the stream of events, so that they work in every window and never become a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from demopack.domain.events import InputEvent
from demopack.domain.keys import MODIFIERS, join_keys, parse_key_info
from demopack.errors import ActionError, BadInputError
from demopack.settings import HotkeySettings
from recorder.backends import open_input
from recorder.backends.base import InputSource

__all__ = ["HotkeyDetector", "HotkeyListener", "recording_hotkeys"]


def recording_hotkeys(settings: HotkeySettings) -> dict[str, str]:
    """The keys that count while recording, by their meaning."""
    return {"start_stop": settings.start_stop, "pause": settings.pause}


class HotkeyDetector:
    """Recognises hot-keys, one event after the other."""

    def __init__(self, bindings: Mapping[str, str]) -> None:
        """Take the keys.

        Args:
            bindings: meaning to key text, for instance ``{"pause": "F8"}``; an empty text switches it off.

        Raises:
            BadInputError: a text is not a key.
        """
        self._names = {_parse(meaning, text): meaning for meaning, text in bindings.items() if text}
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
        meaning = self._names.get(self._combination(event.key)) if pressed else None
        if meaning is not None:
            self._fired = event.key
        return meaning, meaning is not None

    def _combination(self, key: str) -> str:
        try:
            return join_keys([*self._held, key])
        except ActionError:
            return ""


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

    def __init__(
        self, bindings: Mapping[str, str], on_hotkey: Callable[[str], None], *, inputs: InputSource | None = None
    ) -> None:
        """Take the keys and what to do.

        Args:
            bindings: meaning to key text, as for :class:`HotkeyDetector`.
            on_hotkey: called with the meaning, in the hook's thread; it must return at once.
            inputs: where events come from; the session's own by default.

        Raises:
            BadInputError: a text is not a key.
        """
        self._detector = HotkeyDetector(bindings)
        self._on_hotkey = on_hotkey
        self._inputs = inputs

    def start(self) -> None:
        """Begin to listen.

        Raises:
            CaptureError: input cannot be watched in this session.
        """
        if self._inputs is None:
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
