"""One recording, from the first look at the screen to a demo in the library."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Literal

from demopack.clock import now_ns, utc_now
from demopack.domain.demos import CaptureCounters, DemoHead
from demopack.domain.events import InputEvent
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.errors import CaptureError, DemopackError
from demopack.settings import RecorderSettings
from demopack.store import Library, Recording
from recorder.area import EVERYTHING, CaptureArea
from recorder.backends.base import AccessSource, InputSource, ScreenSource, WindowSource
from recorder.crew import Crew
from recorder.health import Health, broken_off
from recorder.hotkeys import HotkeyDetector, recording_hotkeys
from recorder.intake import EventQueue
from recorder.liveness import Liveness
from recorder.orders import Order, OrderKind
from recorder.screen.frames import FrameRing
from recorder.screen.grabber import Grabber
from recorder.sources import Sources, platform_name
from recorder.writer import WriterEvents

__all__ = ["RecordingSession", "SessionState"]

_log = logging.getLogger(__name__)

SessionState = Literal["ready", "recording", "paused", "finishing", "stopped"]

_BUSY_S, _QUIET_S = 0.04, 0.25
_LAST_STEP_NS = 500_000_000  # how long a stop waits for the screen to answer the last action
_OWN_KEY_NS = 2_000_000_000


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
            take_of: the demo whose end is recorded anew; see ``demopack.store.takes``.
            take_after: the step of that demo after which this goes on; empty for its beginning.
            screen: where pictures come from; the session's screen by default. A given source is not closed.
            inputs: where events come from; stopped in any case.
            windows: who knows the windows; a given source is not closed.
            access: what programs tell about their elements; the session's own by default, unless the settings forbid
                it. Stopped in any case.

        Raises:
            BadInputError: a hot-key in the settings is not a key.
        """
        self.on_step: Callable[[Step], None] = _nothing
        self.on_state: Callable[[str], None] = _nothing
        self.on_changed: Callable[[Step], None] = _nothing
        self.on_forgotten: Callable[[Sequence[str]], None] = _nothing
        self.on_hotkey: Callable[[str], None] = _nothing
        self.error: DemopackError | None = None
        self._library = library
        self._settings = settings
        self._area = area
        self._sources = Sources(
            screen=screen, windows=windows, inputs=inputs, access=access, area=area, privacy=settings.privacy
        )
        self._head = DemoHead(
            id=new_id("demo"),
            task=task,
            app=app,
            platform=platform_name(),
            created_at=utc_now(),
            area=str(area),
            take_of=take_of,
            take_after=take_after,
        )
        self._hotkeys = HotkeyDetector(recording_hotkeys(settings.hotkeys))
        self._state: SessionState = "ready"
        self._queue = EventQueue()
        self._ring = FrameRing()
        self._health = Health(library.folder)
        self._notices: list[str] = []
        self._paused_by_disk = False
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
            steps_forgotten=0 if self._state == "ready" else self._crew.writer.steps_forgotten,
            secrets_hidden=0 if self._state == "ready" else self._crew.secrets_hidden,
        )

    @property
    def health(self) -> list[str]:
        """What is wrong at the moment, in the user's words; empty when all is well."""
        notices = [] if self._state == "ready" else self._crew.notices
        return [*self._notices, *notices, *self._health.problems]

    @property
    def holds_text(self) -> bool:
        """Whether what is typed now is held back as a secret; see :meth:`hold_text`."""
        return self._state != "ready" and self._crew.hold.is_held

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
            self._crew = Crew(
                self._recording,
                folder=self._library.folder,
                ring=self._ring,
                sources=sources,
                settings=self._settings,
                area=self._area,
                events=WriterEvents(
                    saved=lambda step: self.on_step(step),
                    changed=lambda step: self.on_changed(step),
                    forgotten=lambda ids: self.on_forgotten(ids),
                ),
            )
            self._liveness = Liveness(grabber=self._grabber, inputs=sources.inputs, hold=self._crew.hold)
            self._notices = sources.hold_keys(recording_hotkeys(self._settings.hotkeys))
            sources.inputs.start(self._queue.put)
            undo.pop_all()
        self._crew.writer.start()
        self._set_state("recording")
        self._thread.start()

    def pause(self) -> None:
        """Record nothing until :meth:`resume`; what was done before is saved. Harmless in any other state."""
        self._order("pause")

    def resume(self) -> None:
        """Go on after a pause. Harmless in any other state."""
        self._order("resume")

    def panic(self) -> None:
        """Pause at once, throw away what was not yet saved, and forget the last seconds for good."""
        self._order("panic", seconds=self._settings.privacy.panic_forget_s)

    def forget(self, seconds: float) -> None:
        """Remove every step of the last ``seconds`` and its pictures from the disk for good, and go on recording."""
        self._order("forget", seconds=seconds)

    def add_shot(self, *, delay_s: float = 0.0) -> None:
        """Keep a picture of the screen as a step of its own; at once it is the screen as it was at the hot-key."""
        self._order("shot", seconds=delay_s, t_ns=None if delay_s else self._at_key("shot"))

    def add_note(self, text: str) -> None:
        """Write a note on the last step."""
        self._order("note", text=text)

    def mark_variable(self, name: str) -> None:
        """The text that was typed last is the value of a variable called ``name``."""
        self._order("variable", text=name)

    def hold_text(self, hold: bool) -> None:  # noqa: FBT001 - that is the whole order
        """Hold back what is typed from now on as a secret, or store it again.

        The recording does the first by itself when programs stop telling which fields hold passwords.
        """
        self._order("hold_text" if hold else "store_text", t_ns=self._at_key("hold_text"))

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
        self._order("stop")
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
        for item in self._queue.take(_BUSY_S if self._crew.is_busy else _QUIET_S):
            if isinstance(item, Order) and item.kind == "stop":
                return False
            if isinstance(item, InputEvent):
                self._handle(item)
            else:
                self._obey(item)
        self._crew.work(paused=self._state != "recording")
        self.error = self._crew.writer.error or self._liveness.look()
        recording = self._state == "recording"
        must_pause = self._health.check(
            self._ring, self._queue, self._grabber.error, lost=self._liveness.problems, watching=recording
        )
        if self.error is not None:
            return False
        if must_pause and recording:
            self._paused_by_disk = True
            self._pause()
        return True

    def _handle(self, event: InputEvent) -> None:
        meaning = self._crew.take(event, self._hotkeys, paused=self._state != "recording")
        if meaning is not None:
            self._key_ns[meaning] = event.t_ns
        if meaning in {"note", "variable", "hold_text"} and self._state == "recording":
            # What is said now is about what was done up to here, or from here on.
            self._crew.capture.flush(time.monotonic_ns())
        if meaning is not None:
            self.on_hotkey(meaning)
        if self._state == "recording":
            self._grabber.poke(acts=event.kind != "move")

    def _obey(self, order: Order) -> None:
        if order.kind == "pause":
            self._pause()
        elif order.kind == "resume":
            self._resume()
        elif order.kind != "shot" or self._state == "recording":
            # What is said about saved steps counts while paused too; a picture would show what is not to be recorded.
            self._crew.desk.obey(order)
            if order.kind == "panic":
                self._pause()

    def _pause(self) -> None:
        if self._state == "recording":
            self._crew.desk.finish_shots(time.monotonic_ns())
            self._crew.capture.flush(time.monotonic_ns())
            self._set_state("paused")

    def _resume(self) -> None:
        if self._state == "paused":
            self._paused_by_disk = False
            self._set_state("recording")

    def _finish(self) -> None:
        outcome, reason, own_key = self._ending
        was_paused = self._state == "paused"
        self._set_state("finishing")
        try:
            self._sources.inputs.stop()
        except Exception as error:  # noqa: BLE001 - what was recorded is stored all the same
            self.error = self.error or broken_off(error)
        try:
            with self._recording:
                if self.error is None:
                    self._take_rest(own_key, paused=was_paused)
                self._grabber.stop()
                for draft in self._crew.capture.end(time.monotonic_ns()):
                    self._crew.writer.put(draft)
                self._crew.writer.join()
                self.error = self.error or self._crew.writer.error
                if self.error is not None:
                    self._crew.writer.break_off(str(self.error), counters=self.counters)
                elif was_paused and self._paused_by_disk:
                    self._crew.writer.break_off("The disk was almost full.", counters=self.counters)
                else:
                    self._crew.writer.finish(self._ring.newest, outcome=outcome, reason=reason, counters=self.counters)
        except DemopackError as error:
            _log.info("The end of the recording could not be stored: %s", error)
            self.error = self.error or error
        except Exception as error:  # noqa: BLE001 - as above
            self.error = self.error or broken_off(error)
        finally:
            self._crew.writer.join()
            self._sources.close()
            self._set_state("stopped")

    def _take_rest(self, own_key: str | None, *, paused: bool) -> None:
        """What was done before the stop, and how the screen answered it."""
        for item in self._queue.take(0):
            if isinstance(item, InputEvent):
                self._crew.capture.take(item, self._hotkeys, paused=paused)
        now = time.monotonic_ns()
        if own_key is not None:
            self._crew.capture.drop_key(own_key, since_ns=now - _OWN_KEY_NS)
        self._crew.capture.flush(now, cap=False)
        while self._crew.capture.waits_since(time.monotonic_ns(), limit_ns=_LAST_STEP_NS):
            self._queue.take(_BUSY_S)
            self._crew.hand_over()
        self._crew.desk.finish_shots(now)

    # Small parts ------------------------------------------------------------------------------------------------

    def _set_state(self, state: SessionState) -> None:
        self._state = state
        self.on_state(state)

    def _at_key(self, meaning: str) -> int | None:
        """When the hot-key was pressed that is the reason for an order now; None for an order by other means."""
        pressed_ns = self._key_ns.pop(meaning, 0)
        return pressed_ns if now_ns() - pressed_ns < _OWN_KEY_NS else None

    def _order(self, kind: OrderKind, *, seconds: float = 0.0, text: str = "", t_ns: int | None = None) -> None:
        self._queue.order(Order(kind=kind, t_ns=t_ns or now_ns(), seconds=seconds, text=text))
