"""A window to choose files in: places, a list of files, a name, buttons."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.probe.items import SUBTYPE_ROLE


def build(kit: WidgetBuilder) -> QWidget:
    """A dialog for opening or saving."""
    dialog = QDialog()
    dialog.setWindowTitle(kit.say.action())
    column = QVBoxLayout(dialog)
    column.addLayout(_top(kit))
    split = QSplitter()
    if kit.maybe(0.75):
        split.addWidget(_places(kit))
    split.addWidget(_icons(kit) if kit.maybe(0.35) else file_table(kit))
    split.setStretchFactor(split.count() - 1, 1)
    column.addWidget(split, 1)
    column.addLayout(_bottom(kit))
    return dialog


def _top(kit: WidgetBuilder) -> QHBoxLayout:
    row = QHBoxLayout()
    if kit.maybe(0.5):
        row.addWidget(kit.label(kit.say.field() + ":"))
    path = QComboBox()
    path.addItems([kit.say.path() for _ in range(4)])
    row.addWidget(path, 1)
    for subtype in ("back", "forward", "up", "new", "list", "grid")[: kit.count(2, 6)]:
        tool = kit.tool(subtype, size=16, flat=kit.maybe(0.7))
        tool.setEnabled(not kit.maybe(0.2))
        row.addWidget(tool)
    return row


def _places(kit: WidgetBuilder) -> QWidget:
    places = QListWidget()
    icons = kit.maybe(0.8)
    for text in kit.say.nouns(kit.count(3, 12)):
        item = QListWidgetItem(text)
        if icons:
            item.setIcon(kit.icons.icon(kit.pick(("folder", "home", "image", "music", "video", "download"))))
        places.addItem(item)
    places.setMaximumWidth(kit.rng.randint(110, 200))
    return places


def file_table(kit: WidgetBuilder) -> QWidget:
    """Files with size and date, in rows."""
    tree = QTreeView()
    model = QStandardItemModel(0, kit.rng.randint(2, 4), tree)
    model.setHorizontalHeaderLabels(kit.say.fields(model.columnCount()))
    icons = kit.maybe(0.8)
    for _ in range(kit.count(2, 40)):
        folder = kit.maybe(0.3)
        name = QStandardItem(kit.say.noun() if folder else kit.say.file_name())
        if icons:
            subtype = "folder" if folder else "file"
            name.setIcon(kit.icons.icon(subtype))
            name.setData(subtype, SUBTYPE_ROLE)
        cells = [name, QStandardItem("" if folder else kit.say.amount()), QStandardItem(kit.say.date())]
        cells.append(QStandardItem(kit.say.noun()))
        if kit.maybe(0.5):
            cells[1].setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        model.appendRow(cells[: model.columnCount()])
    tree.setModel(model)
    tree.setRootIsDecorated(kit.maybe(0.3))
    tree.setAlternatingRowColors(kit.maybe(0.5))
    tree.setSortingEnabled(kit.maybe(0.5))
    tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    tree.setColumnWidth(0, kit.rng.randint(130, 280))
    return tree


def _icons(kit: WidgetBuilder) -> QWidget:
    view = QListWidget()
    view.setViewMode(QListView.ViewMode.IconMode)
    size = kit.pick((24, 32, 48, 64))
    view.setIconSize(QSize(size, size))
    view.setGridSize(QSize(size + 60, size + 46))
    view.setResizeMode(QListView.ResizeMode.Adjust)
    view.setMovement(QListView.Movement.Static)
    for _ in range(kit.count(3, 40)):
        view.addItem(
            QListWidgetItem(kit.icons.icon(kit.pick(("folder", "file", "image")), size=size), kit.say.file_name())
        )
    return view


def _bottom(kit: WidgetBuilder) -> QGridLayout:
    grid = QGridLayout()
    names = kit.say.fields(2)
    grid.addWidget(kit.label(names[0] + ":"), 0, 0)
    grid.addWidget(QLineEdit(kit.say.file_name() if kit.maybe(0.6) else ""), 0, 1)
    grid.addWidget(kit.label(names[1] + ":"), 1, 0)
    kinds = QComboBox()
    kinds.addItems([f"{kit.say.noun()} (*.{ending})" for ending in ("txt", "png", "csv")])
    grid.addWidget(kinds, 1, 1)
    grid.setColumnStretch(1, 1)
    first, second = kit.say.answers(2)
    grid.addWidget(kit.button(first), 0, 2)
    grid.addWidget(kit.button(second), 1, 2)
    return grid
