"""The thread that makes finished steps durable: pictures first, then the step, in one commit each."""

from __future__ import annotations

import logging
import queue
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, NamedTuple, Protocol

from demopack.domain.demos import CaptureCounters
from demopack.domain.screenshots import Screenshot, Snapshot
from demopack.domain.steps import POSITION_GAP, Step
from demopack.errors import DemopackError
from demopack.reduction.steps import PendingStep
from demopack.store import Recording
from recorder.backends.base import broken_off
from recorder.privacy.purge import PurgeRequest, last_ns_of
from recorder.step_builder import StepBuilder

_log = logging.getLogger(__name__)

_MAX_WAITING_STEPS = 64  # steps that may wait for a slow disk before the session's thread waits too


class WriterEvents(Protocol):
    """Who is told, in the writer's thread.

    Attributes:
        on_step: called with a step that is safe on the disk.
        on_changed: called with a step that was safe and has got a note or a variable.
        on_forgotten: called with the ids of steps that are gone for good.
    """

    on_step: Callable[[Step], None]
    on_changed: Callable[[Step], None]
    on_forgotten: Callable[[Sequence[str]], None]


class _Saved(NamedTuple):
    """What a long recording keeps of each step: some dozen bytes, whatever the step holds."""

    id: str
    last_ns: int
    typed: bool


class StepWriter:
    """Does one thing after the other, in a thread of its own; handing over waits only when the disk is far behind.

    Attributes:
        error: why nothing more could be stored; None while all is well. What was stored before is safe.
        steps_forgotten: steps that were removed for good.
        timeline_is_full: whether the distinct pictures beside the steps have reached their size; no more are added.
    """

    def __init__(self, recording: Recording, *, builder: StepBuilder, timeline_mb: int, events: WriterEvents) -> None:
        self.error: DemopackError | None = None
        self.steps_forgotten = 0
        self._recording = recording
        self._builder = builder
        self.timeline_is_full = False
        self._timeline_bytes = timeline_mb * 1_000_000
        self._keyframe: tuple[Screenshot | None, str] = (None, "")
        self._events = events
        self._queue: queue.Queue[partial[None] | None] = queue.Queue(maxsize=_MAX_WAITING_STEPS)
        self._saved: list[_Saved] = []
        self._position = 0
        self._apps: Counter[str] = Counter()
        self._thread = threading.Thread(target=self._run, name="step-writer", daemon=True)

    def start(self) -> None:
        """Begin to store."""
        self._thread.start()

    def store(self, pending: PendingStep) -> None:
        """Store a finished step."""
        self._queue.put(partial(self._save, partial(self._builder.step, pending)))

    def add_screenshot(self, snapshot: Snapshot, *, t_ns: int) -> None:
        """Store a picture that the person asked for at that time, monotonic clock, as a step."""
        self._queue.put(partial(self._save, partial(self._builder.screenshot_step, snapshot, t_ns=t_ns)))

    def add_keyframe(self, snapshot: Snapshot) -> None:
        """Keep a distinct picture of the screen beside the steps."""
        self._queue.put(partial(self._add_keyframe, snapshot))

    def mark(self, field: Literal["note", "variable"], text: str) -> None:
        """Write a note on the last step (an empty one clears it), or name the variable that was typed last."""
        self._queue.put(partial(self._mark, field, text))

    def purge(self, since_ns: int, request: PurgeRequest | None = None) -> None:
        """Remove for good what was done at ``since_ns`` or later.

        Args:
            since_ns: monotonic nanoseconds.
            request: of another process, which waits for an answer; None when the person pressed a key.
        """
        self._queue.put(partial(self._purge, since_ns, request))

    @property
    def trees_are_full(self) -> bool:
        """Whether the accessibility trees have reached their size; no more are kept."""
        return self._builder.trees_are_full

    @property
    def is_behind(self) -> bool:
        """Whether so much waits that what can be left out, should be."""
        return self._queue.qsize() > _MAX_WAITING_STEPS // 2

    def join(self) -> None:
        """Wait until everything handed over is done, and end the thread; calling it twice is harmless."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def finish(
        self,
        final: Snapshot | None,
        *,
        outcome: Literal["success", "failure"] | None,
        reason: str,
        counters: CaptureCounters,
    ) -> None:
        """Store the end of the demo; after :meth:`join`, in the caller's thread.

        Args:
            final: the screen at the end; None where none may be kept, which leaves the picture of the last step.
            outcome: whether the task was done; None adds no last step.
            reason: why it failed.
            counters: what was seen and lost.

        Raises:
            DiskFullError: the end could not be stored; the steps are safe.
        """
        frame = None if final is None else self._builder.frame(final)
        if frame is None and self._saved:
            last = self._recording.step(self._saved[-1].id)
            frame = last.after or last.before
        app = self._recording.head.app
        if not app and self._apps:
            app = self._apps.most_common(1)[0][0]
        if outcome is not None and frame is not None:
            step = self._builder.finish(frame, position=self._position + POSITION_GAP, outcome=outcome)
            self._recording.append_step(step)
            self._events.on_step(step)
        self._recording.finish(app=app, outcome=outcome, outcome_reason=reason, final_frame=frame, counters=counters)

    def break_off(self, why: str, *, counters: CaptureCounters) -> None:
        """Mark the demo as cut off; after :meth:`join`. The steps so far are safe."""
        rest = self._recording.lost()
        self._recording.finish(missing=f"{why} {rest[0].upper()}{rest[1:]}", counters=counters)

    # The writer's thread ----------------------------------------------------------------------------------------

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            if self.error is not None and job.func != self._purge:
                continue  # the queue must not fill up while the session is being ended
            try:
                job()
            except DemopackError as error:
                _log.info("A step could not be stored: %s", error)
                self.error = error
            except Exception as error:  # noqa: BLE001 - kept for the session, which must not go on as if it were safe
                self.error = broken_off(error)

    def _add_keyframe(self, snapshot: Snapshot) -> None:
        seen, seen_id = self._keyframe
        if self.timeline_is_full or snapshot.screenshot is seen:
            return
        frame = self._builder.frame(snapshot)
        self._keyframe = (snapshot.screenshot, frame.id)
        if frame.id == seen_id:
            return  # what has changed is masked; how often it did would tell how much was typed there
        self._recording.add_keyframe(frame, shown_ns=snapshot.ended_ns)
        self.timeline_is_full = self._recording.timeline_bytes >= self._timeline_bytes

    def _save(self, build: Callable[..., Step | None]) -> None:
        """Build the step at the next position and make it durable; nothing where nothing of it may be stored."""
        step = build(position=self._position + POSITION_GAP)
        if step is None:
            return
        self._position = step.position
        self._recording.append_step(step)
        self._saved.append(_Saved(id=step.id, last_ns=last_ns_of(step), typed=step.action.action_type == "type"))
        if step.window is not None and step.window.app:
            self._apps[step.window.app] += 1
        self._events.on_step(step)

    def _mark(self, field: Literal["note", "variable"], text: str) -> None:
        saved = next((saved for saved in reversed(self._saved) if saved.typed or field == "note"), None)
        if saved is None:
            return
        step = self._recording.step(saved.id).model_copy(update={field: text})
        self._recording.update_step(step)
        self._events.on_changed(step)

    def _purge(self, since_ns: int, request: PurgeRequest | None) -> None:
        gone = [saved.id for saved in self._saved if saved.last_ns >= since_ns]
        try:
            self._recording.forget_steps(gone, since_ns=since_ns)
        except DemopackError as error:
            if request is not None:
                request.answer(problem=str(error))
            raise
        self._saved = [saved for saved in self._saved if saved.last_ns < since_ns]
        self.steps_forgotten += len(gone)
        if request is not None:
            request.answer(removed=len(gone))
        self._events.on_forgotten(gone)
