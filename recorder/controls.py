"""Commands to a running recording: the queue that keeps them in order with the events, and what each one does."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from demopack.domain.events import InputEvent
from recorder.capture import Capture
from recorder.privacy.purge import PurgeRequest, take_purge_request
from recorder.privacy.text_hold import TextHold
from recorder.screen.snapshots import SnapshotRing
from recorder.step_writer import StepWriter

OWN_KEY_NS = 2_000_000_000
"""A hot-key that was pressed so shortly before a command is the reason for it."""

_REQUEST_POLL_NS = 250_000_000

RecorderCommandKind = Literal[
    "pause", "resume", "stop", "panic", "forget", "shot", "note", "variable", "hold_text", "store_text"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderCommand:
    """One command to the recorder. It stands in the queue behind the events that came before it.

    Attributes:
        kind: what to do.
        t_ns: monotonic clock when it was given.
        seconds: how far ``forget`` and ``panic`` reach back; the delay of a ``shot``.
        text: of a ``note``; name of a ``variable``.
    """

    kind: RecorderCommandKind
    t_ns: int
    seconds: float = 0.0
    text: str = ""


class EventQueue:
    """Events and commands in the order in which they came. Putting never blocks: a full queue drops and counts.

    Attributes:
        seen: events that were offered.
        dropped: of these, lost because the queue was full. Commands are never dropped.
    """

    def __init__(self, *, limit: int = 20_000) -> None:
        self.seen = 0
        self.dropped = 0
        self._limit = limit
        self._items: deque[InputEvent | RecorderCommand] = deque()
        self._condition = threading.Condition()

    def put(self, event: InputEvent) -> None:
        """Offer an event; called in the hook's thread."""
        with self._condition:
            self.seen += 1
            if len(self._items) >= self._limit:
                self.dropped += 1
                return
            self._items.append(event)
            self._condition.notify()

    def put_command(self, command: RecorderCommand) -> None:
        """Add a command behind the events that are waiting."""
        with self._condition:
            self._items.append(command)
            self._condition.notify()

    def take(self, timeout_s: float) -> list[InputEvent | RecorderCommand]:
        """Everything that waits; empty after ``timeout_s`` seconds without anything."""
        with self._condition:
            if not self._items:
                self._condition.wait(timeout_s)
            items = list(self._items)
            self._items.clear()
        return items


@dataclass(slots=True, kw_only=True)
class RecordingControls:
    """Carries out what the person tells the recorder itself: shots, notes, variables, purges, holding text back.

    Used from the session's thread.
    """

    capture: Capture
    ring: SnapshotRing
    writer: StepWriter
    hold: TextHold
    folder: Path
    _shots: list[int] = field(default_factory=list[int])
    _polled_ns: int = 0

    @property
    def is_waiting(self) -> bool:
        """Whether a delayed shot is still to be taken."""
        return bool(self._shots)

    def execute(self, command: RecorderCommand) -> None:
        """Carry out a command; ``pause``, ``resume`` and ``stop`` are the session's own."""
        if command.kind in {"note", "variable"}:
            self.hand_over(command.t_ns)
            if command.kind == "note":
                self.writer.mark(note=command.text)
            else:
                self.writer.mark(variable=command.text)
        elif command.kind in {"hold_text", "store_text"}:
            # What was typed before is a text of its own.
            self.hand_over(command.t_ns)
            self.hold.order(command.t_ns, hold=command.kind == "hold_text")
        elif command.kind == "shot":
            self._shots.append(command.t_ns + round(command.seconds * 1e9))
        elif command.kind in {"forget", "panic"}:
            since_ns = command.t_ns - round(command.seconds * 1e9)
            # A panic throws away whatever was not yet saved, however old it is.
            self._purge(since_ns, unsaved_since_ns=0 if command.kind == "panic" else since_ns)

    def poll(self, now_ns: int) -> None:
        """Do what is due now: delayed shots, and purges that other processes ask for."""
        for due_ns in [t for t in self._shots if t <= now_ns]:
            self._shots.remove(due_ns)
            self._shoot(due_ns)
        if now_ns - self._polled_ns < _REQUEST_POLL_NS:
            return
        self._polled_ns = now_ns
        request = take_purge_request(self.folder)
        if request is not None:
            self._purge(request.cutoff_ns, unsaved_since_ns=request.cutoff_ns, request=request)

    def finish_shots(self, now_ns: int) -> None:
        """Take the shots that are still to come as the screen is now: afterwards nobody would."""
        due, self._shots = self._shots, []
        for t_ns in due:
            self._shoot(min(t_ns, now_ns))

    def hand_over(self, now_ns: int) -> None:
        """Whatever was done up to now is finished; it goes to the writer before anything that is said about it."""
        self.capture.flush(now_ns)
        for pending in self.capture.poll(now_ns):
            self.writer.store(pending)

    def _shoot(self, t_ns: int) -> None:
        self.ring.wait_before(t_ns)
        snapshot = self.ring.before(t_ns) or self.ring.newest
        if snapshot is not None:
            self.hand_over(time.monotonic_ns())
            self.writer.add_screenshot(snapshot, t_ns=t_ns)

    def _purge(self, since_ns: int, *, unsaved_since_ns: int, request: PurgeRequest | None = None) -> None:
        now = time.monotonic_ns()
        for pending in self.capture.discard(now, since_ns=unsaved_since_ns):
            # A step that was done before, but whose picture came after, shows what is to be purged.
            if pending.after is None or pending.after.ended_ns < unsaved_since_ns:
                self.writer.store(pending)
        self.ring.drop_old()
        self._shots.clear()
        self.writer.purge(since_ns, request)
