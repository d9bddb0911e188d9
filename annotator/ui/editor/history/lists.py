"""The two lists of the history."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QListView, QTableView

from annotator.ui.editor.history.delegates import ROW, HistoryDelegate
from annotator.ui.theme.manager import Theme

__all__ = ["ChangeList", "EditTable"]


class EditTable(QTableView):
    """Every edit; arrows, Home and End choose, a click shows what it was about, Enter goes there.

    A table of one column: a list would lay out ten thousand rows anew after each edit, asking Python for every one.

    Signals:
        acted: Enter was pressed on a row.
        looked_at: a row was clicked.
    """

    acted = Signal(int)
    looked_at = Signal(int)

    def __init__(self, name: str, model: QAbstractListModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        _set_up(self, name, theme)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self, index: QModelIndex) -> None:
        self.looked_at.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: in a table Home and End would stay in the row."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.model().rowCount() - 1}
        if event.key() in ends:
            self.setCurrentIndex(self.model().index(ends[Qt.Key(event.key())], 0))
        elif _is_enter(event):
            if self.currentIndex().isValid():
                self.acted.emit(self.currentIndex().row())
        elif _is_letter(event):
            event.ignore()
        else:
            super().keyPressEvent(event)


class ChangeList(QListView):
    """What changed, each thing as high as its lines; Enter and a click show it.

    Signals:
        acted: a row was clicked, or Enter was pressed on it.
    """

    acted = Signal(int)

    def __init__(self, name: str, model: QAbstractListModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        _set_up(self, name, theme)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self, index: QModelIndex) -> None:
        self.acted.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Enter acts; letters are the editor's."""
        if _is_enter(event):
            if self.currentIndex().isValid():
                self.acted.emit(self.currentIndex().row())
        elif _is_letter(event):
            event.ignore()
        else:
            super().keyPressEvent(event)


def _set_up(view: QAbstractItemView, name: str, theme: Theme) -> None:
    view.setAccessibleName(name)
    view.setItemDelegate(HistoryDelegate(theme, view))
    view.setMouseTracking(True)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)


def _is_enter(event: QKeyEvent) -> bool:
    return event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}


def _is_letter(event: QKeyEvent) -> bool:
    """Letters are the editor's, not for finding rows by their beginning."""
    return bool(event.text()) and event.text().isprintable()
