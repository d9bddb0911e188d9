"""The library page: search, Record, the cards, and what stands there when there are none."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QStackedWidget, QVBoxLayout, QWidget

from annotator.finding.demo_keys import DEMO_KEYS
from annotator.finding.review import library_progress
from annotator.search import SEARCH_HELP, demo_search
from annotator.ui.controls import flat_button, label, push_button
from annotator.ui.icons import icon
from annotator.ui.library.cards import Cards
from annotator.ui.library.model import LibraryModel
from annotator.ui.library.selection_bar import SelectionBar
from annotator.ui.pictures import Pictures
from annotator.ui.progress_line import ProgressLine
from annotator.ui.recording.start_panel import StartPanel
from annotator.ui.search_field import SearchBox
from annotator.ui.statistics.view import StatisticsView
from annotator.ui.theme.manager import Theme, ThemeChoice
from annotator.ui.theme.tokens import SPACE
from demopack.domain.demos import DemoSummary

__all__ = ["LibraryPage"]

_FIGURES = 4
_ROOM_FOR_WORDS = 1120

_THEMES: dict[ThemeChoice, str] = {
    "system": "As the system",
    "light": "Light",
    "dark": "Dark",
    "contrast": "High contrast",
}


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
        self._nothing = label("No demo fits this search.", role="muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._figures = StatisticsView(theme, heading="Statistics of the library", searchable=False)
        self._figures.closed.connect(self.close_statistics)
        for part in (QWidget(), self._make_empty(), self._cards, self._nothing, self._figures):
            self._pages.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_bar())
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
        for keys, call in (
            ("Ctrl+R", self.ask_task),
            ("Ctrl+F", self._search.field.setFocus),
            ("Ctrl+K", self._search.field.setFocus),
            ("Ctrl+Shift+S", self.open_statistics),
            ("Ctrl+Z", self.undo_wanted.emit),
        ):
            QShortcut(QKeySequence(keys), self, call, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    @property
    def panel(self) -> StartPanel:
        """What is asked before a recording."""
        return self._panel

    @property
    def search(self) -> SearchBox:
        """The search over the demos."""
        return self._search

    @property
    def cards(self) -> Cards:
        """The demos."""
        return self._cards

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
        """The statistics."""
        return self._figures

    def open_statistics(self) -> None:
        """Show the statistics, or the demos again."""
        if self._pages.currentIndex() == _FIGURES:
            self.close_statistics()
            return
        self._figures.show_waiting()
        self._pages.setCurrentIndex(_FIGURES)
        self._figures.setFocus()
        self.statistics_wanted.emit()

    def close_statistics(self) -> None:
        """Show the demos again."""
        self._pages.setCurrentIndex(0)
        self._choose_page()
        self._cards.setFocus()

    def show_deleted(self, *, deleted: bool) -> None:
        """Show the deleted demos, or the others again."""
        if deleted != self._cards.deleted:
            self._cards.deleted = deleted
            self._bin.setChecked(deleted)
            self._title.setText("Recently deleted" if deleted else "Demos")
            self.deleted_toggled.emit()

    def show_demos(self, demos: Sequence[DemoSummary], *, select: str | None = None) -> None:
        """Show a new reading of the library."""
        self._model.set_demos(demos)
        if not self._cards.deleted:
            self._show_progress(demos)
            self._panel.set_history((demo.head.task for demo in demos), (demo.head.app for demo in demos))
        self._choose_page()
        if select is not None:
            self._cards.select(select)
        elif not self._cards.currentIndex().isValid() and demos:
            self._cards.setCurrentIndex(self._model.index(0))
        self._tell_selected()
        if not self._greeted:
            self._greeted = True
            (self._cards if demos else self._first).setFocus()

    def ask_task(self) -> None:
        """Begin to record: first the task."""
        self._panel.ask()

    def set_recording(self, *, recording: bool) -> None:
        """While something is recorded nothing else can be."""
        self._record.setEnabled(not recording)
        self._first.setEnabled(not recording)
        if not recording:
            self._panel.set_starting(starting=False)

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: the picture of the empty page has the palette's colours."""
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_empty()
        super().changeEvent(event)

    # Parts ----------------------------------------------------------------------------------------------------

    def _make_bar(self) -> QWidget:
        bar = QWidget()
        bar.setObjectName("bar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._search = SearchBox(
            "Search demos", self._theme, keys=DEMO_KEYS, check=demo_search, tip=f"{SEARCH_HELP} (Ctrl+F)"
        )
        self._search.setMaximumWidth(420)
        self._search.searched.connect(self._on_query)
        self._search.field.left.connect(self._cards.setFocus)
        self._search.field.down.connect(self._cards.setFocus)
        self._search.field.entered.connect(self._cards.setFocus)
        self._count = label("", role="muted")
        self._title = label("Demos", role="title")
        self._bin = flat_button("trash", "Recently deleted demos", self._theme)
        self._bin.setCheckable(True)
        self._bin.clicked.connect(lambda: self.show_deleted(deleted=self._bin.isChecked()))
        self._line = ProgressLine("Review of the library", self._theme)
        self._line.setFixedWidth(96)
        self._progress = label("", role="caption")
        self._statistics_button = flat_button("statistics", "Statistics", self._theme, keys="Ctrl+Shift+S")
        self._statistics_button.clicked.connect(self.open_statistics)
        self._theme_button = flat_button("theme", "Light, dark or high contrast", self._theme)
        self._theme_button.clicked.connect(self._show_themes)
        self._models_button = flat_button("model", "Models", self._theme, keys="Ctrl+M")
        self._models_button.clicked.connect(self.models_wanted)
        self._settings_button = flat_button("settings", "Settings", self._theme, keys="Ctrl+,")
        self._settings_button.clicked.connect(self.settings_wanted)
        self._record = push_button(
            "Record", "Record a new demo", self._theme, name="record", keys="Ctrl+R", role="main", tint="on_accent"
        )
        self._record.clicked.connect(self.ask_task)
        row = QHBoxLayout(bar)
        row.setContentsMargins(SPACE.xl, SPACE.m, SPACE.xl, SPACE.m)
        row.setSpacing(SPACE.m)
        row.addWidget(self._title)
        row.addWidget(self._count)
        row.addSpacing(SPACE.m)
        row.addWidget(self._search, 1)
        row.addStretch(1)
        row.addWidget(self._line)
        row.addWidget(self._progress)
        row.addSpacing(SPACE.s)
        row.addWidget(self._statistics_button)
        row.addWidget(self._bin)
        row.addWidget(self._theme_button)
        row.addWidget(self._models_button)
        row.addWidget(self._settings_button)
        row.addWidget(self._record)
        return bar

    def _make_empty(self) -> QWidget:
        page = QWidget()
        self._empty_picture = QLabel()
        self._empty_picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        words = label("No demos yet", role="large")
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        more = label(
            "Show once how a task is done. Every click and key becomes a step with its screenshot.", role="muted"
        )
        more.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._first = push_button(
            "Record your first demo", "Record a new demo", self._theme, name="record", keys="Ctrl+R", role="main",
            tint="on_accent",
        )  # fmt: skip
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

    def _show_themes(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for choice, words in _THEMES.items():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(choice == self._theme.choice)
            action.triggered.connect(lambda _=False, choice=choice: self.theme_chosen.emit(choice))
        menu.popup(self._theme_button.mapToGlobal(self._theme_button.rect().bottomLeft()))

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

    def _show_progress(self, demos: Sequence[DemoSummary]) -> None:
        steps, _ = library_progress(demos)
        self._line.show_progress(steps)
        self._line.setVisible(steps.total > 0)
        self._progress.setText(f"{steps.approved} of {steps.total} steps approved" if steps.total else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: in a narrow window the line has to do without its words."""
        self._progress.setVisible(event.size().width() >= _ROOM_FOR_WORDS)
        super().resizeEvent(event)

    def _choose_page(self) -> None:
        shown, total = self._model.rowCount(), self._model.total
        empty = 3 if self._cards.deleted else 1
        self._nothing.setText("No demo fits this search." if total else "Nothing was deleted.")
        if self._pages.currentIndex() != _FIGURES:
            self._pages.setCurrentIndex(empty if not total else 2 if shown else 3)
        self._count.setText("" if not total else f"{shown} of {total}" if shown != total else str(total))
