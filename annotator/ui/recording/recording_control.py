"""Control of a recording from the app: started and stopped off the GUI thread, followed by what it says."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from annotator.ui.operations import Operations
from annotator.ui.recording.recording_words import count_steps
from annotator.ui.services import RecordingPlan, Services
from annotator.words import tr
from demopack.settings import Settings
from demopack.store import Library
from recorder.event_filter import OwnWindows

if TYPE_CHECKING:
    from recorder.hotkeys import HotkeyListener
    from recorder.session import RecordingSession

_HEALTH_MS = 500


class RecordingControl(QObject):
    """One recording at a time.

    Attributes:
        own_windows: what a recording is told about the app's own windows.

    Signals:
        started: it records.
        state_changed: the session's state.
        step_seen: a step that was just saved, a ``Step``.
        step_changed: a saved step that got a note or a variable, a ``Step``.
        forgotten: ids of the steps that are gone for good, a list.
        said: one sentence about what was just done.
        asked: ``note`` or ``variable``: the person is to be asked for its text.
        counting: a shot will be taken in so many seconds.
        health_changed: what is wrong just now, a list of sentences.
        finished: id of the demo, when everything is saved.
        failed: why it did not start, or why it ended by itself.
        key_pressed: the global key, while nothing is recorded.
    """

    started = Signal()
    state_changed = Signal(str)
    step_seen = Signal(object)
    step_changed = Signal(object)
    forgotten = Signal(list)
    said = Signal(str)
    asked = Signal(str)
    counting = Signal(float)
    health_changed = Signal(list)
    finished = Signal(str)
    failed = Signal(object)
    key_pressed = Signal()

    def __init__(
        self, library: Library, operations: Operations, services: Services, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._operations = operations
        self._services = services
        self.settings = services.settings
        self.own_windows = OwnWindows()
        self._session: RecordingSession | None = None
        # Between the threads that start a recording or open the keys, and the app, which may end meanwhile.
        self._lock = threading.Lock()
        self._started: RecordingSession | None = None
        self._opened: HotkeyListener | None = None
        self._closed = False
        self._state = "ready"
        self._panicked = False
        self._muted = False
        self._keys: HotkeyListener | None = None
        self._timer = QTimer(self, interval=_HEALTH_MS)
        self._timer.timeout.connect(self._look)

    @property
    def active(self) -> bool:
        """Whether a recording is starting, running or being saved."""
        return self._session is not None or self._state == "starting"

    def use_settings(self, settings: Settings) -> None:
        """Go by other settings from the next recording on; the global key changes at once."""
        old, self.settings = self.settings, settings
        if self.active or old.recorder.hotkeys == settings.recorder.hotkeys:
            return
        keys, self._keys = self._keys, None
        if keys is not None:
            self._operations.start(
                keys.stop, on_result=lambda _: self.listen(), on_error=lambda _: self.listen(), lane="urgent"
            )

    def mute(self, muted: bool) -> None:  # noqa: FBT001 - a signal's slot
        """Take no notice of the global key while a key is being chosen in the settings."""
        self._muted = muted

    # Global key -----------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Wait for the global key; where the system does not allow it, there is none."""
        if self._keys is not None or self.active:
            return
        settings = self.settings

        def begin() -> HotkeyListener:
            keys = self._services.open_hotkeys(settings, self._on_idle_key)
            keys.start()
            with self._lock:
                self._opened = keys
                abandoned = self._closed
            if abandoned:
                keys.stop()
            return keys

        self._operations.start(begin, on_result=self._keep_keys, on_error=lambda _: None, lane="urgent")

    def _keep_keys(self, keys: HotkeyListener) -> None:
        if self.active or self._keys is not None:
            self._operations.start(keys.stop, on_error=lambda _: None, lane="urgent")
        else:
            self._keys = keys

    def _on_idle_key(self, meaning: str) -> None:
        """Comes from the hook's thread."""
        if meaning == "start_stop" and not self._muted:
            self._operations.post(self.key_pressed.emit)

    # Orders ---------------------------------------------------------------------------------------------------

    def start(self, plan: RecordingPlan) -> None:
        """Begin to record."""
        if self.active:
            return
        self._state = "starting"
        self._panicked = False
        keys, self._keys = self._keys, None
        settings = self.settings

        def begin() -> RecordingSession:
            if keys is not None:
                keys.stop()
            session = self._services.open_recorder(self._library, settings, plan, self.own_windows)
            self._listen_to(session)
            session.start()
            with self._lock:
                self._started = session
                abandoned = self._closed
            if abandoned:
                session.stop()
            return session

        self._operations.start(begin, on_result=self._begun, on_error=self._gone_wrong, lane="urgent")

    def toggle_pause(self) -> None:
        """Pause, or go on."""
        if self._session is not None:
            (self._session.resume if self._state == "paused" else self._session.pause)()

    def panic(self) -> None:
        """Pause at once and forget the last seconds."""
        if self._session is not None:
            self._panicked = True
            self._session.panic()

    def forget(self) -> None:
        """Remove the last seconds for good."""
        if self._session is not None:
            seconds = self.settings.recorder.privacy.forget_s
            self.said.emit(tr("Forgetting the last {seconds:g} s …").format(seconds=seconds))
            self._session.forget(seconds)

    def shot(self, delay_s: float | None = None) -> None:
        """Keep a picture of the screen as a step, now or in so many seconds; None for what the settings say."""
        if self._session is None:
            return
        if self._state == "paused":
            self.said.emit(tr("Paused, no picture"))
            return
        delay = self.settings.recorder.shot_delay_s if delay_s is None else delay_s
        self._session.add_shot(delay_s=delay)
        self.counting.emit(delay)

    @property
    def holds_text(self) -> bool:
        """Whether what is typed now is held back as a secret."""
        return self._session is not None and self._session.holds_text

    def toggle_hold(self) -> None:
        """Hold back what is typed from now on as a secret, or store it again."""
        if self._session is not None:
            hold = not self._session.holds_text
            self._session.hold_text(hold)
            self.said.emit(tr("Text is held back") if hold else tr("Text is stored again"))

    def add_note(self, text: str) -> None:
        """Write a note on the last step."""
        if self._session is not None and text.strip():
            self._session.add_note(text.strip())

    def mark_variable(self, name: str) -> None:
        """What was typed last is the value of a variable."""
        if self._session is not None and name:
            self._session.mark_variable(name)

    def stop(self) -> None:
        """End the recording and save it."""
        session = self._session
        if session is None or self._state == "stopping":
            return
        self._state = "stopping"
        self._timer.stop()
        self._operations.start(session.stop, on_result=self._ended, on_error=self._gone_wrong, lane="urgent")

    def close(self) -> None:
        """The app ends: save what is recorded, now."""
        with self._lock:
            # What comes up only after this is stopped by who starts it.
            self._closed = True
            session, self._started = self._started, None
            every = (self._keys, self._opened)
        for keys in every:
            if keys is not None:
                keys.stop()
        self._keys = None
        self._session = None
        self._timer.stop()
        if session is not None and self._state != "stopping":
            session.stop()

    # What the session says ------------------------------------------------------------------------------------

    def _begun(self, session: RecordingSession) -> None:
        self._session = session
        self._state = "recording"
        self._timer.start()
        self.started.emit()

    def _ended(self, demo_id: str) -> None:
        session, self._session, self._started = self._session, None, None
        self._state = "ready"
        error = None if session is None else session.error
        self.finished.emit(demo_id)
        if error is not None:
            self.failed.emit(error)
        self.listen()

    def _gone_wrong(self, error: Exception) -> None:
        """It could not be started, or not be saved."""
        self._session = self._started = None
        self._state = "ready"
        self.failed.emit(error)
        self.listen()

    def _listen_to(self, session: RecordingSession) -> None:
        """What a session says comes from its own threads; everything is passed on to this one."""
        post = self._operations.post
        session.on_step = lambda step: post(lambda: self.step_seen.emit(step))
        session.on_changed = lambda step: post(lambda: self.step_changed.emit(step))
        session.on_forgotten = lambda ids: post(lambda: self._tell_forgotten(list(ids)))
        session.on_state = lambda state: post(lambda: self._follow(state))
        session.on_hotkey = self._on_hotkey

    def _on_hotkey(self, meaning: str) -> None:
        calls: dict[str, Callable[[], None]] = {
            "start_stop": self.stop,
            "pause": self.toggle_pause,
            "shot": self.shot,
            "variable": lambda: self.asked.emit("variable"),
            "note": lambda: self.asked.emit("note"),
            "forget": self.forget,
            "panic": self.panic,
            "hold_text": self.toggle_hold,
        }
        self._operations.post(calls[meaning])

    def _tell_forgotten(self, ids: list[str]) -> None:
        self.forgotten.emit(ids)
        forgot = (
            tr("Forgot {count_steps}").format(count_steps=count_steps(len(ids)))
            if ids
            else tr("No saved step was forgotten")
        )
        self.said.emit(tr("Paused. {forgot}").format(forgot=forgot) if self._panicked else forgot)
        self._panicked = False

    def _follow(self, state: str) -> None:
        if self._session is None:
            return
        if state in {"recording", "paused"}:
            self._state = state
        self.state_changed.emit(state)
        if state == "stopped" and self._state != "stopping":
            # It ended by itself, because of an error; stop() then only tells which demo it was.
            self.stop()

    def _look(self) -> None:
        if self._session is not None:
            self.health_changed.emit(self._session.health)
