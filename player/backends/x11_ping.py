"""Asks the program that has the input whether it has read everything so far (``_NET_WM_PING``)."""

from __future__ import annotations

import contextlib
import time
from typing import Any, Final

from demopack.clock import now_ns

__all__ = ["FocusPing"]

_WITHOUT_ANSWER_S: Final = 0.06  # for programs that do not know the protocol
_POLL_S: Final = 0.002


class FocusPing:
    """A program reads its events in order, so its answer to a ping comes after all input sent before.

    Args:
        display: an ``Xlib.display.Display`` of our own.
    """

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - python-xlib has no types
        from Xlib import X

        self._display = display
        self._root = display.screen().root
        self._protocols = display.intern_atom("WM_PROTOCOLS")
        self._ping = display.intern_atom("_NET_WM_PING")
        # Answers are sent to the root window: by the book with the first mask, by Qt with the second.
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        self._serial = 0

    def wait(self, *, timeout_s: float = 2.0) -> bool:
        """Wait until the program has answered; True when it has.

        A program without the protocol gets a short moment instead.
        """
        window = self._window()
        if window is None:
            time.sleep(_WITHOUT_ANSWER_S)
            return False
        self._serial += 1
        self._send(window)
        deadline = now_ns() + int(timeout_s * 1e9)
        while now_ns() < deadline:
            if self._answered():
                return True
            time.sleep(_POLL_S)
        return False

    def _window(self) -> Any:  # noqa: ANN401 - python-xlib has no types
        """The top-level window that has the input and knows the ping; None when there is none."""
        from Xlib.error import XError

        with contextlib.suppress(XError):
            window = self._display.get_input_focus().focus
            while not isinstance(window, int) and window.id != self._root.id:
                protocols = window.get_full_property(self._protocols, 0)
                if protocols is not None and self._ping in protocols.value:
                    return window
                window = window.query_tree().parent
        return None

    def _send(self, window: Any) -> None:  # noqa: ANN401 - python-xlib has no types
        from Xlib import X
        from Xlib.protocol import event

        message = event.ClientMessage(
            window=window,
            client_type=self._protocols,
            data=(32, [self._ping, self._serial, window.id, 0, 0]),
        )
        window.send_event(message, event_mask=X.NoEventMask)
        self._display.flush()

    def _answered(self) -> bool:
        from Xlib import X

        answered = False
        # All events are taken off the queue; nobody else reads this connection.
        for _ in range(self._display.pending_events()):
            event = self._display.next_event()
            if event.type == X.ClientMessage and event.client_type == self._protocols:
                _, data = event.data
                answered = answered or (data[0] == self._ping and data[1] == self._serial)
        return answered
