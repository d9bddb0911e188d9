"""Keyboard and mouse of macOS, read from pynput's event taps.

pynput asks for the keyboard layout in the listener's thread, which ends a process that shows windows (its issues 510
and 511), and makes an ``NSEvent`` of some keys there. Both are left out here: the layout is read in the main thread,
and keys that only an ``NSEvent`` tells, those of the volume and of media, are not watched.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final, TypeVar

from demopack.clock import now_ns
from demopack.domain.events import Button, EventKind, InputEvent
from demopack.errors import CaptureError
from demopack.reduction.gestures import OsTimings
from recorder.backends.pynput_hooks import (
    DEAD_KEY,
    Deliver,
    SurrogateJoiner,
    WheelSum,
    guarded_listener,
    key_names,
    printable,
    single_lower,
)

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

ALLOW: Final = (
    "Allow it under System Settings, Privacy & Security, Accessibility and Input Monitoring, then start it again."
)
SWITCHED_OFF: Final = "macOS no longer shows keyboard and mouse to this program. " + ALLOW
LAPSED: Final = "Some input was left out because this machine is too busy. A step may be missing."

_SHIFT, _CONTROL, _OPTION, _COMMAND, _CAPS = 0x20000, 0x40000, 0x80000, 0x100000, 0x10000
_MODIFIERS: Final[dict[int, tuple[str, int]]] = {
    0x38: ("Shift", _SHIFT), 0x3C: ("Shift", _SHIFT), 0x3B: ("Ctrl", _CONTROL), 0x3E: ("Ctrl", _CONTROL),
    0x3A: ("Alt", _OPTION), 0x3D: ("Alt", _OPTION), 0x37: ("Meta", _COMMAND), 0x36: ("Meta", _COMMAND),
}  # fmt: skip
_CAPS_LOCK: Final = 0x39
_MORE_NAMES: Final = {
    0x4C: "Enter", 0x72: "Insert", 0x6E: "Menu", 0x47: DEAD_KEY, 0x48: "VolumeUp", 0x49: "VolumeDown",
    0x4A: "VolumeMute", 0x66: DEAD_KEY, 0x68: DEAD_KEY,
}  # fmt: skip
"""Keys that pynput does not know: of the number pad, of PC keyboards (Help is their Insert), of Japanese ones."""
_BUTTONS: Final[dict[int, Button]] = {0: "left", 1: "right", 2: "middle", 3: "back", 4: "forward"}
_LINE: Final = 65_536  # the parts of a line that an event counts
_POINTS_A_LINE: Final = 10
_OLDEST_NS: Final = 10_000_000_000
_TICK_NS: Final = (125, 3)  # of the clock of Apple silicon, in which some versions stamp events
_MAIN_THREAD_S: Final = 2.0
_NO_DEAD_KEYS: Final = 1
_KEY_DOWN_ACTION: Final = 0
_ROOM: Final = 8


class DarwinHooks:
    """pynput's listeners on macOS, with every event read in the taps.

    Args:
        keyboard: ``pynput.keyboard``.
        mouse: ``pynput.mouse``.

    Raises:
        ImportError: the bindings of the system's frameworks are missing.
    """

    way_out = ALLOW

    def __init__(self, keyboard: Any, mouse: Any) -> None:  # noqa: ANN401 - an untyped library
        self._keyboard, self._mouse = keyboard, mouse
        self._quartz: Any = importlib.import_module("Quartz")
        self._tools: Any = importlib.import_module("pynput._util.darwin")
        self._carbon: Any = ctypes.CDLL(ctypes.util.find_library("Carbon"))
        self._carbon.IsSecureEventInputEnabled.restype = ctypes.c_ubyte
        self._names = {**_MORE_NAMES, **key_names(keyboard)}
        self._layout: KeyboardLayout | None = None
        self._taps: list[Any] = []
        self._lapses = 0
        self._at = (0, 0)
        self._pressed: dict[int, str] = {}
        self._held: set[int] = set()
        self._accent = 0
        self._halves = SurrogateJoiner()
        self._wheels = (WheelSum(_LINE), WheelSum(_LINE))

    def prepare(self) -> None:
        """See :class:`SystemHooks`: the layout is read here, and without it keys go by what they type."""
        self._taps.clear()
        self._pressed.clear()
        self._held.clear()
        self._lapses = self._accent = 0
        context = in_main_thread(self._read_context)
        self._layout = None if context is None else KeyboardLayout(self._carbon, *context)

    def _read_context(self) -> tuple[int, bytes] | None:
        with self._tools.keycode_context() as (keyboard_type, data):
            return None if data is None else (int(keyboard_type), data)

    def listeners(self, deliver: Deliver) -> Iterator[Any]:
        """See :class:`SystemHooks`."""
        mouse, keyboard = self._mouse.Listener, self._keyboard.Listener
        yield self._listener(mouse, deliver, self.read_mouse)
        quartz = self._quartz
        kinds = (quartz.kCGEventKeyDown, quartz.kCGEventKeyUp, quartz.kCGEventFlagsChanged)
        events = sum(quartz.CGEventMaskBit(kind) for kind in kinds)
        # pynput's own would ask for the layout before it listens.
        yield self._listener(keyboard, deliver, self.read_key, _EVENTS=events, _run=self._tools.ListenerMixin._run)  # noqa: SLF001

    def _listener(self, base: Any, deliver: Deliver, read: Any, **members: Any) -> Any:  # noqa: ANN401 - an untyped library
        quartz = self._quartz
        switched_off = {quartz.kCGEventTapDisabledByTimeout, quartz.kCGEventTapDisabledByUserInput}

        def create(listener: Any) -> Any:  # noqa: ANN401
            listener.tap = base._create_event_tap(listener)  # noqa: SLF001 - pynput has no other way
            if listener.tap is not None:
                self._taps.append(listener.tap)
            return listener.tap

        def handle(listener: Any, proxy: Any, kind: int, event: Any, refcon: Any) -> Any:  # noqa: ANN401
            if kind in switched_off:  # such a message has no event
                self._lapses += 1
                quartz.CGEventTapEnable(listener.tap, True)  # noqa: FBT003 - the system's function
                return event
            return base._handler(listener, proxy, kind, event, refcon)  # noqa: SLF001 - as above

        def read_message(_: Any, _proxy: Any, kind: int, event: Any, _refcon: Any, injected: bool) -> None:  # noqa: ANN401, FBT001
            deliver(read, kind, event, injected)

        own = {"tap": None, "_create_event_tap": create, "_handler": handle, "_handle_message": read_message}
        return guarded_listener(base, **own, **members)()

    def refusal(self, listener: Any) -> CaptureError | None:  # noqa: ANN401 - an untyped library
        """See :class:`SystemHooks`. Input Monitoring is enough to listen, and Accessibility holds it."""
        ask = getattr(self._quartz, "CGPreflightListenEventAccess", None)  # since macOS 10.15
        may_listen = bool(getattr(listener, "IS_TRUSTED", False)) or ask is None or bool(ask())
        if listener.tap is not None and may_listen:
            return None
        return CaptureError("macOS does not let this program watch keyboard and mouse.", hint=ALLOW)

    def problems(self) -> list[str]:
        """See :class:`SystemHooks`: keys that a program keeps to itself, and taps that are switched off."""
        found: list[str] = []
        if not all(self._quartz.CGEventTapIsEnabled(tap) for tap in tuple(self._taps)):
            found.append(SWITCHED_OFF)
        elif self._lapses:
            found.append(LAPSED)
        return found

    def timings(self) -> OsTimings:
        """See :class:`SystemHooks`; macOS does not tell through this door."""
        return OsTimings()

    # Mouse ----------------------------------------------------------------------------------------------------------

    def read_mouse(self, kind: int, event: Any, injected: bool) -> list[InputEvent]:  # noqa: ANN401, FBT001 - a CGEvent
        """The event of one message of the mouse's tap."""
        quartz = self._quartz
        x, y = quartz.CGEventGetLocation(event)
        self._at = round(x), round(y)
        place: dict[str, Any] = {
            "t_ns": self._moment(event), "x": self._at[0], "y": self._at[1], "injected": injected
        }  # fmt: skip
        missed = [] if injected else self._missed_releases(event, place)
        if kind == quartz.kCGEventScrollWheel:
            dx, dy = -self._notches(event, 1, place["t_ns"]), self._notches(event, 0, place["t_ns"])
            return [*missed, InputEvent(kind="scroll", dx=dx, dy=dy, **place)] if dx or dy else missed
        presses = (quartz.kCGEventLeftMouseDown, quartz.kCGEventRightMouseDown, quartz.kCGEventOtherMouseDown)
        releases = (quartz.kCGEventLeftMouseUp, quartz.kCGEventRightMouseUp, quartz.kCGEventOtherMouseUp)
        if kind not in {*presses, *releases}:
            return [*missed, InputEvent(kind="move", **place)]
        number = quartz.CGEventGetIntegerValueField(event, quartz.kCGMouseEventButtonNumber)
        what: EventKind = "down" if kind in presses else "up"
        return [*missed, InputEvent(kind=what, button=_BUTTONS.get(number, "other"), **place)]

    def _missed_releases(self, event: Any, place: dict[str, Any]) -> list[InputEvent]:  # noqa: ANN401 - a CGEvent
        """Modifiers that came up unseen, behind a lock screen or while a program kept the keys: no flag is left."""
        flags = int(self._quartz.CGEventGetFlags(event))
        gone = [code for code in self._held if not flags & _MODIFIERS[code][1]]
        self._held.difference_update(gone)
        return [InputEvent(kind="key_up", key=_MODIFIERS[code][0], **place) for code in gone]

    def _notches(self, event: Any, axis: int, t_ns: int) -> int:  # noqa: ANN401 - a CGEvent
        """Whole notches of one axis, 0 up and down, 1 sideways. A notch is a line."""
        quartz = self._quartz

        def field(name: str) -> int:
            constant = getattr(quartz, f"kCGScrollWheelEvent{name}Axis{axis + 1}")
            return int(quartz.CGEventGetIntegerValueField(event, constant))

        lines, smooth = (
            field("Delta"),
            quartz.CGEventGetIntegerValueField(event, quartz.kCGScrollWheelEventIsContinuous),
        )
        # A wheel with notches tells whole lines, accelerated ones; a touch pad and a fine wheel parts of them.
        fine = field("FixedPtDelta") or int(field("PointDelta") * _LINE / _POINTS_A_LINE)
        delta = lines * _LINE if lines and not smooth else fine or lines * _LINE
        return self._wheels[axis].add(delta, t_ns) if delta else 0

    # Keyboard -------------------------------------------------------------------------------------------------------

    def read_key(self, kind: int, event: Any, injected: bool) -> list[InputEvent]:  # noqa: ANN401, FBT001 - a CGEvent
        """The events of one message of the keyboard's tap; Caps Lock, which tells only that it was used, is both."""
        quartz = self._quartz
        code = int(quartz.CGEventGetIntegerValueField(event, quartz.kCGKeyboardEventKeycode))
        flags = int(quartz.CGEventGetFlags(event))
        place: dict[str, Any] = {
            "t_ns": self._moment(event), "x": self._at[0], "y": self._at[1], "injected": injected
        }  # fmt: skip
        if kind == quartz.kCGEventFlagsChanged:
            if code == _CAPS_LOCK:
                return [InputEvent(kind=each, key="CapsLock", **place) for each in ("key_down", "key_up")]
            if code not in _MODIFIERS:  # Fn, which by itself does nothing
                return []
            name, mask = _MODIFIERS[code]
            # The flag stays while the same key of the other side is down.
            down = code not in self._held and bool(flags & mask)
            (self._held.add if down else self._held.discard)(code)
            return [InputEvent(kind="key_down" if down else "key_up", key=name, **place)]
        missed = [] if injected else self._missed_releases(event, place)
        text = str(quartz.CGEventKeyboardGetUnicodeString(event, 100, None, None)[1] or "")
        if kind == quartz.kCGEventKeyDown:
            read = self._read_press(code, text, flags)
            if read is None:
                return missed
            key, char, types = read
            self._pressed[code] = key
            return [*missed, InputEvent(kind="key_down", key=key, char=char, types=types, **place)]
        key = self._pressed.pop(code, "") or self._name(code, text, flags)
        return [*missed, InputEvent(kind="key_up", key=key, **place)]

    def _read_press(self, code: int, text: str, flags: int) -> tuple[str, str, bool] | None:
        """Name and text of a key, and whether it types the text in spite of Option; None for half a character."""
        name = self._names.get(code)
        if flags & (_COMMAND | _CONTROL):
            return name or self._name(code, text, flags), "", False
        accent, self._accent = self._accent, 0
        if name is not None and name != "Space":
            return name, "", False
        layout = self._layout
        bare, dead = ("", 0) if layout is None else layout.text(code, flags)
        # Whatever the event says about a dead key, some versions say nothing, others the accent. A character of its own
        # it has where the person has switched to another layout meanwhile.
        if layout is not None and self._is_stale(layout, code, flags, text, accent=accent):
            self._reread()
            dead = 0
        if dead:
            typed, still_dead = ("", dead) if layout is None or not accent else layout.text(code, flags, accent)
            self._accent = still_dead
            return DEAD_KEY, printable(typed), bool(flags & _OPTION)
        whole = self._halves.join(text)
        if text and not whole:
            return None
        if accent and layout is not None and whole in {bare, ""}:
            # Some versions join the accent themselves, others hand on the letter as it is.
            whole = layout.text(code, flags, accent)[0] or whole
        key = name or self._name(code, whole, flags)
        char = printable(whole) or (" " if name else "")  # with Option a space is one that does not break
        return key, char, bool(char) and bool(flags & _OPTION)

    def _is_stale(self, layout: KeyboardLayout, code: int, flags: int, text: str, *, accent: int) -> bool:
        """Whether a key typed what it does not type under a layout, because the person has switched to another one."""
        if accent or not printable(text) or len(text) != 1:
            return False
        bare, dead = layout.text(code, flags)
        return text != (layout.spacing(code, flags) if dead else bare)

    def _reread(self) -> None:
        """Have the layout read anew on the main thread; nobody waits for it."""

        def read() -> None:
            with suppress(Exception):
                context = self._read_context()
                self._layout = None if context is None else KeyboardLayout(self._carbon, *context)

        foundation: Any = importlib.import_module("Foundation")
        foundation.NSOperationQueue.mainQueue().addOperationWithBlock_(read)

    def _name(self, code: int, text: str, flags: int) -> str:
        """The canonical name of a key, or its character without modifiers."""
        name = self._names.get(code)
        if name is not None:
            return name
        if self._layout is not None and code in self._layout:
            plain = self._layout.text(code, 0)[0] or self._layout.spacing(code)
            if flags & (_COMMAND | _CONTROL) and plain.isalpha() and not plain.isascii():
                # Under Cyrillic and other scripts the Latin letter counts, and is what the layout gives with Command.
                latin = self._layout.text(code, _COMMAND)[0]
                plain = latin if latin.isascii() and latin else plain
            if plain:
                return single_lower(plain)
        if len(text) == 1 and 1 <= ord(text) <= 26 and flags & _CONTROL:
            return chr(ord(text) + 96)
        return single_lower(text) if printable(text) else DEAD_KEY

    # Time -----------------------------------------------------------------------------------------------------------

    def _moment(self, event: Any) -> int:  # noqa: ANN401 - a CGEvent
        """When an event happened, on our clock; now where its stamp cannot be that."""
        stamp, now = int(self._quartz.CGEventGetTimestamp(event)), now_ns()
        times, parts = _TICK_NS
        for moment in (stamp, stamp * times // parts):
            if 0 <= now - moment < _OLDEST_NS:
                return moment
        return now


class KeyboardLayout:
    """What the keys of a layout type. Any thread may ask, once the layout has been read.

    Args:
        carbon: the library Carbon.
        keyboard_type: of the keyboard, as ``LMGetKbdType`` tells.
        data: of the layout, as ``kTISPropertyUnicodeKeyLayoutData``.
    """

    def __init__(self, carbon: Any, keyboard_type: int, data: bytes) -> None:  # noqa: ANN401 - a library of the system
        self._type, self._data = keyboard_type, data
        short, number, pointer = ctypes.c_uint16, ctypes.c_uint32, ctypes.c_void_p
        self._translate = carbon.UCKeyTranslate
        self._translate.argtypes = [
            pointer, short, short, number, number, number, pointer, ctypes.c_ulong, pointer, pointer,
        ]  # fmt: skip
        self._translate.restype = ctypes.c_int32

    def __contains__(self, code: int) -> bool:
        text, dead = self.text(code, 0)
        return bool(dead or printable(text))

    def text(self, code: int, flags: int, accent: int = 0) -> tuple[str, int]:
        """What a key types, and a number for the accent that it leaves for the next key; 0 for none.

        Args:
            code: of the key.
            flags: of a CGEvent: the modifiers.
            accent: that the key before has left.
        """
        return self._ask(code, flags, accent, options=0)

    def spacing(self, code: int, flags: int = 0) -> str:
        """The accent of a dead key, as a character of its own."""
        return self._ask(code, flags, 0, options=_NO_DEAD_KEYS)[0]

    def _ask(self, code: int, flags: int, accent: int, *, options: int) -> tuple[str, int]:
        held = sum(bit for bit, mask in ((1, _COMMAND), (2, _SHIFT), (4, _CAPS), (8, _OPTION)) if flags & mask)
        dead, length = ctypes.c_uint32(accent), ctypes.c_ulong(0)
        units = (ctypes.c_uint16 * _ROOM)()
        failed = self._translate(
            self._data, code, _KEY_DOWN_ACTION, held, self._type, options,
            ctypes.byref(dead), _ROOM, ctypes.byref(length), units,
        )  # fmt: skip
        if failed:
            return "", 0
        found = b"".join(unit.to_bytes(2, "little") for unit in units[: min(length.value, _ROOM)])
        return found.decode("utf-16-le", "replace"), int(dead.value)


def in_main_thread(call: Callable[[], _T]) -> _T | None:
    """The answer of a function that only the main thread may call.

    None where the main thread does not get to it within two seconds, because it runs no loop of the system's.
    """
    if threading.current_thread() is threading.main_thread():
        return call()
    done, answers = threading.Event(), list[_T]()

    def block() -> None:
        with suppress(Exception):
            answers.append(call())
        done.set()

    foundation: Any = importlib.import_module("Foundation")
    foundation.NSOperationQueue.mainQueue().addOperationWithBlock_(block)
    if not done.wait(_MAIN_THREAD_S):
        _log.info("The keyboard layout could not be read: the main thread is busy.")
    return answers[0] if answers else None
