"""Waits: nothing was done for a while, and meanwhile the screen changed for good.

The text cursor, a clock, a thing that lights up under the pointer are too small to be waited for, and what moves on and
on never comes to the end that a wait needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from demopack.domain.geometry import Point
from demopack.domain.screenshots import Snapshot
from recorder.idle.blocks import changed_blocks, changed_regions
from recorder.idle.hover import is_highlight, pointer_pixels
from recorder.idle.periods import IdlePeriod
from recorder.screen.snapshots import SnapshotRing

MIN_WAIT_BLOCKS = 8
_STAY_NS = 200_000_000  # nobody sees that something has come to its end, and acts, in less time


class ChangeFollower:
    """Follows the screen during a rest, so that the end of a change is known however long the rest takes.

    It compares pictures, so it is asked a few times a second and not for every snapshot.
    """

    def __init__(self, ring: SnapshotRing) -> None:
        self._ring = ring
        self._since_ns = 0
        self._seen: Snapshot | None = None
        self.came: Snapshot | None = None

    def follow(self, since_ns: int, *, until_ns: int | None = None) -> Snapshot | None:
        """The snapshot that first showed what the screen shows now, but for little things.

        Args:
            since_ns: beginning of the rest; another one begins anew.
            until_ns: only snapshots that ended before this.
        """
        if since_ns != self._since_ns:
            self._since_ns, self._seen, self.came = since_ns, None, None
        from_ns = since_ns if self._seen is None else self._seen.ended_ns
        snapshots = self._ring.after(from_ns, until_ns=until_ns)
        if not snapshots:
            return self.came
        newest = snapshots[-1]
        if self.came is None or _much(self.came, newest):
            # Only the snapshots since the last time can be the first ones.
            self.came = newest
            for snapshot in reversed(snapshots[:-1]):
                if _much(snapshot, newest):
                    break
                self.came = snapshot
        self._seen = newest
        return self.came


def was_wait(period: IdlePeriod, base: Snapshot, start: Snapshot | None, came: Snapshot, last: Snapshot) -> bool:
    """Whether a rest was a wait.

    Args:
        period: when, and where the pointer was.
        base: how the screen had answered what was done before.
        start: the screen when the rest began, where the pointer had moved since ``base``.
        came: the snapshot that first showed what there was at the end of the rest, of :class:`ChangeFollower`.
        last: the last snapshot of the rest.
    """
    if last.ended_ns - came.started_ns < _STAY_NS or came.started_ns <= base.started_ns:
        return False
    places = pointer_pixels(period, last)
    return all(_weight(old, last, places) >= MIN_WAIT_BLOCKS for old in (base, start) if old is not None)


def _much(old: Snapshot, new: Snapshot) -> bool:
    return int(changed_blocks(old, new).sum()) >= MIN_WAIT_BLOCKS


def _weight(old: Snapshot, new: Snapshot, places: Sequence[Point]) -> int:
    """How many blocks differ, without what lit up where the pointer was."""
    changed = changed_blocks(old, new)
    if int(changed.sum()) < MIN_WAIT_BLOCKS:
        return 0
    return sum(patch.blocks for patch in changed_regions(changed) if not is_highlight(patch, places))
