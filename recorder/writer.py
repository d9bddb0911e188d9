"""The thread that makes finished steps durable: pictures first, then the step, in one commit each."""

from __future__ import annotations

import logging
import queue
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from demopack.domain.demos import CaptureCounters
from demopack.domain.steps import Step
from demopack.errors import DemopackError
from demopack.store import Recording
from recorder.assembly import Assembler
from recorder.film import Film
from recorder.health import broken_off
from recorder.notes import FilmLook, Forget, Job, Mark, Shot
from recorder.privacy.forgetting import last_ns_of
from recorder.screen.frames import Look

__all__ = ["StepWriter", "WriterEvents"]

_log = logging.getLogger(__name__)

_STEP_GAP = 1024  # positions are not contiguous, so that an editor can insert between two steps
_WAITING = 64  # steps that may wait for a slow disk before the session's thread waits too


class WriterEvents:
    """What the writer tells; called in its thread.

    Attributes:
        saved: a step is safe on the disk.
        changed: a step that was safe has got a note or a variable.
        forgotten: these steps are gone for good.
    """

    def __init__(
        self,
        *,
        saved: Callable[[Step], None],
        changed: Callable[[Step], None],
        forgotten: Callable[[Sequence[str]], None],
    ) -> None:
        self.saved = saved
        self.changed = changed
        self.forgotten = forgotten


class _Saved(NamedTuple):
    """What a long recording keeps of each step: some dozen bytes, whatever the step holds."""

    id: str
    last_ns: int
    typed: bool


class StepWriter:
    """Does one job after the other.

    Attributes:
        error: why nothing more could be stored; None while all is well. What was stored before is safe.
        steps_forgotten: steps that were removed for good.
    """

    def __init__(self, recording: Recording, *, assembler: Assembler, film: Film | None, events: WriterEvents) -> None:
        self.error: DemopackError | None = None
        self.steps_forgotten = 0
        self._recording = recording
        self._assembler = assembler
        self._film = film
        self._events = events
        self._queue: queue.Queue[Job | None] = queue.Queue(maxsize=_WAITING)
        self._saved: list[_Saved] = []
        self._position = 0
        self._apps: Counter[str] = Counter()
        self._thread = threading.Thread(target=self._run, name="step-writer", daemon=True)

    def start(self) -> None:
        """Begin to store."""
        self._thread.start()

    def put(self, job: Job) -> None:
        """Hand over a job; waits only when the disk is far behind."""
        self._queue.put(job)

    @property
    def is_behind(self) -> bool:
        """Whether so much waits that what can be left out, should be."""
        return self._queue.qsize() > _WAITING // 2

    @property
    def count(self) -> int:
        """Steps that are safe now."""
        return len(self._saved)

    def join(self) -> None:
        """Wait until everything handed over is done, and end the thread; calling it twice is harmless."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def finish(
        self,
        final: Look | None,
        *,
        outcome: Literal["success", "failure"] | None,
        reason: str,
        counters: CaptureCounters,
    ) -> None:
        """Store the end of the demo; after :meth:`join`, in the caller's thread.

        Raises:
            DiskFullError: the end could not be stored; the steps are safe.
        """
        frame = None if final is None else self._assembler.frame(final)
        app = self._recording.head.app
        if not app and self._apps:
            app = self._apps.most_common(1)[0][0]
        if outcome is not None and final is not None and frame is not None:
            step = self._assembler.finish(final, frame, position=self._position + _STEP_GAP, outcome=outcome)
            self._recording.append_step(step)
            self._events.saved(step)
        self._recording.finish(app=app, outcome=outcome, outcome_reason=reason, final_frame=frame, counters=counters)

    def break_off(self, why: str, *, counters: CaptureCounters) -> None:
        """Mark the demo as cut off; after :meth:`join`. The steps so far are safe."""
        rest = self._recording.lost()
        self._recording.break_off(f"{why} {rest[0].upper()}{rest[1:]}", counters=counters)

    # The writer's thread ----------------------------------------------------------------------------------------

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            if self.error is not None and not isinstance(job, Forget):
                continue  # the queue must not fill up while the session is being ended
            try:
                self._do(job)
            except DemopackError as error:
                _log.info("A step could not be stored: %s", error)
                self.error = error
            except Exception as error:  # noqa: BLE001 - kept for the session, which must not go on as if it were safe
                self.error = broken_off(error)

    def _do(self, job: Job) -> None:
        if isinstance(job, FilmLook):
            if self._film is not None:
                self._film.add(job.look, self._assembler)
        elif isinstance(job, Mark):
            self._mark(job)
        elif isinstance(job, Forget):
            self._forget(job)
        else:
            position = self._position + _STEP_GAP
            if isinstance(job, Shot):
                step: Step | None = self._assembler.shot(job, position=position)
            else:
                step = self._assembler.step(job, position=position)
            if step is not None:
                self._save(step)

    def _save(self, step: Step) -> None:
        self._position = step.position
        self._recording.append_step(step)
        self._saved.append(_Saved(id=step.id, last_ns=last_ns_of(step), typed=step.action.action_type == "type"))
        if step.window is not None and step.window.app:
            self._apps[step.window.app] += 1
        self._events.saved(step)

    def _mark(self, mark: Mark) -> None:
        saved = next((saved for saved in reversed(self._saved) if not mark.variable or saved.typed), None)
        if saved is None:
            return
        fields = {"variable": mark.variable} if mark.variable else {"note": mark.note}
        step = self._recording.step(saved.id).model_copy(update=fields)
        self._recording.update_step(step)
        self._events.changed(step)

    def _forget(self, job: Forget) -> None:
        gone = [saved.id for saved in self._saved if saved.last_ns >= job.since_ns]
        try:
            self._recording.forget_steps(gone, since_ns=job.since_ns)
        except DemopackError as error:
            if job.asked is not None:
                job.asked.failed(str(error))
            raise
        self._saved = [saved for saved in self._saved if saved.last_ns < job.since_ns]
        self.steps_forgotten += len(gone)
        if job.asked is not None:
            job.asked.done(len(gone))
        self._events.forgotten(gone)
