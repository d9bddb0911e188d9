"""Idle periods of the pointer; a thousand moves a second must cost next to nothing."""

from __future__ import annotations

from dataclasses import dataclass

from demopack.domain.events import InputEvent

SAME_PLACE_PX = 8
"""A hand that rests still trembles; within this distance the pointer is where it was."""

_NEAR2 = SAME_PLACE_PX**2
_COMING_NS = 300_000_000  # so long after the pointer has come near it may still go the last few pixels
_PAUSE_NS = 80_000_000  # moves that are further apart are two motions


@dataclass(frozen=True, slots=True, kw_only=True)
class IdlePeriod:
    """A time in which nothing was done.

    Attributes:
        at: the move that ended where the pointer rested; of a rest after a click or a key, that event.
        since_ns: when it began.
        until_ns: when it ended.
        arrived: whether the pointer had come there just before; False when something else was done last.
        from_ns: when the pointer had begun to move; ``since_ns`` where it had not.
        from_x: where the pointer had been until then, pixels of the virtual desktop.
        from_y: as ``from_x``.
    """

    at: InputEvent
    since_ns: int
    until_ns: int
    arrived: bool
    from_ns: int
    from_x: int
    from_y: int


class IdleTracker:
    """Takes every event and tells of the rests between them. Used from one thread."""

    def __init__(self, *, least_ms: int) -> None:
        """Shorter rests than ``least_ms`` are none."""
        self._least_ns = least_ms * 1_000_000
        self._at: InputEvent | None = None
        self._x = self._y = 0
        self._since_ns = 0
        self._arrived = False
        self._moved_ns = 0
        # When and where the motion began that is under way, and the one that led to the rest.
        self._motion = self._came = (0, 0, 0)

    @property
    def since_ns(self) -> int:
        """When the rest that is under way began; 0 before the first event."""
        return self._since_ns

    def moved(self, event: InputEvent) -> IdlePeriod | None:
        """Take in a move; returns the rest that it ended."""
        if event.t_ns - self._moved_ns > _PAUSE_NS:
            self._motion = event.t_ns, self._x, self._y
        self._moved_ns = event.t_ns
        if self._at is not None:
            dx, dy = event.x - self._x, event.y - self._y
            if dx * dx + dy * dy <= _NEAR2:
                if self._arrived and event.t_ns - self._since_ns < _COMING_NS:
                    self._at = event
                return None
        ended = self.now(event.t_ns)
        self._at, self._x, self._y = event, event.x, event.y
        self._since_ns, self._arrived, self._came = event.t_ns, True, self._motion
        return ended

    def acted(self, event: InputEvent) -> IdlePeriod | None:
        """Take in any other event; returns the rest that it ended."""
        ended = self.now(event.t_ns)
        self._at, self._x, self._y = event, event.x, event.y
        self._since_ns, self._arrived = event.t_ns, False
        self._came = event.t_ns, event.x, event.y
        # The next move begins a motion, however soon it comes.
        self._moved_ns = 0
        return ended

    def now(self, t_ns: int) -> IdlePeriod | None:
        """The rest that is under way, as if it ended at ``t_ns``; None when it is too short to be one."""
        if self._at is None or t_ns - self._since_ns < self._least_ns:
            return None
        return IdlePeriod(
            at=self._at,
            since_ns=self._since_ns,
            until_ns=t_ns,
            arrived=self._arrived,
            from_ns=self._came[0],
            from_x=self._came[1],
            from_y=self._came[2],
        )

    def reset(self) -> None:
        """What was before does not count: recording begins anew after a pause."""
        self._at = None
        self._since_ns = self._moved_ns = 0
        self._arrived = False
