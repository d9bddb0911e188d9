"""One recording, from the first look at the screen to a demo in the library."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from typing import Literal

from demopack.clock import now_ns, utc_now
from demopack.domain.demos import CaptureCounters, DemoHead
from demopack.domain.events import InputEvent
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.errors import CaptureError, DemopackError
from demopack.settings import RecorderSettings
from demopack.store import Library, Recording
from recorder.backends.base import InputSource, ScreenSource, WindowSource
from recorder.capture import Capture
from recorder.frames import FrameRing
from recorder.gestures import Constants
from recorder.grabber import Grabber
from recorder.health import Health, broken_off
from recorder.hotkeys import HotkeyDetector, recording_hotkeys
from recorder.intake import EventQueue, Item
from recorder.orders import Order
from recorder.sources import Sources, platform_name
from recorder.writer import StepWriter

__all__ = ["RecordingSession", "SessionState"]

_log = logging.getLogger(__name__)

SessionState = Literal["ready", "recording", "paused", "finishing", "stopped"]

_BUSY_S, _QUIET_S = 0.04, 0.25
_LAST_STEP_NS = 500_000_000  # how long a stop waits for the screen to answer the last action
_OWN_KEY_NS = 2_000_000_000
_GONE_NS = 10_000_000_000


def _nothing(_: object) -> None:
    return


class RecordingSession:
    """Records until it is stopped; made for one demo.

    Four threads work for it: the input hook only stamps and enqueues; the grabber looks at the screen; the session's
    own thread turns events into gestures and pairs them with frames; the writer commits each step as soon as it is
    known. A crash therefore loses at most the step that was under way.

    Methods may be called from any thread but the callbacks. Callbacks come from the session's threads and must return
    quickly.

    Attributes:
        on_step: called with each step, after it is safe on the disk.
        on_state: called with each new state.
        on_hotkey: called with ``start_stop`` or ``pause``; the session itself does nothing about them.
        error: why a recording ended by itself; None otherwise.
    """

    def __init__(
        self,
        library: Library,
        *,
        settings: RecorderSettings,
        task: str,
        app: str = "",
        screen: ScreenSource | None = None,
        inputs: InputSource | None = None,
        windows: WindowSource | None = None,
    ) -> None:
        """Prepare a recording; nothing is opened yet.

        Args:
            library: where the demo goes.
            settings: time constants, frame intervals and hot-keys.
            task: what the person sets out to do.
            app: the main application; found out when empty.
            screen: where pictures come from; the session's screen by default. A given source is not closed.
            inputs: where events come from; stopped in any case.
            windows: who knows the windows; a given source is not closed.

        Raises:
            BadInputError: a hot-key in the settings is not a key.
        """
        self.on_step: Callable[[Step], None] = _nothing
        self.on_state: Callable[[str], None] = _nothing
        self.on_hotkey: Callable[[str], None] = _nothing
        self.error: DemopackError | None = None
        self._library = library
        self._settings = settings
        self._sources = Sources(screen=screen, windows=windows, inputs=inputs)
        self._head = DemoHead(id=new_id("demo"), task=task, app=app, platform=platform_name(), created_at=utc_now())
        self._hotkeys = HotkeyDetector(recording_hotkeys(settings.hotkeys))
        self._state: SessionState = "ready"
        self._queue = EventQueue()
        self._ring = FrameRing()
        self._health = Health(library.folder)
        self._ending: tuple[Literal["success", "failure"] | None, str, str | None] = (None, "", None)
        self._thread = threading.Thread(target=self._run, name="recording-session", daemon=True)

    # What the user sees -----------------------------------------------------------------------------------------

    @property
    def state(self) -> SessionState:
        """What the session is doing."""
        return self._state

    @property
    def demo_id(self) -> str:
        """The id of the demo."""
        return self._head.id

    @property
    def counters(self) -> CaptureCounters:
        """What has gone through so far."""
        return CaptureCounters(
            events_seen=self._queue.seen,
            events_dropped=self._queue.dropped,
            frames_grabbed=self._ring.grabbed,
            frames_kept=self._ring.kept,
        )

    @property
    def health(self) -> list[str]:
        """What is wrong at the moment, in the user's words; empty when all is well."""
        return self._health.problems

    # Orders -----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Open the sources, take the first picture, begin. Returns once input is being watched.

        Raises:
            CaptureError: the screen or the input of this session cannot be captured.
            LibraryBusyError: another recording is running in this library.
        """
        if self._state != "ready":
            raise CaptureError("This recording was started before.", hint="Start a new one.")
        with contextlib.ExitStack() as undo:
            undo.callback(self._sources.close)
            self._sources.open()
            sources = self._sources
            undo.callback(sources.inputs.stop)
            self._grabber = Grabber(
                screen=sources.screen, windows=sources.windows, ring=self._ring, settings=self._settings
            )
            self._grabber.start()
            undo.callback(self._grabber.stop)
            self._head = self._head.model_copy(update={"started_ns": now_ns()})
            self._recording: Recording = undo.enter_context(self._library.begin_recording(self._head))
            first = self._ring.newest
            assert first is not None
            self._writer = StepWriter(self._library, self._recording, first=first, on_step=self._step_done)
            self._capture = Capture(
                self._ring,
                constants=Constants.of(self._settings, sources.inputs.timings()),
                settle_timeout_ms=self._settings.settle_timeout_ms,
            )
            sources.inputs.start(self._queue.put)
            undo.pop_all()
        self._writer.start()
        self._set_state("recording")
        self._thread.start()

    def pause(self) -> None:
        """Record nothing until :meth:`resume`; what was done before is saved. Harmless in any other state."""
        self._queue.order(Order(kind="pause", t_ns=now_ns()))

    def resume(self) -> None:
        """Go on after a pause. Harmless in any other state."""
        self._queue.order(Order(kind="resume", t_ns=now_ns()))

    def stop(
        self,
        *,
        outcome: Literal["success", "failure"] | None = "success",
        reason: str = "",
        own_key: str | None = None,
    ) -> str:
        """End the recording; returns the id of the demo, with every step and a last ``finish_goal`` saved.

        Args:
            outcome: whether the task was done; None leaves that open, and then there is no ``finish_goal``.
            reason: why it failed.
            own_key: a key combination that was the order to stop, and so must not become a step.

        Raises:
            CaptureError: nothing is being recorded.
        """
        if threading.current_thread() is self._thread:
            raise CaptureError("A recording cannot be stopped from within its own callbacks.")
        if self._state == "ready":
            raise CaptureError("Nothing is being recorded.", hint="Start the recording first.")
        self._ending = (outcome, reason, own_key)
        self._queue.order(Order(kind="stop", t_ns=now_ns()))
        self._thread.join()
        return self._head.id

    # The session's thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while self._turn():
                pass
        except DemopackError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001 - a user must not believe that this is still being recorded
            self.error = broken_off(error)
        finally:
            self._finish()

    def _turn(self) -> bool:
        """Handle what has come in; returns False when the recording is to end."""
        for item in self._queue.take(_BUSY_S if self._capture.is_busy else _QUIET_S):
            if isinstance(item, Order) and item.kind == "stop":
                return False
            self._handle(item)
        for draft in self._capture.poll(time.monotonic_ns()):
            self._writer.put(draft)
        self.error = self._writer.error or self._lost_screen()
        if self.error is not None:
            return False
        if self._health.check(self._ring, self._queue, self._grabber.error) and self._state == "recording":
            self._pause()
        return True

    def _lost_screen(self) -> CaptureError | None:
        """Why the recording cannot go on: the screen has been gone for too long to be coming back."""
        error = self._grabber.error
        gone = error is not None and time.monotonic_ns() - self._grabber.failing_since_ns > _GONE_NS
        return error if gone else None

    def _handle(self, item: Item) -> None:
        if isinstance(item, InputEvent):
            meaning = self._capture.take(item, self._hotkeys, paused=self._state != "recording")
            if meaning is not None:
                self.on_hotkey(meaning)
            if self._state == "recording":
                self._grabber.poke(acts=item.kind != "move")
        elif item.kind == "pause":
            self._pause()
        elif item.kind == "resume":
            self._resume()

    def _pause(self) -> None:
        if self._state == "recording":
            self._capture.flush(time.monotonic_ns())
            self._set_state("paused")

    def _resume(self) -> None:
        if self._state == "paused":
            self._set_state("recording")

    def _finish(self) -> None:
        outcome, reason, own_key = self._ending
        was_paused = self._state == "paused"
        self._set_state("finishing")
        self._sources.inputs.stop()
        try:
            with self._recording:
                if self.error is None:
                    self._take_rest(own_key, paused=was_paused)
                self._grabber.stop()
                for draft in self._capture.end(time.monotonic_ns()):
                    self._writer.put(draft)
                self._writer.join()
                self.error = self.error or self._writer.error
                if self.error is None:
                    self._writer.finish(self._ring.newest, outcome=outcome, reason=reason, counters=self.counters)
        except DemopackError as error:
            _log.info("The end of the recording could not be stored: %s", error)
            self.error = error
        except Exception as error:  # noqa: BLE001 - as above
            self.error = broken_off(error)
        finally:
            self._sources.close()
            self._set_state("stopped")

    def _take_rest(self, own_key: str | None, *, paused: bool) -> None:
        """What was done before the stop, and how the screen answered it."""
        for item in self._queue.take(0):
            if isinstance(item, InputEvent):
                self._capture.take(item, self._hotkeys, paused=paused)
        now = time.monotonic_ns()
        if own_key is not None:
            self._capture.drop_key(own_key, since_ns=now - _OWN_KEY_NS)
        self._capture.flush(now, cap=False)
        while self._capture.waits_since(time.monotonic_ns(), limit_ns=_LAST_STEP_NS):
            self._queue.take(_BUSY_S)
            for draft in self._capture.poll(time.monotonic_ns()):
                self._writer.put(draft)

    # Small parts ------------------------------------------------------------------------------------------------

    def _set_state(self, state: SessionState) -> None:
        self._state = state
        self.on_state(state)

    def _step_done(self, step: Step) -> None:
        self.on_step(step)
