"""Pausing of a replay between two steps, and doing them one at a time; asked by the replay, set by a person. Pure."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

_SLICE_S: Final = 0.05


class StepGate:
    """Holds a replay before its next step while a person wants it to; safe between threads.

    A step that has begun is always brought to its end: half a drag or half a text helps nobody.

    Args:
        paused: hold the first step already.
        on_held: called from the replay's thread when it begins to wait.
        on_released: the same when it goes on, or was stopped.
    """

    def __init__(
        self,
        *,
        paused: bool = False,
        on_held: Callable[[], object] = lambda: None,
        on_released: Callable[[], object] = lambda: None,
    ) -> None:
        self._lock = threading.Lock()
        self._paused = paused
        self._allowed = 0
        self._on_held, self._on_released = on_held, on_released

    @property
    def paused(self) -> bool:
        """Whether the next step waits for a person."""
        return self._paused

    def pause(self) -> None:
        """Hold the next step."""
        with self._lock:
            self._paused, self._allowed = True, 0

    def resume(self) -> None:
        """Let all steps through."""
        with self._lock:
            self._paused = False

    def step(self) -> None:
        """Let one step through, and hold the one after it."""
        with self._lock:
            self._paused, self._allowed = True, 1

    def pass_through(self, wait: Callable[[float], None]) -> None:
        """Return when the next step may be done.

        Args:
            wait: waits for so many seconds; what it raises ends the waiting, for instance when the replay is stopped.
        """
        if self._opens():
            return
        self._on_held()
        try:
            while not self._opens():
                wait(_SLICE_S)
        finally:
            self._on_released()

    def _opens(self) -> bool:
        with self._lock:
            if self._paused and not self._allowed:
                return False
            self._allowed = 0
            return True
