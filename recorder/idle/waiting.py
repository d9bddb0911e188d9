"""Tells whether somebody waited: nothing was done for a while, and meanwhile the screen changed for good.

The text cursor, a clock, a thing that lights up under the pointer are too small to be waited for, and what moves on and
on never comes to the end that a wait needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.idle.blocks import changed_blocks, patches
from recorder.idle.hovering import is_glow, places_of
from recorder.idle.resting import Rest
from recorder.screen.frames import FrameRing, Look

__all__ = ["Follower", "Wait", "find_wait"]

LEAST_BLOCKS = 8
_STAY_NS = 200_000_000  # nobody sees that something has come to its end, and acts, in less time


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """What was waited for.

    Attributes:
        came_ns: when the screen had changed: the first grab that showed it began then.
        after: the last look of the wait.
    """

    came_ns: int
    after: Look


class Follower:
    """Follows the screen during a rest, so that the end of a change is known however long the rest takes.

    It compares pictures, so it is asked a few times a second and not for every look.
    """

    def __init__(self, ring: FrameRing) -> None:
        self._ring = ring
        self._since_ns = 0
        self._seen: Look | None = None
        self.came: Look | None = None

    def follow(self, since_ns: int, *, until_ns: int | None = None) -> Look | None:
        """The look that first showed what the screen shows now, but for little things.

        Args:
            since_ns: beginning of the rest; another one begins anew.
            until_ns: only looks that ended before this.
        """
        if since_ns != self._since_ns:
            self._since_ns, self._seen, self.came = since_ns, None, None
        from_ns = since_ns if self._seen is None else self._seen.ended_ns
        looks = self._ring.after(from_ns, until_ns=until_ns)
        if not looks:
            return self.came
        newest = looks[-1]
        if self.came is None or _much(self.came, newest):
            # Only the looks since the last time can be the first ones.
            self.came = newest
            for look in reversed(looks[:-1]):
                if _much(look, newest):
                    break
                self.came = look
        self._seen = newest
        return self.came


def find_wait(rest: Rest, base: Look, start: Look | None, came: Look, last: Look) -> Wait | None:
    """Whether a rest was a wait.

    Args:
        rest: when, and where the pointer was.
        base: how the screen had answered what was done before.
        start: the screen when the rest began, where the pointer had moved since ``base``.
        came: the look that first showed what there was at the end of the rest, of :class:`Follower`.
        last: the last look of the rest.
    """
    if last.ended_ns - came.started_ns < _STAY_NS or came.started_ns <= base.started_ns:
        return None
    places = places_of(rest, last)
    if any(_weight(old, last, places) < LEAST_BLOCKS for old in (base, start) if old is not None):
        return None
    return Wait(came_ns=came.started_ns, after=last)


def _much(old: Look, new: Look) -> bool:
    return int(changed_blocks(old, new).sum()) >= LEAST_BLOCKS


def _weight(old: Look, new: Look, places: Sequence[tuple[int, int]]) -> int:
    """How many blocks differ, without what lit up where the pointer was."""
    changed = changed_blocks(old, new)
    if int(changed.sum()) < LEAST_BLOCKS:
        return 0
    return sum(patch.blocks for patch in patches(changed) if not is_glow(patch, places))
