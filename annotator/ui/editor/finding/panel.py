"""The tab with the list: search, where to look, the rows, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from annotator.finding.columns import Vocabulary
from annotator.finding.element_keys import ELEMENT_KEYS
from annotator.finding.review import Progress
from annotator.ui.controls import Segments, flat_button, label
from annotator.ui.editor.finding.table_model import ElementModel
from annotator.ui.editor.finding.table_view import ElementTable
from annotator.ui.progress_line import ProgressLine
from annotator.ui.search_field import SearchBox
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.elements import Review

__all__ = ["ListPanel"]

_TIP = tr(
    "Words are looked for in the text. Also type:button, state:checked, conf:<0.6, review:todo, step:3-7 and more: "
    "begin to type a key to see them (Ctrl+K)"
)
_REVIEWS: tuple[Review, ...] = ("unreviewed", "doubtful", "approved", "rejected")
_NOTHING_FOUND = tr("No element fits this search.")
_NOTHING_THERE = tr("There are no elements here yet. Find them, or draw a box on the picture.")


class ListPanel(QWidget):
    """The widgets of the tab; what they do is the feature's business.

    Attributes:
        search: the search.
        table: the rows.
        model: what the table shows.

    Signals:
        scope_chosen: 0 for this picture, 1 for the whole demo.
        filter_toggled: show only what was found on the picture too, or everything.
        review_wanted: a ``Review`` for the selected rows.
        uncertain_wanted: go to the least sure element.
        statistics_wanted: show the statistics.
        seen: the tab is shown.
    """

    scope_chosen = Signal(int)
    filter_toggled = Signal(bool)
    review_wanted = Signal(str)
    uncertain_wanted = Signal()
    statistics_wanted = Signal()
    seen = Signal()

    def __init__(self, theme: Theme, *, words: Vocabulary, check: Callable[[str], object]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.search = SearchBox(tr("Search elements"), theme, keys=ELEMENT_KEYS, check=check, tip=_TIP)
        self.model = ElementModel(words, self)
        self.table = ElementTable(self.model, theme)
        self.table.review_wanted.connect(self.review_wanted)
        self._scope = Segments(
            tr("Where to look"),
            (tr("Picture"), tr("Demo")),
            tips=(tr("List the elements of this picture"), tr("List the elements of every step")),
        )
        self._scope.set_current(0)
        self._scope.chosen.connect(self.scope_chosen)
        self._filter = flat_button("filter", tr("Show only these on the picture too"), theme)
        self._filter.setCheckable(True)
        self._filter.toggled.connect(self.filter_toggled)
        self._least = flat_button("find", tr("Go to the least sure element"), theme, keys="Ctrl+U")
        self._least.clicked.connect(self.uncertain_wanted)
        self._figures = flat_button("statistics", tr("Statistics"), theme, keys="Ctrl+Shift+S")
        self._figures.clicked.connect(self.statistics_wanted)
        self._count = label("", role="caption")
        self._words = label("", role="caption")
        self._line = ProgressLine(tr("Review of these elements"), theme)
        self._review = Segments(
            tr("Review"),
            (tr("To do"), tr("Doubt"), tr("Approve"), tr("Reject")),
            tips=(
                tr("Nothing was said about it (Ctrl+Space)"),
                tr("Somebody should look at it again (Shift+Space)"),
                tr("It is right; go on (Space)"),
                tr("Nothing is there (Delete)"),
            ),
        )
        for place in range(len(_REVIEWS)):
            self._review.button(place).setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._review.chosen.connect(self._on_review)
        self._nothing = label("", role="muted", wraps=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setMargin(SPACE.l)
        self._table_or_words = QStackedWidget()
        for part in (self.table, self._nothing):
            self._table_or_words.addWidget(part)
        self._lay_out()
        self.show_review(None, selected=0)

    def _lay_out(self) -> None:
        tools = QHBoxLayout()
        tools.setSpacing(SPACE.xs)
        tools.addWidget(self._scope)
        tools.addStretch(1)
        for button in (self._filter, self._least, self._figures):
            tools.addWidget(button)
        top = QVBoxLayout()
        top.setContentsMargins(SPACE.m, SPACE.m, SPACE.s, SPACE.s)
        top.setSpacing(SPACE.s)
        top.addWidget(self.search)
        top.addLayout(tools)
        counts = QHBoxLayout()
        counts.addWidget(self._count)
        counts.addStretch(1)
        counts.addWidget(self._words)
        bottom = QVBoxLayout()
        bottom.setContentsMargins(SPACE.m, SPACE.s, SPACE.m, SPACE.s)
        bottom.setSpacing(SPACE.s)
        bottom.addLayout(counts)
        bottom.addWidget(self._line)
        bottom.addWidget(self._review)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._table_or_words, 1)
        column.addLayout(bottom)

    @property
    def whole_demo(self) -> bool:
        """Whether every step is looked at."""
        return self._scope.current == 1

    @property
    def filters(self) -> bool:
        """Whether the picture shows only what was found, too."""
        return self._filter.isChecked()

    @property
    def counted(self) -> str:
        """How many were found, in words."""
        return self._count.text()

    @property
    def progress_words(self) -> str:
        """How far the review is, in words."""
        return self._words.text()

    def set_scope(self, *, whole_demo: bool) -> None:
        """Look somewhere else."""
        self._scope.set_current(int(whole_demo))
        self.scope_chosen.emit(int(whole_demo))

    def set_filter(self, *, on: bool) -> None:
        """Filter the picture too, or no longer."""
        self._filter.setChecked(on)

    def show_count(self, found: int, *, searching: bool = False) -> None:
        """How many were found; where nothing was, a sentence stands in the table's place."""
        self._nothing.setText(_NOTHING_FOUND if self.search.text.strip() else _NOTHING_THERE)
        self._table_or_words.setCurrentIndex(0 if found or searching else 1)
        if searching:
            self._count.setText(tr("1 found so far") if found == 1 else tr("{found} found so far").format(found=found))
        else:
            self._count.setText(tr("1 element") if found == 1 else tr("{found} elements").format(found=found))

    def show_progress(self, progress: Progress) -> None:
        """How far the review is, of the picture or of the demo."""
        self._words.setText(progress.words)
        self._line.show_progress(progress)

    def show_review(self, review: Review | None, *, selected: int) -> None:
        """What was said about the selected rows; None where it is not the same about all."""
        self._review.setEnabled(selected > 0)
        if review is None:
            self._review.set_none()
        else:
            self._review.set_current(_REVIEWS.index(review))

    def _on_review(self, place: int) -> None:
        self.review_wanted.emit(_REVIEWS[place])

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's hook: now the list has to be right."""
        super().showEvent(event)
        self.seen.emit()
