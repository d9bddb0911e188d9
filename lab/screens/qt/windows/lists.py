"""Lists, trees and tables of every make, side by side."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.probe.items import SUBTYPE_ROLE


def lists(kit: WidgetBuilder) -> QWidget:
    """One to three of them below or beside each other."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.noun())
    if kit.maybe(0.6):
        kit.menus(window)
    if kit.maybe(0.6):
        kit.tool_bar(window, kit.rng.sample(("back", "forward", "up", "search", "filter", "sort", "list", "grid"), 5))
    split = QSplitter(kit.pick((Qt.Orientation.Horizontal, Qt.Orientation.Horizontal, Qt.Orientation.Vertical)))
    for _ in range(kit.pick((1, 2, 2, 3))):
        split.addWidget(_pane(kit))
    window.setCentralWidget(split)
    if kit.maybe(0.6):
        window.statusBar().showMessage(kit.say.phrase(4))
    return window


def _pane(kit: WidgetBuilder) -> QWidget:
    pane = QWidget()
    column = QVBoxLayout(pane)
    column.setContentsMargins(*(kit.pick((0, 2, 8)),) * 4)
    if kit.maybe(0.4):
        column.addWidget(kit.heading(kit.say.noun()) if kit.maybe(0.5) else QLineEdit(kit.say.noun()))
    view = kit.pick(_VIEWS)(kit)
    view.setAlternatingRowColors(kit.maybe(0.3))
    view.setSelectionMode(kit.pick((_SELECT.SingleSelection, _SELECT.ExtendedSelection)))
    view.setEnabled(not kit.maybe(0.05))
    column.addWidget(view, 1)
    return pane


_SELECT = QAbstractItemView.SelectionMode


def _rows(kit: WidgetBuilder) -> QAbstractItemView:
    """One word a row, or a picture and some words."""
    view = QListWidget()
    icons, ticks, long = kit.maybe(0.5), kit.maybe(0.25), kit.maybe(0.4)
    size = kit.pick((16, 16, 20, 24, 32))
    view.setIconSize(QSize(size, size))
    view.setSpacing(kit.pick((0, 0, 0, 1, 3)))
    for _ in range(kit.count(4, 40)):
        item = QListWidgetItem(kit.pick((kit.say.phrase(5), kit.say.file_name())) if long else kit.say.noun())
        if icons:
            subtype = kit.icons.some()
            item.setIcon(kit.icons.icon(subtype, size=size))
            item.setData(SUBTYPE_ROLE, subtype)
        if ticks:
            item.setCheckState(Qt.CheckState.Checked if kit.maybe(0.5) else Qt.CheckState.Unchecked)
        if kit.maybe(0.08):
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
        view.addItem(item)
    return view


def _tree(kit: WidgetBuilder) -> QAbstractItemView:
    """Branches three deep, of one column or several."""
    view = QTreeWidget()
    columns = kit.pick((1, 1, 2, 3, 4))
    view.setColumnCount(columns)
    view.setHeaderLabels([kit.say.field() for _ in range(columns)])
    view.setHeaderHidden(columns == 1 and kit.maybe(0.7))
    view.setAnimated(False)
    view.setIndentation(kit.pick((12, 16, 20, 24)))
    icons = kit.maybe(0.5)

    def item(depth: int) -> QTreeWidgetItem:
        made = QTreeWidgetItem([kit.say.noun(), *(kit.say.cell() for _ in range(columns - 1))])
        if icons:
            subtype = "folder" if depth < 2 else "file"
            made.setIcon(0, kit.icons.icon(subtype, size=16))
            made.setData(0, SUBTYPE_ROLE, subtype)
        for _ in range(kit.pick((0, 2, 4)) if depth < 2 else 0):
            made.addChild(item(depth + 1))
        return made

    for _ in range(kit.count(3, 10)):
        top = item(0)
        view.addTopLevelItem(top)
        top.setExpanded(kit.maybe(0.6))
    return view


def _table(kit: WidgetBuilder) -> QAbstractItemView:
    """Cells with words, icons and boxes to tick, between lines or without."""
    columns, count = kit.rng.randint(2, 7), kit.count(5, 40)
    view = QTableWidget(count, columns)
    view.setHorizontalHeaderLabels([kit.say.field() for _ in range(columns)])
    view.setShowGrid(kit.maybe(0.6))
    view.verticalHeader().setVisible(kit.maybe(0.5))
    if kit.maybe(0.6):
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    if kit.maybe(0.4):
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    view.verticalHeader().setDefaultSectionSize(kit.look.points + kit.pick((10, 14, 20, 28)))
    ticked = kit.rng.randrange(columns) if kit.maybe(0.3) else -1
    for row in range(count):
        for column in range(columns):
            item = QTableWidgetItem(kit.say.cell())
            if column == ticked:
                item.setCheckState(Qt.CheckState.Checked if kit.maybe(0.5) else Qt.CheckState.Unchecked)
            view.setItem(row, column, item)
    return view


_VIEWS: tuple[Callable[[WidgetBuilder], QAbstractItemView], ...] = (_rows, _rows, _tree, _table)
