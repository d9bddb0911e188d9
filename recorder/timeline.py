"""The timeline of a recording: every distinct screen beside the steps, up to a size."""

from __future__ import annotations

from collections.abc import Iterator

from demopack.domain.screenshots import Screenshot, Snapshot
from demopack.store import Recording
from recorder.screen.snapshots import SnapshotRing
from recorder.step_builder import StepBuilder


class KeyframeSelector:
    """Selects the snapshots that show something new. Used from the session's thread."""

    def __init__(self, ring: SnapshotRing) -> None:
        self._ring = ring
        self._last: Snapshot | None = None

    def skip(self) -> None:
        """Leave out everything up to now."""
        self._last = self._ring.newest

    def select(self) -> Iterator[Snapshot]:
        """The new keyframes since the last call, oldest first."""
        for snapshot in self._ring.after(0 if self._last is None else self._last.ended_ns):
            is_new = self._last is None or snapshot.screenshot is not self._last.screenshot
            self._last = snapshot
            if is_new:
                yield snapshot


class TimelineWriter:
    """Stores keyframes. Used from the writer's thread.

    Attributes:
        is_full: whether the budget is used up; nothing is added any more.
    """

    def __init__(self, recording: Recording, *, budget_mb: int) -> None:
        self.is_full = False
        self._recording = recording
        self._budget_bytes = budget_mb * 1_000_000
        self._last: Screenshot | None = None
        self._last_id = ""

    def add(self, snapshot: Snapshot, builder: StepBuilder) -> None:
        """Keep what a snapshot shows, unless it shows what the last one did."""
        if self.is_full or snapshot.screenshot is self._last:
            return
        self._last = snapshot.screenshot
        frame = builder.frame(snapshot)
        if frame.id == self._last_id:
            return  # what has changed is masked; how often it did would tell how much was typed there
        self._last_id = frame.id
        self._recording.add_keyframe(frame, shown_ns=snapshot.ended_ns)
        self.is_full = self._recording.timeline_bytes >= self._budget_bytes
