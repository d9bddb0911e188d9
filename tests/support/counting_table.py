"""A Qt table of a million rows; run as a program. ``<file>`` says how often its model was asked about a cell."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtWidgets import QApplication, QTableView

_Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class _Model(QAbstractTableModel):
    asked = 0

    def rowCount(self, parent: _Index = _NONE) -> int:  # noqa: N802, ARG002 - Qt's names
        return 1_000_000

    def columnCount(self, parent: _Index = _NONE) -> int:  # noqa: N802, ARG002 - Qt's names
        return 8

    def flags(self, index: _Index) -> Qt.ItemFlag:
        self.asked += 1
        return super().flags(index)

    def data(self, index: _Index, role: int = 0) -> Any:
        return f"{index.row()}, {index.column()}" if role == Qt.ItemDataRole.DisplayRole else None


def main(told: Path) -> None:
    """Show the table until the program is ended."""
    app = QApplication([])
    model, view = _Model(), QTableView()
    view.setModel(model)
    view.setWindowTitle("A million rows")
    view.resize(700, 500)
    view.show()
    timer = QTimer()

    def tell() -> None:
        part = told.with_suffix(".part")
        part.write_text(str(model.asked), encoding="utf-8")
        part.rename(told)

    timer.timeout.connect(tell)
    timer.start(50)
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
