"""The bar over the demos: search, how far the review is, the other pages, Record."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu

from annotator.finding.demo_search import DEMO_KEYS, SEARCH_HELP, demo_search
from annotator.finding.review import ReviewProgress
from annotator.ui.controls import Bar, ProgressLine, flat_button, label, push_button, row, set_tip
from annotator.ui.search_field import SearchBox
from annotator.ui.theme.manager import Theme, ThemeChoice
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

_THEMES: Final[dict[ThemeChoice, str]] = {
    "system": tr("As the system"),
    "light": tr("Light"),
    "dark": tr("Dark"),
    "contrast": tr("High contrast"),
}
_MIN_WORDS_WIDTH_PX: Final = 1120


class LibraryBar(Bar):
    """Bar over the demos.

    Attributes:
        search: the search over the demos.
        bin: shows the deleted demos, or the others again.
        record: asks for a new demo.

    Signals:
        theme_chosen: a ``ThemeChoice``.
    """

    theme_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__("bar")
        self._theme = theme
        self.search = SearchBox(
            tr("Search demos"),
            theme,
            keys=DEMO_KEYS,
            check=demo_search,
            tip=SEARCH_HELP,
        )
        set_tip(self.search.field, action="search_demos")
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
        models = flat_button("model", tr("Models"), theme, action="open_models")
        settings = flat_button("settings", tr("Settings"), theme, action="open_settings")
        self.record = push_button(
            tr("Record"),
            tr("Record a new demo"),
            theme,
            name="record",
            action="record",
            role="main",
        )
        row(
            self._title,
            self._count,
            SPACE.m,
            (self.search, 1),
            None,
            self._line,
            self._words,
            SPACE.s,
            statistics,
            self.bin,
            self._themes,
            models,
            settings,
            self.record,
            of=self,
            spacing=SPACE.m,
            margins=(SPACE.xl, SPACE.m, SPACE.xl, SPACE.m),
        )

    def show_deleted(self, *, deleted: bool) -> None:
        """Whether the demos are deleted ones."""
        self.bin.setChecked(deleted)
        self._title.setText(tr("Recently deleted") if deleted else tr("Demos"))

    def show_count(self, shown: int, total: int) -> None:
        """How many demos there are, and how many of them fit the search."""
        self._count.setText("" if not total else f"{shown} of {total}" if shown != total else str(total))

    def show_progress(self, steps: ReviewProgress) -> None:
        """How far the review of all demos is."""
        self._line.show_progress(steps)
        self._line.setVisible(steps.total > 0)
        self._words.setText(
            tr("{approved} of {total} steps approved").format(approved=steps.approved, total=steps.total)
            if steps.total
            else ""
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: in a narrow window the line has to do without its words."""
        self._words.setVisible(event.size().width() >= _MIN_WORDS_WIDTH_PX)
        super().resizeEvent(event)

    def _show_themes(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for choice, words in _THEMES.items():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(choice == self._theme.choice)
            action.triggered.connect(lambda _=False, choice=choice: self.theme_chosen.emit(choice))
        menu.popup(self._themes.mapToGlobal(self._themes.rect().bottomLeft()))
