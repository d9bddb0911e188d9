"""Between the hook and the session: a bounded queue, and the filters for what is not to be recorded."""

from __future__ import annotations

import threading
from collections import deque
from typing import TypeAlias

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point
from recorder.frames import Look
from recorder.orders import Order

__all__ = ["EventQueue", "Item", "OwnWindowFilter"]

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


class OwnWindowFilter:
    """Drops what is done to the recorder's own windows: a press there with its release, and what is typed there."""

    def __init__(self) -> None:
        self._buttons: set[str] = set()
        self._keys: set[str] = set()

    def keeps(self, event: InputEvent, look: Look | None) -> bool:
        """Whether the event is meant for another program.

        Args:
            event: the event.
            look: the newest look before it, which knows where our windows were.
        """
        if event.kind == "down":
            return self._begin(self._buttons, event.button or "", inside=_on_own(event, look))
        if event.kind == "up":
            return self._end(self._buttons, event.button or "")
        if event.kind == "scroll":
            return not _on_own(event, look)
        if event.kind == "key_down":
            return self._begin(self._keys, event.key, inside=look is not None and look.own_active)
        if event.kind == "key_up":
            return self._end(self._keys, event.key)
        return True

    def _begin(self, dropped: set[str], name: str, *, inside: bool) -> bool:
        (dropped.add if inside else dropped.discard)(name)
        return not inside

    def _end(self, dropped: set[str], name: str) -> bool:
        if name in dropped:
            dropped.discard(name)
            return False
        return True


def _on_own(event: InputEvent, look: Look | None) -> bool:
    return look is not None and any(box.contains(Point(event.x, event.y)) for box in look.own)
