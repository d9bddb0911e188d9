"""Carries out what the person tells the recorder itself: shots, notes, variables, forgetting, holding text back."""

from __future__ import annotations

import time
from pathlib import Path

from recorder.capture import Capture
from recorder.notes import Forget, Mark, Shot
from recorder.orders import Order
from recorder.privacy.forgetting import ForgetOrder, take_order
from recorder.privacy.text_hold import TextHold
from recorder.screen.frames import FrameRing
from recorder.writer import StepWriter

__all__ = ["Desk"]

_ASK_NS = 250_000_000


class Desk:
    """Used from the session's thread."""

    def __init__(self, *, capture: Capture, ring: FrameRing, writer: StepWriter, hold: TextHold, folder: Path) -> None:
        self._capture = capture
        self._ring = ring
        self._writer = writer
        self._hold = hold
        self._folder = folder
        self._shots: list[int] = []
        self._asked_ns = 0

    @property
    def waits(self) -> bool:
        """Whether a delayed shot is still to be taken."""
        return bool(self._shots)

    def obey(self, order: Order) -> None:
        """Carry out an order; ``pause``, ``resume`` and ``stop`` are the session's own."""
        if order.kind in {"note", "variable"}:
            self.hand_over(order.t_ns)
            note = order.text if order.kind == "note" else ""
            self._writer.put(Mark(note=note, variable=order.text if order.kind == "variable" else ""))
        elif order.kind in {"hold_text", "store_text"}:
            # What was typed before is a text of its own.
            self.hand_over(order.t_ns)
            self._hold.order(order.t_ns, hold=order.kind == "hold_text")
        elif order.kind == "shot":
            self._shots.append(order.t_ns + round(order.seconds * 1e9))
        elif order.kind in {"forget", "panic"}:
            since_ns = order.t_ns - round(order.seconds * 1e9)
            # A panic throws away whatever was not yet saved, however old it is.
            self._forget(since_ns, unsaved_since_ns=0 if order.kind == "panic" else since_ns)

    def look_in(self, now_ns: int) -> None:
        """What is due now: delayed shots, and orders from other processes."""
        for due_ns in [t for t in self._shots if t <= now_ns]:
            self._shots.remove(due_ns)
            self._shoot(due_ns)
        if now_ns - self._asked_ns < _ASK_NS:
            return
        self._asked_ns = now_ns
        order = take_order(self._folder)
        if order is not None:
            self._forget(order.cutoff_ns, unsaved_since_ns=order.cutoff_ns, asked=order)

    def finish_shots(self, now_ns: int) -> None:
        """Take the shots that are still to come as the screen is now: afterwards nobody would."""
        due, self._shots = self._shots, []
        for t_ns in due:
            self._shoot(min(t_ns, now_ns))

    def hand_over(self, now_ns: int) -> None:
        """Whatever was done up to now is finished; it goes to the writer before anything that is said about it."""
        self._capture.flush(now_ns)
        for draft in self._capture.poll(now_ns):
            self._writer.put(draft)

    def _shoot(self, t_ns: int) -> None:
        self._ring.wait_before(t_ns)
        look = self._ring.before(t_ns) or self._ring.newest
        if look is not None:
            self.hand_over(time.monotonic_ns())
            self._writer.put(Shot(look=look, t_ns=t_ns))

    def _forget(self, since_ns: int, *, unsaved_since_ns: int, asked: ForgetOrder | None = None) -> None:
        now = time.monotonic_ns()
        for draft in self._capture.forget(now, since_ns=unsaved_since_ns):
            # A step that was done before, but whose picture came after, shows what is to be forgotten.
            if draft.after is None or draft.after.ended_ns < unsaved_since_ns:
                self._writer.put(draft)
        self._ring.forget()
        self._shots.clear()
        self._writer.put(Forget(since_ns=since_ns, asked=asked))
