"""Windows as pynput sees it: user32 and kernel32 with keyboard layouts, message queues and low-level hooks.

Only the system is replaced. :func:`install` imports pynput's own win32 back ends upon it, so that every key, wheel and
button goes through pynput's hooks, in the threads in which Windows would call them. A test plays the person::

    system = install(monkeypatch, "de")
    source.start(events.append)
    system.keys("Shift+h a RAlt+q")      # H, a, @

Key by key, a word is the character that the key types alone, or a name of :data:`NAMES`; ``plus`` is the key ``+``.
"""

# ruff: noqa: N802, RUF001 - the system's own names
from __future__ import annotations

import ctypes
import importlib
import itertools
import queue
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterable
from ctypes import wintypes
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

KEYBOARD_HOOK, MOUSE_HOOK = 13, 14
_SHIFT, _CONTROL, _MENU, _CAPITAL, _NUMLOCK, _PACKET = 0x10, 0x11, 0x12, 0x14, 0x90, 0xE7
_LSHIFT, _RSHIFT, _LCONTROL, _RCONTROL, _LMENU, _RMENU = range(0xA0, 0xA6)
_SIDES = {_SHIFT: (_LSHIFT, _RSHIFT), _CONTROL: (_LCONTROL, _RCONTROL), _MENU: (_LMENU, _RMENU)}
NAMES = {
    "Shift": _LSHIFT, "RShift": _RSHIFT, "Ctrl": _LCONTROL, "RCtrl": _RCONTROL, "Alt": _LMENU, "RAlt": _RMENU,
    "Win": 0x5B, "Caps": _CAPITAL, "NumLock": _NUMLOCK, "Enter": 0x0D, "NumEnter": 0x0D, "Tab": 0x09, "Esc": 0x1B,
    "Back": 0x08, "Space": 0x20, "Del": 0x2E, "Ins": 0x2D, "Left": 0x25, "Clear": 0x0C, "F5": 0x74, "Browser": 0xA6,
    **{f"Num{n}": 0x60 + n for n in range(10)},
    "Num*": 0x6A, "Numplus": 0x6B, "Num-": 0x6D, "Num.": 0x6E, "Num/": 0x6F,
}  # fmt: skip
"""Virtual key codes of the keys that type no character of their own, and of the number pad."""
_EXTENDED = frozenset({"NumEnter", "Del", "Ins", "Left", "Num/", "RCtrl", "RAlt"})
_FAKE_CONTROL_SCAN = 0x21D
_DIGITS = "1234567890"
_WAIT_S = 10.0


_FRONT_MARKS = {"^": "\u0302", "´": "\u0301", "`": "\u0300", "¨": "\u0308", "~": "\u0303", "'": "\u0301", '"': "\u0308"}
_NEVER_TRANSLATED = {0x10, 0x11, 0x12, 0x14, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0x5B, 0x5C, 0x90}


class Key(NamedTuple):
    """One key of a layout: its codes, and what it types alone, with Shift, with AltGr; empty for nothing."""

    scan: int
    vk: int
    plain: str
    shift: str
    altgr: str = ""


class Layout:
    """A keyboard layout. ``dead`` are pairs of a key's character and level (0, 1 or 2) that only prepare the next."""

    def __init__(self, name: str, keys: Iterable[Key], *, dead: Iterable[str] = (), decimal: str = ".") -> None:
        self.name = name
        self.by_vk = {key.vk: key for key in keys}
        self.by_scan = {key.scan: key for key in self.by_vk.values()}
        self.dead = frozenset(dead)
        self.decimal = decimal
        self.has_altgr = any(key.altgr for key in self.by_vk.values())


# Virtual key codes as characters, a word for each row of the keyboard.
_US_VKS = "1234567890\xbd\xbb QWERTYUIOP\xdb\xdd ASDFGHJKL\xba\xde\xc0 \xdcZXCVBNM\xbc\xbe\xbf \xe2"
_DE_VKS = "1234567890\xdb\xdd QWERTZUIOP\xba\xbb ASDFGHJKL\xc0\xde\xdc \xbfYXCVBNM\xbc\xbe\xbd \xe2"
_FR_VKS = "1234567890\xdb\xbb AZERTYUIOP\xdd\xba QSDFGHJKLM\xc0\xde \xdcWXCVBN\xbc\xbe\xbf\xdf \xe2"
_FIRST_SCANS = (0x02, 0x10, 0x1E, 0x2B, 0x56)


def _layout(name: str, vks: str, plain: str, shift: str, altgr: dict[str, str], **more: Any) -> Layout:
    """The rows of a keyboard from the digits down; the texts have a word for each row."""
    keys = [
        Key(first + at, ord(vk), low, high, altgr.get(low, ""))
        for first, *row in zip(_FIRST_SCANS, vks.split(), plain.split(), shift.split(), strict=True)
        for at, (vk, low, high) in enumerate(zip(*row, strict=True))
    ]
    return Layout(name, keys, **more)


LAYOUTS = {
    "us": _layout(
        "us", _US_VKS, "1234567890-= qwertyuiop[] asdfghjkl;'` \\zxcvbnm,./ \\",
        '!@#$%^&*()_+ QWERTYUIOP{} ASDFGHJKL:"~ |ZXCVBNM<>? |', {},
    ),
    "de": _layout(
        "de", _DE_VKS, "1234567890ß´ qwertzuiopü+ asdfghjklöä^ #yxcvbnm,.- <",
        "!\"§$%&/()=?` QWERTZUIOPÜ* ASDFGHJKLÖÄ° 'YXCVBNM;:_ >",
        {"2": "²", "3": "³", "7": "{", "8": "[", "9": "]", "0": "}", "ß": "\\", "q": "@", "e": "€", "+": "~",
         "m": "µ", "<": "|"},
        dead=("´", "`", "^"), decimal=",",
    ),
    "fr": _layout(
        "fr", _FR_VKS, "&é\"'(-è_çà)= azertyuiop^$ qsdfghjklmù² *wxcvbn,;:! <",
        "1234567890°+ AZERTYUIOP¨£ QSDFGHJKLM%² µWXCVBN?./§ >",
        {"é": "~", '"': "#", "'": "{", "(": "[", "-": "|", "è": "`", "_": "\\", "ç": "^", "à": "@", ")": "]",
         "=": "}", "e": "€", "$": "¤"},
        dead=("^0", "¨", "~", "`"),
    ),
    "ru": _layout(
        "ru", _US_VKS, "1234567890-= йцукенгшщзхъ фывапролджэё \\ячсмитьбю. \\",
        '!"№;%:?*()_+ ЙЦУКЕНГШЩЗХЪ ФЫВАПРОЛДЖЭЁ /ЯЧСМИТЬБЮ, /', {},
    ),
}  # fmt: skip
"""German, French, US and Russian. A dead character with a ``0`` behind it is dead on the level of the key alone."""


class _KeyboardData(ctypes.Structure):
    _fields_ = (
        ("vkCode", wintypes.DWORD),
        ("scanCode", wintypes.DWORD),
        ("flags", wintypes.DWORD),
        ("time", wintypes.DWORD),
        ("dwExtraInfo", ctypes.c_void_p),
    )


class _MouseData(ctypes.Structure):
    _fields_ = (
        ("pt", wintypes.POINT),
        ("mouseData", wintypes.DWORD),
        ("flags", wintypes.DWORD),
        ("time", wintypes.DWORD),
        ("dwExtraInfo", ctypes.c_void_p),
    )


class _Hook(NamedTuple):
    kind: int
    procedure: Callable[[int, int, int], int]
    thread: int


class Win32System:
    """The state of the system, and the person at it.

    Attributes:
        layout: of the window in front.
        tick_ms: ``GetTickCount``; every input moves it on by one.
        late_ms: how long ago the next inputs happened when the hooks are called.
        sent: what ``SendInput`` and ``SetCursorPos`` were told, as short words.
        may_hook: whether hooks are installed when a program asks for them.
        wrote_dead_keys: calls of ``ToUnicodeEx`` that changed what the program in front types next.
    """

    def __init__(self, layout: str) -> None:
        self.layout = LAYOUTS[layout]
        self.tick_ms = 4_294_967_000  # it runs over soon
        self.late_ms = 0
        self.may_hook = True
        self.sent: list[str] = []
        self.wrote_dead_keys = 0
        self.at = (0, 0)
        self._last_input_ms = self.tick_ms
        self._down: set[int] = set()
        self._toggled = {_NUMLOCK}
        self._pending = ""
        self.shares_dead_keys = False
        """Whether a dead key that the program in front has read counts for every thread, as the layout's state does."""
        self._front_accent = ""
        self._hooks: dict[int, _Hook] = {}
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._queues: dict[int, queue.SimpleQueue[Any]] = {}
        self.user32 = library(
            {name[3:]: getattr(self, name) for name in dir(self) if name.startswith("do_")}
            | {"GetAsyncKeyState": lambda vk: -0x8000 * self._is_down(vk), "SetProcessDPIAware": lambda: 1}
        )
        self.kernel32 = library({"GetCurrentThreadId": threading.get_native_id, "GetTickCount": self._ticks})

    # The person -----------------------------------------------------------------------------------------------------

    def keys(self, words: str) -> None:
        """Press and release keys, one word after the other; ``Ctrl+c`` is a chord."""
        for word in words.split():
            chord = word.split("+")
            for name in chord:
                self.key(name, pressed=True)
            for name in reversed(chord):
                self.key(name, pressed=False)

    def key(self, name: str, *, pressed: bool, injected: bool = False) -> None:
        """Press or release one key by its name."""
        vk, scan = self._codes(name)
        self._play_key(vk, scan, pressed=pressed, injected=injected, extended=name in _EXTENDED)

    def packet(self, text: str) -> None:
        """Characters without a key, as an emoji panel or a text expander sends them: one code unit after the other."""
        data = text.encode("utf-16-le", "surrogatepass")
        for at in range(0, len(data), 2):
            unit = int.from_bytes(data[at : at + 2], "little")
            for pressed in (True, False):
                self._play_key(_PACKET, unit, pressed=pressed, injected=True)

    def wheel(self, delta: int, *, sideways: bool = False) -> None:
        """Turn the wheel: 120 is a notch up, or to the right."""
        self._play_mouse(0x20E if sideways else 0x20A, data=(delta & 0xFFFF) << 16)

    def move(self, x: int, y: int, *, injected: bool = False) -> None:
        """Put the pointer there."""
        self.at = (x, y)
        self._play_mouse(0x200, injected=injected)

    def button(self, number: int, *, pressed: bool) -> None:
        """Press or release a button: 1 left, 2 right, 3 middle, 4 and 5 at the side, more than a mouse has."""
        down = {1: 0x201, 2: 0x204, 3: 0x207}.get(number, 0x20B)
        self._play_mouse(down + (not pressed), data=(number - 3) << 16 if number > 3 else 0)

    def use_unseen(self, *, for_ms: int) -> None:
        """Somebody works for so long, and no hook is called."""
        self.tick_ms += for_ms
        self._last_input_ms = self.tick_ms

    def drop_hooks(self) -> None:
        """Remove the hooks without a word, as Windows does to one that answered late."""
        with self._changed:
            self._hooks.clear()

    def lock(self) -> None:
        """Let go of everything behind the lock screen, which no hook sees."""
        self._down.clear()

    def wait_for_hooks(self, count: int = 2) -> None:
        """Return when so many hooks are installed: pynput calls itself ready a moment before."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._hooks) >= count, _WAIT_S), "no hooks were installed"

    def settle(self) -> None:
        """Return when everything that was posted to the threads with hooks has been handled."""
        for thread in {hook.thread for hook in self._hooks.values()}:
            done = threading.Event()
            self._queues[thread].put(done.set)
            assert done.wait(_WAIT_S), "a thread with a hook does not look at its messages"

    # Inputs on their way --------------------------------------------------------------------------------------------

    def _codes(self, name: str) -> tuple[int, int]:
        if name in NAMES:
            return NAMES[name], 0
        char = "+" if name == "plus" else name
        key = next(key for key in self.layout.by_vk.values() if key.plain == char)
        return key.vk, key.scan

    def _play_key(self, vk: int, scan: int, *, pressed: bool, injected: bool = False, extended: bool = False) -> None:
        if vk == _RMENU and self.layout.has_altgr:
            self._call_key(_LCONTROL, _FAKE_CONTROL_SCAN, pressed=pressed, injected=injected)
        self._call_key(vk, scan, pressed=pressed, injected=injected, extended=extended)

    def _call_key(self, vk: int, scan: int, *, pressed: bool, injected: bool, extended: bool = False) -> None:
        alt = self._is_down(_MENU) and not self._is_down(_CONTROL)
        message = (0x104 if alt else 0x100) + (not pressed)
        flags = extended | 0x10 * injected | 0x20 * self._is_down(_MENU) | 0x80 * (not pressed)
        data = _KeyboardData(vkCode=vk, scanCode=scan, flags=flags, time=self._stamp())
        self._call(KEYBOARD_HOOK, message, data)
        if pressed and vk not in self._down and vk in {_CAPITAL, _NUMLOCK}:
            self._toggled ^= {vk}
        (self._down.add if pressed else self._down.discard)(vk)
        if pressed and self.shares_dead_keys and vk not in _NEVER_TRANSLATED:
            self._translate_in_front(vk)

    def _translate_in_front(self, vk: int) -> None:
        """The program in front makes text of a key: a dead key is pending from then on, for whoever asks."""
        held = {each: self._is_down(each) for each in (_SHIFT, _CONTROL, _MENU)}
        text, dead = self._typed(
            vk, shift=held[_SHIFT], control=held[_CONTROL], menu=held[_MENU], caps=_CAPITAL in self._toggled
        )
        if text:
            self._front_accent = text if dead and not self._front_accent else ""

    def _play_mouse(self, message: int, *, data: int = 0, injected: bool = False) -> None:
        point = wintypes.POINT(*self.at)
        self._call(MOUSE_HOOK, message, _MouseData(pt=point, mouseData=data, flags=injected, time=self._stamp()))

    def _stamp(self) -> int:
        self.tick_ms += 1
        self._last_input_ms = self.tick_ms - self.late_ms
        return (self.tick_ms - self.late_ms) & 0xFFFFFFFF

    def _call(self, kind: int, message: int, data: ctypes.Structure) -> None:
        """Call the hooks, each in the thread that has installed it, while that waits for a message."""
        for hook in [hook for hook in self._hooks.values() if hook.kind == kind]:
            done = threading.Event()

            def call(hook: _Hook = hook, done: threading.Event = done) -> None:
                hook.procedure(0, message, ctypes.addressof(data))
                done.set()

            self._queues[hook.thread].put(call)
            assert done.wait(_WAIT_S), "a hook was not called"

    # user32 ---------------------------------------------------------------------------------------------------------

    def _ticks(self) -> int:
        return self.tick_ms & 0xFFFFFFFF

    def _is_down(self, vk: int) -> bool:
        return any(side in self._down for side in _SIDES.get(vk, (vk,)))

    def do_GetKeyState(self, vk: int) -> int:
        return -0x8000 * self._is_down(vk) | (vk in self._toggled)

    def do_GetKeyboardState(self, _: Any) -> int:
        return 1

    def do_GetForegroundWindow(self) -> int:
        return 77

    def do_GetWindowThreadProcessId(self, _window: int, _process: Any) -> int:
        return 7

    def do_GetKeyboardLayout(self, _thread: int) -> int:
        return 0x0407

    def do_GetLastInputInfo(self, info: Any) -> int:
        info._obj.dwTime = self._last_input_ms & 0xFFFFFFFF
        return 1

    def do_GetDoubleClickTime(self) -> int:
        return 500

    def do_GetSystemMetrics(self, index: int) -> int:
        return {36: 4, 68: 4}.get(index, 0)

    def do_MapVirtualKeyExW(self, code: int, kind: int, _layout: int) -> int:
        if kind == 0:
            key = self.layout.by_vk.get(code)
            return 0 if key is None else key.scan
        if kind == 2:  # the character on the key cap, with a sign where it is dead
            key = self.layout.by_vk.get(code)
            if key is None or len(key.plain) != 1:
                return 0
            _, dead = self._typed(code, shift=False, control=False, menu=False, caps=False)
            return ord(key.plain.upper() if key.plain.isascii() else key.plain) | 0x80000000 * dead
        found = self.layout.by_scan.get(code)
        return 0 if found is None else found.vk

    def do_MapVirtualKeyW(self, code: int, kind: int) -> int:
        return self.do_MapVirtualKeyExW(code, kind, 0)

    def do_VkKeyScanW(self, char: str) -> int:
        for key in self.layout.by_vk.values():
            for level, typed in enumerate((key.plain, key.shift, key.altgr)):
                if typed == char:
                    return key.vk | (0, 0x100, 0x600)[level]
        return -1

    def do_ToUnicodeEx(self, vk: int, _scan: int, state: Any, out: Any, _size: int, flags: int, _layout: int) -> int:
        held = getattr(state, "_obj", state)
        shift, control, menu = (bool(held[each] & 0x80) for each in (_SHIFT, _CONTROL, _MENU))
        text, dead = self._typed(vk, shift=shift, control=control, menu=menu, caps=bool(held[_CAPITAL] & 1))
        if self._front_accent and text:
            mark = _FRONT_MARKS.get(self._front_accent, "")
            joined = unicodedata.normalize("NFC", text + mark)
            both = joined if len(joined) == 1 and mark else self._front_accent + text
            text = self._front_accent if text == " " else both
            dead = False
        if not flags & 4 and (dead or self._pending):
            self.wrote_dead_keys += 1
            self._pending = "" if self._pending else text
        buffer = getattr(out, "_obj", out)
        for at, char in enumerate(text):
            buffer[at] = char
        return -1 if dead else len(text)

    def _typed(self, vk: int, *, shift: bool, control: bool, menu: bool, caps: bool) -> tuple[str, bool]:
        if control and not menu:
            return (chr(vk - 64) if 65 <= vk <= 90 else {0xDB: "\x1b"}.get(vk, "")), False
        if 0x60 <= vk <= 0x6F:
            typed = f"0123456789*+ -{self.layout.decimal}/"[vk - 0x60].strip()
            return (typed, False) if not menu else ("", False)
        if vk in {0x0D, 0x08, 0x09, 0x1B, 0x20}:
            return {0x0D: "\r", 0x08: "\b", 0x09: "\t", 0x1B: "\x1b", 0x20: " "}[vk], False
        key = self.layout.by_vk.get(vk)
        if key is None:
            return "", False
        if control and menu:
            return key.altgr, key.altgr in self.layout.dead
        text = key.shift if shift != (caps and key.plain.isalpha()) else key.plain
        return text, text in self.layout.dead or (text == key.plain and f"{text}0" in self.layout.dead)

    def do_GetCursorPos(self, point: Any) -> int:
        point._obj.x, point._obj.y = self.at
        return 1

    def do_SetCursorPos(self, x: int, y: int) -> int:
        self.sent.append(f"m{x},{y}")
        self.move(x, y, injected=True)
        return 1

    def do_SendInput(self, count: int, inputs: Any, _size: int) -> int:
        for each in [inputs._obj] if hasattr(inputs, "_obj") else list(inputs):
            if each.type == 1:
                self._send_key(each.value.ki)
            else:
                self._send_mouse(each.value.mi)
        return count

    def _send_key(self, key: Any) -> None:
        pressed = not key.dwFlags & 2
        sign = "+" if pressed else "-"
        if key.dwFlags & 4:
            self.sent.append(f"{sign}U{key.wScan:04X}")
            self._play_key(_PACKET, key.wScan, pressed=pressed, injected=True)
        else:
            self.sent.append(f"{sign}{key.wVk:02X}{'e' if key.dwFlags & 1 else ''}")
            self._play_key(key.wVk, key.wScan, pressed=pressed, injected=True, extended=bool(key.dwFlags & 1))

    def _send_mouse(self, mouse: Any) -> None:
        flags, data = mouse.dwFlags, ctypes.c_int32(mouse.mouseData & 0xFFFFFFFF).value
        if flags & 0x1800:
            self.sent.append(f"{'w' if flags & 0x800 else 'h'}{data}")
            self._play_mouse(0x20A if flags & 0x800 else 0x20E, data=(data & 0xFFFF) << 16, injected=True)
        for bit, message, name in (
            (0x02, 0x201, "+left"), (0x04, 0x202, "-left"), (0x08, 0x204, "+right"), (0x10, 0x205, "-right"),
            (0x20, 0x207, "+middle"), (0x40, 0x208, "-middle"), (0x80, 0x20B, "+x"), (0x100, 0x20C, "-x"),
        ):  # fmt: skip
            if flags & bit:
                self.sent.append(f"{name}{data or ''}")
                self._play_mouse(message, data=data << 16, injected=True)

    # Messages and hooks ---------------------------------------------------------------------------------------------

    def do_SetWindowsHookExW(self, kind: int, procedure: Any, _module: Any, _thread: int) -> int:
        if not self.may_hook:
            return 0
        number, thread = next(self._numbers), threading.get_native_id()
        self._queues.setdefault(thread, queue.SimpleQueue())
        with self._changed:
            self._hooks[number] = _Hook(kind, procedure, thread)
            self._changed.notify_all()
        return number

    def do_UnhookWindowsHookEx(self, number: int) -> int:
        with self._changed:
            return int(self._hooks.pop(number, None) is not None)

    def do_CallNextHookEx(self, *_: Any) -> int:
        return 0

    def do_PeekMessageW(self, *_: Any) -> int:
        self._queues.setdefault(threading.get_native_id(), queue.SimpleQueue())
        return 0

    def do_PostThreadMessageW(self, thread: int, message: int, wparam: int, lparam: int) -> int:
        self._queues[thread].put((message, wparam, lparam))
        return 1

    def do_GetMessageW(self, place: Any, *_: Any) -> int:
        while True:
            item = self._queues[threading.get_native_id()].get()
            if callable(item):
                item()
                continue
            place._obj.message, place._obj.wParam, place._obj.lParam = item
            return 1


class Function:
    """A function of a library: one on which argument types can be set, and which no class binds to its instances."""

    argtypes: Any = None
    restype: Any = None

    def __init__(self, called: Callable[..., Any]) -> None:
        self._called = called

    def __call__(self, *arguments: Any) -> Any:
        return self._called(*arguments)


def library(functions: dict[str, Callable[..., Any]]) -> SimpleNamespace:
    """A library of the system with these functions."""
    return SimpleNamespace(**{name: Function(called) for name, called in functions.items()})


def install(monkeypatch: pytest.MonkeyPatch, layout: str = "us") -> Win32System:
    """Windows with this keyboard layout, and pynput's own back ends for it in ``sys.modules``.

    ``sys.platform`` is patched only while pynput is imported; a test that needs it for more patches it itself.
    """
    system = Win32System(layout)
    libraries = SimpleNamespace(user32=system.user32, kernel32=system.kernel32)
    monkeypatch.setattr(ctypes, "windll", libraries, raising=False)
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, **_: getattr(libraries, name), raising=False)
    monkeypatch.setattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE, raising=False)
    import_pynput(monkeypatch, "win32")
    return system


def import_pynput(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    """pynput's back ends of a system, in the place of any that were imported before; undone after the test."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "pynput"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delenv("PYNPUT_BACKEND", raising=False)
    with monkeypatch.context() as there:
        there.setattr(sys, "platform", platform)
        for name in ("pynput.keyboard", "pynput.mouse"):
            importlib.import_module(name)
    for name in [name for name in sys.modules if name.partition(".")[0] == "pynput"]:
        # Of the next test it is no business; set again, so that it is undone.
        module = sys.modules.pop(name)
        monkeypatch.setitem(sys.modules, name, module)
