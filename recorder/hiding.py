"""Drops input that is meant for something blocked, before it becomes anything."""

from __future__ import annotations

from demopack.domain.events import InputEvent
from recorder.blocked import Blocked
from recorder.frames import Look

__all__ = ["Hiding"]


class Hiding:
    """Knows of each press whether it was hidden, so that its release goes the same way. Used from one thread."""

    def __init__(self, blocked: Blocked) -> None:
        self._blocked = blocked
        self._buttons: set[str] = set()
        self._keys: set[str] = set()
        self._was_blocked = False

    def hides(self, event: InputEvent, look: Look | None) -> bool:
        """Whether the event must leave nothing.

        Args:
            event: the event.
            look: the newest look before it.
        """
        if event.kind == "down":
            return self._begin(self._buttons, event.button or "", inside=self._at(event, look))
        if event.kind == "up":
            return self._end(self._buttons, event.button or "")
        if event.kind == "key_down":
            return self._begin(self._keys, event.key, inside=self._has_keys(look))
        if event.kind == "key_up":
            return self._end(self._keys, event.key)
        return self._at(event, look)

    def _at(self, event: InputEvent, look: Look | None) -> bool:
        return self._blocked.point(event.x, event.y, look)

    def _has_keys(self, look: Look | None) -> bool:
        # While windows change places the system may not know which one has the input; then it is as it was.
        if look is not None and look.window is not None:
            self._was_blocked = self._blocked.window(look.window)
        return self._was_blocked

    def _begin(self, hidden: set[str], name: str, *, inside: bool) -> bool:
        (hidden.add if inside else hidden.discard)(name)
        return inside

    def _end(self, hidden: set[str], name: str) -> bool:
        if name in hidden:
            hidden.discard(name)
            return True
        return False
