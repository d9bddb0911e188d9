"""The rows of the list of elements as a Qt model."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from annotator.finding.columns import Vocabulary
from annotator.finding.rows import COLUMNS, NOTHING, Column, Found, Row, states_in_words
from annotator.step_words import name_element
from annotator.type_words import type_word
from annotator.words import tr

__all__ = ["REVIEW_WORDS", "ElementModel"]

_HEADS: Final[dict[Column, str]] = {
    "number": "#",
    "type": tr("Type"),
    "text": tr("Text"),
    "states": tr("States"),
    "confidence": tr("Sure"),
    "review": "",
}
_TIPS: Final[dict[Column, str]] = {
    "number": tr("Sort by reading order"),
    "type": tr("Sort by type"),
    "text": tr("Sort by text"),
    "states": tr("Sort by states"),
    "confidence": tr("Sort by how sure the finder is"),
    "review": tr("Sort by review"),
}
REVIEW_WORDS: Final = {
    "unreviewed": tr("to do"),
    "doubtful": tr("doubtful"),
    "approved": tr("approved"),
    "rejected": tr("rejected"),
}
_Index = QModelIndex | QPersistentModelIndex


class ElementModel(QAbstractTableModel):
    """One row an element; owns the order, not the elements."""

    def __init__(self, words: Vocabulary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._vocabulary = words
        self._found = NOTHING
        self._rows = NOTHING
        self._order: tuple[Column, bool] = ("number", False)
        self._of_demo = False

    @property
    def rows(self) -> Found:
        """What is listed, in the order shown."""
        return self._rows

    @property
    def order(self) -> tuple[Column, bool]:
        """By which column the rows stand, and whether the other way round."""
        return self._order

    def at(self, row: int) -> Row | None:
        """One row; None where there is none."""
        return self._rows.row(row) if 0 <= row < len(self._rows) else None

    def show_rows(self, found: Found, *, of_demo: bool) -> bool:
        """List other elements; True when the rows are others than before, and not merely changed in their place."""
        ordered = self._sorted(found)
        same = of_demo == self._of_demo and ordered.lists_the_same(self._rows)
        if same:
            self._found, self._rows = found, ordered
            if len(ordered):
                self.dataChanged.emit(self.index(0, 0), self.index(len(ordered) - 1, len(COLUMNS) - 1))
            return False
        self.beginResetModel()
        self._found, self._rows, self._of_demo = found, ordered, of_demo
        self.endResetModel()
        return True

    def _sorted(self, found: Found) -> Found:
        column, descending = self._order
        return found.ordered(column, self._vocabulary, descending=descending)

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many elements."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many facets."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Qt's hook: another order."""
        wanted = (COLUMNS[column], order == Qt.SortOrder.DescendingOrder)
        if wanted != self._order:
            self._order = wanted
            self.beginResetModel()
            self._rows = self._sorted(self._found)
            self.endResetModel()

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: what a column shows."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _HEADS[COLUMNS[section]]
        return _TIPS[COLUMNS[section]] if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one cell in words."""
        row = self.at(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(row, COLUMNS[index.column()])
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._told(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._told(row)}, {REVIEW_WORDS[row.element.review]}"
        return None

    def words(self, row: Row, column: Column) -> str:
        """What stands in a cell."""
        element = row.element
        if column == "number":
            number = str(row.number) if row.number else "-"
            return f"{row.step}.{number}" if self._of_demo and row.step else number
        if column == "type":
            return type_word(element.type)
        if column == "text":
            return " ".join((element.text or element.subtype or "").split())
        if column == "states":
            return states_in_words(element)
        if column == "confidence":
            return "" if element.confidence is None else f"{element.confidence:.2f}"
        return REVIEW_WORDS[element.review]

    def _told(self, row: Row) -> str:
        states = states_in_words(row.element)
        where = tr("Step {step}: ").format(step=row.step) if self._of_demo and row.step else ""
        name = f"{where}{name_element(row.element)}"
        return f"{name}, {states}" if states else name
