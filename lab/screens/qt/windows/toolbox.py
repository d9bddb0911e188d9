"""Icons and nothing else: strips, grids and lists of them, each group in a manner of its own."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.icons import IconMaker
from lab.screens.qt.drawing.pictures import avatar
from lab.screens.qt.drawing.widget_builder import WidgetBuilder


def toolbox(kit: WidgetBuilder) -> QWidget:
    """Groups of icons below each other."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.noun())
    if kit.maybe(0.5):
        kit.menus(window)
    for _ in range(kit.rng.randint(1, 3)):
        kit.tool_bar(window, _meanings(kit, kit.icons, kit.rng.randint(6, 16)))
        window.addToolBarBreak()
    inner = QWidget()
    column = QVBoxLayout(inner)
    for _ in range(kit.rng.randint(2, 5)):
        icons = kit.icons.sibling() if kit.maybe(0.8) else kit.icons
        column.addWidget(kit.pick(_GROUPS)(kit, icons))
    column.addStretch(1)
    window.setCentralWidget(inner)
    return window


def _meanings(kit: WidgetBuilder, icons: IconMaker, count: int) -> list[str]:
    """Meanings without a favourite."""
    found: list[str] = []
    while len(found) < count:
        found += kit.rng.sample(icons.subtypes, len(icons.subtypes))
    return found[:count]


def _tool(kit: WidgetBuilder, icons: IconMaker, subtype: str, *, size: int, flat: bool) -> QToolButton:
    tool = QToolButton()
    tool.setIcon(icons.icon(subtype, size=size))
    tool.setIconSize(QSize(size, size))
    tool.setAutoRaise(flat)
    tool.setProperty("subtype", subtype)
    tool.setEnabled(not kit.maybe(0.15))
    if kit.maybe(0.2):
        tool.setCheckable(True)
        tool.setChecked(kit.maybe(0.5))
    return tool


def _strips(kit: WidgetBuilder, icons: IconMaker) -> QWidget:
    box = QWidget()
    grid = QGridLayout(box)
    grid.setSpacing(kit.pick((0, 2, 6, 12)))
    size, flat = kit.pick((14, 16, 16, 20, 22, 24, 32)), kit.maybe(0.6)
    columns = kit.rng.randint(8, 24)
    for number, subtype in enumerate(_meanings(kit, icons, columns * kit.rng.randint(1, 3))):
        grid.addWidget(_tool(kit, icons, subtype, size=size, flat=flat), number // columns, number % columns)
    grid.setColumnStretch(columns, 1)
    return box


def _bare(kit: WidgetBuilder, icons: IconMaker) -> QWidget:
    box = QWidget()
    grid = QGridLayout(box)
    size, columns = kit.pick((14, 16, 18, 20, 24, 32, 40)), kit.rng.randint(8, 20)
    for number, subtype in enumerate(_meanings(kit, icons, columns * kit.rng.randint(1, 3))):
        label = kit.label("")
        label.setPixmap(icons.pixmap(subtype, size))
        label.setProperty("subtype", subtype)
        grid.addWidget(label, number // columns, number % columns)
    return box


def _named(kit: WidgetBuilder, icons: IconMaker) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    style = kit.pick((Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonTextUnderIcon))
    size, flat = kit.pick((16, 24, 32)), kit.maybe(0.6)
    for subtype, text in zip(_meanings(kit, icons, 7), kit.say.actions(7), strict=False):
        tool = _tool(kit, icons, subtype, size=size, flat=flat)
        tool.setText(text)
        tool.setToolButtonStyle(style)
        row.addWidget(tool)
    row.addStretch(1)
    return box


def _list(kit: WidgetBuilder, icons: IconMaker) -> QWidget:
    """Rows with an icon each, or lines with icons before and behind their words."""
    if kit.maybe(0.5):
        rows = QListWidget()
        size = kit.pick((16, 20, 24))
        rows.setIconSize(QSize(size, size))
        for subtype in _meanings(kit, icons, kit.rng.randint(4, 9)):
            rows.addItem(QListWidgetItem(icons.icon(subtype, size=size), kit.say.noun()))
        rows.setMinimumHeight(90)
        return rows
    box = QWidget()
    column = QVBoxLayout(box)
    for _ in range(kit.rng.randint(2, 5)):
        row = QHBoxLayout()
        first, *rest = _meanings(kit, icons, kit.rng.randint(2, 5))
        row.addWidget(avatar(kit, 24) if kit.maybe(0.15) else _tool(kit, icons, first, size=18, flat=True))
        row.addWidget(kit.label(kit.say.phrase(4)), 1)
        for subtype in rest:
            row.addWidget(_tool(kit, icons, subtype, size=16, flat=True))
        column.addLayout(row)
    return box


_GROUPS: tuple[Callable[[WidgetBuilder, IconMaker], QWidget], ...] = (_strips, _strips, _bare, _bare, _named, _list)
