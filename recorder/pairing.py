"""Finds for each gesture the screen before it and the screen after it.

*Before* is the newest look that had ended before the gesture's first event. It is taken when the event comes in, not
when the gesture turns out to be one, so nothing can push it out of the ring meanwhile.

*After* is the first settled picture after the gesture's last event: looks that show the same for a while. Where the
screen looks as it did before, a slow program may only be about to answer, so the wait goes on until the settle
time-out. The next input ends the wait in any case: what the screen shows after that is no longer this gesture's doing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from demopack.domain.events import InputEvent
from recorder.reduction.gestures import Gesture
from recorder.reduction.state import State
from recorder.screen.frames import FrameRing, Look, Picture

__all__ = ["Answer", "Draft", "Pairer", "find_settled"]

_QUIET_NS = 75_000_000
_LATE_NS = 250_000_000
"""Events reach us late; only after so long is it certain that no input came before a look that seemed settled."""
_NEWS_NS = 300_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A gesture with its two looks.

    Attributes:
        gesture: what was done.
        before: the screen before; None when there was no look yet.
        changed_before_event: whether a grab that began before the first event already showed something else.
        after: the screen after; None when there was no look between the last event and the next input.
        settled: whether it had come to rest; None without ``after``.
        last_ns: time of the last event.
        until_ns: until when news about the gesture may come: a moment after its last event, or the next input if that
            came sooner; what a program tells about its fields arrives late. 0: up to the last event.
    """

    gesture: Gesture
    before: Look | None
    changed_before_event: bool | None
    after: Look | None
    settled: bool | None
    last_ns: int
    until_ns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What has come of the newest gesture so far.

    Attributes:
        last_ns: time of its last event.
        look: the screen after it; None while it has not answered.
    """

    last_ns: int
    look: Look | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    look: Look | None
    straddled: bool
    t_ns: int = 0

    def changed(self, ring: FrameRing) -> bool | None:
        """Whether the screen changed between the look and the event, as far as the screen itself tells."""
        return None if self.look is None else ring.changed_between(self.look.started_ns, self.t_ns)


@dataclass(slots=True, kw_only=True)
class _Watch:
    """Follows the screen after one event, until ``cap_ns``."""

    t_ns: int
    reference: Picture | None = None
    cap_ns: int | None = None
    found: tuple[Look | None, bool | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pending:
    """A gesture that waits for the screen after it."""

    gesture: Gesture
    before: _Before
    watch: _Watch


class Pairer:
    """Holds the frames of gestures that are not finished. Used from one thread."""

    def __init__(self, ring: FrameRing, *, settle_timeout_ms: int) -> None:
        self._ring = ring
        self._timeout_ns = settle_timeout_ms * 1_000_000
        self._befores: dict[int, _Before] = {}
        self._watches: dict[int, _Watch] = {}
        self._newest: _Watch | None = None
        self._latest: _Watch | None = None
        self._waiting: deque[_Pending | Draft] = deque()

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
            look = self._ring.before(event.t_ns)
            straddled = look is not None and any(
                other.picture is not look.picture for other in self._ring.straddling(event.t_ns)
            )
            self._befores[number] = _Before(look=look, straddled=straddled, t_ns=event.t_ns)
        self.cap(event.t_ns)
        self._newest = self._watches[number] = _Watch(t_ns=event.t_ns)

    def observe_modifier(self, number: int, event: InputEvent) -> None:
        """A modifier was pressed: perhaps the beginning of a gesture, but not the end of the one before."""
        before = self._ring.before(event.t_ns)
        self._befores[number] = _Before(look=before, straddled=False, t_ns=event.t_ns)

    def cap(self, t_ns: int) -> None:
        """What the screen shows from now on is not the doing of what was done before."""
        if self._newest is not None and self._newest.cap_ns is None:
            self._newest.cap_ns = t_ns
            self._resolve(self._newest, now_ns=t_ns)
        self._newest = None

    def add(self, gestures: Sequence[Gesture], state: State) -> None:
        """Take in what the reduction made of the event, and forget the frames that nothing needs any more."""
        for gesture in gestures:
            before = self._befores.get(gesture.first, _Before(look=None, straddled=False))
            watch = self._watches.get(gesture.last)
            if watch is None:
                watch = self._newest = _Watch(t_ns=gesture.events[-1].t_ns)
            watch.reference = None if before.look is None else before.look.picture
            self._waiting.append(_Pending(gesture=gesture, before=before, watch=watch))
            self._latest = watch
        firsts = state.first_numbers()
        self._befores = {number: before for number, before in self._befores.items() if number in firsts}
        last = None if state.open is None else state.open.last
        self._watches = {
            n: watch for n, watch in self._watches.items() if n == last or n in firsts or watch is self._newest
        }
        if state.open is not None and last in self._watches:
            opened = self._befores.get(state.open.first)
            self._watches[last].reference = None if opened is None or opened.look is None else opened.look.picture
            self._latest = self._watches[last]

    def put(self, draft: Draft) -> None:
        """Take in what is complete already, behind everything that came before it."""
        self._waiting.append(draft)
        settled = draft.after, draft.settled
        self._latest = _Watch(t_ns=draft.last_ns, cap_ns=draft.until_ns, found=settled)

    def answer(self, now_ns: int) -> Answer | None:
        """What has come of the newest gesture, finished or not; None when there is none that still counts."""
        watch = self._latest
        if watch is None:
            return None
        self._resolve(watch, now_ns=now_ns)
        return Answer(last_ns=watch.t_ns, look=None if watch.found is None else watch.found[0])

    def break_off(self) -> None:
        """What comes next does not follow from what was before: the recording is paused."""
        self._latest = None

    def poll(self, now_ns: int) -> list[Draft]:
        """Every gesture whose after-frame is certain, in order."""
        pending = [item.watch for item in self._waiting if isinstance(item, _Pending)]
        for watch in (*self._watches.values(), *pending):
            self._resolve(watch, now_ns=now_ns)
        done: list[Draft] = []
        while self._waiting:
            draft = _finished(self._waiting[0], now_ns, self._ring)
            if draft is None:
                break
            self._waiting.popleft()
            done.append(draft)
        return done

    def drop_key(self, key_info: str, *, since_ns: int) -> None:
        """Forget a key press that turned out to be an order to the recorder."""
        if self._waiting:
            gesture = self._waiting[-1].gesture
            if gesture.key_info == key_info and gesture.start.t_ns >= since_ns:
                self._waiting.pop()

    def _resolve(self, watch: _Watch, *, now_ns: int) -> None:
        if watch.found is not None:
            look = watch.found[0]
            if watch.cap_ns is None or look is None or look.ended_ns < watch.cap_ns:
                return
            # It had seemed settled, but an event that reached us late came before that look.
            watch.found = None
        looks = self._ring.after(watch.t_ns, until_ns=watch.cap_ns)
        settled = find_settled(looks, reference=watch.reference)
        if settled is not None:
            watch.found = (settled, True)
        elif watch.cap_ns is not None or now_ns - watch.t_ns > self._timeout_ns:
            watch.found = _newest_of(looks)


def _finished(item: _Pending | Draft, now_ns: int, ring: FrameRing) -> Draft | None:
    if isinstance(item, Draft):
        return item
    watch = item.watch
    if watch.found is None:
        return None
    look, _ = watch.found
    if watch.cap_ns is None and look is not None and now_ns - look.ended_ns <= _LATE_NS:
        return None
    return _draft(item.gesture, item.before, watch, changed=item.before.changed(ring))


def _draft(gesture: Gesture, before: _Before, watch: _Watch, *, changed: bool | None) -> Draft:
    look, settled = watch.found or (None, None)
    if changed is None and before.look is not None and (before.straddled or look is not None):
        changed = before.straddled
    return Draft(
        gesture=gesture,
        before=before.look,
        changed_before_event=changed,
        after=look,
        settled=settled,
        last_ns=watch.t_ns,
        until_ns=watch.t_ns + _NEWS_NS if watch.cap_ns is None else min(watch.cap_ns, watch.t_ns + _NEWS_NS),
    )


def find_settled(looks: Sequence[Look], *, reference: Picture | None) -> Look | None:
    """The first new picture that stayed.

    Args:
        looks: after the event, oldest first.
        reference: what the screen showed before the gesture; as long as it shows that, nothing has happened yet.

    Returns:
        The look that first showed it; None while nothing has settled.
    """
    first: Look | None = None
    for look in looks:
        if first is None or look.picture is not first.picture:
            first = look
        elif look.picture is not reference and look.ended_ns - first.started_ns >= _QUIET_NS:
            return first
    return None


def _newest_of(looks: Sequence[Look]) -> tuple[Look | None, bool | None]:
    """What there was when time was up, and whether it had been at rest."""
    if not looks:
        return None, None
    newest = looks[-1]
    same = [look for look in looks if look.picture is newest.picture]
    return newest, newest.ended_ns - same[0].started_ns >= _QUIET_NS
