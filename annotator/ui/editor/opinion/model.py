"""The differences as a Qt model: one row each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from annotator.opinion.differences import Difference

__all__ = ["DifferencesModel"]

_Index = QModelIndex | QPersistentModelIndex


class DifferencesModel(QAbstractListModel):
    """Rows of differences; says of each where it is and what it is."""

    def __init__(self, place: Callable[[str], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place = place
        self._shown: list[Difference] = []

    def show(self, found: Sequence[Difference]) -> None:
        """Show other differences."""
        self.beginResetModel()
        self._shown = list(found)
        self.endResetModel()

    def at(self, row: int) -> Difference | None:
        """The difference of a row; None where there is none."""
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def rowCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: the words."""
        one = self.at(index.row())
        if one is None or role not in {
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.ToolTipRole,
            Qt.ItemDataRole.AccessibleTextRole,
        }:
            return None
        return f"{one.words}\n{self._place(one.frame)}"
