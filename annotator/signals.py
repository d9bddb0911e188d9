"""Listeners without Qt, so that the editing core can be used and tested without a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

__all__ = ["Signal"]

P = ParamSpec("P")


class Signal(Generic[P]):
    """Calls its listeners in the order in which they came, on the thread of the one who emits."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, None]] = []

    def connect(self, listener: Callable[P, None]) -> Callable[[], None]:
        """Call ``listener`` from now on; returns a function that ends it. Ending twice is harmless."""
        self._listeners.append(listener)

        def disconnect() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return disconnect

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener; one added meanwhile waits for the next time, one removed meanwhile is not called."""
        for listener in tuple(self._listeners):
            if listener in self._listeners:
                listener(*args, **kwargs)
