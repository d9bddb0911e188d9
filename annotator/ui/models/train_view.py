"""Trainings: a new one, and those that run, were stopped, or are done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressBar, QStackedWidget, QWidget

from annotator.model_store import ModelCatalog
from annotator.model_words import chart_figures, figure_name, kind_words, length_words, state_words
from annotator.training_runs import RunState, TrainingRun, TrainingRuns, TrainingWish
from annotator.ui.controls import column, label, push_button, row
from annotator.ui.messages import Messages, Problem
from annotator.ui.models.curves import Curves
from annotator.ui.models.train_form import TrainForm
from annotator.ui.operations import Operation, Operations
from annotator.ui.row_list import ListRow, RowList
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE, Tone
from annotator.words import tr
from demopack.errors import DemopackError
from demopack.jobs import JobControl, Progress
from demopack.store import Library
from models.registry import SHIPPED, ModelKind

_POLL_MS = 1000
_NEW = "new:"
_BADGES: dict[RunState, tuple[str, Tone]] = {
    "running": (tr("Running"), "success"),
    "stopped": (tr("Stopped"), "muted"),
    "failed": (tr("Failed"), "danger"),
    "broken": (tr("Cut off"), "warning"),
    "finished": (tr("Done"), "success"),
    "elsewhere": (tr("Terminal"), "muted"),
}


class RunPanel(QWidget):
    """Shows a training; does nothing by itself.

    Attributes:
        stop: stops it with a checkpoint.
        go_on: goes on from the last checkpoint.
        use: uses its result from now on.
        remove: deletes its checkpoints.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._title = label("", role="large")
        self.told = label("", wraps=True)
        self._facts = label("", role="muted", wraps=True)
        self.problem = Problem(tr("What went wrong"))
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(tr("Share of the time that is spent"))
        self.losses = Curves(tr("Loss"), theme)
        self.metrics = Curves(tr("On validation screens"), theme)
        self.stop = push_button(tr("Stop"), tr("Stop at the next step, with a checkpoint"), theme, name="stop")
        self.go_on = push_button(tr("Continue"), tr("Go on from the last checkpoint"), theme, name="play", role="main")
        self.use = push_button(
            tr("Use it"), tr("Find elements with the result from now on"), theme, name="check", role="main"
        )
        self.remove = push_button(
            tr("Delete the checkpoints"), tr("The model that came out stays"), theme, name="trash"
        )
        self._buttons = (self.go_on, self.use, self.stop, self.remove)
        self._charts = QWidget()
        row((self.losses, 1), (self.metrics, 1), of=self._charts, spacing=SPACE.m)
        layout = column(
            self._title,
            self.told,
            self.problem,
            self._bar,
            self._facts,
            row(self.stop, self.go_on, self.use, self.remove, None),
            SPACE.s,
            (self._charts, 1),
            of=self,
            margins=(SPACE.xl, SPACE.l, SPACE.xl, SPACE.l),
        )
        # Takes the room only while there are no charts.
        layout.addStretch(0)

    def show_run(self, run: TrainingRun, *, made: bool, used: bool, waiting: bool) -> None:
        """Show how a training stands.

        Args:
            run: the training.
            made: whether its result is in the list of models.
            used: whether that is in use.
            waiting: whether it was asked to stop or to go on, and has not answered yet.
        """
        focused = any(button.hasFocus() for button in self._buttons)
        self._title.setText(run.name)
        self.told.setText(tr("Stopping; the last step is being saved …") if waiting and run.state == "running"
                           else tr("Starting …") if waiting else state_words(run))  # fmt: skip
        failed = run.state == "failed" and not waiting
        self.told.setVisible(not failed)
        self.problem.tell(state_words(run) if failed else "", tr("Mend that, then continue.") if failed else "")
        self._facts.setText(_facts(run))
        wish = run.wish
        self._bar.setVisible(wish is not None and run.state != "finished")
        if wish is not None:
            # A range of 0 to 0 is Qt's sign for "at work, nobody knows how long".
            self._bar.setRange(0, 0 if run.state == "running" and not run.reports else 1000)
            self._bar.setValue(round(1000 * min(1.0, run.seconds / (60 * wish.minutes))))
        self.stop.setVisible(run.state == "running")
        self.go_on.setVisible(run.can_go_on)
        self.use.setVisible(made and not used)
        self.remove.setVisible(run.state not in {"running", "elsewhere"})
        for button in (self.stop, self.go_on, self.remove):
            button.setEnabled(not waiting)
        self._charts.setVisible(bool(run.reports) or run.state == "running")
        self.losses.show_series(chart_figures(run, losses=True))
        self.metrics.show_series(chart_figures(run, losses=False))
        # The button that was pressed may be gone; the focus must not go with it.
        if focused and not any(button.hasFocus() for button in self._buttons):
            next(
                (button for button in self._buttons if button.isEnabled() and not button.isHidden()), self.losses
            ).setFocus()


def _facts(run: TrainingRun) -> str:
    wish = run.wish
    if wish is None:
        return str(run.folder)
    sources = [*([tr("this library")] if wish.library else []), *wish.folders]
    begins = {"scratch": tr("from scratch"), SHIPPED: tr("begun with what came with demopack")}
    begin = begins.get(wish.start_from, tr("begun with {model}").format(model=wish.start_from))
    told = [
        kind_words(wish.kind),
        tr("{length_words} in all").format(length_words=length_words(60 * wish.minutes)),
        begin,
        tr("learns from {join}").format(join=", ".join(sources)),
    ]
    looks = [report.metrics for report in run.reports if report.metrics]
    figures = looks[-1].items() if looks else ()
    last = [f"{figure_name(name)} {value:.3f}" for name, value in figures if "/" not in name][:3]
    return " · ".join(told) + (tr("\nLast: {join}").format(join=", ".join(last)) if last else "")


class TrainView(QWidget):
    """Starts, watches, stops and continues trainings."""

    def __init__(
        self, theme: Theme, *, library: Library, runs: TrainingRuns, operations: Operations, messages: Messages,
        use: Callable[[ModelKind, str], object], made: Callable[[], object],
    ) -> None:  # fmt: skip
        """Begin to watch; ``use`` uses a result, ``made`` is called when there may be a new model."""
        super().__init__()
        self._use_model, self._made = use, made
        self._library = library
        self._service = runs
        self._operations = operations
        self._messages = messages
        self._shelf: ModelCatalog | None = None
        self.runs: tuple[TrainingRun, ...] = ()
        self._waiting: set[str] = set()
        self._starting: Operation | None = None
        self._looking = False
        self.list = RowList(tr("Trainings"), theme)
        self.list.current_changed.connect(self._show_current)
        self.form = TrainForm(theme, cancel=lambda: None if self._starting is None else self._starting.cancel())
        self.form.start_wanted.connect(self._start)
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
        row((self.list.beside(), 1), (self._pages, 2), of=self, spacing=SPACE.m, margins=(SPACE.m, 0, 0, 0))
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
            before = {run.name: run.state for run in self.runs}
            self.runs = tuple(runs)
            for run in runs:
                if before.get(run.name) == "running" and run.state != "running":
                    self._tell_end(run)
            self._show_rows()

        def fail(error: Exception) -> None:
            self._looking = False
            self._clock.stop()
            self._messages.show_error(error)

        self._operations.start(self._service.runs, on_result=show, on_error=fail)

    def _on_clock(self) -> None:
        # While the page is hidden only a running training is worth the look: its end is news.
        if self.isVisible() or any(run.state == "running" for run in self.runs):
            self.look()

    def _tell_end(self, run: TrainingRun) -> None:
        self._made()
        if run.state == "finished" and run.wish is not None:
            kind, name = run.wish.kind, run.wish.name
            self._messages.say(
                tr("The {kind} {name} is trained.").format(kind=kind, name=name),
                button=tr("Use it"),
                action=lambda: self._use_model(kind, name),
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
            count = tr("{done} of {total}").format(done=told.done, total=told.total) if told.total else ""
            self.form.set_starting(starting=True, words=f"{told.text} {count}".strip())

        def started(run: TrainingRun) -> None:
            self.runs = (run, *self.runs)
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
            self._use_model(run.wish.kind, run.wish.name)
