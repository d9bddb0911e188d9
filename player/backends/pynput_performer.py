"""Input on Windows and macOS through pynput."""

from __future__ import annotations

import time
from typing import Any, Final

from demopack.domain.events import Button
from demopack.domain.geometry import Point
from demopack.domain.keys import NAMED_KEYS, spell
from demopack.errors import CaptureError, ReplayError
from player.backends.base import InputCheck, Performer, nothing_to_check, typed_lines

_NAMED_TEXT: Final = {"\n": "enter", "\t": "tab"}


class PynputPerformer(Performer):
    """pynput's controllers. It does not see which keys other programs hold down.

    Raises:
        CaptureError: pynput does not work in this session.
    """

    def __init__(self) -> None:
        try:
            from pynput import keyboard, mouse
        except ImportError as error:
            raise CaptureError(
                "Keys and pointer cannot be controlled in this session.",
                details=str(error),
                hint="Run it in a desktop session; on macOS allow it under Privacy & Security, Accessibility.",
            ) from error
        self._key: Any = keyboard.Key
        self._button: Any = mouse.Button
        self._keyboard: Any = keyboard.Controller()
        self._mouse: Any = mouse.Controller()
        self._keys: dict[str, Any] = {}
        self._buttons: set[Button] = set()

    def position(self) -> Point:
        """Where the pointer is."""
        x, y = self._mouse.position
        return Point(int(x), int(y))

    def move(self, x: int, y: int) -> None:
        """Put the pointer there at once."""
        self._mouse.position = (x, y)

    def press(self, button: Button) -> None:
        """Press a mouse button."""
        self._buttons.add(button)
        self._mouse.press(self._named_button(button))

    def release(self, button: Button) -> None:
        """Release a mouse button."""
        self._mouse.release(self._named_button(button))
        self._buttons.discard(button)

    def scroll(self, *, dx: int = 0, dy: int = 0, check: InputCheck = nothing_to_check) -> None:
        """Turn the wheel, one notch at a time."""
        for _ in range(abs(dy)):
            check()
            self._mouse.scroll(0, 1 if dy > 0 else -1)
        for _ in range(abs(dx)):
            check()
            self._mouse.scroll(1 if dx > 0 else -1, 0)

    def key_down(self, name: str) -> None:
        """Press a key."""
        if name not in self._keys:
            key = self._named_key(name)
            self._keys[name] = key
            self._keyboard.press(key)

    def key_up(self, name: str) -> None:
        """Release a key."""
        if name in self._keys:
            self._keyboard.release(self._keys[name])
            del self._keys[name]

    def type_text(self, text: str, *, interval_s: float = 0.0, check: InputCheck = nothing_to_check) -> None:
        """Type text; the OS takes any Unicode character as it is."""
        for char in typed_lines(text):
            check()
            key = getattr(self._key, _NAMED_TEXT[char]) if char in _NAMED_TEXT else char
            self._keyboard.press(key)
            self._keyboard.release(key)
            if interval_s > 0:
                time.sleep(interval_s)

    def release_all(self) -> None:
        """Let go of everything that is down."""
        for name in reversed(tuple(self._keys)):
            self.key_up(name)
        for button in tuple(self._buttons):
            self.release(button)

    def close(self) -> None:
        """Let go of everything."""
        self.release_all()

    def _named_key(self, name: str) -> Any:  # noqa: ANN401 - pynput has no types
        spelled = spell(name, "pynput")
        if name not in NAMED_KEYS or len(spelled) == 1:
            return spelled
        key = getattr(self._key, spelled, None)
        if key is None:
            raise ReplayError(f"There is no key {name} on this desktop.", hint="Correct the step's key_info.")
        return key

    def _named_button(self, button: Button) -> Any:  # noqa: ANN401 - pynput has no types
        if button not in {"left", "middle", "right"}:
            raise ReplayError(f"There is no mouse button {button} to press.", hint="Correct the step's button.")
        return getattr(self._button, button)
