"""The heart of a session without its threads: events in, finished drafts out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from demopack.domain.events import InputEvent
from demopack.domain.keys import MODIFIERS
from recorder.hotkeys import HotkeyDetector
from recorder.idle.idling import Idling
from recorder.idle.resting import Rest
from recorder.pairing import Draft, Pairer
from recorder.reduction.fold import State, close_open, flush_all, flush_due, forget_lone, reduce
from recorder.reduction.gestures import Constants
from recorder.reduction.runs import KeyPress
from recorder.screen.frames import FrameRing, Look
from recorder.swallow import Swallower, on_own_window

__all__ = ["Capture"]

_LATE_NS = 150_000_000  # an event may reach us this long after it happened, so a gesture is held open for longer
_QUIET_KEYS = frozenset({*MODIFIERS, "AltGr"})


Hides = Callable[[InputEvent, Look | None], bool]


class Capture:
    """Filters, reduces and pairs. Used from one thread."""

    def __init__(
        self, ring: FrameRing, *, constants: Constants, settle_timeout_ms: int, hides: Hides | None = None
    ) -> None:
        """Take where frames come from.

        Args:
            ring: the recent looks.
            constants: what tells gestures apart.
            settle_timeout_ms: longest wait for a screen to come to rest.
            hides: says of an event, with the newest look before it, whether it must leave nothing.
        """
        self._ring = ring
        self._constants = constants
        self._pairer = Pairer(ring, settle_timeout_ms=settle_timeout_ms)
        self._own = Swallower(on_own_window)
        self._idling = Idling(ring, constants=constants)
        self._hides = hides
        self._state = State()
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
                self._rested(self._idling.acted(event), by=event)
                self._insert(self._idling.release())
        elif not paused:
            self._record(event)
        return meaning

    def _record(self, event: InputEvent) -> None:
        if event.kind != "move":
            self._act(event)
        elif self._state.presses:
            self._state, gestures = reduce(self._state, event, self._constants)
            if gestures:
                self._pairer.add(gestures, self._state)
        else:
            # Nothing but where the pointer rests depends on it, and there may be a thousand of these a second.
            rest = self._idling.moved(event)
            if rest is not None:
                self._rested(rest, by=event)

    def _act(self, event: InputEvent) -> None:
        self._last_ns = event.t_ns
        look = self._ring.before(event.t_ns)
        # Who says what is hidden must see every event.
        hidden = self._hides is not None and self._hides(event, look)
        is_kept = not self._own.hides(event, look) and not hidden
        is_quiet = event.key in _QUIET_KEYS
        if not is_quiet:
            rest = self._idling.acted(event)
            self._pairer.cap(event.t_ns)
            self._rested(rest, by=event)
            self._insert(self._idling.release())
        if not is_kept:
            self._pairer.cap(event.t_ns)
            return
        if not is_quiet:
            self._pairer.observe(self._state.count, event)
        elif event.kind == "key_down":
            self._pairer.observe_modifier(self._state.count, event)
        self._state, gestures = reduce(self._state, event, self._constants)
        self._pairer.add(gestures, self._state)

    def _rested(self, rest: Rest | None, *, by: InputEvent | None) -> None:
        """Nothing was done for a while until this event, or the end; perhaps that was a hover or a wait."""
        if rest is None or self._state.presses:
            return
        may_wait = by is None or not self._goes_on(by)
        answer = self._pairer.answer(rest.until_ns)
        self._insert(self._idling.judge(rest, answer, by=by, number=self._state.count, may_wait=may_wait))

    def _goes_on(self, event: InputEvent) -> bool:
        """Whether the event belongs to what is open, a text for instance: then the rest was a pause for thought."""
        open_before = self._state.open
        if open_before is None or event.kind == "move":
            return False
        open_after = reduce(self._state, event, self._constants)[0].open
        return open_after is not None and open_after.first == open_before.first

    def _insert(self, drafts: list[Draft]) -> None:
        """Put in what happened without any event; whatever was open had ended before."""
        if not drafts:
            return
        self._state, gestures = close_open(self._state)
        self._pairer.add(gestures, self._state)
        for draft in drafts:
            self._pairer.put(draft)

    def poll(self, now_ns: int) -> list[Draft]:
        """Every step that is complete now, in order."""
        self._state, gestures = flush_due(self._state, now_ns - _LATE_NS, self._constants)
        if gestures:
            self._pairer.add(gestures, self._state)
        self._idling.poll(now_ns)
        self._insert(self._idling.due(now_ns))
        return self._pairer.poll(now_ns)

    def flush(self, now_ns: int, *, cap: bool = True) -> None:
        """Whatever was open has ended; with ``cap`` also the time in which the screen may answer."""
        if cap:
            self._pairer.cap(now_ns)
        self._rested(self._idling.under_way(now_ns), by=None)
        self._insert(self._idling.release())
        self._idling.forget()
        self._state, gestures = flush_all(self._state)
        # Modifiers and buttons that are still down are let go unseen.
        self._state = replace(self._state, held=())
        self._pairer.add(gestures, self._state)
        if cap:
            self._pairer.cap(now_ns)
            self._pairer.break_off()

    def forget(self, now_ns: int, *, since_ns: int) -> list[Draft]:
        """Throw away what is open, and what ended at ``since_ns`` or later; returns the finished drafts before that."""
        self.flush(now_ns)
        return [draft for draft in self._pairer.poll(now_ns) if draft.last_ns < since_ns]

    def drop_key(self, key_info: str, *, since_ns: int) -> None:
        """Forget a key press that was an order to the recorder."""
        key = self._state.open
        if isinstance(key, KeyPress) and key.key_info == key_info and key.start.t_ns >= since_ns:
            self._state = replace(self._state, open=None)
        else:
            self._pairer.drop_key(key_info, since_ns=since_ns)

    def waits_since(self, now_ns: int, *, limit_ns: int) -> bool:
        """Whether a step still waits for the screen, less than ``limit_ns`` after the last input."""
        return not self._pairer.is_idle and now_ns - self._last_ns < limit_ns

    def end(self, now_ns: int) -> list[Draft]:
        """The last steps; after this nothing is open."""
        self.flush(now_ns)
        return self._pairer.poll(now_ns)
