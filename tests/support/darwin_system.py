"""macOS as pynput sees it: Quartz event taps and run loops, objc, Carbon with keyboard layouts.

Only the system is replaced. :func:`install` imports pynput's own darwin back ends upon it, so that every key, wheel and
button goes through pynput's taps, in the threads in which macOS would call them. A test plays the person::

    system = install(monkeypatch, "de")
    source.start(events.append)
    system.keys("Shift+h a Option+l")      # H, a, @

Key by key, a word is the character that the key types alone, or a name of :data:`NAMES`; ``plus`` is the key ``+``.
"""

# ruff: noqa: N802, RUF001 - the system's own names
from __future__ import annotations

import ctypes
import ctypes.util
import os
import queue
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

from demopack.clock import now_ns
from tests.support.win32_system import import_pynput, library

_SHIFT, _CONTROL, _OPTION, _COMMAND, _CAPS = 0x20000, 0x40000, 0x80000, 0x100000, 0x10000
_MODIFIERS = {0x38: _SHIFT, 0x3C: _SHIFT, 0x3B: _CONTROL, 0x3E: _CONTROL, 0x3A: _OPTION, 0x3D: _OPTION,
              0x37: _COMMAND, 0x36: _COMMAND}  # fmt: skip
NAMES = {
    "Shift": 0x38, "RShift": 0x3C, "Ctrl": 0x3B, "Option": 0x3A, "ROption": 0x3D, "Cmd": 0x37, "Caps": 0x39, "Fn": 0x3F,
    "Enter": 0x24, "NumEnter": 0x4C, "Help": 0x72, "Menu": 0x6E, "Tab": 0x30, "Esc": 0x35, "Back": 0x33, "Space": 0x31,
    "Del": 0x75, "Left": 0x7B, "F5": 0x60, "Clear": 0x47, "VolumeUp": 0x48, "Eisu": 0x66,
    "Num0": 0x52, "Num1": 0x53, "Num2": 0x54, "Num3": 0x55, "Num4": 0x56, "Num5": 0x57, "Num6": 0x58, "Num7": 0x59,
    "Num8": 0x5B, "Num9": 0x5C, "Num.": 0x41, "Num*": 0x43, "Numplus": 0x45, "Num/": 0x4B, "Num-": 0x4E, "Num=": 0x51,
}  # fmt: skip
"""Key codes of the keys that type no character of their own, and of the number pad."""
_FIXED = {0x24: "\r", 0x4C: "\x03", 0x72: "\x05", 0x6E: "\x10", 0x30: "\t", 0x35: "\x1b", 0x33: "\x7f", 0x31: " ",
          0x75: "\uf728", 0x7B: "\uf702", 0x60: "\uf708", 0x47: "\uf739"}  # fmt: skip
_FIXED |= {code: name[3:] if name != "Numplus" else "+" for name, code in NAMES.items()
           if name.startswith("Num") and name != "NumEnter"}  # fmt: skip
_ROWS = (
    (18, 19, 20, 21, 23, 22, 26, 28, 25, 29, 27, 24),
    (12, 13, 14, 15, 17, 16, 32, 34, 31, 35, 33, 30),
    (0, 1, 2, 3, 5, 4, 38, 40, 37, 41, 39, 42),
    (6, 7, 8, 9, 11, 45, 46, 43, 47, 44),
    (10, 50),
)
_MARKS = {"^": "\u0302", "ˆ": "\u0302", "´": "\u0301", "`": "\u0300", "¨": "\u0308", "~": "\u0303", "˜": "\u0303"}
_WAIT_S = 10.0


class Key(NamedTuple):
    """What a key types alone, with Shift, with Option, with both; empty for nothing."""

    plain: str
    shift: str
    option: str
    both: str


class Layout:
    """A keyboard layout; ``dead`` are the characters that only prepare the next."""

    def __init__(
        self, plain: str, shift: str, option: dict[str, str], both: dict[str, str], *, dead: Iterable[str]
    ) -> None:
        self.keys = {
            code: Key(low, high, option.get(low, ""), both.get(low, ""))
            for codes, lows, highs in zip(_ROWS, plain.split(" "), shift.split(" "), strict=True)
            for code, low, high in zip(codes, lows, highs, strict=True)
        }
        self.dead = frozenset(dead)

    def text(self, code: int, *, shift: bool, option: bool, command: bool, caps: bool) -> str:
        """What a key types, dead or not. With Command, letters are Latin ones."""
        key = self.keys.get(code)
        if key is None:
            if option and code == 0x31:
                return "\u00a0"
            return _FIXED.get(code, "")
        if command and unicodedata.name(key.plain).startswith("CYRILLIC"):
            key = LAYOUTS["us"].keys[code]
        if option:
            return key.both if shift else key.option
        return key.shift if shift or (caps and key.plain.isalpha()) else key.plain


LAYOUTS = {
    "us": Layout(
        "1234567890-= qwertyuiop[] asdfghjkl;'\\ zxcvbnm,./ §`", '!@#$%^&*()_+ QWERTYUIOP{} ASDFGHJKL:"| ZXCVBNM<>? ±~',
        {"e": "´", "u": "¨", "i": "ˆ", "n": "˜", "`": "`", "a": "å", "l": "¬", "2": "™", "8": "•", "p": "π"},
        {"8": "°", "2": "€"}, dead=("´", "¨", "ˆ", "˜", "`0"),
    ),
    "de": Layout(
        "1234567890ß´ qwertzuiopü+ asdfghjklöä# yxcvbnm,.- ^<", "!\"§$%&/()=?` QWERTZUIOPÜ* ASDFGHJKLÖÄ' YXCVBNM;:_ °>",
        {"5": "[", "6": "]", "7": "|", "8": "{", "9": "}", "e": "€", "l": "@", "n": "~", "u": "¨", "s": "‚", "m": "µ"},
        {"7": "\\"}, dead=("´", "`", "^", "~", "¨"),
    ),
    "fr": Layout(
        "&é\"'(§è!çà)- azertyuiop^$ qsdfghjklmù` wxcvbn,;:= @<", "1234567890°_ AZERTYUIOP¨* QSDFGHJKLM%£ WXCVBN?./+ #>",
        {"(": "{", ")": "}", "$": "€", "n": "~", "l": "¬", "è": "«"}, {"(": "[", ")": "]", "l": "|", ":": "\\"},
        dead=("^", "¨", "`", "~"),
    ),
    "ru": Layout(
        "1234567890-= йцукенгшщзхъ фывапролджэё ячсмитьбю/ >]", '!"№%:,.;()_+ ЙЦУКЕНГШЩЗХЪ ФЫВАПРОЛДЖЭЁ ЯЧСМИТЬБЮ? <[',
        {}, {}, dead=(),
    ),
}  # fmt: skip
"""German, French, US and Russian. ``\\`0`` is dead with Option alone."""


class Event:
    """A ``CGEvent``."""

    def __init__(self, kind: int, **fields: Any) -> None:
        self.kind = kind
        self.numbers: dict[int, int] = {}
        self.flags = 0
        self.at = (0.0, 0.0)
        self.stamp = 0
        self.text: str | None = None
        vars(self).update(fields)


class _Tap:
    def __init__(self, mask: int, callback: Callable[..., Any]) -> None:
        self.mask, self.callback = mask, callback
        self.enabled = True
        self.loop: _Loop | None = None


class _Loop:
    def __init__(self) -> None:
        self.items: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()


class DarwinSystem:
    """The state of the system, and the person at it.

    Attributes:
        trusted: the right Accessibility.
        may_listen: the right Input Monitoring; who is trusted has it, too.
        secure_input: whether a program keeps all keys to itself.
        dead_keys: what a tap reads for a dead key and for the key behind it. ``silent``: nothing, then the bare
            letter; ``composed``: nothing, then the letter with its accent; ``spacing``: the accent, then the same.
        late_ns: how long ago the next inputs happened when the taps are called.
        ticks: whether events are stamped in ticks of Apple silicon, of 125/3 ns.
        sent: what was posted, as short words.
        asked_in: names of the threads that have asked for the keyboard layout, which only the main one may.
        events_in: names of the threads that have made an ``NSEvent`` of an event, which only the main one may.
    """

    def __init__(self, layout: str) -> None:
        self.layout = LAYOUTS[layout]
        self.trusted = self.may_listen = True
        self.secure_input = False
        self.dead_keys = "silent"
        self.late_ns = 0
        self.ticks = False
        self.sent: list[str] = []
        self.asked_in: list[str] = []
        self.events_in: list[str] = []
        self.at = (0.0, 0.0)
        self.main_blocks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._flags = 0
        self._down: set[int] = set()
        self._pending = ""
        self._taps: list[_Tap] = []
        self._loops: dict[int, _Loop] = {}
        self._buttons: set[int] = set()

    # The person -----------------------------------------------------------------------------------------------------

    def keys(self, words: str) -> None:
        """Press and release keys, one word after the other; ``Cmd+c`` is a chord."""
        for word in words.split():
            chord = word.split("+")
            for name in chord:
                self.key(name, pressed=True)
            for name in reversed(chord):
                self.key(name, pressed=False)

    def key(self, name: str, *, pressed: bool, process: int = 0) -> None:
        """Press or release one key by its name; ``process`` is the program that does it."""
        char = "+" if name == "plus" else name
        code = NAMES.get(name)
        if code is None:
            code = next(code for code, key in self.layout.keys.items() if key.plain == char)
        self._play_key(code, pressed=pressed, process=process)

    def packet(self, text: str, *, process: int = 4711) -> None:
        """Text without a key, as a text expander sends it."""
        for kind in (10, 11):
            self._play(Event(kind, numbers={9: 0, 41: process}, text=text))

    def wheel(
        self, *, lines: int = 0, fixed: int = 0, points: int = 0, continuous: bool = False, sideways: bool = False
    ) -> None:
        """Turn the wheel up or to the left: whole lines, 16.16 lines and points, as the event tells all of them."""
        axis = int(sideways)
        self._play(Event(22, numbers={11 + axis: lines, 93 + axis: fixed, 96 + axis: points, 88: int(continuous)}))

    def move(self, x: float, y: float) -> None:
        """Put the pointer there, with whatever button is down."""
        self.at = (x, y)
        kinds = {0: 6, 1: 7}
        button = next(iter(self._buttons), None)
        self._play(Event(5 if button is None else kinds.get(button, 27), numbers={3: button or 0}))

    def button(self, number: int, *, pressed: bool, clicks: int = 1) -> None:
        """Press or release a button: 0 left, 1 right, 2 middle, 3 and 4 at the side."""
        (self._buttons.add if pressed else self._buttons.discard)(number)
        kind = {0: 1, 1: 3}.get(number, 25) + (not pressed)
        self._play(Event(kind, numbers={3: number, 1: clicks}))

    def media_key(self, code: int) -> None:
        """Press and release a key such as the volume's."""
        for state in (0xA, 0xB):
            self._play(Event(14, numbers={149: code << 16 | state << 8}))

    def disable_taps(self, *, by_user: bool = False) -> None:
        """Switch the taps off, as the system does with one that answered late; each is told."""
        for tap in self._taps:
            tap.enabled = False
            self._call(tap, 0xFFFFFFFF if by_user else 0xFFFFFFFE, None)

    def lock(self) -> None:
        """Let go of everything behind the lock screen, which no tap sees."""
        self._down.clear()
        self._flags &= _CAPS

    def wait_for_hooks(self, count: int = 2) -> None:
        """Return when so many taps are there; pynput calls itself ready after that."""
        assert len(self._taps) >= count

    def settle(self) -> None:
        """Nothing is posted: a tap has handled what it was called with."""

    def run_main(self, worker: threading.Thread) -> None:
        """Be the main thread's loop until the worker has ended."""
        while worker.is_alive():
            try:
                self.main_blocks.get(timeout=0.01)()
            except queue.Empty:
                continue

    # Inputs on their way --------------------------------------------------------------------------------------------

    def _play_key(self, code: int, *, pressed: bool, process: int = 0, text: str | None = None) -> None:
        mask = _MODIFIERS.get(code)
        if code == 0x39:
            if pressed:
                self._flags ^= _CAPS
                self._play(Event(12, numbers={9: code, 41: process}))
            return
        (self._down.add if pressed else self._down.discard)(code)
        if mask is not None or code == 0x3F:
            self._flags = self._flags & _CAPS
            for held in self._down:
                self._flags |= _MODIFIERS.get(held, 0)
            self._play(Event(12, numbers={9: code, 41: process}))
            return
        text = self._text(code, pressed=pressed) if text is None else text
        self._play(Event(10 if pressed else 11, numbers={9: code, 41: process}, text=text))

    def _text(self, code: int, *, pressed: bool) -> str:
        typed = self._typed(code)
        is_dead = self._is_dead(code, typed, option=bool(self._flags & _OPTION))
        if self._flags & _CONTROL and len(typed) == 1:
            return chr(ord(typed.upper()) - 64) if typed.isalpha() and typed.isascii() else typed
        if self._flags & _COMMAND:
            return typed
        if not pressed:
            return typed
        if is_dead:
            self._pending = typed
            return typed if self.dead_keys == "spacing" else ""
        accent, self._pending = self._pending, ""
        return _compose(accent, typed) if accent and self.dead_keys != "silent" else typed

    def _typed(self, code: int) -> str:
        return self.layout.text(
            code,
            shift=bool(self._flags & _SHIFT),
            option=bool(self._flags & _OPTION),
            command=bool(self._flags & _COMMAND),
            caps=bool(self._flags & _CAPS),
        )

    def _is_dead(self, code: int, typed: str, *, option: bool, layout: Any = None) -> bool:
        layout = layout or self.layout
        return code in layout.keys and (typed in layout.dead or (option and f"{typed}0" in layout.dead))

    def _play(self, event: Event) -> None:
        event.flags = self._flags
        event.at = self.at
        stamp = now_ns() - self.late_ns
        event.stamp = stamp * 3 // 125 if self.ticks else stamp
        if self.secure_input and event.kind in {10, 11, 12}:
            return
        for tap in list(self._taps):
            if tap.enabled and tap.mask & 1 << event.kind:
                self._call(tap, event.kind, event)

    def _call(self, tap: _Tap, kind: int, event: Event | None) -> None:
        """Call a tap in the thread whose run loop it lies in."""
        assert tap.loop is not None
        done = threading.Event()

        def call() -> None:
            try:
                tap.callback(None, kind, event, None)
            finally:
                done.set()

        tap.loop.items.put(call)
        assert done.wait(_WAIT_S), "a tap was not called"

    # Modules --------------------------------------------------------------------------------------------------------

    def carbon(self) -> Any:
        """The library Carbon."""

        def source() -> int:
            self.asked_in.append(threading.current_thread().name)
            return 1

        return library(
            {
                "TISCopyCurrentKeyboardInputSource": source,
                "TISCopyCurrentASCIICapableKeyboardLayoutInputSource": source,
                "TISGetInputSourceProperty": lambda _source, _property: 2,
                "LMGetKbdType": lambda: 91,
                "UCKeyTranslate": self._translate,
                "IsSecureEventInputEnabled": lambda: int(self.secure_input),
            }
        )

    def _translate(
        self, data: bytes, code: int, _action: int, state: int, _type: int, options: int,
        dead: Any, _room: int, length: Any, out: Any,
    ) -> int:  # fmt: skip
        layout = LAYOUTS[data.decode()]
        typed = layout.text(
            code, shift=bool(state & 2), option=bool(state & 8), command=bool(state & 1), caps=bool(state & 4)
        )
        pending = dead._obj
        if not options & 1 and self._is_dead(code, typed, option=bool(state & 8), layout=layout):
            if pending.value:
                typed, pending.value = chr(pending.value), 0
            else:
                typed, pending.value = "", ord(typed)
        elif pending.value:
            typed, pending.value = _compose(chr(pending.value), typed), 0
        length._obj.value = len(typed)
        for at, char in enumerate(typed):
            out[at] = ord(char)
        return 0

    def quartz(self) -> ModuleType:
        """The module Quartz."""
        module = ModuleType("Quartz")
        values: dict[str, Any] = dict(_CONSTANTS)
        values |= {name[3:]: getattr(self, name) for name in dir(self) if name.startswith("do_")}
        values["NSEvent"] = self.ns_event()
        vars(module).update(values)
        return module

    def ns_event(self) -> Any:
        """The class NSEvent."""
        system = self

        class NSEvent:
            @staticmethod
            def mouseLocation() -> Any:
                return SimpleNamespace(x=system.at[0], y=1080 - system.at[1])

            @staticmethod
            def eventWithCGEvent_(event: Event) -> Any:
                system.events_in.append(threading.current_thread().name)
                return SimpleNamespace(subtype=lambda: 8, data1=lambda: event.numbers[149])

            @staticmethod
            def otherEventWithType_location_modifierFlags_timestamp_windowNumber_context_subtype_data1_data2_(
                *arguments: Any,
            ) -> Any:
                return SimpleNamespace(CGEvent=lambda: Event(14, numbers={149: arguments[7]}))

        return NSEvent

    def do_CGEventMaskBit(self, kind: int) -> int:
        return 1 << kind

    def do_CGPreflightListenEventAccess(self) -> bool:
        return self.may_listen or self.trusted

    def do_CGEventTapCreate(
        self, _tap: int, _place: int, options: int, mask: int, callback: Callable[..., Any], _refcon: Any
    ) -> _Tap | None:
        assert options == 1, "a tap that only listens cannot slow the desktop down"
        keys = 1 << 10 | 1 << 11 | 1 << 12
        if mask & keys and not (self.may_listen or self.trusted):
            return None
        self._taps.append(_Tap(mask, callback))
        return self._taps[-1]

    def do_CGEventTapEnable(self, tap: _Tap, enable: bool) -> None:
        tap.enabled = enable

    def do_CGEventTapIsEnabled(self, tap: _Tap) -> bool:
        return tap.enabled

    def do_CFMachPortCreateRunLoopSource(self, _allocator: Any, tap: _Tap, _order: int) -> _Tap:
        return tap

    def do_CFRunLoopGetCurrent(self) -> _Loop:
        return self._loops.setdefault(threading.get_native_id(), _Loop())

    def do_CFRunLoopAddSource(self, loop: _Loop, tap: _Tap, _mode: str) -> None:
        tap.loop = loop

    def do_CFRunLoopRunInMode(self, _mode: str, seconds: float, _return_after: bool) -> int:
        loop = self.do_CFRunLoopGetCurrent()
        while True:
            try:
                item = loop.items.get(timeout=seconds)
            except queue.Empty:
                return 3
            if item is None:
                self._taps = [tap for tap in self._taps if tap.loop is not loop]
                return 2
            try:
                item()
            except Exception:  # noqa: BLE001 - pyobjc writes it down and goes on
                continue

    def do_CFRunLoopStop(self, loop: _Loop) -> None:
        loop.items.put(None)

    def do_CGEventGetIntegerValueField(self, event: Event, field: int) -> int:
        return event.numbers.get(field, 0)

    def do_CGEventSetIntegerValueField(self, event: Event, field: int, value: int) -> None:
        event.numbers[field] = value

    def do_CGEventGetFlags(self, event: Event) -> int:
        return event.flags

    def do_CGEventSetFlags(self, event: Event, flags: int) -> None:
        event.flags = flags

    def do_CGEventGetType(self, event: Event) -> int:
        return event.kind

    def do_CGEventGetTimestamp(self, event: Event) -> int:
        return event.stamp

    def do_CGEventGetLocation(self, event: Event) -> tuple[float, float]:
        return event.at

    def do_CGEventKeyboardGetUnicodeString(self, event: Event, *_: Any) -> tuple[int, str]:
        text = event.text or ""
        return len(text), text

    def do_CGEventKeyboardSetUnicodeString(self, event: Event, length: int, text: str) -> None:
        units = text.encode("utf-16-le")[: 2 * length]
        event.text = units.decode("utf-16-le", "surrogatepass")

    def do_CGEventCreateKeyboardEvent(self, _source: Any, code: int, pressed: bool) -> Event:
        return Event(10 if pressed else 11, numbers={9: code})

    def do_CGEventCreateMouseEvent(self, _source: Any, kind: int, at: Any, button: int) -> Event:
        return Event(kind, numbers={3: button, 1: 1}, at=(float(at[0]), float(at[1])))

    def do_CGEventCreateScrollWheelEvent(self, _source: Any, unit: int, _count: int, up: int, side: int = 0) -> Event:
        if unit == 1:
            return Event(22, numbers={11: up, 12: side, 93: up << 16, 94: side << 16, 96: up * 10, 97: side * 10})
        return Event(22, numbers={11: up // 10, 12: side // 10, 96: up, 97: side, 88: 1})

    def do_CGDisplayPixelsHigh(self, _display: int) -> int:
        return 1080

    def do_CGEventPost(self, _place: int, event: Event) -> None:
        own = os.getpid()
        code = event.numbers.get(9, 0)
        if event.kind in {10, 11}:
            sign = "+" if event.kind == 10 else "-"
            held = "".join(name for name, mask in zip("SCOM", (_SHIFT, _CONTROL, _OPTION, _COMMAND), strict=True)
                           if event.flags & mask)  # fmt: skip
            self.sent.append(f"{sign}{held}{code:02X}" if event.text is None else f"{sign}{event.text}")
            self._play_key(code, pressed=event.kind == 10, process=own, text=event.text)
            return
        event.numbers[41] = own
        self.sent.append(_word(event))
        if event.kind not in {14, 22}:
            self.at = event.at
        self._play(event)


def _word(event: Event) -> str:
    numbers = event.numbers
    if event.kind == 22:
        unit = "px" if numbers.get(88) else "lines"
        up, side = (96, 97) if numbers.get(88) else (11, 12)
        return f"w{numbers[up]},{numbers[side]} {unit}"
    if event.kind in {1, 2, 3, 4, 25, 26}:
        return f"{'+' if event.kind in {1, 3, 25} else '-'}button{numbers[3]} click {numbers[1]}"
    if event.kind == 14:
        return f"media {numbers[149]:X}"
    return f"{'m' if event.kind == 5 else f'drag{numbers[3]} '}{event.at[0]:.0f},{event.at[1]:.0f}"


def _compose(accent: str, typed: str) -> str:
    if typed == " ":
        return accent
    joined = unicodedata.normalize("NFC", typed + _MARKS[accent])
    return joined if len(joined) == 1 else accent + typed


_CONSTANTS = {
    "kCGEventLeftMouseDown": 1, "kCGEventLeftMouseUp": 2, "kCGEventRightMouseDown": 3, "kCGEventRightMouseUp": 4,
    "kCGEventMouseMoved": 5, "kCGEventLeftMouseDragged": 6, "kCGEventRightMouseDragged": 7, "kCGEventKeyDown": 10,
    "kCGEventKeyUp": 11, "kCGEventFlagsChanged": 12, "NSSystemDefined": 14, "kCGEventScrollWheel": 22,
    "kCGEventOtherMouseDown": 25, "kCGEventOtherMouseUp": 26, "kCGEventOtherMouseDragged": 27,
    "kCGEventTapDisabledByTimeout": 0xFFFFFFFE, "kCGEventTapDisabledByUserInput": 0xFFFFFFFF,
    "kCGEventFlagMaskShift": _SHIFT, "kCGEventFlagMaskControl": _CONTROL, "kCGEventFlagMaskAlternate": _OPTION,
    "kCGEventFlagMaskCommand": _COMMAND, "kCGEventFlagMaskAlphaShift": _CAPS,
    "kCGMouseEventClickState": 1, "kCGMouseEventButtonNumber": 3, "kCGKeyboardEventKeycode": 9,
    "kCGScrollWheelEventDeltaAxis1": 11, "kCGScrollWheelEventDeltaAxis2": 12, "kCGEventSourceUnixProcessID": 41,
    "kCGScrollWheelEventIsContinuous": 88, "kCGScrollWheelEventFixedPtDeltaAxis1": 93,
    "kCGScrollWheelEventFixedPtDeltaAxis2": 94, "kCGScrollWheelEventPointDeltaAxis1": 96,
    "kCGScrollWheelEventPointDeltaAxis2": 97, "kCGScrollEventUnitPixel": 0, "kCGScrollEventUnitLine": 1,
    "kCGHIDEventTap": 0, "kCGSessionEventTap": 1, "kCGHeadInsertEventTap": 0, "kCGEventTapOptionDefault": 0,
    "kCGEventTapOptionListenOnly": 1, "kCFRunLoopDefaultMode": "default", "kCFRunLoopRunTimedOut": 3,
}  # fmt: skip


def install(monkeypatch: pytest.MonkeyPatch, layout: str = "us") -> DarwinSystem:
    """macOS with this keyboard layout, and pynput's own back ends for it in ``sys.modules``.

    ``sys.platform`` is patched only while pynput is imported; a test that needs it for more patches it itself.
    """
    system = DarwinSystem(layout)
    carbon, find, load = system.carbon(), ctypes.util.find_library, ctypes.CDLL
    quartz = system.quartz()
    objects: dict[str, dict[str, Any]] = {
        "objc": {"objc_object": partial(_object, system)},
        "HIServices": {"AXIsProcessTrusted": lambda: system.trusted},
        "CoreFoundation": {"CFRelease": lambda _: None},
        "AppKit": {"NSEvent": quartz.NSEvent},
        "Foundation": {"NSOperationQueue": _operation_queue(system), "NSProcessInfo": _process_info()},
    }
    for name, values in objects.items():
        module = ModuleType(name)
        vars(module).update(values)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setitem(sys.modules, "Quartz", quartz)
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: name if name == "Carbon" else find(name))
    monkeypatch.setattr(
        ctypes, "CDLL", lambda name, *a, **k: system.carbon() if name == "Carbon" else load(name, *a, **k)
    )
    with monkeypatch.context() as there:
        there.setattr(ctypes, "cdll", SimpleNamespace(LoadLibrary=lambda _: carbon))
        there.setattr(ctypes, "c_void_p", _Pointer)
        import_pynput(monkeypatch, "darwin")
    return system


class _Pointer(ctypes.c_void_p):
    @classmethod
    def in_dll(cls, *_: Any) -> Any:
        return cls(3)


def _object(system: DarwinSystem, *, c_void_p: int) -> Any:
    """An object behind a pointer; as a property of an input source, the layout in use."""
    in_use = next(name for name, layout in LAYOUTS.items() if layout is system.layout).encode()
    data = SimpleNamespace(tobytes=lambda: in_use)
    return SimpleNamespace(pointer=c_void_p, bytes=lambda: data)


def _process_info() -> Any:
    """An ``NSProcessInfo`` that lets every activity begin and end."""
    process = SimpleNamespace(beginActivityWithOptions_reason_=lambda *_: object(), endActivity_=lambda _: None)
    return SimpleNamespace(processInfo=lambda: process)


def _operation_queue(system: DarwinSystem) -> Any:
    return SimpleNamespace(mainQueue=lambda: SimpleNamespace(addOperationWithBlock_=system.main_blocks.put))
