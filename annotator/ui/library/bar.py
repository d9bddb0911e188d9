"""The bar over the demos: search, how far the review is, the other pages, Record."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from annotator.finding.demo_keys import DEMO_KEYS
from annotator.finding.review import Progress
from annotator.search import SEARCH_HELP, demo_search
from annotator.ui.controls import flat_button, label, push_button
from annotator.ui.progress_line import ProgressLine
from annotator.ui.search_field import SearchBox
from annotator.ui.theme.manager import Theme, ThemeChoice
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["LibraryBar"]

_THEMES: Final[dict[ThemeChoice, str]] = {
    "system": tr("As the system"),
    "light": tr("Light"),
    "dark": tr("Dark"),
    "contrast": tr("High contrast"),
}
_ROOM_FOR_WORDS: Final = 1120


class LibraryBar(QWidget):
    """What stands over the demos.

    Attributes:
        search: the search over the demos.

    Signals:
        deleted_wanted: whether the deleted demos are to be shown.
        statistics_wanted: figures, or the demos again.
        models_wanted: the models.
        settings_wanted: the settings.
        record_wanted: a new demo.
        theme_chosen: a ``ThemeChoice``.
    """

    deleted_wanted = Signal(bool)
    statistics_wanted = Signal()
    models_wanted = Signal()
    settings_wanted = Signal()
    record_wanted = Signal()
    theme_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self.search = SearchBox(
            tr("Search demos"),
            theme,
            keys=DEMO_KEYS,
            check=demo_search,
            tip=tr("{search_help} (Ctrl+F)").format(search_help=SEARCH_HELP),
        )
        self.search.setMaximumWidth(420)
        self._title = label(tr("Demos"), role="title")
        self._count = label("", role="muted")
        self._line = ProgressLine(tr("Review of the library"), theme)
        self._line.setFixedWidth(96)
        self._words = label("", role="caption")
        statistics = flat_button("statistics", tr("Statistics"), theme, keys="Ctrl+Shift+S")
        statistics.clicked.connect(self.statistics_wanted)
        self._bin = flat_button("trash", tr("Recently deleted demos"), theme)
        self._bin.setCheckable(True)
        self._bin.clicked.connect(self.deleted_wanted)
        self._themes = flat_button("theme", tr("Light, dark or high contrast"), theme)
        self._themes.clicked.connect(self._show_themes)
        models = flat_button("model", tr("Models"), theme, keys="Ctrl+M")
        models.clicked.connect(self.models_wanted)
        settings = flat_button("settings", tr("Settings"), theme, keys="Ctrl+,")
        settings.clicked.connect(self.settings_wanted)
        self._record = push_button(
            tr("Record"), tr("Record a new demo"), theme, name="record", keys="Ctrl+R", role="main", tint="on_accent"
        )
        self._record.clicked.connect(self.record_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.xl, SPACE.m, SPACE.xl, SPACE.m)
        row.setSpacing(SPACE.m)
        row.addWidget(self._title)
        row.addWidget(self._count)
        row.addSpacing(SPACE.m)
        row.addWidget(self.search, 1)
        row.addStretch(1)
        row.addWidget(self._line)
        row.addWidget(self._words)
        row.addSpacing(SPACE.s)
        for button in (statistics, self._bin, self._themes, models, settings, self._record):
            row.addWidget(button)

    def show_deleted(self, *, deleted: bool) -> None:
        """Whether the demos are deleted ones."""
        self._bin.setChecked(deleted)
        self._title.setText(tr("Recently deleted") if deleted else tr("Demos"))

    def show_count(self, shown: int, total: int) -> None:
        """How many demos there are, and how many of them fit the search."""
        self._count.setText("" if not total else f"{shown} of {total}" if shown != total else str(total))

    def show_progress(self, steps: Progress) -> None:
        """How far the review of all demos is."""
        self._line.show_progress(steps)
        self._line.setVisible(steps.total > 0)
        self._words.setText(
            tr("{approved} of {total} steps approved").format(approved=steps.approved, total=steps.total)
            if steps.total
            else ""
        )

    def set_recording(self, *, recording: bool) -> None:
        """While something is recorded nothing else can be."""
        self._record.setEnabled(not recording)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: in a narrow window the line has to do without its words."""
        self._words.setVisible(event.size().width() >= _ROOM_FOR_WORDS)
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
