"""Detector of hovers and waits, in the rests between two events; a thousand moves a second must cost next to nothing.

A wait: nothing was done for a while, and meanwhile the screen changed for good. The text cursor, a clock, a thing that
lights up under the pointer are too small to be waited for, and what moves on and on never comes to the end that a wait
needs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point
from demopack.domain.screenshots import Snapshot
from demopack.reduction.gestures import Gesture, GestureKind, GestureThresholds
from demopack.reduction.steps import PendingStep
from recorder.idle.hover import (
    HoverChange,
    IdlePeriod,
    changed_blocks,
    changed_regions,
    find_hover,
    is_highlight,
    pointer_pixels,
)
from recorder.pairing import ScreenWatch
from recorder.screen.snapshots import SnapshotRing

_CALM_NS = 3_000_000_000  # so far back it is looked for what moves by itself
_CALM_KEPT, _COMING_KEPT, _PAST = 4, 2, 12
_ARRIVED_NS = 100_000_000
_LEFT_NS = 300_000_000  # what the pointer has left needs so long to go dark, a tooltip to fade
_FOLLOW_NS = 200_000_000
_SAME_PLACE2 = 8**2  # a hand that rests still trembles; within 8 pixels the pointer is where it was
_REACHING_NS = 300_000_000  # so long after the pointer has come near it may still go the last few pixels
_PAUSE_NS = 80_000_000  # moves that are further apart are two motions
_MIN_WAIT_BLOCKS = 8
_STAY_NS = 200_000_000  # nobody sees that something has come to its end, and acts, in less time
_LEAST_WAIT = 0.5  # of the rest that may be one: what comes sooner is there at once, for whoever acts as people do
_HELD_NS = 1_000_000_000  # so long after a hover a click at the same place may still take it back


class IdleDetector:
    """Watches the rests of a recording. Used from one thread."""

    def __init__(self, ring: SnapshotRing, *, thresholds: GestureThresholds) -> None:
        self._ring = ring
        self._hover_ns = thresholds.hover_ms * 1_000_000
        self._wait_ns = thresholds.wait_ms * 1_000_000
        # The rest that is under way: what ended before it, where and when it began, and whether by a move.
        self._at: InputEvent | None = None
        self._x = self._y = 0
        self._since_ns = 0
        self._arrived = False
        self._moved_ns = 0
        # When and where the motion began that is under way, and the one that led to the rest.
        self._motion = self._came = (0, 0, 0)
        # What the screen shows now, but for little things, was first seen so during this rest; and the newest look.
        self._follow_since_ns = self._follow_polled_ns = 0
        self._settled: Snapshot | None = None
        self._followed: Snapshot | None = None
        # Snapshots from before the rest that is under way; the ring may have let go of them when it ends.
        self._kept: tuple[int, list[Snapshot], list[Snapshot]] = (0, [], [])
        self._last: Snapshot | None = None
        self._held: tuple[PendingStep, int] | None = None

    def moved(self, event: InputEvent) -> IdlePeriod | None:
        """Take in a move while no button is down; returns the rest that it ended."""
        if event.t_ns - self._moved_ns > _PAUSE_NS:
            self._motion = event.t_ns, self._x, self._y
        self._moved_ns = event.t_ns
        if self._at is not None:
            dx, dy = event.x - self._x, event.y - self._y
            if dx * dx + dy * dy <= _SAME_PLACE2:
                if self._arrived and event.t_ns - self._since_ns < _REACHING_NS:
                    self._at = event
                return None
        ended = self.under_way(event.t_ns)
        self._at, self._x, self._y = event, event.x, event.y
        self._since_ns, self._arrived, self._came = event.t_ns, True, self._motion
        return ended

    def acted(self, event: InputEvent) -> IdlePeriod | None:
        """Take in any other event but that of a modifier; returns the rest that it ended."""
        held = self._held
        if held is not None and event.kind == "down" and _is_at(held[0].gesture, event):
            self._held = None
        ended = self.under_way(event.t_ns)
        self._at, self._x, self._y = event, event.x, event.y
        self._since_ns, self._arrived = event.t_ns, False
        self._came = event.t_ns, event.x, event.y
        # The next move begins a motion, however soon it comes.
        self._moved_ns = 0
        return ended

    def under_way(self, now_ns: int) -> IdlePeriod | None:
        """The rest that is under way, as if it ended now; None when it is too short to be one."""
        if self._at is None or now_ns - self._since_ns < min(self._hover_ns, self._wait_ns):
            return None
        from_ns, from_x, from_y = self._came
        return IdlePeriod(
            at=self._at,
            since_ns=self._since_ns,
            until_ns=now_ns,
            arrived=self._arrived,
            from_ns=from_ns,
            from_x=from_x,
            from_y=from_y,
        )

    def reset(self) -> None:
        """What was before does not count any more."""
        self._at = self._held = self._last = None
        self._since_ns = self._moved_ns = 0
        self._arrived = False

    def poll(self, now_ns: int) -> None:
        """Keep and follow what a rest will be judged by; call it from time to time."""
        since_ns = self._since_ns
        if since_ns and now_ns - since_ns > _ARRIVED_NS and self._kept[0] != since_ns:
            # It is too short to be a rest yet, and may become one.
            period = self.under_way(max(now_ns, since_ns + self._hover_ns + self._wait_ns))
            if period is not None:
                self._kept = (since_ns, *self._earlier(period))
        if since_ns and now_ns - max(self._follow_polled_ns, since_ns) > _FOLLOW_NS:
            self._follow_polled_ns = now_ns
            self._follow(since_ns)

    def judge(
        self, period: IdlePeriod, answer: ScreenWatch | None, *, by: InputEvent | None, number: int, may_wait: bool
    ) -> list[PendingStep]:
        """What a rest was: nothing, a hover or a wait.

        Args:
            period: the rest that has ended.
            answer: what had come of the gesture before it.
            by: the event that ended it; None when the recording did.
            number: of that event in the reduction.
            may_wait: whether it may have been a wait.

        Returns:
            The pending steps, oldest first: also a hover that had been held back until now.
        """
        hover = self._hover(period, answer, number=number)
        if hover is not None:
            pending_steps = self.release()
            if by is None or by.kind != "down" or not _is_at(hover.gesture, by):
                self._held = (hover, period.until_ns)
            if by is None or by.kind != "move":
                pending_steps += self.release()
            return pending_steps
        wait = self._wait(period, answer, number=number) if may_wait else None
        return [] if wait is None else [*self.release(), wait]

    def due(self, now_ns: int) -> list[PendingStep]:
        """The hover that was held back, once no click can take it back any more."""
        return self.release() if self._held is not None and now_ns - self._held[1] > _HELD_NS else []

    def release(self) -> list[PendingStep]:
        """The hover that was held back: something else follows it."""
        held, self._held = self._held, None
        return [] if held is None else [held[0]]

    # Judging ----------------------------------------------------------------------------------------------------

    def _hover(self, period: IdlePeriod, answer: ScreenWatch | None, *, number: int) -> PendingStep | None:
        if not period.arrived or period.until_ns - period.since_ns < self._hover_ns:
            return None
        calm, coming = self._kept[1:] if self._kept[0] == period.since_ns else self._earlier(period)
        during = self._ring.after(period.since_ns, until_ns=period.until_ns)
        if not during or all(
            snapshot.screenshot is during[0].screenshot for snapshot in (*coming, *calm[-1:], *during)
        ):
            return None
        past = _last_runs(self._ring.after(0, until_ns=period.from_ns), _PAST)
        change = find_hover(period, calm, coming, during, last=self._last, past=past)
        if change is None or not _is_answered(answer, change):
            return None
        self._last = change.before
        gesture = _gesture("hover", start=period.at, number=number, took_ns=change.after.started_ns - period.since_ns)
        return PendingStep(
            gesture=gesture,
            before=change.before,
            changed_before_event=False,
            after=change.after,
            settled=change.settled,
            last_ns=max(period.at.t_ns, change.after.started_ns),
            until_ns=period.until_ns,
        )

    def _earlier(self, period: IdlePeriod) -> tuple[list[Snapshot], list[Snapshot]]:
        before = self._ring.before(period.from_ns)
        calm = self._ring.after(period.from_ns - _CALM_NS, until_ns=period.from_ns) or (
            [] if before is None else [before]
        )
        coming = self._ring.after(period.from_ns, until_ns=period.since_ns)
        return _last_runs(calm, _CALM_KEPT), _last_runs(coming, _COMING_KEPT)

    def _wait(self, period: IdlePeriod, answer: ScreenWatch | None, *, number: int) -> PendingStep | None:
        if answer is None or answer.snapshot is None or period.until_ns - period.since_ns < self._wait_ns:
            return None
        base, last = answer.snapshot, self._ring.before(period.until_ns)
        if last is None or last.screenshot is base.screenshot:
            return None
        came = self._follow(period.since_ns, until_ns=period.until_ns)
        if came is not None and came.ended_ns >= period.until_ns:
            # An event that reached us late: the screen was followed beyond it.
            self._follow_since_ns = 0
            came = self._follow(period.since_ns, until_ns=period.until_ns)
        if came is None or last.ended_ns - came.started_ns < _STAY_NS or came.started_ns <= base.started_ns:
            return None
        if came.started_ns - answer.t_ns < _LEAST_WAIT * self._wait_ns:
            return None
        # The screen when the rest began, where the pointer had moved since the answer.
        start = self._ring.before(period.since_ns + _LEFT_NS) if period.arrived else None
        olds = [base] if start is None or start.started_ns <= base.started_ns else [base, start]
        places = pointer_pixels(period, last)
        if any(_weight(old, last, places) < _MIN_WAIT_BLOCKS for old in olds):
            return None
        start_event = InputEvent(t_ns=answer.t_ns, kind="move", x=period.at.x, y=period.at.y)
        return PendingStep(
            gesture=_gesture("wait", start=start_event, number=number, took_ns=came.started_ns - answer.t_ns),
            before=base,
            changed_before_event=False,
            after=last,
            settled=True,
            last_ns=came.started_ns,
            until_ns=period.until_ns,
        )

    def _follow(self, since_ns: int, *, until_ns: int | None = None) -> Snapshot | None:
        """The snapshot that first showed what the screen shows now, but for little things.

        So the end of a change is known however long the rest takes. It compares pictures, so it is asked a few times a
        second and not for every snapshot.

        Args:
            since_ns: beginning of the rest; another one begins anew.
            until_ns: only snapshots that ended before this.
        """
        if since_ns != self._follow_since_ns:
            self._follow_since_ns, self._followed, self._settled = since_ns, None, None
        snapshots = self._ring.after(since_ns if self._followed is None else self._followed.ended_ns, until_ns=until_ns)
        if not snapshots:
            return self._settled
        newest = snapshots[-1]
        if self._settled is None or _much(self._settled, newest):
            # Only the snapshots since the last time can be the first ones.
            self._settled = newest
            for snapshot in reversed(snapshots[:-1]):
                if _much(snapshot, newest):
                    break
                self._settled = snapshot
        self._followed = newest
        return self._settled


def _much(old: Snapshot, new: Snapshot) -> bool:
    return int(changed_blocks(old, new).sum()) >= _MIN_WAIT_BLOCKS


def _weight(old: Snapshot, new: Snapshot, places: Sequence[Point]) -> int:
    """How many blocks differ, without what lit up where the pointer was."""
    changed = changed_blocks(old, new)
    if int(changed.sum()) < _MIN_WAIT_BLOCKS:
        return 0
    return sum(patch.blocks for patch in changed_regions(changed) if not is_highlight(patch, places))


def _gesture(kind: GestureKind, *, start: InputEvent, number: int, took_ns: int) -> Gesture:
    return Gesture(
        kind=kind,
        first=number,
        last=number,
        start=start,
        events=(start,) if kind == "hover" else (),
        x=start.x,
        y=start.y,
        duration_s=max(1, math.ceil(took_ns / 1e8)) / 10,
    )


def _is_at(gesture: Gesture, event: InputEvent) -> bool:
    return (gesture.x - event.x) ** 2 + (gesture.y - event.y) ** 2 <= _SAME_PLACE2


def _is_answered(answer: ScreenWatch | None, change: HoverChange) -> bool:
    """Whether the change cannot be the screen's answer to what was done before."""
    if answer is None:
        return True
    return (
        answer.snapshot is not None
        and answer.snapshot.screenshot is not change.after.screenshot
        and answer.snapshot.started_ns < change.after.started_ns
    )


def _last_runs(snapshots: list[Snapshot], most: int) -> list[Snapshot]:
    """The last snapshot of each run of equal pictures; only the last ones, for they are kept in memory."""
    last = snapshots[-1:]
    ends = [snapshot for snapshot, new in pairwise(snapshots) if new.screenshot is not snapshot.screenshot] + last
    return ends[-most:]
