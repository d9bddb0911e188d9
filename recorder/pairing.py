"""Pairing of each gesture with the screen before it and the screen after it.

*Before* is the newest snapshot that had ended before the gesture's first event. It is taken when the event comes in,
not when the gesture turns out to be one, so nothing can push it out of the ring meanwhile.

*After* is the first settled picture after the gesture's last event: snapshots that show the same for a while. Where the
screen looks as it did before, a slow program may only be about to answer, so the wait goes on until the settle
time-out. The next input ends the wait in any case: what the screen shows after that is no longer this gesture's doing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from demopack.domain.events import InputEvent
from demopack.domain.screenshots import Screenshot, Snapshot
from demopack.reduction.gestures import Gesture
from demopack.reduction.state import ReductionState
from demopack.reduction.steps import PendingStep
from recorder.screen.snapshots import SnapshotRing

_SETTLED_NS = 75_000_000
_CERTAIN_NS = 250_000_000
"""Events reach us late; only after so long is it certain that no input came before a snapshot that seemed settled."""
_REPORT_WINDOW_NS = 300_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    snapshot: Snapshot | None
    straddled: bool
    t_ns: int = 0

    @property
    def screenshot(self) -> Screenshot | None:
        return None if self.snapshot is None else self.snapshot.screenshot


@dataclass(slots=True, kw_only=True)
class ScreenWatch:
    """Follows the screen after one event, until ``cap_ns``.

    Attributes:
        t_ns: time of the event.
        reference: what the screen showed before the gesture.
        cap_ns: when something else was done; None while nothing has been.
        found: the screen after it, and whether that had come to rest; None while it has not answered.
    """

    t_ns: int
    reference: Screenshot | None = None
    cap_ns: int | None = None
    found: tuple[Snapshot | None, bool | None] | None = None

    @property
    def snapshot(self) -> Snapshot | None:
        """The screen after it; None while it has not answered."""
        return None if self.found is None else self.found[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pending:
    """A gesture that waits for the screen after it."""

    gesture: Gesture
    before: _Before
    watch: ScreenWatch


class Pairer:
    """Holds the frames of gestures that are not finished. Used from one thread."""

    def __init__(self, ring: SnapshotRing, *, settle_timeout_ms: int) -> None:
        self._ring = ring
        self._timeout_ns = settle_timeout_ms * 1_000_000
        self._befores: dict[int, _Before] = {}
        self._watches: dict[int, ScreenWatch] = {}
        self._newest: ScreenWatch | None = None
        self._latest: ScreenWatch | None = None
        self._waiting: deque[_Pending | PendingStep] = deque()

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits for its after-frame."""
        return not self._waiting

    def observe(self, number: int, event: InputEvent) -> None:
        """An input event came that is not a mere move; call it before the reduction sees the event.

        Args:
            number: the event's number in the reduction.
            event: the event itself.
        """
        if event.kind in {"down", "scroll", "key_down"}:
            self._ring.wait_before(event.t_ns)
            snapshot = self._ring.before(event.t_ns)
            straddled = snapshot is not None and any(
                other.screenshot is not snapshot.screenshot for other in self._ring.straddling(event.t_ns)
            )
            self._befores[number] = _Before(snapshot=snapshot, straddled=straddled, t_ns=event.t_ns)
        self.cap(event.t_ns)
        self._newest = self._watches[number] = ScreenWatch(t_ns=event.t_ns)

    def observe_modifier(self, number: int, event: InputEvent) -> None:
        """A modifier was pressed: perhaps the beginning of a gesture, but not the end of the one before."""
        before = self._ring.before(event.t_ns)
        self._befores[number] = _Before(snapshot=before, straddled=False, t_ns=event.t_ns)

    def cap(self, t_ns: int) -> None:
        """What the screen shows from now on is not the doing of what was done before."""
        if self._newest is not None and self._newest.cap_ns is None:
            self._newest.cap_ns = t_ns
            self._resolve(self._newest, now_ns=t_ns)
        self._newest = None

    def add(self, gestures: Sequence[Gesture], state: ReductionState) -> None:
        """Take in what the reduction made of the event, and forget the frames that nothing needs any more."""
        for gesture in gestures:
            before = self._befores.get(gesture.first, _Before(snapshot=None, straddled=False))
            watch = self._watches.get(gesture.last)
            if watch is None:
                watch = self._newest = ScreenWatch(t_ns=gesture.events[-1].t_ns)
            watch.reference = before.screenshot
            self._waiting.append(_Pending(gesture=gesture, before=before, watch=watch))
            self._latest = watch
        firsts = state.first_numbers()
        self._befores = {number: before for number, before in self._befores.items() if number in firsts}
        last = None if state.open is None else state.open.gesture.last
        self._watches = {
            n: watch for n, watch in self._watches.items() if n == last or n in firsts or watch is self._newest
        }
        if state.open is not None and last in self._watches:
            opened = self._befores.get(state.open.gesture.first)
            self._latest = self._watches[last]
            self._latest.reference = None if opened is None else opened.screenshot

    def put(self, pending: PendingStep) -> None:
        """Take in what is complete already, behind everything that came before it."""
        self._waiting.append(pending)
        settled = pending.after, pending.settled
        self._latest = ScreenWatch(t_ns=pending.last_ns, cap_ns=pending.until_ns, found=settled)

    def response(self, now_ns: int) -> ScreenWatch | None:
        """What has come of the newest gesture, finished or not; None when there is none that still counts."""
        if self._latest is not None:
            self._resolve(self._latest, now_ns=now_ns)
        return self._latest

    def break_off(self) -> None:
        """What comes next does not follow from what was before: the recording is paused."""
        self._latest = None

    def poll(self, now_ns: int) -> list[PendingStep]:
        """Every gesture whose after-frame is certain, in order."""
        waiting = [item.watch for item in self._waiting if isinstance(item, _Pending)]
        for watch in (*self._watches.values(), *waiting):
            self._resolve(watch, now_ns=now_ns)
        done: list[PendingStep] = []
        while self._waiting:
            pending = _finished(self._waiting[0], now_ns, self._ring)
            if pending is None:
                break
            self._waiting.popleft()
            done.append(pending)
        return done

    def drop_key(self, key_info: str, *, since_ns: int) -> None:
        """Forget a key press that turned out to be an order to the recorder."""
        if self._waiting:
            gesture = self._waiting[-1].gesture
            if gesture.key_info == key_info and gesture.start.t_ns >= since_ns:
                self._waiting.pop()

    def _resolve(self, watch: ScreenWatch, *, now_ns: int) -> None:
        if watch.found is not None:
            snapshot = watch.found[0]
            if watch.cap_ns is None or snapshot is None or snapshot.ended_ns < watch.cap_ns:
                return
            # It had seemed settled, but an event that reached us late came before that snapshot.
            watch.found = None
        snapshots = self._ring.after(watch.t_ns, until_ns=watch.cap_ns)
        settled = find_settled(snapshots, reference=watch.reference)
        if settled is not None:
            watch.found = (settled, True)
        elif watch.cap_ns is not None or now_ns - watch.t_ns > self._timeout_ns:
            # What there is when time is up, and whether it has been at rest.
            same = [snapshot for snapshot in snapshots if snapshot.screenshot is snapshots[-1].screenshot]
            rests = same[-1].ended_ns - same[0].started_ns >= _SETTLED_NS if same else None
            watch.found = same[-1] if same else None, rests


def _finished(item: _Pending | PendingStep, now_ns: int, ring: SnapshotRing) -> PendingStep | None:
    if isinstance(item, PendingStep):
        return item
    watch, before = item.watch, item.before
    if watch.found is None:
        return None
    snapshot, settled = watch.found
    if watch.cap_ns is None and snapshot is not None and now_ns - snapshot.ended_ns <= _CERTAIN_NS:
        return None
    changed = None if before.snapshot is None else ring.changed_between(before.snapshot.started_ns, before.t_ns)
    if changed is None and before.snapshot is not None and (before.straddled or snapshot is not None):
        changed = before.straddled
    reported_ns = watch.t_ns + _REPORT_WINDOW_NS
    return PendingStep(
        gesture=item.gesture,
        before=before.snapshot,
        changed_before_event=changed,
        after=snapshot,
        settled=settled,
        last_ns=watch.t_ns,
        until_ns=reported_ns if watch.cap_ns is None else min(watch.cap_ns, reported_ns),
    )


def find_settled(snapshots: Sequence[Snapshot], *, reference: Screenshot | None) -> Snapshot | None:
    """The first new picture that stayed.

    Args:
        snapshots: after the event, oldest first.
        reference: what the screen showed before the gesture; as long as it shows that, nothing has happened yet.

    Returns:
        The snapshot that first showed it; None while nothing has settled.
    """
    first: Snapshot | None = None
    for snapshot in snapshots:
        if first is None or snapshot.screenshot is not first.screenshot:
            first = snapshot
        elif snapshot.screenshot is not reference and snapshot.ended_ns - first.started_ns >= _SETTLED_NS:
            return first
    return None
