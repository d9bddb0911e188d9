"""The library page: search, Record, the cards, and what stands there when there are none."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from annotator.finding.review import library_progress
from annotator.ui.controls import label, push_button
from annotator.ui.icons import icon
from annotator.ui.library.bar import LibraryBar
from annotator.ui.library.cards import Cards
from annotator.ui.library.model import LibraryModel
from annotator.ui.library.selection_bar import SelectionBar
from annotator.ui.pictures import Pictures
from annotator.ui.recording.start_panel import StartPanel
from annotator.ui.search_field import SearchBox
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.demos import DemoSummary

if TYPE_CHECKING:
    from annotator.ui.statistics.view import StatisticsView

__all__ = ["LibraryPage"]

_FIGURES = 4
_MANY = 1000


class LibraryPage(QWidget):
    """Every demo of the library.

    Signals:
        open_wanted: id of a demo.
        acted: name of an offer other than ``open``, and id of a demo.
        deleted_toggled: the deleted demos are to be shown, or the others again.
        record_wanted: a ``RecordingPlan``.
        settings_wanted: the settings are to be shown.
        models_wanted: the models are to be shown.
        theme_chosen: a ``ThemeChoice``.
        undo_wanted: take the last deletion back.
        statistics_wanted: figures of the whole library are to be counted.
    """

    open_wanted = Signal(str)
    acted = Signal(str, str)
    deleted_toggled = Signal()
    record_wanted = Signal(object)
    settings_wanted = Signal()
    models_wanted = Signal()
    theme_chosen = Signal(str)
    undo_wanted = Signal()
    statistics_wanted = Signal()

    def __init__(self, pictures: Pictures, theme: Theme, *, panel: StartPanel) -> None:
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self._greeted = False
        self._model = LibraryModel(pictures, self)
        self._model.set_ratio(self.devicePixelRatioF())
        self._cards = Cards(self._model, theme)
        self._cards.acted.connect(self._act)
        self._cards.current_changed.connect(self._tell_selected)
        self._selection = SelectionBar(theme, self)
        self._selection.acted.connect(self._act_on_current)
        self._panel = panel
        self._panel.start_wanted.connect(self.record_wanted)
        self._panel.settings_wanted.connect(self.settings_wanted)
        self._nothing = label(tr("No demo fits this search."), role="muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._bar = self._make_bar()
        self._pages = QStackedWidget()
        self._figures: StatisticsView | None = None
        for part in (QWidget(), self._make_empty(), self._cards, self._nothing):
            self._pages.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._bar)
        inside = QVBoxLayout()
        inside.setContentsMargins(SPACE.xl - SPACE.s, SPACE.l, SPACE.s, 0)
        inside.setSpacing(SPACE.s)
        panel_row = QHBoxLayout()
        panel_row.setContentsMargins(SPACE.s, 0, SPACE.l, 0)
        panel_row.addWidget(self._panel)
        inside.addLayout(panel_row)
        inside.addWidget(self._pages, 1)
        layout.addLayout(inside, 1)
        layout.addWidget(self._selection)

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """What the keys of this page do, by their names."""
        return {
            "record": self.ask_task,
            "search_demos": self.search.field.setFocus,
            "library_figures": self.open_statistics,
            "undelete": self.undo_wanted.emit,
        }

    @property
    def panel(self) -> StartPanel:
        """What is asked before a recording."""
        return self._panel

    @property
    def search(self) -> SearchBox:
        """The search over the demos."""
        return self._bar.search

    @property
    def cards(self) -> Cards:
        """The demos."""
        return self._cards

    @property
    def first_card(self) -> tuple[Cards, QRect] | None:
        """The cards, and where the first of them lies; None where no demo is seen."""
        first = self._cards.model().index(0, 0)
        seen = self._cards.isVisible() and first.isValid()
        return (self._cards, self._cards.visualRect(first)) if seen else None

    @property
    def selection_bar(self) -> SelectionBar:
        """What is said about the selected demo."""
        return self._selection

    @property
    def showing_deleted(self) -> bool:
        """Whether the deleted demos are shown."""
        return self._cards.deleted

    def summary(self, demo_id: str) -> DemoSummary | None:
        """A demo of the list; None when it is not shown."""
        return self._model.summary(self._model.row_of(demo_id))

    @property
    def figures(self) -> StatisticsView:
        """The statistics; made when they are first needed."""
        if self._figures is None:
            # Imported here, because the first window shows none.
            from annotator.ui.statistics.view import StatisticsView

            self._figures = StatisticsView(self._theme, heading=tr("Statistics of the library"), searchable=False)
            self._figures.closed.connect(self.close_statistics)
            self._pages.addWidget(self._figures)
        return self._figures

    def open_statistics(self) -> None:
        """Show the statistics, or the demos again."""
        if self._pages.currentIndex() == _FIGURES:
            self.close_statistics()
            return
        self.figures.show_waiting()
        self._pages.setCurrentWidget(self.figures)
        self.figures.setFocus()
        self.statistics_wanted.emit()

    def close_statistics(self) -> None:
        """Show the demos again."""
        self._pages.setCurrentIndex(0)
        self._choose_page()
        self._cards.setFocus()

    def show_deleted(self, deleted: bool) -> None:  # noqa: FBT001 - a slot, too
        """Show the deleted demos, or the others again."""
        if deleted != self._cards.deleted:
            self._cards.deleted = deleted
            self._bar.show_deleted(deleted=deleted)
            self.deleted_toggled.emit()

    def show_demos(self, demos: Sequence[DemoSummary], *, select: str | None = None) -> None:
        """Show a new reading of the library."""
        self._model.set_demos(demos)
        if not self._cards.deleted:
            self._bar.show_progress(library_progress(demos)[0])
            self._panel.set_history((demo.head.task for demo in demos), (demo.head.app for demo in demos))
        self._choose_page()
        if select is not None:
            self._cards.select(select)
        elif not self._cards.currentIndex().isValid() and demos:
            self._cards.setCurrentIndex(self._model.index(0))
        self._tell_selected()
        if not self._greeted:
            self._greeted = True
            if len(demos) > _MANY:
                # What is there now stays; looking through all of it for garbage again and again would drop frames.
                gc.freeze()
            (self._cards if demos else self._first).setFocus()

    def ask_task(self) -> None:
        """Begin to record: first the task."""
        self._panel.ask()

    def set_recording(self, *, recording: bool) -> None:
        """While something is recorded nothing else can be."""
        self._bar.set_recording(recording=recording)
        self._first.setEnabled(not recording)
        if not recording:
            self._panel.set_starting(starting=False)

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: the picture of the empty page has the palette's colours."""
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_empty()
        super().changeEvent(event)

    # Parts ----------------------------------------------------------------------------------------------------

    def _make_bar(self) -> LibraryBar:
        bar = LibraryBar(self._theme)
        bar.search.searched.connect(self._on_query)
        field = bar.search.field
        for ended in (field.left, field.down, field.entered):
            ended.connect(self._cards.setFocus)
        bar.deleted_wanted.connect(self.show_deleted)
        bar.statistics_wanted.connect(self.open_statistics)
        bar.models_wanted.connect(self.models_wanted)
        bar.settings_wanted.connect(self.settings_wanted)
        bar.record_wanted.connect(self.ask_task)
        bar.theme_chosen.connect(self.theme_chosen)
        return bar

    def _make_empty(self) -> QWidget:
        page = QWidget()
        self._empty_picture = QLabel()
        self._empty_picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        words = label(tr("No demos yet"), role="large")
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        more = label(
            tr("Show once how a task is done. Every click and key becomes a step with its screenshot."), role="muted"
        )
        more.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._first = push_button(
            tr("Record your first demo"),
            tr("Record a new demo"),
            self._theme,
            name="record",
            keys="Ctrl+R",
            role="main",
            tint="on_accent",
        )
        self._first.clicked.connect(self.ask_task)
        column = QVBoxLayout(page)
        column.setSpacing(SPACE.m)
        column.addStretch(2)
        column.addWidget(self._empty_picture)
        column.addWidget(words)
        column.addWidget(more)
        column.addSpacing(SPACE.m)
        column.addWidget(self._first, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch(3)
        self._paint_empty()
        return page

    def _paint_empty(self) -> None:
        if hasattr(self, "_empty_picture"):
            self._empty_picture.setPixmap(icon("demo", self._theme, tint="muted").pixmap(QSize(72, 72)))

    # What is done with demos ----------------------------------------------------------------------------------

    def _act(self, name: str, demo_id: str) -> None:
        if name == "open":
            self.open_wanted.emit(demo_id)
        else:
            self.acted.emit(name, demo_id)

    def _act_on_current(self, name: str) -> None:
        current = self._cards.current_id
        if current is not None:
            self._act(name, current)

    def _tell_selected(self) -> None:
        current = self._cards.current_id
        summary = None if current is None else self.summary(current)
        self._selection.show_summary(summary, deleted=self._cards.deleted)

    # Following ------------------------------------------------------------------------------------------------

    def _on_query(self, text: str) -> None:
        self._model.set_query(text)
        self._choose_page()

    def _choose_page(self) -> None:
        shown, total = self._model.rowCount(), self._model.total
        empty = 3 if self._cards.deleted else 1
        self._nothing.setText(tr("No demo fits this search.") if total else tr("Nothing was deleted."))
        if self._pages.currentIndex() != _FIGURES:
            self._pages.setCurrentIndex(empty if not total else 2 if shown else 3)
        self._bar.show_count(shown, total)
