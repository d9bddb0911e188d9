"""A thread that works through what it is asked, until it is stopped."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod

__all__ = ["AskingThread"]


class AskingThread(ABC):
    """Subclasses wait for ``_changed``, and end their :meth:`_run` once ``_ended`` is set."""

    def __init__(self, name: str) -> None:
        self._changed = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the thread; calling it twice is harmless."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    @abstractmethod
    def _run(self) -> None:
        """The thread's work."""
