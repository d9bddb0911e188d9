"""One connection to the accessibility bus, its address, and the switch that turns accessibility on.

Jeepney, which has no types, stays behind this file: it finds the bus and signs in.

One thread reads. It hands replies to whoever waits for them and events to a callback, in the order in which they
arrive; the callback must not ask anything. Questions may be put from any other thread, each with a deadline.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from demopack.errors import CaptureError
from recorder.backends.atspi.wire import (
    ERROR,
    METHOD_RETURN,
    SIGNAL,
    MessageReader,
    WireMessage,
    encode_call,
)
from recorder.backends.x11.xlib import open_display, property_of, server_errors

_SEND_S = 1.0
_READ_BYTES = 65536
_PROMPT_NS, _SLOW_NS, _CATCHING_UP_NS = 50_000_000, 300_000_000, 300_000_000
_OWED_NS = 100_000_000
"""What answers later than that may tell late what it did with keys."""
_ASKED_EVERY_NS = 1_500_000_000
"""Every program is asked something more often than that."""
LATE_NS = 2_000_000_000
"""A program that needs longer for an answer is late: a person would see it stand still."""
_PEER = "org.freedesktop.DBus.Peer"


class Ref(NamedTuple):
    """One element: the bus name of its program, and its path there."""

    bus: str
    path: str

    @property
    def program(self) -> str:
        """The bus name of its program."""
        return self.bus


DAEMON = Ref("org.freedesktop.DBus", "/org/freedesktop/DBus")
OWNER_CHANGED = "DBus.NameOwnerChanged"
"""Kind of the event that a name on the bus, ``ref.bus``, has got an owner (``on``) or has none any more."""


class BusQuery(NamedTuple):
    """A call: whom, what, and with which arguments (a D-Bus signature and its values).

    ``reply`` is the signature of the answer; one that is something else counts as none.
    """

    ref: Ref
    interface: str
    member: str
    signature: str = ""
    arguments: tuple[Any, ...] = ()
    reply: str = ""


@dataclass(frozen=True, slots=True)
class AccessEvent:
    """A program tells that something has changed.

    Attributes:
        t_ns: when it arrived, monotonic nanoseconds.
        ref: the element it is about.
        kind: interface and member without the common part, for instance ``Object.StateChanged``.
        detail: what exactly, for instance ``focused``.
        on: whether the state is now set; for other events the first number.
    """

    t_ns: int
    ref: Ref
    kind: str
    detail: str = ""
    on: int = 0


class _Waiting:
    """Answers to a batch of questions, as they come in."""

    def __init__(self, asked: dict[int, BusQuery]) -> None:
        self.asked_ns = time.monotonic_ns()
        self.asked = asked
        self.answers: dict[int, tuple[Any, ...] | None] = {}
        self.missing = set(asked)
        self.done = threading.Event()

    def put(self, serial: int, body: tuple[Any, ...] | None, signature: str) -> None:
        self.answers[serial] = body if signature == self.asked[serial].reply else None
        self.missing.discard(serial)
        if not self.missing:
            self.done.set()


class AccessBus:
    """See :func:`open_bus`.

    Attributes:
        name: our own name on the bus.
    """

    def __init__(self, connected: socket.socket, on_event: Callable[[AccessEvent], None]) -> None:
        self._messages = MessageReader()
        self._socket = connected
        self._socket.settimeout(_SEND_S)
        self._on_event = on_event
        self._lock = threading.Lock()
        self._waiting: dict[int, _Waiting] = {}
        self._serial = 0
        self._silent: dict[str, int] = {}
        self._late: dict[str, int] = {}
        self._unanswered: dict[str, int] = {}
        self._heard = threading.Condition()
        self._prompt: dict[str, int] = {}
        self._woke: dict[str, int] = {}
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._read, name="accessibility", daemon=True)
        self._thread.start()
        hello = self.ask(BusQuery(DAEMON, DAEMON.bus, "Hello", reply="s"))
        self.name = str(hello[0]) if hello else ""

    @property
    def is_open(self) -> bool:
        """Whether the connection stands."""
        return not self._closed.is_set() and bool(self.name)

    def ask(self, question: BusQuery, *, timeout_s: float = 1.0) -> tuple[Any, ...] | None:
        """The answer; None when there was none in time, or an error."""
        return self.ask_all([question], timeout_s=timeout_s)[0]

    def ask_all(self, questions: Sequence[BusQuery], *, timeout_s: float = 1.0) -> list[tuple[Any, ...] | None]:
        """Put several questions at once and wait for all answers together; None for each that did not come."""
        if not questions:
            return []
        with self._lock:
            serials = range(self._serial + 1, self._serial + 1 + len(questions))
            self._serial += len(questions)
            waiting = _Waiting(dict(zip(serials, questions, strict=True)))
            self._waiting.update(dict.fromkeys(serials, waiting))
            try:
                if not self._closed.is_set():
                    calls = (
                        encode_call(serial, *q.ref, q.interface, q.member, q.signature, q.arguments)
                        for serial, q in zip(serials, questions, strict=True)
                    )
                    self._socket.sendall(b"".join(calls))
            except OSError:
                self._closed.set()
        if not self._closed.is_set():
            waiting.done.wait(timeout_s)
        with self._lock:
            for serial, question in zip(serials, questions, strict=True):
                if self._waiting.pop(serial, None) is not None:
                    bus = question.ref.bus
                    self._silent.setdefault(bus, waiting.asked_ns)
                    self._unanswered[bus] = self._unanswered.get(bus, 0) + 1
        return [waiting.answers.get(serial) for serial in serials]

    def is_silent(self, bus: str) -> bool:
        """Whether a program has left a question unanswered, and has not been heard of since."""
        return bus in self._silent

    def is_late(self, bus: str) -> bool:
        """Whether a program has owed an answer for longer than two seconds."""
        since = self._silent.get(bus)
        return since is not None and time.monotonic_ns() - since > LATE_NS

    def times_late(self, bus: str) -> int:
        """How often a program has needed longer than two seconds to be heard of again."""
        return self._late.get(bus, 0) + self.is_late(bus)

    def times_unanswered(self, bus: str) -> int:
        """How many questions a program has not answered in the time that it had."""
        return self._unanswered.get(bus, 0)

    def wait_until_late(self, bus: str, *, late_ns: int = LATE_NS) -> bool:
        """Wait until a program answers or has owed an answer for a time, two seconds; whether it is late then."""
        since = self._silent.get(bus)
        if since is None:
            return False
        left_s = (since + late_ns - time.monotonic_ns()) / 1e9
        with self._heard:
            self._heard.wait_for(lambda: bus not in self._silent or self._closed.is_set(), max(0.0, left_s))
        return bus in self._silent

    def kept_up_ns(self, bus: str) -> int | None:
        """Until when a program is known to have kept up, if it has not since then; None if it does, as far as is known.

        It is for the thread that reads. A program that has never been asked is new; it counts as keeping up. That a
        program answers again does not show that it has caught up with the keys: it takes questions and keys in turns.
        """
        prompt = self._prompt.get(bus, 0)
        behind = bus in self._silent or self._woke.get(bus, 0) > prompt or self._owes(bus)
        late = prompt > 0 and time.monotonic_ns() - prompt > _ASKED_EVERY_NS
        return prompt if behind or late else None

    def _owes(self, bus: str) -> bool:
        """Whether a program has not answered something for a while, or we have not read it yet: its news may be old."""
        since = time.monotonic_ns() - _OWED_NS
        with self._lock:
            return any(
                one.asked[serial].ref.bus == bus and one.asked_ns < since for serial, one in self._waiting.items()
            )

    def ping_all(self, programs: Sequence[str], *, timeout_s: float) -> bool:
        """Whether all programs answer; by then everything that they had sent before has been handed on."""
        questions = [BusQuery(Ref(bus, "/"), _PEER, "Ping") for bus in programs]
        return None not in self.ask_all(questions, timeout_s=timeout_s)

    def listen(self, rule: str) -> None:
        """Have events handed on that fit a D-Bus match rule."""
        self.ask(BusQuery(DAEMON, DAEMON.bus, "AddMatch", "s", (rule,)))

    def close(self) -> None:
        """Close the connection and end its thread; calling it twice is harmless."""
        self._closed.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # ends the waiting of the thread that reads
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=5)
        self._socket.close()

    # The thread that reads --------------------------------------------------------------------------------------

    def _read(self) -> None:
        while not self._closed.is_set() and self._take():
            pass
        self._closed.set()
        with self._lock:
            for waiting in self._waiting.values():
                waiting.done.set()
        with self._heard:
            self._heard.notify_all()

    def _take(self) -> bool:
        try:
            data = self._socket.recv(_READ_BYTES)
        except TimeoutError:
            return True
        except OSError:
            return False
        if not data:
            return False
        try:
            for message in self._messages.read(data):
                self._sort(message)
        except ValueError:
            return False  # not D-Bus; nothing after it can be understood
        return True

    def _sort(self, message: WireMessage) -> None:
        now, sender = time.monotonic_ns(), message.sender
        since = self._silent.pop(sender, None)
        if since is not None:
            self._woke[sender] = now
            self._late[sender] = self._late.get(sender, 0) + (now - since > LATE_NS)
            with self._heard:
                self._heard.notify_all()
        if message.kind == SIGNAL:
            event = _event(message, now)
            if event is not None:
                self._on_event(event)
        elif message.kind in (METHOD_RETURN, ERROR):
            with self._lock:
                waiting = self._waiting.pop(message.reply_serial, None)
            if waiting is not None:
                asked = waiting.asked_ns
                if now - asked > _SLOW_NS:
                    self._woke[sender] = now
                elif now - asked < _PROMPT_NS and asked > self._woke.get(sender, 0) + _CATCHING_UP_NS:
                    self._prompt[sender] = max(asked, self._prompt.get(sender, 0))
                body = message.body if message.kind == METHOD_RETURN else None
                waiting.put(message.reply_serial, body, message.signature)


def _event(message: WireMessage, now: int) -> AccessEvent | None:
    interface, body = message.interface, message.body
    if interface == DAEMON.bus == message.sender and message.member == "NameOwnerChanged":
        name, _, owner = body
        return AccessEvent(t_ns=now, ref=Ref(str(name), ""), kind=OWNER_CHANGED, on=int(bool(owner)))
    head, _, last = interface.rpartition(".")
    # Any program may send anything under that name.
    detail, on = body[:2] if len(body) > 1 else (None, None)
    if head != "org.a11y.atspi.Event" or not isinstance(detail, str) or not isinstance(on, int):
        return None
    return AccessEvent(
        t_ns=now,
        ref=Ref(message.sender, message.path),
        kind=f"{last}.{message.member}",
        detail=detail,
        on=on,
    )


def open_bus(address: str, on_event: Callable[[AccessEvent], None]) -> AccessBus | None:
    """A connection to the bus at a D-Bus address; None where there is none.

    Args:
        address: for instance ``unix:path=/run/user/1000/at-spi/bus_0``.
        on_event: called in the thread that reads, for each event that was asked for with :meth:`AccessBus.listen`.
    """
    try:
        addresses: Any = importlib.import_module("jeepney.bus")
        blocking: Any = importlib.import_module("jeepney.io.blocking")
        path = next(addresses.get_connectable_addresses(address))
        connected: socket.socket = blocking.prep_socket(path, timeout=1.0)
    except (ImportError, OSError, RuntimeError, ValueError):
        return None  # no such bus, or none on this machine
    bus = AccessBus(connected, on_event)
    if bus.is_open:
        return bus
    bus.close()
    return None


_A11Y = Ref("org.a11y.Bus", "/org/a11y/bus")
_ENABLED = ("org.a11y.Status", "IsEnabled")
_PROPERTIES = "org.freedesktop.DBus.Properties"
_SESSION_S = 2.0


def bus_address(display: str | None) -> str | None:
    """The D-Bus address of the accessibility bus; None where there is none.

    Args:
        display: the X server whose session is meant; None for the one in ``DISPLAY``.
    """
    told: Any = os.environ.get("AT_SPI_BUS_ADDRESS")
    if told:
        return str(told)
    with contextlib.suppress(CaptureError, *server_errors()), contextlib.closing(open_display(display)) as connection:
        told = property_of(connection, connection.screen().root, "AT_SPI_BUS")
    if told:
        return told.decode() if isinstance(told, bytes) else str(told)
    answer = _ask_session(display, BusQuery(_A11Y, "org.a11y.Bus", "GetAddress", reply="s"))
    return str(answer[0]) if answer and answer[0] else None


def is_off(display: str | None) -> bool:
    """Whether the programs of a session have been told that nobody listens; False, too, where nobody can be asked."""
    answer = _ask_session(display, BusQuery(_A11Y, _PROPERTIES, "Get", "ss", _ENABLED, "v"))
    return answer is not None and not answer[0][1]


def turn(display: str | None, *, on: bool) -> None:
    """Tell the programs of a session that somebody listens, or that nobody does any more."""
    _ask_session(display, BusQuery(_A11Y, _PROPERTIES, "Set", "ssv", (*_ENABLED, ("b", on))))


def _ask_session(display: str | None, query: BusQuery) -> tuple[Any, ...] | None:
    """The answer of the session bus, if it belongs to that display; None without one."""
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
    if not address or (display is not None and display != os.environ.get("DISPLAY")):
        return None
    bus = open_bus(address, lambda _: None)  # nothing is listened to there
    if bus is None:
        return None
    with contextlib.closing(bus):
        return bus.ask(query, timeout_s=_SESSION_S)
