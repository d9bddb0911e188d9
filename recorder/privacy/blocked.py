"""Block list: windows and regions that must leave neither keys nor pixels. Pure, from the user's lists."""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect, subtract
from demopack.domain.screenshots import Snapshot
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.settings import PrivacySettings
from recorder.backends.base import SeenWindow
from recorder.event_filter import EventFilter


class BlockList:
    """Knows what the user has blocked.

    Patterns are compared without regard to case, and ``*`` stands for anything. The name of an application has to fit
    as a whole; of a window's title a part is enough, because programs add their own name to it.

    Attributes:
        regions: boxes of the virtual desktop, pixels.
        any_window: whether any application or title is blocked.
    """

    def __init__(self, settings: PrivacySettings) -> None:
        self._apps = _pattern(settings.blocked_apps)
        self._titles = _pattern(settings.blocked_titles)
        self.any_window = self._apps is not None or self._titles is not None
        corners = ((Point(x1, y1), Point(x2, y2)) for x1, y1, x2, y2 in settings.blocked_regions)
        self.regions = tuple(box for a, b in corners if (box := Rect.spanning(a, b)).area)
        self._by_names = lru_cache(maxsize=256)(self._fits)

    def __bool__(self) -> bool:
        """Whether anything is blocked at all."""
        return self.any_window or bool(self.regions)

    def window(self, window: WindowInfo | None) -> bool:
        """Whether this window belongs to a blocked application or has a blocked title."""
        return self.any_window and window is not None and self._by_names(window.app, window.title)

    def element(self, element: AccessibleElement | None) -> bool:
        """Whether this element belongs to a blocked application, or its middle lies in a blocked region."""
        if element is None or not self:
            return False
        if self.any_window and self._by_names(element.app, ""):
            return True
        return element.box is not None and self._in_region(element.box.center)

    def point(self, x: int, y: int, snapshot: Snapshot | None) -> bool:
        """Whether the pointer at this position of the virtual desktop is on something blocked."""
        at = Point(x, y)
        if self._in_region(at):
            return True
        return self.any_window and snapshot is not None and self.window(_topmost(at, snapshot))

    def boxes(self, snapshot: Snapshot) -> list[Rect]:
        """Where blocked windows could be seen while this snapshot was taken, and the blocked regions."""
        found = list(self.regions)
        if self.any_window:
            found += self._visible(snapshot)
        return found

    def _in_region(self, at: Point) -> bool:
        return any(region.contains(at) for region in self.regions)

    def _fits(self, app: str, title: str) -> bool:
        return (self._apps is not None and self._apps.fullmatch(app.strip()) is not None) or (
            self._titles is not None and self._titles.search(title) is not None
        )

    def _visible(self, snapshot: Snapshot) -> list[Rect]:
        stacks = [stack for stack in (snapshot.stack_before, snapshot.stack) if stack]
        if not stacks:
            # The system does not tell what covers what: the window that has the input is all there is to go by.
            active = snapshot.window
            return [active.box] if active is not None and active.box is not None and self.window(active) else []
        found = [part for stack in dict.fromkeys(stacks) for part in self._visible_in(stack)]
        if len(stacks) == 2 and stacks[0] != stacks[1]:
            # On its way during the grab, the picture may show a window anywhere.
            old, new = (self._places(stack) for stack in stacks)
            found += [box.union(new[key]) for key, box in old.items() if key in new and box != new[key]]
        return found

    def _visible_in(self, stack: Sequence[WindowInfo]) -> list[Rect]:
        above: list[Rect] = []
        found: list[Rect] = []
        for window in stack:
            if window.box is None:
                continue
            if self.window(window):
                found += subtract(window.box, above)
            if not (isinstance(window, SeenWindow) and window.see_through):
                above.append(window.box)
        return found

    def _places(self, stack: Iterable[WindowInfo]) -> dict[tuple[str, int, int, int], Rect]:
        """Box of each blocked window, by what a move does not change."""
        places: dict[tuple[str, int, int, int], Rect] = {}
        for window in stack:
            box = window.box
            if box is not None and self.window(window):
                name, nth = (window.app, box.width, box.height), 0
                while (*name, nth) in places:
                    nth += 1
                places[*name, nth] = box
        return places


def _topmost(at: Point, snapshot: Snapshot) -> WindowInfo | None:
    if snapshot.stack:
        return next((window for window in snapshot.stack if window.box is not None and window.box.contains(at)), None)
    active = snapshot.window
    return None if active is None or (active.box is not None and not active.box.contains(at)) else active


def _pattern(lines: Sequence[str]) -> re.Pattern[str] | None:
    """One expression for all lines; None where there is none. A line of nothing but stars blocks everything."""
    words = [line.strip() for line in lines if line.strip()]
    if not words:
        return None
    each = (".*".join(re.escape(piece) for piece in word.split("*")) for word in words)
    text = "|".join(f"(?:{one})" for one in each)
    return re.compile(text, re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sight:
    """A snapshot that showed something blocked."""

    t_ns: int
    has_input: bool
    boxes: tuple[Rect, ...]


class BlockedInputFilter:
    """Knows of each press whether it was hidden, so that its release goes the same way.

    :meth:`hides` is used from one thread, :meth:`had_keys` from any.
    """

    def __init__(self, blocked: BlockList) -> None:
        self._blocked = blocked
        self._pairs = EventFilter(self._inside)
        self._was_blocked = False
        self._seen_ns = 0
        self._sights: deque[_Sight] = deque(maxlen=256)
        self._lock = threading.Lock()

    def hides(self, event: InputEvent, snapshot: Snapshot | None) -> bool:
        """Whether the event must leave nothing.

        Args:
            event: the event.
            snapshot: the newest snapshot before it.
        """
        self._note(snapshot)
        if event.kind == "move":
            return self._blocked.point(event.x, event.y, snapshot)
        return self._pairs.hides(event, snapshot)

    def had_keys(self, started_ns: int, ended_ns: int) -> bool:
        """Whether in any snapshot between the two, as far as snapshots were told, a blocked window had the input."""
        return any(sight.has_input for sight in self._between(started_ns, ended_ns))

    def was_at(self, x: int, y: int, started_ns: int, ended_ns: int) -> bool:
        """Whether in any of these snapshots a blocked window could be seen at this position of the virtual desktop."""
        at = Point(x, y)
        return any(box.contains(at) for sight in self._between(started_ns, ended_ns) for box in sight.boxes)

    def _between(self, started_ns: int, ended_ns: int) -> list[_Sight]:
        with self._lock:
            return [sight for sight in self._sights if started_ns <= sight.t_ns <= ended_ns]

    def _note(self, snapshot: Snapshot | None) -> None:
        if snapshot is None or snapshot.ended_ns == self._seen_ns or not self._blocked.any_window:
            return
        self._seen_ns = snapshot.ended_ns
        has_input, boxes = self._blocked.window(snapshot.window), tuple(self._blocked.boxes(snapshot))
        if has_input or boxes:
            with self._lock:
                self._sights.append(_Sight(t_ns=snapshot.ended_ns, has_input=has_input, boxes=boxes))

    def _inside(self, event: InputEvent, snapshot: Snapshot | None) -> bool:
        if event.kind in {"down", "scroll"}:
            return self._blocked.point(event.x, event.y, snapshot)
        # While windows change places the system may not know which one has the input; then it is as it was.
        if snapshot is not None and snapshot.window is not None:
            self._was_blocked = self._blocked.window(snapshot.window)
        return self._was_blocked
