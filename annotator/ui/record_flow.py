"""Flow of a recording from Record to the finished demo: the window steps aside, and comes back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from annotator.ui.library.library_page import LibraryPage
from annotator.ui.messages import Messages
from annotator.ui.recording.recording_control import RecordingControl
from annotator.ui.recording.recording_windows import RecordingWindows
from annotator.ui.recording.recording_words import spoken_error
from annotator.ui.services import RecordingPlan
from demopack.domain.demos import DemoHead
from recorder.area import CaptureArea

_TO_FRONT_DELAY_MS = 200


class RecordFlow(QObject):
    """Starts recordings, and says when one is saved.

    Attributes:
        wanted: the plan that the global key starts.

    Signals:
        finished: id of a demo that is saved.
    """

    finished = Signal(str)

    def __init__(
        self,
        window: QMainWindow,
        control: RecordingControl,
        desk: RecordingWindows,
        page: LibraryPage,
        messages: Messages,
        *,
        wanted: Callable[[], RecordingPlan],
    ) -> None:
        super().__init__(window)
        self.wanted = wanted
        self._window = window
        self._control = control
        self._desk = desk
        self._page = page
        self._messages = messages
        page.panel.start_wanted.connect(self.record)
        control.started.connect(page.panel.clear)
        control.finished.connect(self._on_finished)
        control.failed.connect(self._on_failed)
        control.key_pressed.connect(self.record_now)
        desk.record_wanted.connect(self.record_now)
        desk.window_wanted.connect(self.come_up)

    def record(self, plan: RecordingPlan) -> None:
        """Record; the window is out of the way before the first picture is taken."""
        self._page.show_deleted(deleted=False)
        self._page.panel.set_starting(starting=True)
        self._page.set_recording(recording=True)
        self._window.showMinimized()
        self._desk.begin(plan)

    def record_now(self) -> None:
        """The global key was pressed, or Record in the tray."""
        if not self._control.active:
            self.record(self.wanted())

    def come_up(self) -> None:
        """Show the window in front of all others."""
        self._window.showNormal()
        # Once more when the window manager has brought it back; before that it takes no notice.
        self._to_front()
        QTimer.singleShot(_TO_FRONT_DELAY_MS, self, self._to_front)

    def _to_front(self) -> None:
        self._window.raise_()
        self._window.activateWindow()

    def _come_back(self) -> None:
        self._desk.end()
        self._page.set_recording(recording=False)
        self.come_up()

    def _on_finished(self, demo_id: str) -> None:
        self._come_back()
        self.finished.emit(demo_id)

    def _on_failed(self, error: Exception) -> None:
        self._come_back()
        self._messages.show_error(spoken_error(error))


def take_plan(head: DemoHead, after: str) -> RecordingPlan:
    """How to record a demo again after one of its steps: the same task, the same part of the screen."""
    return RecordingPlan(
        task=head.task, app=head.app, area=CaptureArea.parse(head.area), take_of=head.id, take_after=after
    )
