"""A spreadsheet: cells in rows and columns with headers, sheets as tabs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QMainWindow,
    QTabBar,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.widget_builder import WidgetBuilder

_TOOLS = ("save", "undo", "redo", "chart", "filter", "sort", "print", "add", "remove", "refresh")


def build(kit: WidgetBuilder) -> QWidget:
    """A table in a window of its own."""
    window = QMainWindow()
    window.setWindowTitle(f"{kit.say.noun()}.csv")
    if kit.maybe(0.8):
        kit.menus(window)
    if kit.maybe(0.7):
        kit.tool_bar(window, _TOOLS[: kit.count(3, 10)])
    middle = QWidget()
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    if kit.maybe(0.5):
        row = QHBoxLayout()
        row.addWidget(kit.label("ABCDEF"[kit.rng.randrange(6)] + str(kit.rng.randint(1, 99))))
        row.addWidget(QLineEdit(kit.pick(("=SUM(B2:B9)", kit.say.cell(), ""))), 1)
        column.addLayout(row)
    column.addWidget(table(kit), 1)
    if kit.maybe(0.5):
        bar = QTabBar()
        bar.setShape(QTabBar.Shape.RoundedSouth)
        for text in kit.say.nouns(kit.rng.randint(1, 4)):
            bar.addTab(text)
        column.addWidget(bar)
    window.setCentralWidget(middle)
    if kit.maybe(0.6):
        window.statusBar().showMessage(kit.say.phrase(4))
    return window


def table(kit: WidgetBuilder) -> QTableView:
    """A table with made-up columns."""
    view = QTableView()
    columns = kit.count(2, 12)
    model = QStandardItemModel(0, columns, view)
    letters = kit.maybe(0.4)
    names = [chr(65 + i) for i in range(columns)] if letters else kit.say.fields(columns)
    model.setHorizontalHeaderLabels(names)
    makers = [
        kit.pick((kit.say.number, kit.say.name, kit.say.price, kit.say.date, kit.say.city, kit.say.noun)) for _ in names
    ]
    right = [kit.maybe(0.3) for _ in names]
    full = kit.rng.uniform(0.4, 1)
    for _ in range(kit.count(3, 45)):
        row = [QStandardItem(make() if kit.maybe(full) else "") for make in makers]
        for item, to_right in zip(row, right, strict=True):
            if to_right:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if kit.maybe(0.03):
            row[0].setCheckable(True)
        model.appendRow(row)
    view.setModel(model)
    _theme(kit, view)
    return view


def _theme(kit: WidgetBuilder, view: QTableView) -> None:
    view.setShowGrid(kit.maybe(0.7))
    view.setAlternatingRowColors(kit.maybe(0.4))
    view.verticalHeader().setVisible(kit.maybe(0.6))
    view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + kit.rng.randint(4, 16))
    if kit.maybe(0.4):
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    if kit.maybe(0.3):
        view.setSortingEnabled(True)
    for column in range(view.model().columnCount()):
        view.setColumnWidth(column, kit.rng.randint(50, 170))
    view.horizontalHeader().setStretchLastSection(kit.maybe(0.3))
