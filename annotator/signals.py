"""Listeners without Qt, so that the editing core can be used and tested without a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Signal(Generic[P]):
    """Calls its listeners in the order in which they came, on the thread of the one who emits.

    A connection lasts as long as the signal: whoever owns the signal closes it, and nobody has to disconnect.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[P, None]] = []

        self._closed = False

    def connect(self, listener: Callable[P, None]) -> None:
        """Call ``listener`` from now on, until the signal is closed."""
        if not self._closed:
            self._listeners.append(listener)

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener; one added meanwhile waits for the next time, none is called once it is closed."""
        for listener in tuple(self._listeners):
            if not self._closed:
                listener(*args, **kwargs)

    def close(self) -> None:
        """Call nobody any more, and let go of the listeners."""
        self._closed = True
        self._listeners.clear()


def close_signals(owner: object) -> None:
    """Close every signal among the attributes of an object that ends."""
    for value in vars(owner).values():
        if isinstance(value, Signal):
            value.close()
