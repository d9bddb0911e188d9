"""The pipeline of a recording: filter, reduce, pair, find the context, build the step, write it; and its commands."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.screenshots import Snapshot
from demopack.reduction.gestures import GestureThresholds
from demopack.settings import RecorderSettings
from demopack.store import Recording
from recorder.area import CaptureArea
from recorder.capture import Capture
from recorder.context import AccessibilityQueries, ContextProvider
from recorder.event_filter import EventFilter, OwnWindows, on_own_window, outside_area
from recorder.hotkeys import HotkeyDetector
from recorder.privacy.blocked import BlockList
from recorder.privacy.filter import PrivacyFilter
from recorder.privacy.purge import PurgeRequest, take_purge_request
from recorder.privacy.text_hold import TextHold
from recorder.screen.snapshots import SnapshotRing
from recorder.sources import OWN_KEY_NS, EventQueue, Sources
from recorder.step_builder import StepBuilder
from recorder.step_writer import StepWriter, WriterEvents
from recorder.tree_capture import TreeCapture

_REQUEST_POLL_NS = 250_000_000
_LAST_STEP_NS = 500_000_000  # how long a stop waits for the screen to answer the last action
_RESPONSE_POLL_S = 0.04


class RecordingPipeline:
    """All phases between the sources and the library. Used from the session's thread; the writer has its own.

    Attributes:
        hold: whether typed text may be stored.
        privacy: keeps secrets out, and counts them.
        shots: when pictures are due that the person asked for, monotonic nanoseconds.
        writer: makes finished steps durable; the end of the demo is its, too.
    """

    def __init__(
        self,
        recording: Recording,
        *,
        folder: Path,
        ring: SnapshotRing,
        sources: Sources,
        settings: RecorderSettings,
        area: CaptureArea,
        own: OwnWindows,
        hotkeys: HotkeyDetector,
        events: WriterEvents,
    ) -> None:
        """Put the phases together.

        Args:
            recording: where steps go.
            folder: the library, where other processes leave their requests.
            ring: the recent snapshots; there is one already.
            sources: opened.
            settings: of the recorder.
            area: what part of the desktop is captured.
            own: what the app tells about its own windows.
            hotkeys: finds the hot-keys among the events.
            events: what the writer tells.
        """
        first = ring.newest
        assert first is not None
        self._ring = ring
        self._folder = folder
        self._hotkeys = hotkeys
        self._keeps_timeline = settings.timeline
        self._keyframe: Snapshot | None = None
        self._resumed_ns = 0
        self.shots: list[int] = []
        self._polled_ns = 0
        self._access = access = sources.access
        privacy = settings.privacy
        self.hold = TextHold(access, hold_unknown=privacy.hold_unknown, told=sources.has_real_programs)
        self.privacy = PrivacyFilter(privacy, access=access, hold=self.hold)
        self._queries = AccessibilityQueries(access, sources.pings)
        self._trees = TreeCapture(access, ring, blocked=BlockList(privacy)) if settings.trees else None
        context = ContextProvider(access, settings=privacy, clipboard=sources.clipboard, pings=sources.pings)
        self.writer = StepWriter(
            recording,
            builder=StepBuilder(
                recording=recording,
                first=first,
                context=context,
                privacy=self.privacy,
                trees=self._trees,
                trees_bytes=settings.trees_mb * 1_000_000,
            ),
            timeline_mb=settings.timeline_mb,
            events=events,
        )
        self._capture = Capture(
            ring,
            thresholds=GestureThresholds.of(settings, sources.inputs.timings()),
            settle_timeout_ms=settings.settle_timeout_ms,
            filters=(
                EventFilter(outside_area(area)).hides,
                self.privacy.hides,
                EventFilter(on_own_window(own)).hides,
            ),
        )

    # How it goes ------------------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether something waits for time to pass."""
        waits = self._queries.is_waiting or (self._trees is not None and self._trees.is_waiting)
        return self._capture.is_busy or bool(self.shots) or waits or self._keeps_timeline

    @property
    def notices(self) -> list[str]:
        """What the person should know about how the recording goes on."""
        told = ["The film has reached its size; the steps are recorded on."] if self.writer.timeline_is_full else []
        if self.writer.trees_are_full:
            told.append("What programs report has reached its size; the steps are recorded on.")
        return [*told, *self._access.problems]

    # While it records -------------------------------------------------------------------------------------------

    def take(self, event: InputEvent, *, paused: bool) -> str | None:
        """Take in one event; returns the meaning of a hot-key that it completes."""
        self._queries.note(event)
        if self._trees is not None:
            self._trees.note(event)
        return self._capture.take(event, self._hotkeys, paused=paused)

    def work(self, *, paused: bool) -> None:
        """Do whatever is due now."""
        now = now_ns()
        for due_ns in [t for t in self.shots if t <= now]:
            self.shots.remove(due_ns)
            self._shoot(due_ns)
        if now - self._polled_ns >= _REQUEST_POLL_NS:
            self._polled_ns = now
            request = take_purge_request(self._folder)
            if request is not None:
                self.purge(request.cutoff_ns, unsaved_since_ns=request.cutoff_ns, request=request)
        self._queries.poll(now)
        if self._trees is not None and not paused:
            self._trees.poll(now)
        self._write_finished(now_ns())
        if not paused:
            self._write_keyframes()

    def flush(self) -> None:
        """End what was open up to now: what comes is about what was done so far, or begins anew."""
        self._capture.flush(now_ns())

    def pause(self) -> None:
        """End what was open, and take the shots that are still to come; nothing that is shown from now on is kept."""
        self._finish_shots(now_ns())
        self.flush()
        self._write_keyframes()

    def resume(self) -> None:
        """What is shown from now on is kept again."""
        self._resumed_ns = now_ns()

    def _write_finished(self, now_ns: int) -> None:
        for pending in self._capture.poll(now_ns):
            self.writer.store(pending)

    def _write_keyframes(self) -> None:
        """Hand each new screen to the timeline; a disk that is far behind gets no more of them for a while.

        While texts are held back there are none: how a field fills tells how many keys there were, and their rhythm.
        """
        if not self._keeps_timeline or self.writer.is_behind:
            return
        since_ns = 0 if self._keyframe is None else self._keyframe.ended_ns
        for snapshot in self._ring.after(max(since_ns, self._resumed_ns)):
            is_new = self._keyframe is None or snapshot.screenshot is not self._keyframe.screenshot
            if is_new and not self.hold.holds(snapshot.started_ns, snapshot.ended_ns):
                self.writer.add_keyframe(snapshot)
            self._keyframe = snapshot

    # What the person tells the recorder itself ------------------------------------------------------------------

    def mark(self, t_ns: int, field: Literal["note", "variable"], text: str) -> None:
        """Write a note on the step before that time, or name the variable that was typed last."""
        self._hand_over(t_ns)
        self.writer.mark(field, text)

    def hold_text(self, t_ns: int, *, hold: bool) -> None:
        """Hold back what is typed from that time on, or store it; what was typed before is a text of its own."""
        self._hand_over(t_ns)
        self.hold.order(t_ns, hold=hold)

    def _hand_over(self, now_ns: int) -> None:
        """Whatever was done up to now is finished; it goes to the writer before anything that is said about it."""
        self._capture.flush(now_ns)
        self._write_finished(now_ns)

    def _finish_shots(self, now_ns: int) -> None:
        """Take the shots that are still to come as the screen is now: afterwards nobody would."""
        due, self.shots = self.shots, []
        for t_ns in due:
            self._shoot(min(t_ns, now_ns))

    def _shoot(self, t_ns: int) -> None:
        self._ring.wait_before(t_ns)
        snapshot = self._ring.before(t_ns) or self._ring.newest
        if snapshot is not None:
            self._hand_over(now_ns())
            self.writer.add_screenshot(snapshot, t_ns=t_ns)

    def purge(self, since_ns: int, *, unsaved_since_ns: int, request: PurgeRequest | None = None) -> None:
        """Remove what was done since a time for good.

        Args:
            since_ns: of saved steps.
            unsaved_since_ns: of what is not saved yet; 0 throws all of that away, however old it is.
            request: of another process, which waits for an answer.
        """
        now = now_ns()
        self._capture.flush(now)
        for pending in self._capture.poll(now):
            # A step that was done before, but whose picture came after, shows what is to be purged.
            shown_ns = 0 if pending.after is None else pending.after.ended_ns
            if max(pending.last_ns, shown_ns) < unsaved_since_ns:
                self.writer.store(pending)
        self._ring.drop_old()
        self.shots.clear()
        self.writer.purge(since_ns, request)

    # The end ----------------------------------------------------------------------------------------------------

    def take_last(self, queue: EventQueue, *, own_key: str | None, paused: bool) -> None:
        """Take in what was done before the stop, and wait for how the screen answers it.

        Args:
            queue: what has come and was not taken in yet; what comes meanwhile is thrown away.
            own_key: a key combination that was the order to stop, and so must not become a step.
            paused: whether the recording was paused.
        """
        for item in queue.take(0):
            if isinstance(item, InputEvent):
                self._capture.take(item, self._hotkeys, paused=paused)
        now = now_ns()
        if own_key is not None:
            self._capture.drop_key(own_key, since_ns=now - OWN_KEY_NS)
        self._capture.flush(now, cap=False)
        while self._capture.waits_since(now_ns(), limit_ns=_LAST_STEP_NS):
            queue.take(_RESPONSE_POLL_S)
            self._write_finished(now_ns())
        self._finish_shots(now)
        if not paused:
            self._write_keyframes()

    def end(self) -> None:
        """Write the last steps; returns once everything is stored, and the writer's thread has ended."""
        self._hand_over(now_ns())
        self.writer.join()
