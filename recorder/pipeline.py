"""The pipeline of a recording: filter, reduce, pair, find the context, build the step, write it."""

from __future__ import annotations

import time
from pathlib import Path

from demopack.domain.events import InputEvent
from demopack.reduction.gestures import GestureThresholds
from demopack.settings import RecorderSettings
from demopack.store import Recording
from recorder.area import CaptureArea
from recorder.capture import Capture
from recorder.context import AccessibilityQueries, ContextProvider
from recorder.controls import OWN_KEY_NS, EventQueue, RecordingControls
from recorder.event_filter import EventFilter, OwnWindows, on_own_window, outside_area
from recorder.hotkeys import HotkeyDetector
from recorder.privacy.filter import PrivacyFilter
from recorder.privacy.text_hold import TextHold
from recorder.screen.snapshots import SnapshotRing
from recorder.sources import Sources
from recorder.step_builder import StepBuilder
from recorder.step_writer import StepWriter, WriterEvents
from recorder.timeline import KeyframeSelector, TimelineWriter

_LAST_STEP_NS = 500_000_000  # how long a stop waits for the screen to answer the last action
_RESPONSE_POLL_S = 0.04


class RecordingPipeline:
    """All phases between the sources and the library. Used from the session's thread; the writer has its own.

    Attributes:
        hold: whether typed text may be stored.
        privacy: keeps secrets out, and counts them.
        controls: carries out what the person tells the recorder itself.
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
        self._hotkeys = hotkeys
        access, privacy = sources.access, settings.privacy
        self.hold = TextHold(access, hold_unknown=privacy.hold_unknown, told=sources.has_real_programs)
        self.privacy = PrivacyFilter(privacy, access=access, hold=self.hold)
        self._queries = AccessibilityQueries(access, sources.pings)
        self._keyframes = KeyframeSelector(ring) if settings.timeline else None
        self._timeline = TimelineWriter(recording, budget_mb=settings.timeline_mb) if settings.timeline else None
        context = ContextProvider(access, settings=privacy, clipboard=sources.clipboard, pings=sources.pings)
        self.writer = StepWriter(
            recording,
            builder=StepBuilder(recording=recording, first=first, context=context, privacy=self.privacy),
            timeline=self._timeline,
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
        self.controls = RecordingControls(
            capture=self._capture, ring=ring, writer=self.writer, hold=self.hold, folder=folder
        )

    # How it goes ------------------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether something waits for time to pass."""
        return (
            self._capture.is_busy or self.controls.is_waiting or self._queries.is_waiting or self._keyframes is not None
        )

    @property
    def notices(self) -> list[str]:
        """What the person should know about how the recording goes on."""
        full = self._timeline is not None and self._timeline.is_full
        told = ["The film has reached its size; the steps are recorded on."] if full else []
        return [*told, *self._queries.problems]

    # While it records -------------------------------------------------------------------------------------------

    def take(self, event: InputEvent, *, paused: bool) -> str | None:
        """Take in one event; returns the meaning of a hot-key that it completes."""
        self._queries.note(event)
        return self._capture.take(event, self._hotkeys, paused=paused)

    def work(self, *, paused: bool) -> None:
        """Do whatever is due now."""
        now = time.monotonic_ns()
        self.controls.poll(now)
        self._queries.poll(now)
        self._write_finished()
        if self._keyframes is not None and not paused:
            self._write_keyframes(self._keyframes)

    def flush(self) -> None:
        """End what was open up to now: what comes is about what was done so far, or begins anew."""
        self._capture.flush(time.monotonic_ns())

    def pause(self) -> None:
        """End what was open, and take the shots that are still to come."""
        self.controls.finish_shots(time.monotonic_ns())
        self.flush()

    def _write_finished(self) -> None:
        for pending in self._capture.poll(time.monotonic_ns()):
            self.writer.store(pending)

    def _write_keyframes(self, keyframes: KeyframeSelector) -> None:
        """Hand new keyframes to the timeline; a disk that is far behind gets no more of them for a while.

        While texts are held back there are none: how a field fills tells how many keys there were, and their rhythm.
        """
        if self.hold.is_held:
            keyframes.skip()
        elif not self.writer.is_behind:
            for snapshot in keyframes.select():
                self.writer.add_keyframe(snapshot)

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
        now = time.monotonic_ns()
        if own_key is not None:
            self._capture.drop_key(own_key, since_ns=now - OWN_KEY_NS)
        self._capture.flush(now, cap=False)
        while self._capture.waits_since(time.monotonic_ns(), limit_ns=_LAST_STEP_NS):
            queue.take(_RESPONSE_POLL_S)
            self._write_finished()
        self.controls.finish_shots(now)

    def end(self) -> None:
        """Write the last steps; returns once everything is stored, and the writer's thread has ended."""
        for pending in self._capture.end(time.monotonic_ns()):
            self.writer.store(pending)
        self.writer.join()
