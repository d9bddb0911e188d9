"""A recording as the panel of its desktop sees it: whether one runs, and its buttons, over the desktop's own X server.

On Wayland no window of ours can stay above others, so the recorder's bar may lie behind the desktop. The recorder owns
a window that is never shown; its properties say what goes on, and messages to it are orders. When the recorder ends, in
whatever way, its window goes with its connection.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from recorder.backends.x11.xlib import (
    connection_lost,
    cut,
    numbers_of,
    open_display,
    property_of,
    server_errors,
    shows_desktop,
    xlib,
)

ControlOrder = Literal["start_stop", "pause"]
ORDERS: Final[tuple[ControlOrder, ...]] = ("start_stop", "pause")
_RECORDER: Final = "_DEMOPACK_RECORDER"  # of the root: the recorder's window
_STATE: Final = "_DEMOPACK_STATE"
_ORDER: Final = "_DEMOPACK_ORDER"
_PID: Final = "_NET_WM_PID"


class DesktopControls:
    """The recorder's side."""

    def __init__(self, display: str | None, on_order: Callable[[ControlOrder], None]) -> None:
        """Nothing is opened before :meth:`start`.

        Args:
            display: an X server other than the one in ``DISPLAY``.
            on_order: called from a thread of its own when a button was pressed.
        """
        self._name = display
        self._on_order = on_order
        self._display: Any = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="desktop-controls", daemon=True)

    def start(self) -> None:
        """Begin; does nothing on a server that is no recording desktop.

        Raises:
            CaptureError: the server cannot be reached.
        """
        display = open_display(self._name, quiet=True)
        if not shows_desktop(display):
            display.close()
            return
        x, atoms = xlib("X"), xlib("Xatom")
        root = display.screen().root
        self._window = root.create_window(-1, -1, 1, 1, 0, x.CopyFromParent)
        self._window.change_property(display.intern_atom(_PID), atoms.CARDINAL, 32, [os.getpid()])
        root.change_property(display.intern_atom(_RECORDER), atoms.WINDOW, 32, [self._window.id])
        self._order = display.intern_atom(_ORDER)
        self._display = display
        display.flush()
        self._thread.start()

    def show_state(self, state: str) -> None:
        """Say what the recording does."""
        with self._lock, contextlib.suppress(*server_errors()):
            if self._display is not None:
                atom = self._display.intern_atom(_STATE)
                self._window.change_property(atom, xlib("Xatom").STRING, 8, state.encode())
                self._display.flush()

    def stop(self) -> None:
        """End the thread and the connection; calling it twice is harmless."""
        with self._lock:
            display, self._display = self._display, None
        if display is not None:
            cut(display)
            self._thread.join(timeout=5)
            with contextlib.suppress(*server_errors()):
                display.close()

    def _run(self) -> None:
        display = self._display
        # python-xlib trips over a connection that is closed while it waits.
        with contextlib.suppress(*connection_lost(), TypeError, AttributeError):
            while True:
                event = display.next_event()
                if event.type == xlib("X").ClientMessage and event.client_type == self._order:
                    number = int(event.data[1][0])
                    if 0 <= number < len(ORDERS):
                        self._on_order(ORDERS[number])


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningRecording:
    """A recording of this desktop.

    Attributes:
        window: of its recorder.
        process: of its recorder.
        state: what it does, as ``RecordingSession.state``.
    """

    window: int
    process: int
    state: str


class RecordingWatch:
    """The panel's side, over a python-xlib connection of the panel that tells about the root's properties."""

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        self._display = display
        self._watched = 0

    def read(self) -> RunningRecording | None:
        """The recording that runs; None where there is none."""
        number = next(iter(numbers_of(self._display, self._display.screen().root, _RECORDER)), 0)
        if not number:
            return None
        window = self._display.create_resource_object("window", number)
        try:
            if number != self._watched:
                x = xlib("X")
                window.change_attributes(event_mask=x.PropertyChangeMask | x.StructureNotifyMask)
                self._watched = number
            process = next(iter(numbers_of(self._display, window, _PID)), 0)
            state = property_of(self._display, window, _STATE)
        except xlib("error").XError:
            return None  # it has ended
        if not process or state is None:
            return None
        return RunningRecording(window=number, process=process, state=bytes(state).decode())

    def send(self, recording: RunningRecording, order: ControlOrder) -> None:
        """Press a button of the recording."""
        window = self._display.create_resource_object("window", recording.window)
        message = xlib("protocol.event").ClientMessage(
            window=window,
            client_type=self._display.intern_atom(_ORDER),
            data=(32, [ORDERS.index(order), 0, 0, 0, 0]),
        )
        window.send_event(message)
        self._display.flush()

    def act_for(self, recording: RunningRecording, number: int) -> None:
        """Let a window of the panel count as the recorder's own: not in its pictures, and a click there is no step.

        Args:
            recording: whose window it is to be.
            number: of a window that is not shown yet.
        """
        window = self._display.create_resource_object("window", number)
        window.change_property(self._display.intern_atom(_PID), xlib("Xatom").CARDINAL, 32, [recording.process])
        self._display.sync()
