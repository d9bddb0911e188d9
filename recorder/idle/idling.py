"""What happens while nobody does anything: hovers and waits, found in the rests between two events."""

from __future__ import annotations

import math
from itertools import pairwise

from demopack.domain.events import InputEvent
from recorder.idle.hovering import Change, find_hover
from recorder.idle.resting import NEAR_PX, Rest, Rests
from recorder.idle.waiting import Follower, find_wait
from recorder.pairing import Answer, Draft
from recorder.reduction.gestures import Constants, Gesture, GestureKind
from recorder.screen.frames import FrameRing, Look

__all__ = ["Idling"]

_CALM_NS = 3_000_000_000  # so far back it is looked for what moves by itself
_CALM_KEPT, _COMING_KEPT, _PAST = 4, 2, 12
_ARRIVED_NS = 100_000_000
_LEFT_NS = 300_000_000  # what the pointer has left needs so long to go dark, a tooltip to fade
_FOLLOW_NS = 200_000_000
_HELD_NS = 1_000_000_000  # so long after a hover a click at the same place may still take it back


class Idling:
    """Watches the rests of a recording. Used from one thread."""

    def __init__(self, ring: FrameRing, *, constants: Constants) -> None:
        self._ring = ring
        self._hover_ns = constants.hover_ms * 1_000_000
        self._wait_ns = constants.wait_ms * 1_000_000
        self._rests = Rests(least_ms=min(constants.hover_ms, constants.wait_ms))
        self._follower = Follower(ring)
        self._followed_ns = 0
        # Looks from before the rest that is under way; the ring may have let go of them when it ends.
        self._kept: tuple[int, list[Look], list[Look]] = (0, [], [])
        self._last: Look | None = None
        self._held: tuple[Draft, int] | None = None

    def moved(self, event: InputEvent) -> Rest | None:
        """Take in a move while no button is down; returns the rest that it ended."""
        return self._rests.moved(event)

    def acted(self, event: InputEvent) -> Rest | None:
        """Take in any other event but that of a modifier; returns the rest that it ended."""
        held = self._held
        if held is not None and event.kind == "down" and _is_at(held[0].gesture, event):
            self._held = None
        return self._rests.acted(event)

    def poll(self, now_ns: int) -> None:
        """Keep and follow what a rest will be judged by; call it from time to time."""
        since_ns = self._rests.since_ns
        if since_ns and now_ns - since_ns > _ARRIVED_NS and self._kept[0] != since_ns:
            # It is too short to be a rest yet, and may become one.
            rest = self._rests.now(max(now_ns, since_ns + self._hover_ns + self._wait_ns))
            if rest is not None:
                self._kept = (since_ns, *self._earlier(rest))
        if since_ns and now_ns - max(self._followed_ns, since_ns) > _FOLLOW_NS:
            self._followed_ns = now_ns
            self._follower.follow(since_ns)

    def judge(
        self, rest: Rest, answer: Answer | None, *, by: InputEvent | None, number: int, may_wait: bool
    ) -> list[Draft]:
        """What a rest was: nothing, a hover or a wait.

        Args:
            rest: the rest that has ended.
            answer: what had come of the gesture before it.
            by: the event that ended it; None when the recording did.
            number: of that event in the reduction.
            may_wait: whether it may have been a wait.

        Returns:
            The drafts, oldest first: also a hover that had been held back until now.
        """
        hover = self._hover(rest, answer, number=number)
        if hover is not None:
            drafts = self.release()
            if by is None or by.kind != "down" or not _is_at(hover.gesture, by):
                self._held = (hover, rest.until_ns)
            if by is None or by.kind != "move":
                drafts += self.release()
            return drafts
        wait = self._wait(rest, answer, number=number) if may_wait else None
        return [] if wait is None else [*self.release(), wait]

    def due(self, now_ns: int) -> list[Draft]:
        """The hover that was held back, once no click can take it back any more."""
        return self.release() if self._held is not None and now_ns - self._held[1] > _HELD_NS else []

    def release(self) -> list[Draft]:
        """The hover that was held back: something else follows it."""
        held, self._held = self._held, None
        return [] if held is None else [held[0]]

    def under_way(self, now_ns: int) -> Rest | None:
        """The rest that is under way, as if it ended now."""
        return self._rests.now(now_ns)

    def forget(self) -> None:
        """What was before does not count any more."""
        self._rests.forget()
        self._held = self._last = None

    # Judging ----------------------------------------------------------------------------------------------------

    def _hover(self, rest: Rest, answer: Answer | None, *, number: int) -> Draft | None:
        if not rest.arrived or rest.until_ns - rest.since_ns < self._hover_ns:
            return None
        calm, coming = self._kept[1:] if self._kept[0] == rest.since_ns else self._earlier(rest)
        during = self._ring.after(rest.since_ns, until_ns=rest.until_ns)
        if not during or all(look.picture is during[0].picture for look in (*coming, *calm[-1:], *during)):
            return None
        past = _last_runs(self._ring.after(0, until_ns=rest.from_ns), _PAST)
        change = find_hover(rest, calm, coming, during, last=self._last, past=past)
        if change is None or not _is_answered(answer, change):
            return None
        self._last = change.before
        gesture = _gesture("hover", start=rest.at, number=number, took_ns=change.after.started_ns - rest.since_ns)
        return Draft(
            gesture=gesture,
            before=change.before,
            changed_before_event=False,
            after=change.after,
            settled=change.settled,
            last_ns=max(rest.at.t_ns, change.after.started_ns),
            until_ns=rest.until_ns,
        )

    def _earlier(self, rest: Rest) -> tuple[list[Look], list[Look]]:
        before = self._ring.before(rest.from_ns)
        calm = self._ring.after(rest.from_ns - _CALM_NS, until_ns=rest.from_ns) or ([] if before is None else [before])
        coming = self._ring.after(rest.from_ns, until_ns=rest.since_ns)
        return _last_runs(calm, _CALM_KEPT), _last_runs(coming, _COMING_KEPT)

    def _wait(self, rest: Rest, answer: Answer | None, *, number: int) -> Draft | None:
        if answer is None or answer.look is None or rest.until_ns - rest.since_ns < self._wait_ns:
            return None
        base, last = answer.look, self._ring.before(rest.until_ns)
        if last is None or last.picture is base.picture:
            return None
        came = self._follower.follow(rest.since_ns, until_ns=rest.until_ns)
        if came is not None and came.ended_ns >= rest.until_ns:
            # An event that reached us late: the screen was followed beyond it.
            self._follower = Follower(self._ring)
            came = self._follower.follow(rest.since_ns, until_ns=rest.until_ns)
        start = self._ring.before(rest.since_ns + _LEFT_NS) if rest.arrived else None
        if start is not None and start.started_ns <= base.started_ns:
            start = None
        wait = None if came is None else find_wait(rest, base, start, came, last)
        if wait is None:
            return None
        start_event = InputEvent(t_ns=answer.last_ns, kind="move", x=rest.at.x, y=rest.at.y)
        return Draft(
            gesture=_gesture("wait", start=start_event, number=number, took_ns=wait.came_ns - answer.last_ns),
            before=base,
            changed_before_event=False,
            after=wait.after,
            settled=True,
            last_ns=wait.came_ns,
            until_ns=rest.until_ns,
        )


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
    return (gesture.x - event.x) ** 2 + (gesture.y - event.y) ** 2 <= NEAR_PX**2


def _is_answered(answer: Answer | None, change: Change) -> bool:
    """Whether the change cannot be the screen's answer to what was done before."""
    if answer is None:
        return True
    return (
        answer.look is not None
        and answer.look.picture is not change.after.picture
        and answer.look.started_ns < change.after.started_ns
    )


def _last_runs(looks: list[Look], most: int) -> list[Look]:
    """The last look of each run of equal pictures; only the last ones, for they are kept in memory."""
    last = looks[-1:]
    ends = [look for look, new in pairwise(looks) if new.picture is not look.picture] + last
    return ends[-most:]
