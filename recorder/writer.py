"""The thread that makes finished steps durable: frames first, then the step, in one commit each."""

from __future__ import annotations

import logging
import queue
import threading
from collections import Counter
from collections.abc import Callable
from typing import Literal

import numpy as np

from demopack.clock import now_ns
from demopack.domain.demos import CaptureCounters
from demopack.domain.frames import Frame
from demopack.domain.steps import Step
from demopack.errors import DemopackError
from demopack.store import Library, Recording
from recorder.frames import Look
from recorder.health import broken_off
from recorder.pairing import Draft
from recorder.steps import build_step, finish_step, frame_of

__all__ = ["StepWriter"]

_log = logging.getLogger(__name__)

_STEP_GAP = 1024  # positions are not contiguous, so that an editor can insert between two steps
_WAITING = 32  # steps that may wait for a slow disk before the session's thread waits too


class StepWriter:
    """Stores drafts in their order.

    Attributes:
        error: why nothing more could be stored; None while all is well. What was stored before is safe.
    """

    def __init__(self, library: Library, recording: Recording, *, first: Look, on_step: Callable[[Step], None]) -> None:
        self.error: DemopackError | None = None
        self._library = library
        self._recording = recording
        self._first = first
        self._on_step = on_step
        self._queue: queue.Queue[Draft | None] = queue.Queue(maxsize=_WAITING)
        self._position = 0
        self._apps: Counter[str] = Counter()
        self._thread = threading.Thread(target=self._run, name="step-writer", daemon=True)

    def start(self) -> None:
        """Begin to store."""
        self._thread.start()

    def put(self, draft: Draft) -> None:
        """Hand over a finished step; waits only when the disk is far behind."""
        self._queue.put(draft)

    def join(self) -> None:
        """Wait until everything handed over is stored, and end the thread."""
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
        frame = None if final is None else self._store(final)
        app = self._recording.head.app
        if not app and self._apps:
            app = self._apps.most_common(1)[0][0]
        if outcome is not None and frame is not None:
            step = finish_step(frame, position=self._next_position(), outcome=outcome, now_ns=now_ns())
            self._recording.append_step(step)
            self._on_step(step)
        self._recording.finish(app=app, outcome=outcome, outcome_reason=reason, final_frame=frame, counters=counters)

    def _run(self) -> None:
        while (draft := self._queue.get()) is not None:
            if self.error is not None:
                continue  # the queue must not fill up while the session is being ended
            try:
                step = self._build(draft)
                self._recording.append_step(step)
            except DemopackError as error:
                _log.info("A step could not be stored: %s", error)
                self.error = error
                continue
            except Exception as error:  # noqa: BLE001 - kept for the session, which must not go on as if it were safe
                self.error = broken_off(error)
                continue
            self._on_step(step)

    def _build(self, draft: Draft) -> Step:
        before = None if draft.before is None else self._store(draft.before)
        after = None if draft.after is None else self._store(draft.after)
        # Without any picture of its own a step still has its place on the screen as it was at the start.
        basis = before or after or frame_of(self._first, "")
        if draft.before is not None and draft.before.window is not None and draft.before.window.app:
            self._apps[draft.before.window.app] += 1
        return build_step(draft, position=self._next_position(), before=before, after=after, basis=basis)

    def _next_position(self) -> int:
        self._position += _STEP_GAP
        return self._position

    def _store(self, look: Look) -> Frame:
        picture = look.picture
        if picture.stored_id is None:
            # The grab is a backwards view of the OS's pixels; from here on it is an ordinary picture.
            picture.stored_id = self._library.put_image(np.ascontiguousarray(picture.grab.image))
        return frame_of(look, picture.stored_id)
