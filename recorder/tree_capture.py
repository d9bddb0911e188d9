"""Accessibility trees beside the pictures: when windows are read, and the proof that a tree belongs to a picture.

Windows are read once the screen has come to rest after an input or after a program has told of a change. A window whose
pixels did not change since, and whose program told nothing, is not read again; but a tree that was cut off, because its
program had been asked enough, is gone on with as soon as that may be asked more.

A tree is *proved* to belong to a picture when it is known what of its window changed from the earlier of the two to the
later: nothing, because the system says so of the whole screen, or what differs in the window's box between the picture
and any snapshot of that time, one before it and one after it among them. What a caret or a lit-up button changed makes
stale what it touches, and nothing else.
"""

from __future__ import annotations

import time
from typing import Final

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect, outermost
from demopack.domain.screenshots import COLOUR_BITS, Screenshot, Snapshot, colours_of
from demopack.pixels.masks import crop, runs
from recorder.backends.base import AccessSource, SeenWindow, WindowReading
from recorder.privacy.blocked import BlockList
from recorder.screen.snapshots import SnapshotRing

_REST_NS: Final = 120_000_000
"""So long the screen must have shown the same, and no input come."""
_LONGEST_NS: Final = 1_500_000_000
"""Where it does not come to rest, windows are read all the same."""
_MAX_COMPARED: Final = 8
"""More distinct pictures between reading and picture are not compared: the window was busy."""
_MAX_CHANGED_SHARE: Final = 0.3
"""Of a window that changed more than this, nothing is proved."""
_JOINED_PX: Final = 8
"""Changes that lie closer are one."""
_FOLLOWED_NS: Final = 3_000_000_000
"""So long after an input a changed screen is a reason to read again; later, what changes is a caret or a clock."""


class TreeCapture:
    """Has trees read, and says which of them belong to a picture.

    :meth:`note` and :meth:`poll` are for the session's thread, :meth:`readings` for the writer's.
    """

    def __init__(self, access: AccessSource, ring: SnapshotRing, *, blocked: BlockList) -> None:
        """Take who reads, the recent snapshots, and which windows must not be read."""
        self._access = access
        self._ring = ring
        self._blocked = blocked
        self._input_ns = 0
        self._due_ns = time.monotonic_ns()
        self._asked_ns = 0
        self._asked: Snapshot | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether windows are to be read as soon as the screen rests."""
        return self._due_ns > 0 and self._access.available

    def note(self, event: InputEvent) -> None:
        """An event came in."""
        if event.kind != "move":
            self._input_ns = event.t_ns
            self._due_ns = self._due_ns or event.t_ns

    def poll(self, now_ns: int) -> None:
        """Have windows read if that is due and the screen rests."""
        newest = self._ring.newest
        if newest is None or not self._access.available:
            return
        news_ns = self._access.news_ns
        if news_ns > self._asked_ns:
            self._due_ns = self._due_ns or news_ns
        moved = self._asked is not None and newest.screenshot is not self._asked.screenshot
        if moved and now_ns - self._input_ns < _FOLLOWED_NS:
            self._due_ns = self._due_ns or newest.started_ns
        if not self._due_ns and self._access.can_read_on:
            self._due_ns = now_ns
        if not self._due_ns:
            return
        quiet = now_ns - max(self._input_ns, news_ns, newest.screenshot.started_ns) >= _REST_NS
        if not quiet and now_ns - self._due_ns < _LONGEST_NS:
            return
        stack = [w for w in newest.stack if isinstance(w, SeenWindow) and not self._blocked.window(w)]
        changed = [self._changes_in(window, newest) for window in stack]
        self._due_ns, self._asked_ns, self._asked = 0, now_ns, newest
        self._access.read_trees(stack, changed=changed)

    def readings(self, before: Snapshot, until_ns: int) -> list[tuple[WindowReading, tuple[Rect, ...] | None]]:
        """The trees of the windows on a picture, topmost first.

        Each comes with what changed in its window between reading and picture, boxes of the virtual desktop; None where
        that is not known, so that nothing is proved.

        Args:
            before: the picture.
            until_ns: of the first event; what was read later does not count.
        """
        found = self._access.trees_before(until_ns)
        shown = before.screenshot.desktop_box
        seen = [one for one in found if one.tree.box is not None and one.tree.box.intersection(shown) is not None]
        return [(one, self._changed(one, before) if one.tree.nodes else None) for one in seen]

    def _changes_in(self, window: SeenWindow, newest: Snapshot) -> list[Rect] | None:
        """Where a window's pixels were others at any time since it was read last; None for anywhere."""
        asked = self._asked
        if asked is None or window.box is None or window not in asked.stack:
            return None
        shots = {id(one.screenshot): one.screenshot for one in [*self._ring.after(asked.started_ns), newest]}
        if len(shots) > _MAX_COMPARED:
            return None
        found: list[Rect] = []
        for shot in shots.values():
            differs = _differences(window.box, asked.screenshot, shot)
            if differs is None:
                return None
            found += differs
        return outermost(found)

    def _changed(self, reading: WindowReading, before: Snapshot) -> tuple[Rect, ...] | None:
        ring, box = self._ring, reading.tree.box
        first = ring.before(reading.started_ns)
        started = before.started_ns if first is None else min(first.started_ns, before.started_ns)
        if first is not None and ring.changed_between(started, max(reading.ended_ns, before.ended_ns)) is False:
            return ()
        later = ring.after(reading.ended_ns)[:1]
        if first is None or box is None or not (later or before.started_ns >= reading.ended_ns):
            return None
        ended = max(before.ended_ns, later[0].ended_ns if later else 0)
        between = [one for one in ring.after(started) if one.ended_ns <= ended]
        shots = {id(one.screenshot): one.screenshot for one in [first, *between, *later]}
        if len(shots) > _MAX_COMPARED:
            return None
        found: list[Rect] = []
        for shot in shots.values():
            differs = _differences(box, before.screenshot, shot)
            if differs is None or sum(part.area for part in differs) > _MAX_CHANGED_SHARE * box.area:
                return None
            found += differs
        return tuple(outermost(found))


def _differences(box: Rect, a: Screenshot, b: Screenshot) -> list[Rect] | None:
    """Where two pictures differ in a box, all of the virtual desktop; None where they cannot be compared."""
    if a is b:
        return []
    if a.space != b.space or a.size != b.size:
        return None
    part = a.space.to_pixels(box).clamped(a.size)
    one, other = crop(colours_of(a), part), crop(colours_of(b), part)
    found: list[Rect] = []
    for top, bottom in runs((one != other).any(axis=1), step=_JOINED_PX):
        differs = (one[top:bottom] ^ other[top:bottom]) & COLOUR_BITS != 0
        for left, right in runs(differs.any(axis=0), step=_JOINED_PX):
            first, last = Point(part.x1 + left, part.y1 + top), Point(part.x1 + right, part.y1 + bottom)
            found.append(Rect.spanning(a.space.to_desktop(first), a.space.to_desktop(last)).grown(1))
    return found
