"""Commands to a running recording, and the queue that keeps them in order with the events."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Literal

from demopack.domain.events import InputEvent

OWN_KEY_NS = 2_000_000_000
"""A hot-key that was pressed so shortly before a command is the reason for it."""

RecorderCommandKind = Literal[
    "pause", "resume", "stop", "panic", "forget", "shot", "note", "variable", "hold_text", "store_text"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderCommand:
    """One command to the recorder. It stands in the queue behind the events that came before it.

    Attributes:
        kind: what to do.
        t_ns: monotonic clock when it was given.
        seconds: how far ``forget`` and ``panic`` reach back; the delay of a ``shot``.
        text: of a ``note``; name of a ``variable``.
    """

    kind: RecorderCommandKind
    t_ns: int
    seconds: float = 0.0
    text: str = ""


class EventQueue:
    """Events and commands in the order in which they came. Putting never blocks: a full queue drops and counts.

    Attributes:
        seen: events that were offered.
        dropped: of these, lost because the queue was full. Commands are never dropped.
    """

    def __init__(self, *, limit: int = 20_000) -> None:
        self.seen = 0
        self.dropped = 0
        self._limit = limit
        self._items: deque[InputEvent | RecorderCommand] = deque()
        self._condition = threading.Condition()

    def put(self, event: InputEvent) -> None:
        """Offer an event; called in the hook's thread."""
        with self._condition:
            self.seen += 1
            if len(self._items) >= self._limit:
                self.dropped += 1
                return
            self._items.append(event)
            self._condition.notify()

    def put_command(self, command: RecorderCommand) -> None:
        """Add a command behind the events that are waiting."""
        with self._condition:
            self._items.append(command)
            self._condition.notify()

    def take(self, timeout_s: float) -> list[InputEvent | RecorderCommand]:
        """Everything that waits; empty after ``timeout_s`` seconds without anything."""
        with self._condition:
            if not self._items:
                self._condition.wait(timeout_s)
            items = list(self._items)
            self._items.clear()
        return items
