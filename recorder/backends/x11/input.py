"""Input of an X11 session through the RECORD extension: every event with the server's own time and keyboard map."""

from __future__ import annotations

import contextlib
import logging
import queue
import struct
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from demopack.domain.events import Button, EventKind, InputEvent
from demopack.errors import CaptureError
from recorder.backends.base import InputSource
from recorder.backends.x11.keymap import (
    CONTROL_MASK,
    DEAD_KEY,
    Composer,
    KeyboardMap,
    is_dead,
    key_name,
    keysym_char,
    types_nothing,
)
from recorder.backends.x11.xlib import ServerClock, connection_lost, cut, open_display

_log = logging.getLogger(__name__)

_KEY_DOWN, _KEY_UP, _DOWN, _UP, _MOVE = 2, 3, 4, 5, 6
_MAPPING_NOTIFY = 34
_MAP_KEYBOARD, _WHOLE_MAP = 1, 64  # a notice about fewer keys follows from a request that was read before
_CHANGE_KEYBOARD_MAPPING = 100
_XKB_SET_MAP, _XKB_GET_KBD_BY_NAME = 9, 23
_FROM_SERVER, _FROM_CLIENT, _START_OF_DATA = 0, 1, 4
# type, detail, time, root x, root y, state; sequence number, windows and event position are of no use here.
_EVENT = struct.Struct("<BBxxI12xhh4xHxx")
_BUTTONS: dict[int, Button] = {1: "left", 2: "middle", 3: "right", 8: "back", 9: "forward"}
_WHEEL = {4: (0, 1), 5: (0, -1), 6: (-1, 0), 7: (1, 0)}
# Alt and Super; with them or Ctrl held, a key is a command and starts no accent.
_COMMAND_MASKS = CONTROL_MASK | 0x08 | 0x40


class _Heard(NamedTuple):
    """What the server told at once: one request of another program, or some events."""

    now_ns: int
    from_client: bool
    swapped: bool
    data: bytes


class X11Input(InputSource):
    """Listens through RECORD on connections of its own.

    Beside the events it records the requests that change the keyboard map, and the notices that another map is in
    force, because a layout was chosen or another keyboard is used. All come in the order in which the server carried
    them out, so a key is read with the map that was in force when it was pressed.

    Two threads: the hook stamps what it hears and asks nothing; the other one reads it, in the same order, and asks the
    server for the map where that has changed. Something that it cannot read is left out and counted.
    """

    def __init__(self, *, display: str | None = None) -> None:
        self._control = open_display(display, whole=True)
        try:
            if not self._control.has_extension("RECORD"):
                raise CaptureError(
                    "This X server does not let programs watch input: its RECORD extension is off.",
                    hint='Enable it (Option "RECORD" in the server\'s configuration) and start the session again.',
                )
            self._name: str = self._control.get_display_name()
            self._clock = ServerClock.measured(self._control)
            self._map = KeyboardMap.read(self._name)
            # Is told when another keyboard map is in force; used by the reading thread alone.
            self._keys = open_display(self._name)
        except BaseException:
            self._control.close()
            raise
        self._stale = False
        self._composer = Composer()
        self._pressed: dict[int, str] = {}
        self._callback: Callable[[InputEvent], None] | None = None
        self._thread: threading.Thread | None = None
        self._reader = threading.Thread(target=self._work, name="x11-input reader", daemon=True)
        self._heard: queue.SimpleQueue[_Heard | None] = queue.SimpleQueue()
        self._error: CaptureError | None = None
        self._ready = threading.Event()
        self._context = 0
        self._data: Any = None
        self._closed = False

    def start(self, callback: Callable[[InputEvent], None]) -> None:
        """See :class:`InputSource`."""
        if self._thread is not None or self._closed:
            raise CaptureError("This input source was started before; open a new one.")
        self._callback = callback
        self._context = self._control.record_create_context(0, [_ALL_CLIENTS], self._ranges())
        # Every program gets the notices; those that we get ourselves are enough.
        ourselves = int(self._keys.display.info.resource_id_base)
        self._control.record_register_clients(self._context, 0, [ourselves], [_NOTICES])
        self._control.sync()
        self._thread = threading.Thread(target=self._listen, name="x11-input", daemon=True)
        self._reader.start()
        self._thread.start()
        if not self._ready.wait(10):
            self.stop()
            raise CaptureError("The X server did not begin to deliver input.", hint="Try again.")

    def _ranges(self) -> list[dict[str, Any]]:
        xkb = int(self._control.query_extension("XKEYBOARD").major_opcode)
        core: dict[str, Any] = {
            "device_events": (_KEY_DOWN, _MOVE),
            "core_requests": (_CHANGE_KEYBOARD_MAPPING, _CHANGE_KEYBOARD_MAPPING),
        }
        minors = (_XKB_SET_MAP, _XKB_GET_KBD_BY_NAME)
        requests = [{"ext_requests": (xkb, xkb, minor, minor)} for minor in minors]
        return [{**_NOTHING, **one} for one in (core, *requests)]

    def stop(self) -> None:
        """See :class:`InputSource`."""
        if self._closed:
            return
        self._closed = True
        # A server that does not answer would keep us waiting for ever.
        patience = threading.Timer(_STOP_S, self._cut)
        patience.daemon = True
        patience.start()
        with contextlib.suppress(*connection_lost()):
            if self._context:
                self._control.record_disable_context(self._context)
                self._control.sync()
        if self._thread is not None:
            self._thread.join(5)
            self._heard.put(None)
            self._reader.join(5)
        with contextlib.suppress(*connection_lost()):
            if self._context:
                self._control.record_free_context(self._context)
        for connection in (self._control, self._keys):
            with contextlib.suppress(*connection_lost()):
                connection.close()
        patience.cancel()

    def _cut(self) -> None:
        for connection in (self._control, self._keys, self._data):
            if connection is not None:
                cut(connection)

    @property
    def error(self) -> CaptureError | None:
        """See :class:`InputSource`."""
        return self._error

    def _fail(self, why: BaseException | None) -> None:
        if self._closed or self._error is not None:
            return
        _log.info("Input has ended.", exc_info=why)
        self._error = CaptureError(
            "Keyboard and mouse can no longer be watched.",
            details="the X server ended the stream" if why is None else f"{type(why).__name__}: {why}",
            hint="Everything up to now is kept. Start a new recording.",
        )

    # The hook's thread ------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        why: Exception | None = None
        try:
            data = self._data = open_display(self._name)
            try:
                data.record_enable_context(self._context, self._take)
            finally:
                data.close()
        except Exception as error:  # noqa: BLE001 - nobody must believe that input is still being watched
            why = error
        self._fail(why)
        self._heard.put(None)

    def _take(self, reply: Any) -> None:  # noqa: ANN401 - an untyped library
        now_ns = time.monotonic_ns()
        if reply.category == _START_OF_DATA:
            self._ready.set()
        elif reply.category in {_FROM_CLIENT, _FROM_SERVER} and self._error is None:
            self._heard.put(
                _Heard(now_ns, reply.category == _FROM_CLIENT, bool(reply.client_swapped), bytes(reply.data))
            )

    # The reading thread -----------------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            while (heard := self._heard.get()) is not None:
                if heard.from_client:
                    self._change_map(heard.data, swapped=heard.swapped)
                else:
                    self._deliver(heard)
        except Exception as error:  # noqa: BLE001 - as above
            self._fail(error)

    def _deliver(self, heard: _Heard) -> None:
        assert self._callback is not None
        for at in range(0, len(heard.data) - 31, 32):
            try:
                event = self._convert(heard.data[at : at + 32], heard.now_ns)
            except Exception:  # noqa: BLE001 - counted, and told
                # One event that nobody understands must not cost all that follow.
                _log.info("An input event could not be read.", exc_info=True)
                self.unreadable += 1
                continue
            if event is not None:
                self._callback(event)

    def _change_map(self, request: bytes, *, swapped: bool) -> None:
        """Keep the keyboard map in step with what another program has just asked for."""
        if request[:1] != bytes((_CHANGE_KEYBOARD_MAPPING,)):
            # A new layout as a whole: read it when the next key comes, for now the request is only about to be done.
            self._stale = True
            self._map.remapped.clear()
            return
        try:
            count, first, width = request[1], request[4], request[5]
            keysyms = struct.unpack(f"{'>' if swapped else '<'}{count * width}I", request[8:])
        except (struct.error, LookupError):
            # Other than so long the server refuses it, too; but what the map is now, only the server knows.
            self._stale = True
            return
        self._map.remapped.update({first + n: keysyms[n * width : (n + 1) * width] for n in range(count)})

    def _convert(self, data: bytes, now_ns: int) -> InputEvent | None:
        kind, detail, server_ms, x, y, state = _EVENT.unpack(data)
        if kind == _MAPPING_NOTIFY:
            # Another map is in force: a layout was chosen, or another keyboard is used now.
            while self._keys.pending_events():
                self._keys.next_event()
            self._stale = self._stale or (data[4] == _MAP_KEYBOARD and data[6] >= _WHOLE_MAP)
            return None
        t_ns = self._clock.to_ns(server_ms, now_ns)
        if kind == _MOVE:
            return InputEvent(t_ns=t_ns, kind="move", x=x, y=y)
        if kind in {_DOWN, _UP}:
            if detail in _WHEEL:
                dx, dy = _WHEEL[detail]
                return InputEvent(t_ns=t_ns, kind="scroll", x=x, y=y, dx=dx, dy=dy) if kind == _DOWN else None
            what: EventKind = "down" if kind == _DOWN else "up"
            return InputEvent(t_ns=t_ns, kind=what, x=x, y=y, button=_BUTTONS.get(detail, "other"))
        if kind in {_KEY_DOWN, _KEY_UP}:
            self._refresh_map()
            key, char = self._read_key(detail, state, pressed=kind == _KEY_DOWN)
            return InputEvent(
                t_ns=t_ns, kind="key_down" if kind == _KEY_DOWN else "key_up", x=x, y=y, key=key, char=char
            )
        return None

    def _read_key(self, keycode: int, state: int, *, pressed: bool) -> tuple[str, str]:
        if not pressed and keycode in self._pressed:
            # The level, and even the map, may have changed since the press.
            return self._pressed.pop(keycode), ""
        keysym, plain = self._map.keysym(keycode, state), self._map.name_keysym(keycode, state)
        char = keysym_char(keysym)
        if is_dead(keysym):
            name = DEAD_KEY
        elif char:
            name = key_name(keysym) or keysym_char(plain) or char
        else:
            name = key_name(keysym) or key_name(plain) or (DEAD_KEY if types_nothing(keysym) else "")
        if not pressed:
            return name, ""
        self._pressed[keycode] = name
        if state & _COMMAND_MASKS or name in {"Shift", "AltGr", "CapsLock", "NumLock"}:
            return name, char
        composed = self._composer.feed(keysym)
        return name, char if composed is None else composed

    # The keyboard map -------------------------------------------------------------------------------------------

    def _refresh_map(self) -> None:
        """Read the map again where it has changed as a whole since the last key; where it cannot be read, later."""
        if self._stale:
            try:
                fresh = KeyboardMap.read(self._name)
            except CaptureError:
                return  # the old map is right about most keys, and no key may be lost
            self._stale = False
            self._map.close()
            fresh.remapped.update(self._map.remapped)
            self._map = fresh


_STOP_S = 1.0
_ALL_CLIENTS = 3
_NOTHING: dict[str, Any] = {
    "core_requests": (0, 0),
    "core_replies": (0, 0),
    "ext_requests": (0, 0, 0, 0),
    "ext_replies": (0, 0, 0, 0),
    "delivered_events": (0, 0),
    "device_events": (0, 0),
    "errors": (0, 0),
    "client_started": False,
    "client_died": False,
}
_NOTICES = {**_NOTHING, "delivered_events": (_MAPPING_NOTIFY, _MAPPING_NOTIFY)}
