"""One recording, from the first look at the screen to a demo in the library."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Literal

from demopack.clock import now_ns, utc_now
from demopack.domain.demos import CaptureCounters, DemoHead
from demopack.domain.events import InputEvent
from demopack.domain.records import new_id
from demopack.domain.screenshots import Snapshot
from demopack.domain.steps import Step
from demopack.errors import CaptureError, DemopackError
from demopack.settings import RecorderSettings
from demopack.store import Library, Recording
from recorder.area import EVERYTHING, CaptureArea
from recorder.backends.base import AccessSource, InputSource, ScreenSource, WindowSource, broken_off
from recorder.event_filter import OwnWindows
from recorder.health import Health
from recorder.hotkeys import HotkeyDetector, recording_hotkeys
from recorder.pipeline import RecordingPipeline
from recorder.screen.grabber import Grabber
from recorder.screen.snapshots import SnapshotRing
from recorder.sources import OWN_KEY_NS, EventQueue, Sources, platform_name

_log = logging.getLogger(__name__)

SessionState = Literal["ready", "recording", "paused", "finishing", "stopped"]

_BUSY_S, _QUIET_S = 0.04, 0.25


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
        on_changed: called with a saved step that has got a note or a variable.
        on_forgotten: called with the ids of steps that were removed for good.
        on_hotkey: called with the meaning of a hot-key, a field name of ``HotkeySettings``; the session itself does
            nothing about it.
        error: why a recording ended by itself; None otherwise.
    """

    def __init__(
        self,
        library: Library,
        *,
        settings: RecorderSettings,
        task: str,
        app: str = "",
        area: CaptureArea = EVERYTHING,
        take_of: str = "",
        take_after: str = "",
        display: str | None = None,
        own_windows: OwnWindows | None = None,
        screen: ScreenSource | None = None,
        inputs: InputSource | None = None,
        windows: WindowSource | None = None,
        access: AccessSource | None = None,
    ) -> None:
        """Prepare a recording; nothing is opened yet.

        Args:
            library: where the demo goes.
            settings: time constants, frame intervals, hot-keys and what must stay private.
            task: what the person sets out to do.
            app: the main application; found out when empty.
            area: what part of the desktop is captured.
            take_of: the demo whose end is recorded anew; see ``demopack.store.retakes``.
            take_after: the step of that demo after which this goes on; empty for its beginning.
            display: an X server other than the one in ``DISPLAY``, for instance that of a recording desktop.
            own_windows: what the app tells about its own windows; nothing by default.
            screen: where pictures come from; the session's screen by default. A given source is not closed.
            inputs: where events come from; stopped in any case.
            windows: who knows the windows; a given source is not closed.
            access: what programs tell about their elements; the session's own by default, unless the settings forbid
                it. Stopped in any case.

        Raises:
            BadInputError: a hot-key in the settings is not a key.
        """
        self.on_step: Callable[[Step], None] = lambda _: None
        self.on_state: Callable[[str], None] = lambda _: None
        self.on_changed: Callable[[Step], None] = lambda _: None
        self.on_forgotten: Callable[[Sequence[str]], None] = lambda _: None
        self.on_hotkey: Callable[[str], None] = lambda _: None
        self.error: DemopackError | None = None
        self._library = library
        self._settings = settings
        self._area = area
        self._own_windows = own_windows or OwnWindows()
        self._sources = Sources(
            display=display,
            screen=screen,
            windows=windows,
            inputs=inputs,
            access=access,
            area=area,
            privacy=settings.privacy,
        )
        self._head = DemoHead(
            id=new_id("demo"),
            task=task,
            app=app,
            platform=platform_name(display),
            created_at=utc_now(),
            area=str(area),
            take_of=take_of,
            take_after=take_after,
        )
        self._hotkeys = HotkeyDetector(recording_hotkeys(settings.hotkeys))
        self._state: SessionState = "ready"
        self._queue = EventQueue()
        self._ring = SnapshotRing()
        self._notices: list[str] = []
        self._paused_by_disk = False
        self._shown_last: Snapshot | None = None
        self._key_ns: dict[str, int] = {}
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
            steps_forgotten=0 if self._state == "ready" else self._pipeline.writer.steps_forgotten,
            secrets_hidden=0 if self._state == "ready" else self._pipeline.privacy.secrets_hidden,
        )

    @property
    def health(self) -> list[str]:
        """What is wrong at the moment, in the user's words; empty when all is well."""
        return [] if self._state == "ready" else [*self._notices, *self._pipeline.notices, *self._health.problems]

    @property
    def holds_text(self) -> bool:
        """Whether what is typed now is held back as a secret; see :meth:`hold_text`."""
        return self._state != "ready" and self._pipeline.hold.is_held

    # Commands ---------------------------------------------------------------------------------------------------

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
                screen=sources.screen,
                windows=sources.windows,
                ring=self._ring,
                settings=self._settings,
                own=self._own_windows,
            )
            self._grabber.start()
            undo.callback(self._grabber.stop)
            self._head = self._head.model_copy(update={"started_ns": now_ns()})
            self._recording: Recording = undo.enter_context(self._library.begin_recording(self._head))
            self._pipeline = RecordingPipeline(
                self._recording,
                folder=self._library.folder,
                ring=self._ring,
                sources=sources,
                settings=self._settings,
                area=self._area,
                own=self._own_windows,
                hotkeys=self._hotkeys,
                events=self,
            )
            self._health = Health(
                self._library.folder,
                ring=self._ring,
                queue=self._queue,
                grabber=self._grabber,
                inputs=sources.inputs,
                hold=self._pipeline.hold,
            )
            sources.open_controls(lambda order: self._queue.put_command(lambda: self.on_hotkey(order)))
            self._notices = sources.hold_keys(recording_hotkeys(self._settings.hotkeys))
            sources.inputs.start(self._queue.put)
            undo.pop_all()
        self._pipeline.writer.start()
        self._set_state("recording")
        self._thread.start()

    def pause(self) -> None:
        """Record nothing until :meth:`resume`; what was done before is saved. Harmless in any other state."""
        self._queue.put_command(self._pause)

    def resume(self) -> None:
        """Go on after a pause. Harmless in any other state."""
        self._queue.put_command(self._resume)

    def panic(self) -> None:
        """Pause at once, throw away what was not yet saved, and forget the last seconds for good."""
        since_ns = now_ns() - round(self._settings.privacy.panic_forget_s * 1e9)

        def carry_out() -> None:
            self._pipeline.purge(since_ns, unsaved_since_ns=0)
            self._shown_last = None  # what was shown last may be what is to be forgotten
            if self._state == "recording":
                self._set_state("paused")

        self._queue.put_command(carry_out)

    def forget(self, seconds: float) -> None:
        """Remove every step of the last ``seconds`` and its pictures from the disk for good, and go on recording."""
        since_ns = now_ns() - round(seconds * 1e9)
        self._queue.put_command(lambda: self._pipeline.purge(since_ns, unsaved_since_ns=since_ns))

    def add_shot(self, *, delay_s: float = 0.0) -> None:
        """Keep a picture of the screen as a step of its own; at once it is the screen as it was at the hot-key."""
        due_ns = now_ns() + round(delay_s * 1e9) if delay_s else self._at_key("shot")

        def carry_out() -> None:
            if self._state == "recording":  # else it would show what is not to be recorded
                self._pipeline.shots.append(due_ns)

        self._queue.put_command(carry_out)

    def add_note(self, text: str) -> None:
        """Write a note on the last step."""
        t_ns = now_ns()
        self._queue.put_command(lambda: self._pipeline.mark(t_ns, "note", text))

    def mark_variable(self, name: str) -> None:
        """The text that was typed last is the value of a variable called ``name``."""
        t_ns = now_ns()
        self._queue.put_command(lambda: self._pipeline.mark(t_ns, "variable", name))

    def hold_text(self, hold: bool) -> None:  # noqa: FBT001 - that is the whole order
        """Hold back what is typed from now on as a secret, or store it again.

        The recording does the first by itself when programs stop telling which fields hold passwords.
        """
        t_ns = self._at_key("hold_text")
        self._queue.put_command(lambda: self._pipeline.hold_text(t_ns, hold=hold))

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
        self._queue.put_command(None)
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
        for item in self._queue.take(_BUSY_S if self._pipeline.is_busy else _QUIET_S):
            if item is None:
                return False
            if isinstance(item, InputEvent):
                self._handle(item)
            else:
                item()
        self._pipeline.work(paused=self._state != "recording")
        recording = self._state == "recording"
        self.error = self._pipeline.writer.error or self._health.check(watching=recording)
        if self.error is not None:
            return False
        if self._health.disk and recording:
            self._paused_by_disk = True
            self._pause()
        return True

    def _handle(self, event: InputEvent) -> None:
        meaning = self._pipeline.take(event, paused=self._state != "recording")
        if meaning is not None:
            self._key_ns[meaning] = event.t_ns
        if meaning in {"note", "variable", "hold_text"} and self._state == "recording":
            # What is said now is about what was done up to here, or from here on.
            self._pipeline.flush()
        if meaning is not None:
            self.on_hotkey(meaning)
        if self._state == "recording":
            self._grabber.poke(acts=event.kind != "move")

    def _resume(self) -> None:
        if self._state == "paused":
            self._paused_by_disk = False
            self._pipeline.resume()
            self._set_state("recording")

    def _pause(self) -> None:
        if self._state == "recording":
            self._pipeline.pause()
            self._shown_last = self._ring.newest
            self._set_state("paused")

    def _finish(self) -> None:
        was_paused = self._state == "paused"
        for part in (
            lambda: self._set_state("finishing"),
            self._sources.inputs.stop,
            lambda: self._store_end(was_paused=was_paused),
            self._pipeline.writer.join,
            self._sources.close,
            lambda: self._set_state("stopped"),
        ):
            self._do_part(part)

    def _do_part(self, part: Callable[[], object]) -> None:
        """Do one part of the end; what it raises is kept in ``error``, and the other parts are done all the same."""
        try:
            part()
        except DemopackError as error:
            _log.info("A part of the end of the recording failed: %s", error)
            self.error = self.error or error
        except Exception as error:  # noqa: BLE001 - what was recorded is stored, and the library freed, all the same
            self.error = self.error or broken_off(error)

    def _store_end(self, *, was_paused: bool) -> None:
        outcome, reason, own_key = self._ending
        with self._recording:
            try:
                if self.error is None:
                    self._pipeline.take_last(self._queue, own_key=own_key, paused=was_paused)
            finally:
                self._grabber.stop()
            self._pipeline.end()
            self.error = self.error or self._pipeline.writer.error
            if self.error is not None:
                self._pipeline.writer.break_off(str(self.error), counters=self.counters)
            elif was_paused and self._paused_by_disk:
                self._pipeline.writer.break_off("The disk was almost full.", counters=self.counters)
            else:
                final = self._shown_last if was_paused else self._ring.newest
                self._pipeline.writer.finish(final, outcome=outcome, reason=reason, counters=self.counters)

    # Small parts ------------------------------------------------------------------------------------------------

    def _set_state(self, state: SessionState) -> None:
        self._state = state
        self._sources.show_state(state)
        self.on_state(state)

    def _at_key(self, meaning: str) -> int:
        """When the hot-key was pressed that is the reason for a command now; now, for a command by other means."""
        now, pressed_ns = now_ns(), self._key_ns.pop(meaning, 0)
        return pressed_ns if now - pressed_ns < OWN_KEY_NS else now
