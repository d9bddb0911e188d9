"""The page on which a demo is done again: what it does before, what came of it afterwards."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from annotator.replay_run import ReplayRun, RowsOutcome
from annotator.ui.controls import column, page_bar
from annotator.ui.operations import Operations
from annotator.ui.replay.consent_view import ConsentView
from annotator.ui.replay.result_view import ResultView
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.words import tr
from demopack.domain.demos import Demo


class ReplayPage(QWidget):
    """One demo at a time.

    Attributes:
        consent: what is read before.
        result: what came of it.

    Signals:
        back_wanted: to where it was asked for.
    """

    back_wanted = Signal()

    def __init__(self, pictures: ScreenshotCache, operations: Operations, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self.consent = ConsentView(pictures, operations, theme)
        self.result = ResultView(pictures, operations, theme)
        self._views = QStackedWidget()
        for view in (self.consent, self.result):
            self._views.addWidget(view)
            view.leave_wanted.connect(self.back_wanted)
        column(page_bar(tr("Do it again"), self.back_wanted, theme), (self._views, 1), of=self, spacing=0)

    def show_demo(self, demo: Demo, *, abort_key: str) -> None:
        """Show what a demo does before it is started."""
        self._views.setCurrentWidget(self.consent)
        self.consent.show_demo(demo, abort_key=abort_key)

    def show_outcome(self, outcome: ReplayRun | RowsOutcome) -> None:
        """Show how it went."""
        self._views.setCurrentWidget(self.result)
        if isinstance(outcome, RowsOutcome):
            self.result.show_rows(outcome)
        else:
            self.result.show_run(outcome)
