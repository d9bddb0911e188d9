"""Ctrl-C in the terminal, and the end of the session, close the app as its window's button does."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable, Generator
from types import FrameType

from PySide6.QtCore import QSocketNotifier

__all__ = ["stopped_by_signals"]

_STOPS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Generator[None]:
    """Call ``stop`` in the event loop when SIGINT or SIGTERM arrives while the block runs; main thread only.

    Qt's loop runs no Python by itself, so a plain handler would wait until somebody moves the mouse. Python writes the
    signal's number into a socket at once, and that wakes the loop.
    """
    ear, mouth = socket.socketpair()
    ear.settimeout(0)
    mouth.settimeout(0)

    def nothing(_number: int, _frame: FrameType | None) -> None:
        return

    def heard() -> None:
        with contextlib.suppress(BlockingIOError):
            if set(ear.recv(64)) & set(_STOPS):
                stop()

    notifier = QSocketNotifier(ear.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(heard)
    before = {number: signal.signal(number, nothing) for number in _STOPS}
    old_fd = signal.set_wakeup_fd(mouth.fileno())
    try:
        yield
    finally:
        signal.set_wakeup_fd(old_fd)
        for number, handler in before.items():
            signal.signal(number, handler)
        notifier.setEnabled(False)
        ear.close()
        mouth.close()
