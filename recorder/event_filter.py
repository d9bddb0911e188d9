"""Filters for input that is not to be recorded: outside the captured area, or meant for windows of our own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.domain.screenshots import Snapshot
from recorder.area import CaptureArea

EventPredicate = Callable[[InputEvent, Snapshot | None], bool]
"""Whether an event, seen with the newest snapshot before it, must leave nothing."""


class OwnWindows:
    """News from the app about its own windows: when one has the input, and where those are that nobody else knows.

    What is known about windows is as old as the last snapshot. Who writes quickly into a pop-up that has just opened
    must not find the first letters in the recording, nor miss the first ones after it has closed; nor a click on a menu
    that has gone by the time it is asked about. Any thread may tell and ask.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spans: deque[tuple[int, int]] = deque(maxlen=32)
        self._since: int | None = None
        self._docked: dict[str, tuple[int, Rect]] = {}
        # A bar that is moved leaves a place for each time that it is looked at.
        self._left: deque[tuple[int, int, Rect]] = deque(maxlen=256)

    def begin_input(self, t_ns: int) -> None:
        """From now on what is typed is meant for us. Monotonic nanoseconds; harmless when it was so already."""
        with self._lock:
            if self._since is None:
                self._since = t_ns

    def end_input(self, t_ns: int) -> None:
        """No longer; harmless when it was not."""
        with self._lock:
            if self._since is not None:
                self._spans.append((self._since, t_ns))
                self._since = None

    def had_input(self, t_ns: int, *, seen_ns: int) -> bool | None:
        """Whether what was typed at ``t_ns`` was meant for us; None when only a snapshot can tell.

        Args:
            t_ns: of the key.
            seen_ns: when the newest snapshot before it ended. A span that ended after that makes the snapshot too
                old to say anything.
        """
        with self._lock:
            if self._since is not None and t_ns >= self._since:
                return True
            if any(begin <= t_ns < end for begin, end in self._spans):
                return True
            return False if any(seen_ns < end <= t_ns for _, end in self._spans) else None

    def dock(self, name: str, box: Rect | None) -> None:
        """Say where a window of ours is now, or a part of ours in another program's window, as the icon in the tray.

        Args:
            name: of the window or part.
            box: units of the virtual desktop; None when it is not on the screen.
        """
        with self._lock:
            since_ns, before = self._docked.get(name, (0, None))
            if before == box:
                return
            now = now_ns()
            if before is not None:
                self._left.append((since_ns, now, before))
            if box is None:
                self._docked.pop(name, None)
            else:
                self._docked[name] = (now, box)

    @property
    def docked(self) -> tuple[Rect, ...]:
        """Where these are; a click there is meant for us and leaves no step."""
        with self._lock:
            return tuple(box for _, box in self._docked.values())

    def contains(self, point: Point, t_ns: int) -> bool:
        """Whether one of these was at a point of the virtual desktop at that time; monotonic nanoseconds."""
        with self._lock:
            now = any(since_ns <= t_ns and box.contains(point) for since_ns, box in self._docked.values())
            return now or any(
                since_ns <= t_ns < until_ns and box.contains(point) for since_ns, until_ns, box in self._left
            )


class EventFilter:
    """Leaves out presses and wheel notches in certain places, and each press together with its release."""

    def __init__(self, outside: EventPredicate) -> None:
        """Take the question.

        Args:
            outside: whether an event happened where nothing is recorded. Asked for presses and wheel notches only.
        """
        self._outside = outside
        self._down: set[str] = set()

    def hides(self, event: InputEvent, snapshot: Snapshot | None) -> bool:
        """Whether the event must leave nothing."""
        if event.kind == "move":
            return False
        if event.kind == "scroll":
            return self._outside(event, snapshot)
        name = event.button or "" if event.kind in {"down", "up"} else f"key {event.key}"
        if event.kind in {"up", "key_up"}:
            hidden = name in self._down
            self._down.discard(name)
            return hidden
        hidden = self._outside(event, snapshot)
        (self._down.add if hidden else self._down.discard)(name)
        return hidden


def outside_area(area: CaptureArea) -> EventPredicate:
    """What happens outside the part of the desktop that is captured; nothing, where that is all of it.

    The pointer counts where it is, keys for the middle of the window that has the input.
    """

    def outside(event: InputEvent, snapshot: Snapshot | None) -> bool:
        if snapshot is None or area.kind == "all":
            return False
        shown = snapshot.screenshot.desktop_box
        if event.kind in {"down", "scroll"}:
            return not shown.contains(Point(event.x, event.y))
        box = None if snapshot.window is None else snapshot.window.box
        if box is None:
            return False
        return not shown.contains(Point((box.x1 + box.x2) // 2, (box.y1 + box.y2) // 2))

    return outside


def on_own_window(own: OwnWindows) -> EventPredicate:
    """What is done to the recorder's own windows, and what is typed there."""

    def outside(event: InputEvent, snapshot: Snapshot | None) -> bool:
        if event.kind in {"down", "scroll"}:
            point = Point(event.x, event.y)
            seen = () if snapshot is None else snapshot.own
            return own.contains(point, event.t_ns) or any(box.contains(point) for box in seen)
        if snapshot is None:
            return False
        told = own.had_input(event.t_ns, seen_ns=snapshot.ended_ns)
        return snapshot.own_active if told is None else told

    return outside
