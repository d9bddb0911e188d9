"""Pings to the windows that input goes to (``_NET_WM_PING``): do they still read it? In a thread of its own.

A program answers a ping where it reads its input, so one that hangs does not. It costs the program one small event, and
works for all toolkits, with accessibility or without; programs without the protocol are not asked.
"""

from __future__ import annotations

import contextlib
import random
import select
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from demopack.errors import CaptureError
from recorder.backends.x11.xlib import connection_lost, open_display, windows_at, xlib

_AGAIN_NS = 250_000_000
_NEAR_NS = 60_000_000
_KEPT = 512
_FRAMES = 5
_LOOK_S = 0.1
_BELIEVED_S = 5.0


@dataclass(slots=True)
class _Ping:
    """One question to a window.

    Attributes:
        input_ns: when the input was made for which it was put.
    """

    window: int
    number: int
    input_ns: int
    sent_ns: int
    answered_ns: int | None = None


class X11Ping:
    """Knows whether the programs that input goes to still read it. Nothing here is for the hook's thread.

    It has a connection of its own; the root window is listened to only while an answer is due.
    """

    def __init__(self, *, display: str | None = None, late_s: float = 2.0) -> None:
        """Nothing is opened before :meth:`start`.

        Args:
            display: an X server other than the one in ``DISPLAY``.
            late_s: what takes longer is late.
        """
        self._name = display
        self._late_ns = int(late_s * 1e9)
        self._changed = threading.Condition()
        self._questions: deque[tuple[int, tuple[int, int] | None]] = deque(maxlen=_KEPT)
        self._targets: deque[tuple[int, int]] = deque(maxlen=_KEPT)
        self._pings: deque[_Ping] = deque(maxlen=_KEPT)
        self._asked_ns: dict[bool, int] = {}
        self._ended = False
        # Window managers ping, too, with small numbers or times; theirs must not be taken for ours.
        self._number = random.randrange(1 << 30, 1 << 31)  # noqa: S311 - no secret
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_read.settimeout(0.0)
        self._wake_write.settimeout(0.0)
        self._thread = threading.Thread(target=self._run, name="window ping", daemon=True)

    def start(self) -> None:
        """Begin; returns at once. Never raises: where nothing can be asked there are just no answers."""
        self._thread.start()

    def stop(self) -> None:
        """Stop and join the thread; calling it twice is harmless."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._wake()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._wake_read.close()
        self._wake_write.close()

    def ask(self, t_ns: int, at: tuple[int, int] | None) -> None:
        """Ask the window that an input of this time went to; the answer is waited for by nobody.

        Args:
            t_ns: of the input, monotonic nanoseconds.
            at: where the pointer was, in pixels of the virtual desktop; None for a key, which goes where the focus is.
        """
        with self._changed:
            if self._ended or t_ns - self._asked_ns.get(at is None, -_NEAR_NS) < _NEAR_NS:
                return
            self._asked_ns[at is None] = t_ns
            self._questions.append((t_ns, at))
        self._wake()

    def responded(self, started_ns: int, ended_ns: int) -> bool | None:
        """Whether the windows that were acted on between the two answered within two seconds; None when not known.

        It waits until that is certain: at once for a program that works, two seconds for one that hangs.
        """
        with self._changed:
            found = {window for t_ns, window in self._targets if started_ns - _NEAR_NS <= t_ns <= ended_ns}
            pings = [
                ping
                for ping in self._pings
                if ping.window in found
                and ping.input_ns <= ended_ns
                # An input near another one is not asked about, and that one may have been near a ping, too.
                and (ping.answered_ns is None or ping.answered_ns >= started_ns - 2 * _NEAR_NS)
            ]
            if not pings:
                return None
            due_ns = max(ping.sent_ns for ping in pings) + self._late_ns
            self._changed.wait_for(
                lambda: self._ended or all(ping.answered_ns is not None for ping in pings),
                max(0.0, (due_ns - time.monotonic_ns()) / 1e9),
            )
            now_ns = time.monotonic_ns()
            return all((ping.answered_ns or now_ns) - ping.sent_ns < self._late_ns for ping in pings)

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            self._wake_write.send(b"x")

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            display = open_display(self._name, quiet=True)
        except CaptureError:
            return
        with contextlib.suppress(*connection_lost()):
            self._serve(PingMessages(display))
        with contextlib.suppress(*connection_lost()):
            display.close()

    def _serve(self, windows: PingMessages) -> None:
        focused, focused_ns = 0, 0
        while not self._ended:
            for number in windows.answers():
                self._answered(number)
            due = self._due()
            windows.listen(on=bool(due))
            if not self._questions:
                select.select([self._wake_read.fileno(), windows.fileno()], [], [], _LOOK_S if due else None)
                for ping in self._due():  # a window that was closed meanwhile answers nothing, and that means nothing
                    if time.monotonic_ns() - ping.sent_ns > _LOOK_S * 1e9 and not windows.is_shown(ping.window):
                        self._answered(ping.number)
                with contextlib.suppress(BlockingIOError):
                    self._wake_read.recv(4096)
                if not self._questions:
                    continue
            t_ns, at = self._questions.popleft()
            if at is not None:
                window = windows.at(*at)
            else:
                if t_ns - focused_ns > _AGAIN_NS:
                    focused, focused_ns = windows.focused(), t_ns
                window = focused
            if window:
                self._ping(windows, window, t_ns)

    def _ping(self, windows: PingMessages, window: int, t_ns: int) -> None:
        now_ns = time.monotonic_ns()
        with self._changed:
            self._targets.append((t_ns, window))
            last = next((ping for ping in reversed(self._pings) if ping.window == window), None)
            if last is not None and (last.answered_ns is None or now_ns - last.sent_ns < _NEAR_NS):
                return
            self._number = (self._number + 1) & 0x7FFFFFFF
            self._pings.append(_Ping(window, self._number, t_ns, now_ns))
        windows.listen(on=True)
        windows.ping(window, self._number)

    def _answered(self, number: int) -> None:
        with self._changed:
            for ping in self._pings:
                if ping.number == number and ping.answered_ns is None:
                    ping.answered_ns = time.monotonic_ns()
                    self._changed.notify_all()

    def _due(self) -> list[_Ping]:
        with self._changed:
            return [ping for ping in self._pings if ping.answered_ns is None]


class PingMessages:
    """Pings to windows and their answers, over one connection that nobody else reads."""

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        self._display = display
        self._root = display.screen().root
        self._protocols = display.intern_atom("WM_PROTOCOLS")
        self._name = display.intern_atom("_NET_WM_PING")
        self._error: type[Exception] = xlib("error").XError
        self._listens = False
        self._known: dict[int, float] = {}

    def fileno(self) -> int:
        """Readable when an answer may have come."""
        return int(self._display.fileno())

    def listen(self, *, on: bool) -> None:
        """Have answers sent to us, or none: they come with all changes of all windows."""
        if on == self._listens:
            return
        self._listens = on
        x = xlib("X")
        # Answers are sent to the root window: by the book with the first mask, by Qt with the second.
        mask = x.SubstructureNotifyMask | x.StructureNotifyMask if on else x.NoEventMask
        self._root.change_attributes(event_mask=mask)
        if not on:
            self._display.flush()  # else with the ping that follows

    def ping(self, window: int, number: int) -> None:
        """Send a ping."""
        target = self._display.create_resource_object("window", window)
        data = (32, [self._name, number, window, 0, 0])
        message: Any = xlib("protocol.event").ClientMessage(window=target, client_type=self._protocols, data=data)
        target.send_event(message, event_mask=xlib("X").NoEventMask)
        self._display.flush()

    def answers(self) -> list[int]:
        """The numbers of the pings that were answered; takes everything else that has come, too."""
        found: list[int] = []
        for _ in range(self._display.pending_events()):
            event = self._display.next_event()
            if event.type == xlib("X").ClientMessage and event.client_type == self._protocols:
                _, data = event.data
                if int(data[0]) == self._name:
                    found.append(int(data[1]))
        return found

    def focused(self) -> int:
        """The window that has the input and knows the ping; 0 when there is none."""
        with contextlib.suppress(self._error):
            window = self._display.get_input_focus().focus
            while not isinstance(window, int) and window.id != self._root.id:
                if self._knows(window):
                    return int(window.id)
                window = window.query_tree().parent
        return 0

    def at(self, x: int, y: int) -> int:
        """The window under a position that knows the ping; 0 when there is none."""
        with contextlib.suppress(self._error):
            return next((int(w.id) for w in windows_at(self._display, x, y, most=_FRAMES) if self._knows(w)), 0)
        return 0

    def is_shown(self, window: int) -> bool:
        """Whether a window is still there."""
        with contextlib.suppress(self._error):
            target = self._display.create_resource_object("window", window)
            return bool(target.get_attributes().map_state == xlib("X").IsViewable)
        return False

    def _knows(self, window: Any) -> bool:  # noqa: ANN401 - an untyped library
        """Whether a window answers pings; that it does is believed for some seconds."""
        now = time.monotonic()
        self._known = {known: said for known, said in self._known.items() if now - said < _BELIEVED_S}
        if window.id in self._known:
            return True
        protocols = window.get_full_property(self._protocols, 0)
        if protocols is None or self._name not in protocols.value:
            return False
        self._known[window.id] = now
        return True
