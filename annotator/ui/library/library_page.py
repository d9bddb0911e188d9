"""The library page: search, Record, the cards, and what stands there when there are none."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QStackedWidget, QWidget

from annotator.finding.demo_search import DEMO_KEYS, SEARCH_HELP, demo_search
from annotator.finding.review import ReviewProgress, library_progress
from annotator.ui.controls import Bar, ProgressLine, column, discard, flat_button, label, push_button, row, set_tip
from annotator.ui.fitting import Fitting, hiding
from annotator.ui.icons import icon
from annotator.ui.library.demo_cards import DemoCards, LibraryModel, demo_warning, offers_of
from annotator.ui.recording.start_panel import StartPanel
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.search_field import SearchBox
from annotator.ui.theme.manager import Theme, ThemeChoice
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.demos import DemoSummary

if TYPE_CHECKING:
    from annotator.ui.statistics_view import StatisticsView

_THEMES: Final[dict[ThemeChoice, str]] = {
    "system": tr("As the system"),
    "light": tr("Light"),
    "dark": tr("Dark"),
    "contrast": tr("High contrast"),
}
_SEARCH_WIDTH: Final = 200
"""For a few words."""


class LibraryBar(Bar):
    """Bar over the demos.

    Attributes:
        search: the search over the demos.
        bin: shows the deleted demos, or the others again.
        replay: does the selected demo again.
        record: asks for a new demo.

    Signals:
        theme_chosen: a ``ThemeChoice``.
    """

    theme_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__("bar")
        self._theme = theme
        self.search = SearchBox(tr("Search demos"), theme, keys=DEMO_KEYS, check=demo_search, tip=SEARCH_HELP)
        set_tip(self.search.field, action="search_demos")
        self.search.setMinimumWidth(_SEARCH_WIDTH)
        self.search.setMaximumWidth(420)
        self._title = label(tr("Demos"), role="title")
        self._count = label("", role="muted")
        self._line = ProgressLine(tr("Review of the library"), theme)
        self._line.setFixedWidth(96)
        self._words = label("", role="caption")
        statistics = flat_button("statistics", tr("Statistics"), theme, action="library_figures")
        self.bin = flat_button("trash", tr("Recently deleted demos"), theme)
        self.bin.setCheckable(True)
        self._themes = flat_button("theme", tr("Light, dark or high contrast"), theme, call=self._show_themes)
        self.replay = flat_button("play", tr("Do the selected demo again …"), theme, action="replay_demo")
        tasks = flat_button("steps", tr("Tasks"), theme, action="open_tasks")
        models = flat_button("model", tr("Models"), theme, action="open_models")
        settings = flat_button("settings", tr("Settings"), theme, action="open_settings")
        new = tr("Record a new demo")
        self.record = push_button(tr("Record"), new, theme, name="record", action="record", role="main")
        row(
            self._title,
            self._count,
            SPACE.m,
            (self.search, 1),
            None,
            self._line,
            self._words,
            SPACE.s,
            self.replay,
            statistics,
            self.bin,
            self._themes,
            tasks,
            models,
            settings,
            self.record,
            of=self,
            spacing=SPACE.m,
            margins=(SPACE.xl, SPACE.m, SPACE.xl, SPACE.m),
        )
        # The line says it without words, too, and so do the cards.
        spare = (
            hiding(self._words),
            hiding(self._line, wanted=lambda: self._line.progress.total > 0),
            hiding(self.replay),
        )
        self._fitting = Fitting(
            self,
            spare,
            says=lambda: (self._title.text(), self._count.text(), self._words.text(), self._line.progress.total > 0),
        )

    def show_deleted(self, *, deleted: bool) -> None:
        """Whether the demos are deleted ones."""
        self.bin.setChecked(deleted)
        self._title.setText(tr("Recently deleted") if deleted else tr("Demos"))

    def show_count(self, shown: int, total: int) -> None:
        """How many demos there are, and how many of them fit the search."""
        self._count.setText(
            ""
            if not total
            else tr("{shown} of {total}").format(shown=shown, total=total)
            if shown != total
            else str(total)
        )

    def show_progress(self, steps: ReviewProgress) -> None:
        """How far the review of all demos is."""
        self._line.show_progress(steps)
        self._words.setText(
            tr("{approved} of {total} steps approved").format(approved=steps.approved, total=steps.total)
            if steps.total
            else ""
        )
        self._fitting.fit()

    def _show_themes(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for choice, words in _THEMES.items():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(choice == self._theme.choice)
            action.triggered.connect(lambda _=False, choice=choice: self.theme_chosen.emit(choice))
        menu.popup(self._themes.mapToGlobal(self._themes.rect().bottomLeft()))


class SelectionBar(Bar):
    """Hidden for an ordinary demo.

    Signals:
        acted: name of an offer, and id of the demo.
    """

    acted = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__("footer", parent)
        self._theme = theme
        self.words = label("", role="muted", wraps=True)
        self._buttons: list[QPushButton] = []
        self._row = row((self.words, 1), of=self, margins=(SPACE.xl, SPACE.s, SPACE.xl, SPACE.s))
        self.hide()

    def show_summary(self, summary: DemoSummary | None, *, deleted: bool) -> None:
        """Tell about another demo."""
        words = demo_warning(summary, deleted=deleted)
        discard(self._buttons)
        self._buttons = []
        self.words.setText(words)
        self.setVisible(bool(words))
        if summary is None or not words:
            return
        for offer in offers_of(summary, deleted=deleted):
            if offer.name in {"open", "replay"}:
                continue
            button = push_button(
                offer.words,
                offer.tip,
                self._theme,
                keys=offer.keys,
                call=partial(self.acted.emit, offer.name, summary.head.id),
            )
            self._row.addWidget(button)
            self._buttons.append(button)


_STATISTICS_INDEX = 4
_MIN_DEMOS_TO_FREEZE = 1000


class LibraryPage(QWidget):
    """Every demo of the library.

    Signals:
        deleted_toggled: the deleted demos are to be shown, or the others again.
        undo_wanted: take the last deletion back.
        statistics_wanted: figures of the whole library are to be counted.
    """

    deleted_toggled = Signal()
    undo_wanted = Signal()
    statistics_wanted = Signal()

    def __init__(self, pictures: ScreenshotCache, theme: Theme, *, panel: StartPanel) -> None:
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self._greeted = False
        self._model = LibraryModel(pictures, self, ratio=self.devicePixelRatioF())
        self.cards = DemoCards(self._model, theme)
        pictures.thumbnail_ready.connect(self.cards.viewport().update)
        self.cards.current_changed.connect(self._tell_selected)
        self.selection_bar = SelectionBar(theme, self)
        self.panel = panel
        self._nothing = label(tr("No demo fits this search."), role="muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.bar = LibraryBar(theme)
        self.search = self.bar.search
        self.bar.bin.clicked.connect(self.show_deleted)
        field = self.search.field
        self.search.searched.connect(self._on_query)
        for ended in (field.left, field.down, field.entered):
            ended.connect(self.cards.setFocus)
        self._pages = QStackedWidget()
        for part in (QWidget(), self._make_empty(), self.cards, self._nothing):
            self._pages.addWidget(part)
        # The demos can be scrolled; what is said before a recording cannot.
        self._pages.setMinimumHeight(1)
        column(
            self.bar,
            (
                column(
                    row(self.panel, spacing=-1, margins=(SPACE.s, 0, SPACE.l, 0)),
                    (self._pages, 1),
                    margins=(SPACE.xl - SPACE.s, SPACE.l, SPACE.s, 0),
                ),
                1,
            ),
            self.selection_bar,
            of=self,
            spacing=0,
        )

    @property
    def first_card(self) -> tuple[DemoCards, QRect] | None:
        """The cards, and where the first of them lies; None where no demo is seen."""
        first = self.cards.model().index(0, 0)
        seen = self.cards.isVisible() and first.isValid()
        return (self.cards, self.cards.visualRect(first)) if seen else None

    @property
    def showing_deleted(self) -> bool:
        """Whether the deleted demos are shown."""
        return self.cards.deleted

    def summary(self, demo_id: str) -> DemoSummary | None:
        """A demo of the list; None when it is not shown."""
        return self._model.summary(self._model.row_of(demo_id))

    @cached_property
    def figures(self) -> StatisticsView:
        """The statistics; made when they are first needed, because the first window shows none."""
        from annotator.ui.statistics_view import StatisticsView

        made = StatisticsView(self._theme, heading=tr("Statistics of the library"), close=self.close_statistics)
        self._pages.addWidget(made)
        return made

    def open_statistics(self) -> None:
        """Show the statistics, or the demos again."""
        if self._pages.currentIndex() == _STATISTICS_INDEX:
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
        self.cards.setFocus()

    def show_deleted(self, deleted: bool) -> None:  # noqa: FBT001 - a slot, too
        """Show the deleted demos, or the others again."""
        if deleted != self.cards.deleted:
            self.cards.deleted = deleted
            self.bar.show_deleted(deleted=deleted)
            self.deleted_toggled.emit()

    def show_demos(self, demos: Sequence[DemoSummary], *, select: str | None = None) -> None:
        """Show a new reading of the library."""
        self._model.set_demos(demos)
        if not self.cards.deleted:
            self.bar.show_progress(library_progress(demos))
            self.panel.set_history((demo.head.task for demo in demos), (demo.head.app for demo in demos))
        self._choose_page()
        if select is not None:
            self.cards.select(select)
        elif not self.cards.currentIndex().isValid() and demos:
            self.cards.setCurrentIndex(self._model.index(0))
        self._tell_selected()
        if not self._greeted:
            self._greeted = True
            if len(demos) > _MIN_DEMOS_TO_FREEZE:
                # What is there now stays; looking through all of it for garbage again and again would drop frames.
                gc.freeze()
            (self.cards if demos else self._first).setFocus()

    def replay(self) -> None:
        """Do the selected demo again, where that can be done."""
        summary = self.cards.current
        if self._can_replay(summary) and summary is not None:
            self.cards.acted.emit("replay", summary.head.id)

    def _can_replay(self, summary: DemoSummary | None) -> bool:
        offers = () if summary is None else offers_of(summary, deleted=self.cards.deleted)
        return any(offer.name == "replay" for offer in offers)

    def set_recording(self, *, recording: bool) -> None:
        """While something is recorded nothing else can be."""
        self.bar.record.setEnabled(not recording)
        self._first.setEnabled(not recording)
        if not recording:
            self.panel.set_starting(starting=False)

    # Parts ----------------------------------------------------------------------------------------------------

    def _make_empty(self) -> QWidget:
        page = QWidget()
        self._empty_picture = QLabel()
        words = label(tr("No demos yet"), role="large")
        more = label(
            tr("Show once how a task is done. Every click and key becomes a step with its screenshot."), role="muted"
        )
        for part in (self._empty_picture, words, more):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._first = push_button(
            tr("Record your first demo"),
            tr("Record a new demo"),
            self._theme,
            name="record",
            action="record",
            role="main",
        )
        first = (self._first, 0, Qt.AlignmentFlag.AlignCenter)
        # A little above the middle.
        column(None, None, self._empty_picture, words, more, SPACE.m, first, None, None, None, of=page, spacing=SPACE.m)
        self._theme.changed.connect(self._paint_empty)
        self._paint_empty()
        return page

    def _paint_empty(self) -> None:
        self._empty_picture.setPixmap(icon("demo", self._theme, tint="muted").pixmap(QSize(72, 72)))

    def _tell_selected(self) -> None:
        self.selection_bar.show_summary(self.cards.current, deleted=self.cards.deleted)
        self.bar.replay.setEnabled(self._can_replay(self.cards.current))

    # Following ------------------------------------------------------------------------------------------------

    def _on_query(self, text: str) -> None:
        self._model.set_query(text)
        self._choose_page()

    def _choose_page(self) -> None:
        shown, total = self._model.rowCount(), self._model.total
        empty = 3 if self.cards.deleted else 1
        self._nothing.setText(tr("No demo fits this search.") if total else tr("Nothing was deleted."))
        if self._pages.currentIndex() != _STATISTICS_INDEX:
            self._pages.setCurrentIndex(empty if not total else 2 if shown else 3)
        self.bar.show_count(shown, total)
