"""Asks programs what lies under the pointer, when it is about to matter, and whether they respond, when they should."""

from __future__ import annotations

from demopack.domain.events import InputEvent
from recorder.backends.base import AccessSource, PingSource

__all__ = ["Asking"]

_REST_NS = 60_000_000  # a pointer that is about to press something slows down first


class Asking:
    """Used from the session's thread. What is asked at a rest is answered before the press changes anything."""

    def __init__(self, access: AccessSource | None, pings: PingSource | None = None) -> None:
        self._access = access
        self._pings = pings
        self._moved: InputEvent | None = None
        self._asked: tuple[int, int] | None = None

    @property
    def waits(self) -> bool:
        """Whether the pointer has moved and may be about to rest."""
        return self._access is not None and self._moved is not None

    @property
    def problems(self) -> list[str]:
        """What the person should know about programs that do not tell what they should, in words."""
        return [] if self._access is None else self._access.problems

    def note(self, event: InputEvent) -> None:
        """An event came in."""
        if self._pings is not None and event.kind in {"down", "scroll", "key_down"}:
            self._pings.ask(event.t_ns, None if event.kind == "key_down" else (event.x, event.y))
        if self._access is None:
            return
        if event.kind == "move":
            self._moved = event
        elif event.kind in {"down", "scroll"}:
            self._ask(event)

    def look_in(self, now_ns: int) -> None:
        """Ask if the pointer rests now."""
        if self._moved is not None and now_ns - self._moved.t_ns > _REST_NS:
            self._ask(self._moved)

    def _ask(self, event: InputEvent) -> None:
        self._moved = None
        at = (event.x, event.y)
        # What was asked at the rest is the answer to the press; afterwards the program may show something else.
        if self._access is not None and (event.kind != "down" or at != self._asked):
            self._access.ask(*at)
        self._asked = at if event.kind == "move" else None
