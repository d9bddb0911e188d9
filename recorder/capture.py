"""Capture of what is done: events in, finished pending steps out. No threads, no clock of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from demopack.domain.events import InputEvent
from demopack.domain.keys import MODIFIERS
from demopack.reduction.fold import close_open, flush_all, flush_due, forget_lone, reduce
from demopack.reduction.gestures import GestureThresholds
from demopack.reduction.state import ReductionState
from demopack.reduction.steps import PendingStep
from recorder.event_filter import EventPredicate
from recorder.hotkeys import HotkeyDetector
from recorder.idle.detector import IdleDetector
from recorder.idle.hover import IdlePeriod
from recorder.pairing import Pairer
from recorder.screen.snapshots import SnapshotRing

_HELD_OPEN_NS = 150_000_000  # an event may reach us so long after it happened; a gesture is held open meanwhile
_QUIET_KEYS = frozenset({*MODIFIERS, "AltGr"})


class Capture:
    """Filters, reduces and pairs. Used from one thread."""

    def __init__(
        self,
        ring: SnapshotRing,
        *,
        thresholds: GestureThresholds,
        settle_timeout_ms: int,
        filters: Sequence[EventPredicate] = (),
    ) -> None:
        """Take where frames come from.

        Args:
            ring: the recent snapshots.
            thresholds: what tells gestures apart.
            settle_timeout_ms: longest wait for a screen to come to rest.
            filters: each says of an event, with the newest snapshot before it, whether it must leave nothing. All of
                them see every event but moves.
        """
        self._ring = ring
        self._thresholds = thresholds
        self._pairer = Pairer(ring, settle_timeout_ms=settle_timeout_ms)
        self._idle = IdleDetector(ring, thresholds=thresholds)
        self._filters = filters
        self._state = ReductionState()
        self._last_ns = 0

    @property
    def is_busy(self) -> bool:
        """Whether something waits for time to pass."""
        return self._state.open is not None or not self._pairer.is_idle

    def take(self, event: InputEvent, hotkeys: HotkeyDetector, *, paused: bool) -> str | None:
        """Take in one event; returns the meaning of a hot-key that it completes."""
        meaning, is_hotkey = hotkeys.feed(event)
        if is_hotkey:
            # The modifiers of the hot-key were not meant for the program either.
            self._state = forget_lone(self._state)
            self._pairer.cap(event.t_ns)
            if not paused:
                self._interrupt(event, reduce(self._state, event, self._thresholds)[0])
        elif not paused:
            self._record(event)
        return meaning

    def _record(self, event: InputEvent) -> None:
        if event.kind != "move":
            self._act(event)
        elif self._state.presses:
            self._state, gestures = reduce(self._state, event, self._thresholds)
            if gestures:
                self._pairer.add(gestures, self._state)
        else:
            # Nothing but where the pointer rests depends on it, and there may be a thousand of these a second.
            period = self._idle.moved(event)
            if period is not None:
                self._end_period(period, by=event)

    def _act(self, event: InputEvent) -> None:
        self._last_ns = event.t_ns
        snapshot = self._ring.before(event.t_ns)
        is_kept = not any([hides(event, snapshot) for hides in self._filters])  # noqa: C419 - each must see every event
        is_quiet = event.key in _QUIET_KEYS
        reduced = reduce(self._state, event, self._thresholds)
        if not is_quiet and self._interrupt(event, reduced[0]):
            reduced = reduce(self._state, event, self._thresholds)
        if not is_kept:
            self._pairer.cap(event.t_ns)
            return
        if not is_quiet:
            self._pairer.observe(self._state.count, event)
        elif event.kind == "key_down":
            self._pairer.observe_modifier(self._state.count, event)
        self._state, gestures = reduced
        self._pairer.add(gestures, self._state)

    def _interrupt(self, event: InputEvent, after: ReductionState) -> bool:
        """The event ends the time in which nothing was done; returns whether that changed the reduction's state.

        Args:
            event: the event.
            after: the state after it. Where it belongs to what is open, a text for instance, the time was a pause for
                thought and no wait.
        """
        before = self._state.open
        goes_on = before is not None and after.open is not None and after.open.gesture.first == before.gesture.first
        period = self._idle.acted(event)
        self._pairer.cap(event.t_ns)
        found = self._end_period(period, by=event, may_wait=not goes_on)
        return self._insert(self._idle.release()) or found

    def _end_period(self, period: IdlePeriod | None, *, by: InputEvent | None, may_wait: bool = True) -> bool:
        """Nothing was done for a while until this event, or the end; perhaps that was a hover or a wait."""
        if period is None or self._state.presses:
            return False
        response = self._pairer.response(period.until_ns)
        return self._insert(self._idle.judge(period, response, by=by, number=self._state.count, may_wait=may_wait))

    def _insert(self, pending_steps: list[PendingStep]) -> bool:
        """Put in what happened without any event; whatever was open had ended before."""
        if not pending_steps:
            return False
        self._state, gestures = close_open(self._state)
        self._pairer.add(gestures, self._state)
        for pending in pending_steps:
            self._pairer.put(pending)
        return True

    def poll(self, now_ns: int) -> list[PendingStep]:
        """Every step that is complete now, in order; after :meth:`flush` nothing else is open."""
        self._state, gestures = flush_due(self._state, now_ns - _HELD_OPEN_NS, self._thresholds)
        if gestures:
            self._pairer.add(gestures, self._state)
        self._idle.poll(now_ns)
        self._insert(self._idle.due(now_ns))
        return self._pairer.poll(now_ns)

    def flush(self, now_ns: int, *, cap: bool = True) -> None:
        """Whatever was open has ended; with ``cap`` also the time in which the screen may answer."""
        if cap:
            self._pairer.cap(now_ns)
        self._end_period(self._idle.under_way(now_ns), by=None)
        self._insert(self._idle.release())
        self._idle.reset()
        self._state, gestures = flush_all(self._state)
        # Modifiers and buttons that are still down are let go unseen.
        self._state = replace(self._state, held=())
        self._pairer.add(gestures, self._state)
        if cap:
            self._pairer.cap(now_ns)
            self._pairer.break_off()

    def drop_key(self, key_info: str, *, since_ns: int) -> None:
        """Forget a key press that was an order to the recorder."""
        key = self._state.opened("press_key")
        if key is not None and key.gesture.key_info == key_info and key.gesture.start.t_ns >= since_ns:
            self._state = replace(self._state, open=None)
        else:
            self._pairer.drop_key(key_info, since_ns=since_ns)

    def waits_since(self, now_ns: int, *, limit_ns: int) -> bool:
        """Whether a step still waits for the screen, less than ``limit_ns`` after the last input."""
        return not self._pairer.is_idle and now_ns - self._last_ns < limit_ns
