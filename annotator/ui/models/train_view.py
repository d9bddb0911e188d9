"""Trainings: a new one, and those that run, were stopped, or are done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from annotator.model_store import ModelCatalog
from annotator.model_words import state_words
from annotator.training_runs import RunState, TrainingRun, TrainingRuns, TrainingWish
from annotator.ui.controls import column, row
from annotator.ui.messages import Messages
from annotator.ui.models.row_list import ListRow, RowList, Tone
from annotator.ui.models.run_panel import RunPanel
from annotator.ui.models.train_form import TrainForm
from annotator.ui.operations import Operation, Operations
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.errors import DemopackError
from demopack.jobs import JobControl, Progress
from demopack.store import Library
from models.registry import ModelKind

_MIN_WIDTH, _MAX_WIDTH = 260, 340
_POLL_MS = 1000
_NEW = "new:"
_BADGES: dict[RunState, tuple[str, Tone]] = {
    "running": (tr("Running"), "good"),
    "stopped": (tr("Stopped"), "quiet"),
    "failed": (tr("Failed"), "danger"),
    "broken": (tr("Cut off"), "warning"),
    "finished": (tr("Done"), "good"),
    "elsewhere": (tr("Terminal"), "quiet"),
}


class TrainView(QWidget):
    """Starts, watches, stops and continues trainings.

    Signals:
        use_wanted: kind and name of a result.
        models_changed: there may be a new model.
    """

    use_wanted = Signal(str, str)
    models_changed = Signal()

    def __init__(
        self, theme: Theme, *, library: Library, runs: TrainingRuns, operations: Operations, messages: Messages
    ) -> None:
        super().__init__()
        self._library = library
        self._service = runs
        self._operations = operations
        self._messages = messages
        self._shelf: ModelCatalog | None = None
        self.runs: tuple[TrainingRun, ...] = ()
        self._states: dict[str, RunState] = {}
        self._waiting: set[str] = set()
        self._starting: Operation | None = None
        self._looking = False
        self.list = RowList(tr("Trainings"), theme)
        self.list.setMinimumWidth(_MIN_WIDTH)
        self.list.current_changed.connect(self._show_current)
        self.form = TrainForm(theme)
        self.form.start_wanted.connect(self._start)
        self.form.cancel_wanted.connect(self._cancel)
        self.panel = RunPanel(theme)
        self.panel.stop.clicked.connect(
            lambda: self._ask(tr("Stopping the training"), lambda name, control: runs.stop(name, control=control))
        )
        self.panel.go_on.clicked.connect(
            lambda: self._ask(tr("Continuing the training"), lambda name, _: runs.go_on(name))
        )
        self.panel.remove.clicked.connect(self._remove)
        self.panel.use.clicked.connect(self._use)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.form)
        self._pages.addWidget(self.panel)
        side = QWidget()
        side.setMaximumWidth(_MAX_WIDTH)
        column(self.list, of=side, spacing=-1, margins=(0, SPACE.s, 0, SPACE.m))
        row((side, 1), (self._pages, 2), of=self, spacing=SPACE.m, margins=(SPACE.m, 0, 0, 0))
        self._clock = QTimer(self, interval=_POLL_MS)
        self._clock.timeout.connect(self._on_clock)
        self._clock.start()
        self._show_rows()

    def show_models(self, shelf: ModelCatalog) -> None:
        """Which models there are to begin with, and which results are in use."""
        self._shelf = shelf
        self.form.show_models(shelf)
        self._show_current()

    def begin_with(self, kind: ModelKind, name: str) -> None:
        """Ask for a new training that begins with a model."""
        self.form.begin_with(kind, name)
        self.list.select(_NEW)

    def look(self) -> None:
        """Read how the trainings stand."""
        if self._looking:
            return
        self._looking = True

        def show(runs: list[TrainingRun]) -> None:
            self._looking = False
            self._take(runs)

        def fail(error: Exception) -> None:
            self._looking = False
            self._clock.stop()
            self._messages.show_error(error)

        self._operations.start(self._service.runs, on_result=show, on_error=fail)

    def _on_clock(self) -> None:
        # While the page is hidden only a running training is worth the look: its end is news.
        if self.isVisible() or any(run.state == "running" for run in self.runs):
            self.look()

    def _take(self, runs: list[TrainingRun]) -> None:
        before, self.runs = self._states, tuple(runs)
        self._states = {run.name: run.state for run in runs}
        for run in runs:
            if before.get(run.name) == "running" and run.state != "running":
                self._tell_end(run)
        self._show_rows()

    def _tell_end(self, run: TrainingRun) -> None:
        self.models_changed.emit()
        if run.state == "finished" and run.wish is not None:
            kind, name = run.wish.kind, run.wish.name
            self._messages.say(
                tr("The {kind} {name} is trained.").format(kind=kind, name=name),
                button=tr("Use it"),
                action=lambda: self.use_wanted.emit(kind, name),
            )

    # Showing --------------------------------------------------------------------------------------------------

    def _show_rows(self, select: str = "") -> None:
        rows = [ListRow(key=_NEW, title=tr("New training"), caption=tr("Choose what to learn from, and how long"))]
        if self.runs:
            rows.append(ListRow(key="", title=tr("Trainings").upper()))
        for run in self.runs:
            badge, tone = _BADGES[run.state]
            rows.append(ListRow(key=run.name, title=run.name, caption=state_words(run), badge=badge, tone=tone))
        self.list.show_rows(rows, select=select)
        self._show_current()

    def _current(self) -> TrainingRun | None:
        return next((run for run in self.runs if run.name == self.list.current), None)

    def _show_current(self) -> None:
        run = self._current()
        self._pages.setCurrentWidget(self.form if run is None else self.panel)
        if run is None:
            return
        models = () if self._shelf is None or run.wish is None else self._shelf.models
        result = [one for one in models if run.wish and (one.kind, one.name) == (run.wish.kind, run.wish.name)]
        used = any(one.used for one in result)
        self.panel.show_run(run, made=bool(result), used=used, waiting=run.name in self._waiting)

    # Doing ----------------------------------------------------------------------------------------------------

    def _start(self, wish: TrainingWish) -> None:
        self.form.set_starting(
            starting=True, words=tr("Collecting what was approved …") if wish.library else tr("Starting …")
        )

        def progress(told: Progress) -> None:
            of = f" {told.done} of {told.total}" if told.total else ""
            self.form.set_starting(starting=True, words=f"{told.text}{of}")

        def started(run: TrainingRun) -> None:
            self.runs = (run, *self.runs)
            self._states[run.name] = "running"
            self._show_rows(select=run.name)

        def end() -> None:
            self._starting = None
            self.form.set_starting(starting=False)

        self._starting = self._operations.run(
            tr("Starting the training"),
            lambda control: self._service.start(wish, library=self._library, control=control),
            on_result=started,
            on_error=self._show_wrong,
            on_progress=progress,
            on_end=end,
        )

    def _show_wrong(self, error: Exception) -> None:
        if isinstance(error, DemopackError):
            self.form.show_wrong(error.user_message, error.hint)
        else:
            self._messages.show_error(error)

    def _cancel(self) -> None:
        if self._starting is not None:
            self._starting.cancel()

    def _ask(self, title: str, work: Callable[[str, JobControl], TrainingRun]) -> None:
        run = self._current()
        if run is None or run.name in self._waiting:
            return
        self._waiting.add(run.name)

        def end() -> None:
            self._waiting.discard(run.name)
            self._show_current()
            self.look()

        self._operations.run(title, lambda control: work(run.name, control), on_end=end)
        self._show_current()

    def _remove(self) -> None:
        run = self._current()
        if run is not None:
            self._operations.start(lambda: self._service.remove(run.name), on_result=lambda _: self.look())

    def _use(self) -> None:
        run = self._current()
        if run is not None and run.wish is not None:
            self.use_wanted.emit(run.wish.kind, run.wish.name)
