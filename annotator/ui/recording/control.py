"""Drives a recording from the app: starts and stops it off the GUI thread, and follows what it says."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from annotator.ui.job_runner import JobRunner
from annotator.ui.services import HotkeySource, Recorder, Services
from demopack.domain.steps import Step
from demopack.domain.words import describe_action
from demopack.store import Library

__all__ = ["RecordingControl"]

_HEALTH_MS = 1000


class RecordingControl(QObject):
    """One recording at a time.

    Signals:
        started: it records.
        state_changed: the session's state.
        step_seen: the last step, in words.
        health_changed: what is wrong just now, a list of sentences.
        finished: id of the demo, when everything is saved.
        failed: why it did not start, or why it ended by itself.
        key_pressed: the global key, while nothing is recorded.
    """

    started = Signal()
    state_changed = Signal(str)
    step_seen = Signal(str)
    health_changed = Signal(list)
    finished = Signal(str)
    failed = Signal(object)
    key_pressed = Signal()

    def __init__(self, library: Library, runner: JobRunner, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._runner = runner
        self._services = services
        self._session: Recorder | None = None
        self._state = "ready"
        self._keys: HotkeySource | None = None
        self._timer = QTimer(self, interval=_HEALTH_MS)
        self._timer.timeout.connect(self._look)

    @property
    def active(self) -> bool:
        """Whether a recording is starting, running or being saved."""
        return self._session is not None or self._state == "starting"

    # Global key -----------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Wait for the global key; where the system does not allow it, there is none."""
        if self._keys is not None or self.active:
            return

        def begin() -> HotkeySource:
            keys = self._services.open_hotkeys(self._services.settings, self._on_idle_key)
            keys.start()
            return keys

        self._runner.background(begin, on_result=self._keep_keys, on_error=lambda _: None)

    def _keep_keys(self, keys: HotkeySource) -> None:
        if self.active or self._keys is not None:
            self._runner.background(keys.stop, on_result=lambda _: None, on_error=lambda _: None)
        else:
            self._keys = keys

    def _on_idle_key(self, meaning: str) -> None:
        """Comes from the hook's thread."""
        if meaning == "start_stop":
            self._runner.post(self.key_pressed.emit)

    # Orders ---------------------------------------------------------------------------------------------------

    def start(self, task: str) -> None:
        """Begin to record a task."""
        if self.active:
            return
        self._state = "starting"
        keys, self._keys = self._keys, None

        def begin() -> Recorder:
            if keys is not None:
                keys.stop()
            session = self._services.open_recorder(self._library, self._services.settings, task)
            session.on_step = self._on_step
            session.on_state = self._on_state
            session.on_hotkey = self._on_hotkey
            session.start()
            return session

        self._runner.background(begin, on_result=self._begun, on_error=self._not_begun)

    def toggle_pause(self) -> None:
        """Pause, or go on."""
        if self._session is not None:
            (self._session.resume if self._state == "paused" else self._session.pause)()

    def stop(self) -> None:
        """End the recording and save it."""
        session = self._session
        if session is None or self._state == "stopping":
            return
        self._state = "stopping"
        self._timer.stop()
        self._runner.background(session.stop, on_result=self._ended, on_error=self._not_ended)

    def close(self) -> None:
        """The app ends: save what is recorded, now."""
        keys, self._keys = self._keys, None
        if keys is not None:
            keys.stop()
        session, self._session = self._session, None
        self._timer.stop()
        if session is not None and self._state != "stopping":
            session.stop()

    # What the session says ------------------------------------------------------------------------------------

    def _begun(self, session: Recorder) -> None:
        self._session = session
        self._state = "recording"
        self._timer.start()
        self.started.emit()

    def _not_begun(self, error: Exception) -> None:
        self._state = "ready"
        self.failed.emit(error)
        self.listen()

    def _ended(self, demo_id: str) -> None:
        session, self._session = self._session, None
        self._state = "ready"
        error = None if session is None else session.error
        self.finished.emit(demo_id)
        if error is not None:
            self.failed.emit(error)
        self.listen()

    def _not_ended(self, error: Exception) -> None:
        self._session = None
        self._state = "ready"
        self.failed.emit(error)
        self.listen()

    def _on_step(self, step: Step) -> None:
        words = describe_action(step.action)
        self._runner.post(lambda: self.step_seen.emit(words))

    def _on_state(self, state: str) -> None:
        self._runner.post(lambda: self._follow(state))

    def _follow(self, state: str) -> None:
        if self._session is None:
            return
        if state in {"recording", "paused"}:
            self._state = state
        self.state_changed.emit(state)
        if state == "stopped" and self._state != "stopping":
            # It ended by itself, because of an error; stop() then only tells which demo it was.
            self.stop()

    def _on_hotkey(self, meaning: str) -> None:
        self._runner.post({"start_stop": self.stop, "pause": self.toggle_pause}[meaning])

    def _look(self) -> None:
        if self._session is not None:
            self.health_changed.emit(self._session.health)
