"""Drops input that is meant for something blocked, before it becomes anything."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from recorder.privacy.blocked import Blocked
from recorder.screen.frames import Look
from recorder.swallow import Swallower

__all__ = ["Hiding"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sight:
    """A look that showed something blocked."""

    t_ns: int
    has_input: bool
    boxes: tuple[Rect, ...]


class Hiding:
    """Knows of each press whether it was hidden, so that its release goes the same way.

    :meth:`hides` is used from one thread, :meth:`had_keys` from any.
    """

    def __init__(self, blocked: Blocked) -> None:
        self._blocked = blocked
        self._pairs = Swallower(self._inside)
        self._was_blocked = False
        self._seen_ns = 0
        self._sights: deque[_Sight] = deque(maxlen=256)
        self._lock = threading.Lock()

    def hides(self, event: InputEvent, look: Look | None) -> bool:
        """Whether the event must leave nothing.

        Args:
            event: the event.
            look: the newest look before it.
        """
        self._note(look)
        if event.kind == "move":
            return self._blocked.point(event.x, event.y, look)
        return self._pairs.hides(event, look)

    def had_keys(self, started_ns: int, ended_ns: int) -> bool:
        """Whether in any look between the two, as far as looks were told, a blocked window had the input."""
        return any(sight.has_input for sight in self._between(started_ns, ended_ns))

    def was_at(self, x: int, y: int, started_ns: int, ended_ns: int) -> bool:
        """Whether in any of these looks a blocked window could be seen at this position of the virtual desktop."""
        at = Point(x, y)
        return any(box.contains(at) for sight in self._between(started_ns, ended_ns) for box in sight.boxes)

    def _between(self, started_ns: int, ended_ns: int) -> list[_Sight]:
        with self._lock:
            return [sight for sight in self._sights if started_ns <= sight.t_ns <= ended_ns]

    def _note(self, look: Look | None) -> None:
        if look is None or look.ended_ns == self._seen_ns or not self._blocked.any_window:
            return
        self._seen_ns = look.ended_ns
        has_input, boxes = self._blocked.window(look.window), tuple(self._blocked.boxes(look))
        if has_input or boxes:
            with self._lock:
                self._sights.append(_Sight(t_ns=look.ended_ns, has_input=has_input, boxes=boxes))

    def _inside(self, event: InputEvent, look: Look | None) -> bool:
        if event.kind in {"down", "scroll"}:
            return self._blocked.point(event.x, event.y, look)
        # While windows change places the system may not know which one has the input; then it is as it was.
        if look is not None and look.window is not None:
            self._was_blocked = self._blocked.window(look.window)
        return self._was_blocked
