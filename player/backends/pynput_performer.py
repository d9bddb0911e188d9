"""Input on Windows and macOS through pynput."""

from __future__ import annotations

import ctypes
import importlib
import time
from types import SimpleNamespace
from typing import Any, Final

from demopack.clock import now_ns
from demopack.domain.events import Button
from demopack.domain.geometry import Point
from demopack.domain.keys import NAMED_KEYS, spell
from demopack.errors import CaptureError, ReplayError
from player.backends.base import InputCheck, Performer, nothing_to_check, typed_lines
from recorder.backends.pynput_darwin import in_main_thread

_NAMED_TEXT: Final = {"\n": "enter", "\t": "tab"}
_BASIC_PLANE: Final = 0xFFFF


class PynputPerformer(Performer):
    """pynput's controllers. It does not see which keys other programs hold down.

    Raises:
        CaptureError: pynput does not work in this session.
    """

    def __init__(self) -> None:
        try:
            keyboard: Any = importlib.import_module("pynput.keyboard")
            mouse: Any = importlib.import_module("pynput.mouse")
        except ImportError as error:
            raise CaptureError(
                "Keys and pointer cannot be controlled in this session.",
                details=str(error),
                hint="Run it in a desktop session; on macOS allow it under Privacy & Security, Accessibility.",
            ) from error
        back_end = str(keyboard.Controller.__module__).rpartition("._")[2]
        self._system = {"win32": _Win32Rules, "darwin": _DarwinRules}.get(back_end, _CommonRules)(keyboard, mouse)
        self._key: Any = keyboard.Key
        self._keyboard: Any = self._system.keyboard
        self._mouse: Any = self._system.mouse
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
        named = self._named_button(button)
        self._buttons.add(button)
        self._system.count_click(button, self.position())
        self._mouse.press(named)

    def release(self, button: Button) -> None:
        """Release a mouse button."""
        self._mouse.release(self._named_button(button))
        self._buttons.discard(button)

    def scroll(self, *, dx: int = 0, dy: int = 0, check: InputCheck = nothing_to_check) -> None:
        """Turn the wheel, one notch at a time."""
        for _ in range(abs(dy)):
            check()
            self._system.scroll(0, 1 if dy > 0 else -1)
        for _ in range(abs(dx)):
            check()
            self._system.scroll(1 if dx > 0 else -1, 0)

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
            key = getattr(self._key, _NAMED_TEXT[char]) if char in _NAMED_TEXT else self._system.text_key(char)
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
        is_character = name not in NAMED_KEYS or len(spelled) == 1
        key = self._system.character_key(spelled) if is_character else self._system.named_key(spelled)
        if key is None:
            raise ReplayError(f"There is no key {name} on this desktop.", hint="Correct the step's key_info.")
        return key

    def _named_button(self, button: Button) -> Any:  # noqa: ANN401 - pynput has no types
        found = self._system.button(button)
        if found is None:
            raise ReplayError(f"There is no mouse button {button} to press.", hint="Correct the step's button.")
        return found


class _CommonRules:
    """pynput's controllers as they are on every system."""

    def __init__(self, keyboard: Any, mouse: Any) -> None:  # noqa: ANN401 - pynput has no types
        self.library: Any = keyboard
        self.buttons: Any = mouse.Button
        self.keyboard: Any = self.open_keyboard()
        self.mouse: Any = mouse.Controller()

    def open_keyboard(self) -> Any:  # noqa: ANN401 - as above
        """The controller of the keyboard."""
        return self.library.Controller()

    def named_key(self, name: str) -> Any:  # noqa: ANN401 - as above
        """The key that pynput calls so; None where this keyboard has none."""
        return getattr(self.library.Key, name, None)

    def character_key(self, char: str) -> Any:  # noqa: ANN401 - as above
        """The key of a character in a combination; None where this keyboard has none."""
        return char

    def text_key(self, char: str) -> Any:  # noqa: ANN401 - as above
        """What types a character as it is."""
        return char

    def button(self, button: Button) -> Any:  # noqa: ANN401 - as above
        """The button; None where a mouse here has none."""
        return getattr(self.buttons, button, None) if button in {"left", "middle", "right"} else None

    def count_click(self, button: Button, at: Point) -> None:
        """The button is about to be pressed there."""

    def scroll(self, dx: int, dy: int) -> None:
        """Turn the wheel by one notch."""
        self.mouse.scroll(dx, dy)


class _Win32Rules(_CommonRules):
    """Windows: keys of a combination go by their codes, text that a layout may change goes without keys."""

    def __init__(self, keyboard: Any, mouse: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(keyboard, mouse)
        self._codes: Any = importlib.import_module("pynput._util.win32").VkKeyScan
        load: Any = getattr(ctypes, "WinDLL")  # noqa: B009 - there on Windows alone
        self._user32: Any = load("user32")

        def refuse(_: Any, _is_press: bool) -> dict[str, int]:  # noqa: ANN401, FBT001 - a method of pynput's
            raise ValueError  # for pynput: this character has no key, send its code units

        self._without_key: Any = type("TextKey", (keyboard.KeyCode,), {"_parameters": refuse})

    def character_key(self, char: str) -> Any:  # noqa: ANN401 - as above
        """By its code: a program does not see Ctrl with a character that has no key."""
        if char.isascii() and char.isalnum():
            return self.library.KeyCode.from_vk(ord(char.upper()))
        code = int(self._codes(char)) & 0xFF if len(char) == 1 and ord(char) <= _BASIC_PLANE else 0xFF
        return char if code == 0xFF else self.library.KeyCode.from_vk(code)

    def text_key(self, char: str) -> Any:  # noqa: ANN401 - as above
        """Without a key where that might be dead, or Caps Lock changes what it types."""
        caps = self._user32.GetKeyState(0x14) & 1
        has_key = char == " " or (char.isascii() and char.isalnum() and not caps)
        return char if has_key else self._without_key(char=char)

    def button(self, button: Button) -> Any:  # noqa: ANN401 - as above
        """The two at the side, too."""
        return getattr(self.buttons, {"back": "x1", "forward": "x2"}.get(button, button), None)


_PC_KEYS: Final = {
    "insert": 0x72, "menu": 0x6E, "print_screen": 0x69, "scroll_lock": 0x6B, "pause": 0x71, "num_lock": 0x47,
}  # fmt: skip
"""What a keyboard for Windows sends to a Mac with the keys that Apple's have not."""
_SIDE_BUTTONS: Final[dict[Button, int]] = {"back": 3, "forward": 4}
_DOUBLE_NS: Final = 500_000_000
_DOUBLE_PX: Final = 5


class _DarwinRules(_CommonRules):
    """macOS: clicks are counted by whoever makes them, and a notch of the wheel is a line."""

    def __init__(self, keyboard: Any, mouse: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(keyboard, mouse)
        self._quartz: Any = importlib.import_module("Quartz")
        self._last_press: tuple[Button, Point, int, int] | None = None
        quartz = self._quartz

        def event(key: Any, _modifiers: Any, _mapping: Any, is_pressed: bool) -> Any:  # noqa: ANN401, FBT001 - of pynput's
            made = quartz.CGEventCreateKeyboardEvent(None, 0, is_pressed)
            quartz.CGEventSetFlags(made, 0)
            # pynput counts characters, the system counts code units.
            quartz.CGEventKeyboardSetUnicodeString(made, len(key.char.encode("utf-16-le")) // 2, key.char)
            return made

        self._without_key: Any = type("TextKey", (keyboard.KeyCode,), {"_event": event})

    def open_keyboard(self) -> Any:  # noqa: ANN401 - as above
        """The controller reads the keyboard layout, which only the main thread may."""
        made = in_main_thread(self.library.Controller)
        if made is None:
            raise CaptureError(
                "Keys cannot be controlled: the keyboard layout could not be read.",
                hint="Start the replay again, when this program's windows answer.",
            )
        return made

    def named_key(self, name: str) -> Any:  # noqa: ANN401 - as above
        """Those of other keyboards, too."""
        code = _PC_KEYS.get(name)
        return super().named_key(name) if code is None else self.library.KeyCode.from_vk(code)

    def character_key(self, char: str) -> Any:  # noqa: ANN401 - as above
        """By its code; a character without a key would become the key with code 0, which is A."""
        code = self.keyboard._mapping.get(char)  # noqa: SLF001 - pynput has no other way
        return None if code is None else char

    def text_key(self, char: str) -> Any:  # noqa: ANN401 - as above
        """Without a key where a character has two code units."""
        return char if ord(char) <= _BASIC_PLANE else self._without_key(char=char)

    def button(self, button: Button) -> Any:  # noqa: ANN401 - as above
        """The two at the side, too, which pynput does not know."""
        if button not in _SIDE_BUTTONS:
            return super().button(button)
        quartz = self._quartz
        kinds = (quartz.kCGEventOtherMouseDown, quartz.kCGEventOtherMouseUp, quartz.kCGEventOtherMouseDragged)
        return SimpleNamespace(value=(kinds, _SIDE_BUTTONS[button]))

    def count_click(self, button: Button, at: Point) -> None:
        """The second press at a place in a short time is a double click only where it says so."""
        now, count, last = now_ns(), 1, self._last_press
        if last is not None and last[0] == button and now - last[2] <= _DOUBLE_NS:
            near = max(abs(last[1].x - at.x), abs(last[1].y - at.y)) <= _DOUBLE_PX
            count = last[3] + 1 if near else 1
        self._last_press = (button, at, now, count)
        self.mouse._click = count - 1  # noqa: SLF001 - pynput adds the one

    def scroll(self, dx: int, dy: int) -> None:
        """By a line, as a wheel does; positive is up and to the left there."""
        quartz = self._quartz
        event = quartz.CGEventCreateScrollWheelEvent(None, quartz.kCGScrollEventUnitLine, 2, dy, -dx)
        quartz.CGEventPost(quartz.kCGHIDEventTap, event)
