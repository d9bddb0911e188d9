"""Accessibility trees beside the pictures: when windows are read, and the proof that a tree belongs to a picture.

Windows are read once the screen has come to rest after an input or after a program has told of a change. A window whose
pixels did not change since, and whose program told nothing, is not read again; but a tree that was cut off, because its
program had been asked enough, is gone on with as soon as that may be asked more.

A tree is *proved* to belong to a picture when it is known what of its window changed from the earlier of the two to the
later. The ring of snapshots keeps that long after it has let go of the pictures. What a caret, a lit-up button or a
menu changed makes stale what it touches, and nothing else.
"""

from __future__ import annotations

from typing import Final

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from demopack.domain.screenshots import Snapshot
from recorder.backends.base import AccessSource, SeenWindow, WindowReading
from recorder.privacy.blocked import BlockList
from recorder.screen.snapshots import SnapshotRing

_REST_NS: Final = 120_000_000
"""So long the screen must have shown the same, and no input come."""
_LONGEST_NS: Final = 1_500_000_000
"""Where it does not come to rest, windows are read all the same."""
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
        self._due_ns = now_ns()
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

    def _changes_in(self, window: SeenWindow, newest: Snapshot) -> tuple[Rect, ...] | None:
        """Where a window's pixels were others at any time since it was read last; None for anywhere.

        What a window changed that lies above it, then and now, is none of its own.
        """
        asked = self._asked
        if asked is None or window.box is None or window not in asked.stack:
            return None
        above = [one for one in newest.stack[: newest.stack.index(window)] if one in asked.stack]
        covers = [one.box for one in above if isinstance(one, SeenWindow) and not one.see_through]
        drawn = self._drawn(window.box, since_ns=asked.ended_ns, until_ns=newest.started_ns)
        if drawn is None:
            return None
        return tuple(part for part in drawn if not any(box is not None and box.encloses(part) for box in covers))

    def _changed(self, reading: WindowReading, before: Snapshot) -> tuple[Rect, ...] | None:
        box, until = reading.tree.box, before
        if before.started_ns < reading.ended_ns:
            later = self._ring.after(reading.ended_ns)[:1]
            if not later:
                return None
            until = later[0]
        since_ns = min(reading.started_ns - 1, before.ended_ns)
        return None if box is None else self._drawn(box, since_ns=since_ns, until_ns=until.started_ns)

    def _drawn(self, box: Rect, *, since_ns: int, until_ns: int) -> tuple[Rect, ...] | None:
        """Where the screen changed in a box; None where that is not known."""
        found = self._ring.drawn(since_ns=since_ns, until_ns=until_ns)
        return None if found is None else tuple(part for one in found if (part := one.intersection(box)) is not None)
