"""Between the hook and the session: a bounded queue."""

from __future__ import annotations

import threading
from collections import deque
from typing import TypeAlias

from demopack.domain.events import InputEvent
from recorder.orders import Order

__all__ = ["EventQueue", "Item"]

Item: TypeAlias = InputEvent | Order


class EventQueue:
    """Events and orders in the order in which they came. Putting never blocks: a full queue drops and counts.

    Attributes:
        seen: events that were offered.
        dropped: of these, lost because the queue was full. Orders are never dropped.
    """

    def __init__(self, *, limit: int = 20_000) -> None:
        self.seen = 0
        self.dropped = 0
        self._limit = limit
        self._items: deque[Item] = deque()
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

    def order(self, order: Order) -> None:
        """Add an order behind the events that are waiting."""
        with self._condition:
            self._items.append(order)
            self._condition.notify()

    def take(self, timeout_s: float) -> list[Item]:
        """Everything that waits; empty after ``timeout_s`` seconds without anything."""
        with self._condition:
            if not self._items:
                self._condition.wait(timeout_s)
            items = list(self._items)
            self._items.clear()
        return items
