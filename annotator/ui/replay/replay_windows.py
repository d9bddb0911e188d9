"""A replay from the app: performed beside the window's thread; the bar follows it and holds or stops it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QGuiApplication

from annotator.replay_run import ReplayPlan, ReplayRun, ReplayWatch, RowsOutcome, state_of
from annotator.step_words import describe_step_in
from annotator.ui.operations import Operation, Operations
from annotator.ui.recording.floating import desktop_ratio
from annotator.ui.replay.replay_bar import BarInFront, BarState, ReplayBar
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.words import tr
from demopack.domain.demos import Demo
from demopack.jobs import JobControl
from demopack.store import Library
from player.report import StepReport
from player.step_gate import StepGate


class ReplayWindows(QObject):
    """One replay at a time.

    Attributes:
        bar: what is shown of it meanwhile.
        gate: holds it between two steps.

    Signals:
        finished: the ``ReplayRun`` or ``RowsOutcome``.
        failed: why it could not begin, or was broken off; None where it was stopped before its first step.
    """

    finished = Signal(object)
    failed = Signal(object)

    def __init__(
        self, library: Library, operations: Operations, services: Services, theme: Theme, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._library, self._operations, self._services = library, operations, services
        self.bar = ReplayBar(theme)
        self.gate = StepGate()
        self._operation: Operation | None = None
        self._in_front = BarInFront(self.bar, operations.post)
        self._pause_wanted = False
        self.bar.pause.clicked.connect(self.toggle_pause)
        self.bar.single.clicked.connect(self.step)
        self.bar.stop.clicked.connect(self.stop)

    @property
    def active(self) -> bool:
        """Whether one is under way."""
        return self._operation is not None

    def begin(self, plan: ReplayPlan) -> None:
        """Show the bar and start."""
        if self.active:
            return
        services, settings = self._services, self._services.settings
        post = self._operations.post
        self.gate = StepGate(
            paused=plan.held,
            on_held=lambda: post(partial(self._show_state, "held")),
            on_released=lambda: post(partial(self._show_state, "running")),
        )
        watch = ReplayWatch(
            gate=self.gate,
            in_front=self._in_front,
            on_begin=lambda demo: post(partial(self._show_demo, demo)),
            on_countdown=lambda left: post(partial(self._count_down, left)),
            on_next=lambda number: post(partial(self.bar.show_current, number)),
            on_step=lambda step: post(partial(self._show_step, step)),
            on_row=lambda row, total, words: post(partial(self.bar.show_row, row, total, words)),
        )
        self._pause_wanted = False
        self.bar.begin(abort_key=settings.recorder.hotkeys.abort_replay)

        def work(control: JobControl) -> ReplayRun | RowsOutcome:
            return services.replay(self._library, plan, settings, watch, control)

        self._operation = self._operations.run(
            tr("Doing the demo again"), work,
            on_result=self._end_well, on_error=self._end_badly, on_end=self._end, lane="urgent",
        )  # fmt: skip

    def toggle_pause(self) -> None:
        """Hold the next step, or go on."""
        if self.bar.state == "held":
            self.gate.resume()
        elif self._pause_wanted:
            self._pause_wanted = False
            self.gate.resume()
            self._show_state("running")
        else:
            self._hold()

    def step(self) -> None:
        """Do one step, then hold the one after it; while one is done, hold the next."""
        if self.bar.state == "held":
            self.gate.step()
        else:
            self._hold()

    def _hold(self) -> None:
        self._pause_wanted = True
        self.gate.pause()
        self._show_state("pausing")

    def stop(self) -> None:
        """Stop at the next safe point, within a few hundredths of a second."""
        if self._operation is not None:
            self._operation.cancel()
            self._show_state("stopping")

    def close(self) -> None:
        """Stop, and take the bar away; what is under way ends by itself."""
        self.stop()
        self.bar.close()

    # Following ------------------------------------------------------------------------------------------------

    def _show_demo(self, demo: Demo) -> None:
        words: list[str] = []
        places: list[QPoint] = []
        ratio = desktop_ratio(QGuiApplication.primaryScreen())
        for step in demo.steps:
            words.append(describe_step_in(demo, step, ahead=True))
            if step.pointer is not None and step.before is not None:
                at = step.before.space.to_desktop(step.pointer.at)
                places.append(QPoint(round(at.x / ratio), round(at.y / ratio)))
        self.bar.show_steps(words, pointers=places)

    def _count_down(self, left: int) -> None:
        self.bar.count_down(left)
        if not left and self.bar.state == "starting":
            self._show_state("running")

    def _show_step(self, step: StepReport) -> None:
        self.bar.show_result(step.index, state_of(step))

    def _show_state(self, state: BarState) -> None:
        if self._operation is None or (self.bar.state == "stopping" and state != "stopping"):
            return
        if state == "held":
            self._pause_wanted = True
        elif state == "running":
            self._pause_wanted = self.gate.paused and self.bar.state != "held"
        self.bar.set_state(state)

    def _end_well(self, outcome: ReplayRun | RowsOutcome) -> None:
        self._operation = None
        self.bar.hide()
        self.finished.emit(outcome)

    def _end_badly(self, error: Exception) -> None:
        self._operation = None
        self.bar.hide()
        self.failed.emit(error)

    def _end(self) -> None:
        """However it ended; one that was stopped before its first step has told nobody yet."""
        if self._operation is not None:
            self._operation = None
            self.bar.hide()
            self.failed.emit(None)
