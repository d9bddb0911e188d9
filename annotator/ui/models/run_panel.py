"""Panel of one training: its state, its curves, and what can be done about it."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

from annotator.model_words import chart_figures, figure_name, kind_words, length_words, state_words
from annotator.training_runs import TrainingRun
from annotator.ui.controls import column, label, push_button, row
from annotator.ui.models.curves import Curves
from annotator.ui.models.row_list import Problem
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from models.registry import SHIPPED


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
        self.shown: TrainingRun | None = None
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
        self._lay_out()

    def _lay_out(self) -> None:
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
        self.shown = run
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
