"""A person at keyboard and mouse: input through the X server's XTEST extension, at a person's pace."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any

BUTTONS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
_WHEEL = {"up": 4, "down": 5, "left": 6, "right": 7}
_NAMES = {
    "ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L", "meta": "Super_L", "enter": "Return", "tab": "Tab",
    "escape": "Escape", "backspace": "BackSpace", "delete": "Delete", "arrowdown": "Down", "arrowup": "Up",
    "arrowleft": "Left", "arrowright": "Right", "space": "space", "home": "Home", "end": "End",
    "pagedown": "Next", "pageup": "Prior",
}  # fmt: skip


class Injector:
    """Moves, clicks and types. Between two things it waits as long as a person would."""

    def __init__(self, name: str, *, key_s: float = 0.03, click_s: float = 0.04, between_s: float = 0.06) -> None:
        from Xlib import XK, X, display
        from Xlib.ext import xtest

        self._x: Any = X
        self._keysym: Any = XK.string_to_keysym
        self._fake_input: Any = xtest.fake_input
        self._display: Any = display.Display(name)
        self._key_s, self._click_s, self._between_s = key_s, click_s, between_s
        self._idle = threading.Event()
        self._at = (0, 0)
        self._spare = self._find_spare()
        self.repeats(False)

    def close(self) -> None:
        self._display.close()

    def __enter__(self) -> Injector:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def wait(self, seconds: float) -> None:
        """A person's pause."""
        self._idle.wait(seconds)

    def _fake(self, kind: int, detail: int = 0, **position: int) -> None:
        self._fake_input(self._display, kind, detail, **position)
        self._display.sync()

    # Mouse

    def move(self, x: int, y: int, *, steps: int = 6) -> None:
        start_x, start_y = self._at
        for n in range(1, steps + 1):
            at = (start_x + (x - start_x) * n // steps, start_y + (y - start_y) * n // steps)
            self._fake(self._x.MotionNotify, x=at[0], y=at[1])
            self.wait(0.01)
        self._at = (x, y)

    def press(self, button: str = "left") -> None:
        self._fake(self._x.ButtonPress, BUTTONS[button])

    def release(self, button: str = "left") -> None:
        self._fake(self._x.ButtonRelease, BUTTONS[button])

    def click(self, x: int, y: int, *, button: str = "left", count: int = 1, modifiers: tuple[str, ...] = ()) -> None:
        self.move(x, y)
        self.hold(*modifiers)
        for n in range(count):
            if n:
                self.wait(self._between_s)
            self.press(button)
            self.wait(self._click_s)
            self.release(button)
        self.let_go(*modifiers)

    def drag(self, x: int, y: int, end_x: int, end_y: int, *, button: str = "left") -> None:
        self.move(x, y)
        self.press(button)
        self.wait(self._click_s)
        self.move(end_x, end_y, steps=12)
        self.wait(self._click_s)
        self.release(button)

    def scroll(self, direction: str, steps: int, *, modifiers: tuple[str, ...] = ()) -> None:
        self.hold(*modifiers)
        for n in range(steps):
            if n:
                self.wait(self._between_s)
            self._fake(self._x.ButtonPress, _WHEEL[direction])
            self._fake(self._x.ButtonRelease, _WHEEL[direction])
        self.let_go(*modifiers)

    # Keyboard

    def hold(self, *keys: str) -> None:
        for key in keys:
            self._fake(self._x.KeyPress, self._code(key))
            self.wait(self._key_s)

    def let_go(self, *keys: str) -> None:
        for key in reversed(keys):
            self._fake(self._x.KeyRelease, self._code(key))
            self.wait(self._key_s)

    def key(self, combination: str, *, hold_s: float = 0) -> None:
        """For instance ``enter`` or ``ctrl+shift+t``; held until it repeats where ``hold_s`` says so."""
        *modifiers, last = combination.split("+")
        self.hold(*modifiers)
        self._tap(self._code(last), hold_s=hold_s)
        self.let_go(*modifiers)

    def type(self, text: str) -> None:
        """Character by character; one that is on no key is put on a spare key for the moment, as xdotool does."""
        for n, char in enumerate(text):
            if n:
                self.wait(self._between_s)
            keysym = ord(char) if ord(char) < 0x100 else 0x01000000 + ord(char)
            code, level = self._find(keysym)
            if code:
                shift = ("shift",) if level else ()
                self.hold(*shift)
                self._tap(code)
                self.let_go(*shift)
            else:
                self._display.change_keyboard_mapping(self._spare, [(keysym, keysym)])
                self._display.sync()
                self._tap(self._spare)
                self._display.change_keyboard_mapping(self._spare, [(0, 0)])
                self._display.sync()

    def repeats(self, on: bool) -> None:
        """Whether held keys repeat: only where that is meant, so that no stall of the machine becomes typing."""
        self._display.change_keyboard_control(auto_repeat_mode=on)
        self._display.sync()

    def _tap(self, code: int, *, hold_s: float = 0) -> None:
        self.repeats(bool(hold_s))
        self._fake(self._x.KeyPress, code)
        self.wait(hold_s or self._key_s)
        self._fake(self._x.KeyRelease, code)
        self.repeats(False)

    def _code(self, key: str) -> int:
        keysym = self._keysym(_NAMES.get(key, key.upper() if key[0] == "f" and len(key) > 1 else key))
        code = self._display.keysym_to_keycode(keysym)
        assert code, f"no key {key}"
        return int(code)

    def _find(self, keysym: int) -> tuple[int, int]:
        codes = self._display.keysym_to_keycodes(keysym)
        usable = [(code, level) for code, level in codes if level in {0, 1} and code != self._spare]
        return min(usable, key=lambda found: found[1], default=(0, 0))

    def _find_spare(self) -> int:
        first = self._display.display.info.min_keycode
        rows = self._display.get_keyboard_mapping(first, 248)
        return next(first + n for n, row in enumerate(rows) if not any(row))
