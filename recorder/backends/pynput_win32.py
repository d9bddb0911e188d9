"""Keyboard and mouse of Windows, read inside pynput's low-level hooks, before any program gets the input.

pynput itself reads a key later, from its message queue, by a table of the layout of our own thread: dead keys lose
their accent there, keys with Ctrl and the number pad have no character, and the system's time is gone.
"""

from __future__ import annotations

import ctypes
import importlib
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from demopack.clock import now_ns
from demopack.domain.events import Button, EventKind, InputEvent
from demopack.errors import CaptureError
from demopack.reduction.gestures import OsTimings
from recorder.backends.pynput_hooks import (
    DEAD_KEY,
    Deliver,
    SurrogateJoiner,
    WheelSum,
    compose,
    guarded_listener,
    key_names,
    printable,
    single_lower,
)

UNSEEN: Final = (
    "Your input does not arrive here. A program with administrator rights is in front, or Windows has removed the "
    "hook: click into another window; if this stays, start a new recording."
)

_PRESSES: Final = frozenset({0x100, 0x104})
_SHIFT, _CONTROL, _MENU, _CAPITAL = 0x10, 0x11, 0x12, 0x14
_LCONTROL, _RMENU, _PACKET = 0xA2, 0xA5, 0xE7
_WINDOWS_KEYS: Final = (0x5B, 0x5C)
_NOT_A_KEY_SCAN: Final = 0x200  # of the Ctrl that Windows presses before an AltGr
_INJECTED_KEY, _INJECTED_MOUSE = 0x12, 0x03
_DOWN: Final = 0x80
_TO_CHARACTER: Final = 2  # MAPVK_VK_TO_CHAR
_KEEP_STATE: Final = 4  # for ToUnicodeEx: do not touch the dead keys of the program in front
_HELD: Final = frozenset({"Shift", "Ctrl", "Alt", "AltGr", "Meta"})
_ACCENT_KEEPERS: Final = _HELD | {"CapsLock", "NumLock", "ScrollLock"}
_BUTTONS: Final[dict[int, tuple[EventKind, Button]]] = {
    0x201: ("down", "left"), 0x202: ("up", "left"), 0x204: ("down", "right"), 0x205: ("up", "right"),
    0x207: ("down", "middle"), 0x208: ("up", "middle"),
}  # fmt: skip
_SIDE_BUTTONS: Final[dict[int, EventKind]] = {0x20B: "down", 0x20C: "up"}
_SIDES: Final[dict[int, Button]] = {1: "back", 2: "forward"}
_MOVE, _WHEEL, _WHEEL_SIDEWAYS = 0x200, 0x20A, 0x20E
_NOTCH: Final = 120
_TICK_MS: Final = 16  # the system's milliseconds advance in such steps
_OLDEST_MS: Final = 10_000
_UNSEEN_MS: Final = 1_500
_SM_CXDOUBLECLK, _SM_CXDRAG = 36, 68


class _LastInput(ctypes.Structure):
    _fields_ = (("cbSize", ctypes.c_uint32), ("dwTime", ctypes.c_uint32))


def _is_composed(accent: str, text: str) -> bool:
    """Whether a text holds the accent already: a dead key that the program in front has read counts for us, too."""
    base = unicodedata.normalize("NFD", text)[0]
    return (len(text) > 1 and text.startswith(accent)) or (base != text and compose(accent, base) == text)


class Win32Hooks:
    """pynput's listeners on Windows, with everything read in their event filters.

    Args:
        keyboard: ``pynput.keyboard``.
        mouse: ``pynput.mouse``.

    Raises:
        AttributeError: this is not Windows.
    """

    way_out = "Start a new recording."

    def __init__(self, keyboard: Any, mouse: Any) -> None:  # noqa: ANN401 - an untyped library
        self._keyboard, self._mouse = keyboard, mouse
        self._tools: Any = importlib.import_module("pynput._util.win32")
        load: Any = getattr(ctypes, "WinDLL")  # noqa: B009 - there on Windows alone
        # A copy of our own: pynput sets other argument types on the shared one.
        self._user32, self._kernel32 = load("user32"), load("kernel32")
        _declare(self._user32, self._kernel32)
        self._names = {**key_names(keyboard), _SHIFT: "Shift"}
        self._at = (0, 0)
        self._pressed: dict[int, str] = {}
        self._accent = ""
        self._has_altgr = self._holds_altgr = False
        self._packets = SurrogateJoiner()
        self._wheels = {_WHEEL: WheelSum(_NOTCH), _WHEEL_SIDEWAYS: WheelSum(_NOTCH)}
        self._seen_ms = 0
        self._unseen_since_ms: int | None = None

    def prepare(self) -> None:
        """See :class:`SystemHooks`."""
        self._pressed.clear()
        self._accent, self._has_altgr, self._holds_altgr = "", False, False
        self._seen_ms, self._unseen_since_ms = self._ticks(), None

    def listeners(self, deliver: Deliver) -> Iterator[Any]:
        """See :class:`SystemHooks`."""

        def taking(read: Any) -> Any:  # noqa: ANN401 - a callback of pynput's
            def take(message: int, data: Any) -> bool:  # noqa: ANN401 - a structure of the system's
                deliver(read, message, data)
                return False  # read already; the program in front gets it all the same

            return take

        def run(listener: Any) -> None:  # noqa: ANN401 - an untyped library
            self._run(listener)

        for base, read in ((self._mouse.Listener, self.read_mouse), (self._keyboard.Listener, self.read_key)):
            yield guarded_listener(base, _run=run)(win32_event_filter=taking(read))

    def _run(self, listener: Any) -> None:  # noqa: ANN401 - an untyped library
        """Listen; pynput's own form calls itself ready before the hook is there, and is content without one."""
        loop = listener._message_loop = self._tools.MessageLoop()  # noqa: SLF001 - pynput has no other way
        loop.start()
        with self._tools.SystemHook(listener._EVENTS, listener._handler) as hook:  # noqa: SLF001 - as above
            if not hook._hook:  # noqa: SLF001 - as above
                raise OSError("Windows has installed no hook.")
            listener._mark_ready()  # noqa: SLF001 - as above
            for _ in loop:
                if not listener.running:
                    break

    def refusal(self, listener: Any) -> CaptureError | None:  # noqa: ANN401, ARG002 - an untyped library
        """See :class:`SystemHooks`. Windows refuses nobody; it only keeps some input away, see :meth:`problems`."""
        return None

    def problems(self) -> list[str]:
        """See :class:`SystemHooks`: input that reaches Windows, but no hook."""
        info = _LastInput(ctypes.sizeof(_LastInput), 0)
        if not self._user32.GetLastInputInfo(ctypes.byref(info)):
            return []
        if ctypes.c_int32(info.dwTime - self._seen_ms).value <= _TICK_MS:
            self._unseen_since_ms = None
            return []
        now_ms = self._ticks()
        if self._unseen_since_ms is None:
            self._unseen_since_ms = now_ms
        return [UNSEEN] if (now_ms - self._unseen_since_ms) & 0xFFFFFFFF >= _UNSEEN_MS else []

    def timings(self) -> OsTimings:
        """See :class:`SystemHooks`."""
        return OsTimings(
            double_click_ms=int(self._user32.GetDoubleClickTime()),
            # The whole width of the rectangle in which a second click may lie.
            double_click_px=int(self._user32.GetSystemMetrics(_SM_CXDOUBLECLK)) // 2,
            drag_px=int(self._user32.GetSystemMetrics(_SM_CXDRAG)),
        )

    # Mouse ----------------------------------------------------------------------------------------------------------

    def read_mouse(self, message: int, data: Any) -> list[InputEvent]:  # noqa: ANN401 - MSLLHOOKSTRUCT
        """The event of one message of the mouse hook."""
        t_ns = self._moment(data.time)
        self._at = x, y = int(data.pt.x), int(data.pt.y)
        high = int(data.mouseData) >> 16 & 0xFFFF
        place: dict[str, Any] = {"t_ns": t_ns, "x": x, "y": y, "injected": bool(data.flags & _INJECTED_MOUSE)}
        if message == _MOVE:
            return [InputEvent(kind="move", **place)]
        missed = self._missed_releases(t_ns)
        if message in _BUTTONS:
            kind, button = _BUTTONS[message]
            return [*missed, InputEvent(kind=kind, button=button, **place)]
        if message in _SIDE_BUTTONS:
            return [*missed, InputEvent(kind=_SIDE_BUTTONS[message], button=_SIDES.get(high, "other"), **place)]
        if message in self._wheels:
            notches = self._wheels[message].add(ctypes.c_int16(high).value, t_ns)
            dx, dy = (0, notches) if message == _WHEEL else (notches, 0)
            return [*missed, InputEvent(kind="scroll", dx=dx, dy=dy, **place)] if notches else missed
        return missed

    # Keyboard -------------------------------------------------------------------------------------------------------

    def read_key(self, message: int, data: Any) -> list[InputEvent]:  # noqa: ANN401 - KBDLLHOOKSTRUCT
        """The event of a keyboard message; none for a Ctrl that is a part of AltGr, or half a character."""
        t_ns = self._moment(data.time)
        vk, scan = int(data.vkCode), int(data.scanCode)
        pressed = message in _PRESSES
        if vk == _LCONTROL and scan & _NOT_A_KEY_SCAN:
            self._has_altgr = True
            return []
        char, types = "", False
        missed = self._missed_releases(t_ns, but=vk)
        if vk == _PACKET:
            # No key, but a character as it is, whatever is held; its code unit tells press and release apart.
            vk = _PACKET << 16 | scan
            char = printable(self._packets.join(chr(scan & 0xFFFF))) if pressed else ""
            key = single_lower(char) if pressed else self._pressed.pop(vk, "")
            if not key:
                return missed
            types = pressed and any(map(self._is_down, (_CONTROL, _MENU, *_WINDOWS_KEYS)))
            self._pressed |= {vk: key} if pressed else {}
        elif pressed:
            key, char, types = self._read_press(vk, scan)
            self._pressed[vk] = key
        else:
            key = self._pressed.pop(vk, "") or self._read_press(vk, scan)[0]
        if vk == _RMENU:
            self._has_altgr, self._holds_altgr = False, pressed and key == "AltGr"
        x, y = self._at
        return [
            *missed,
            InputEvent(
                t_ns=t_ns,
                kind="key_down" if pressed else "key_up",
                x=x,
                y=y,
                key=key,
                char=char,
                types=types,
                injected=bool(data.flags & _INJECTED_KEY),
            ),
        ]

    def _missed_releases(self, t_ns: int, *, but: int = 0) -> list[InputEvent]:
        """Modifiers that came up unseen: behind a lock screen, or in a program with administrator rights."""
        gone = [vk for vk, name in self._pressed.items() if name in _HELD and vk != but and not self._is_down(vk)]
        if _RMENU in gone:
            self._holds_altgr = False
        x, y = self._at
        return [InputEvent(t_ns=t_ns, kind="key_up", x=x, y=y, key=self._pressed.pop(vk)) for vk in gone]

    def _read_press(self, vk: int, scan: int) -> tuple[str, str, bool]:
        """Name and text of a key, and whether it types the text in spite of Ctrl and Alt."""
        if vk == _RMENU:
            # Windows presses a Ctrl before it where the layout has a third level; elsewhere it is a second Alt.
            return "AltGr" if self._has_altgr else "Alt", "", False
        name = self._names.get(vk)
        if name in _ACCENT_KEEPERS:
            return name, "", False
        control, menu = self._is_down(_CONTROL), self._is_down(_MENU)
        plain = self._cap(vk) if self._accent else self._translate(vk, scan)[0]
        if control != menu or any(map(self._is_down, _WINDOWS_KEYS)):
            return name or _command_name(vk, plain), "", False
        accent, self._accent = self._accent, ""
        if name is not None and name != "Space":
            return name, "", False
        shift, caps = self._is_down(_SHIFT), bool(self._user32.GetKeyState(_CAPITAL) & 1)
        text, is_dead = (" ", False) if name else self._translate(vk, scan, shift=shift, altgr=menu, caps=caps)
        key = name or (_command_name(vk, plain) if menu else single_lower(plain or text) or DEAD_KEY)
        if is_dead and not accent:
            self._accent = text
            return DEAD_KEY, "", menu and not self._holds_altgr
        char = printable(text)
        if accent and char and not _is_composed(accent, char):
            char = accent + char if is_dead else compose(accent, char)
        return key, char, bool(char) and menu and not self._holds_altgr

    def _cap(self, vk: int) -> str:
        """The character of a key without modifiers, whatever dead key may be pending; empty for none."""
        return single_lower(chr(self._user32.MapVirtualKeyExW(vk, _TO_CHARACTER, self._layout()) & 0xFFFF).strip("\0"))

    def _translate(
        self, vk: int, scan: int, *, shift: bool = False, altgr: bool = False, caps: bool = False
    ) -> tuple[str, bool]:
        """What a key types with these modifiers under the layout of the window in front, and whether it is dead."""
        state = (ctypes.c_ubyte * 256)()
        state[_SHIFT] = _DOWN * shift
        state[_CONTROL] = state[_MENU] = _DOWN * altgr
        state[_CAPITAL] = int(caps)
        buffer = ctypes.create_unicode_buffer(9)
        count = self._user32.ToUnicodeEx(vk, scan, state, buffer, 8, _KEEP_STATE, self._layout())
        return "".join(buffer[: abs(count)]), count < 0

    def _layout(self) -> Any:  # noqa: ANN401 - a handle
        window = self._user32.GetForegroundWindow()
        thread = self._user32.GetWindowThreadProcessId(window, None) if window else 0
        return self._user32.GetKeyboardLayout(thread) or self._user32.GetKeyboardLayout(0)

    def _is_down(self, vk: int) -> bool:
        return bool(self._user32.GetAsyncKeyState(vk) & 0x8000)

    # Time -----------------------------------------------------------------------------------------------------------

    def _ticks(self) -> int:
        return int(self._kernel32.GetTickCount())

    def _moment(self, event_ms: int) -> int:
        """When an event happened, on our clock: now, less what it has certainly waited for us."""
        ticks = self._ticks()
        waited_ms = (ticks - int(event_ms)) & 0xFFFFFFFF
        if waited_ms > _OLDEST_MS:  # a program that injects input may write any time on it
            waited_ms = 0
        self._seen_ms = ticks - waited_ms
        return now_ns() - max(0, waited_ms - _TICK_MS) * 1_000_000


def _command_name(vk: int, plain: str) -> str:
    """The name of a key in a combination: programs know letters and digits by their codes, under any layout."""
    if 48 <= vk <= 57 or 65 <= vk <= 90:
        return chr(vk).lower()
    return single_lower(plain) if plain and plain.isprintable() else DEAD_KEY


def _declare(user32: Any, kernel32: Any) -> None:  # noqa: ANN401 - libraries of the system
    """Argument and result types: handles are as wide as pointers."""
    handle, number = ctypes.c_void_p, ctypes.c_uint32
    user32.GetForegroundWindow.restype = handle
    user32.GetWindowThreadProcessId.argtypes, user32.GetWindowThreadProcessId.restype = [handle, handle], number
    user32.GetKeyboardLayout.argtypes, user32.GetKeyboardLayout.restype = [number], handle
    for state in (user32.GetAsyncKeyState, user32.GetKeyState):
        state.argtypes, state.restype = [ctypes.c_int], ctypes.c_int16
    user32.MapVirtualKeyExW.argtypes, user32.MapVirtualKeyExW.restype = [number, number, handle], number
    user32.ToUnicodeEx.argtypes = [number, number, handle, handle, ctypes.c_int, number, handle]
    user32.ToUnicodeEx.restype = ctypes.c_int
    user32.GetLastInputInfo.argtypes = [handle]
    kernel32.GetTickCount.restype = number
