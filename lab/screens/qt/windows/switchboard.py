"""Controls in every state, in panels side by side: greyed, ticked, chosen, held down."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QTabBar,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.parts import Switch
from lab.screens.qt.drawing.widget_builder import WidgetBuilder

_OFF = 0.33
"""Share of greyed controls; elsewhere they are rare."""


def switchboard(kit: WidgetBuilder) -> QWidget:
    """A window of panels, each of controls of one kind."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.noun())
    if kit.maybe(0.4):
        kit.menus(window)
        for action in window.menuBar().actions():
            action.setEnabled(not kit.maybe(0.2))
    inner = QWidget()
    grid = QGridLayout(inner)
    columns = kit.rng.randint(1, 4)
    for number in range(columns * kit.count(2, 4)):
        grid.addWidget(_panel(kit), number // columns, number % columns)
    window.setCentralWidget(inner)
    return window


def _panel(kit: WidgetBuilder) -> QWidget:
    panel = QGroupBox(kit.say.noun()) if kit.maybe(0.7) else QWidget()
    if isinstance(panel, QGroupBox) and kit.maybe(0.2):
        panel.setCheckable(True)
        panel.setChecked(kit.maybe(0.6))
    kit.pick(_PANELS)(kit, QVBoxLayout(panel))
    return panel


def _on(kit: WidgetBuilder, widget: QWidget) -> QWidget:
    widget.setEnabled(not kit.maybe(_OFF))
    return widget


def _checks(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    for text in kit.say.options(kit.rng.randint(2, 6)):
        check = QCheckBox(text)
        check.setChecked(kit.maybe(0.5))
        column.addWidget(_on(kit, check))


def _radios(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    for _ in range(kit.rng.randint(1, 2)):
        group = QButtonGroup(column.parentWidget())
        row = QHBoxLayout() if kit.maybe(0.4) else QVBoxLayout()
        for text in kit.say.nouns(kit.rng.randint(2, 4)):
            radio = QRadioButton(text)
            radio.setChecked(kit.maybe(0.4))
            group.addButton(radio)
            row.addWidget(_on(kit, radio))
        column.addLayout(row)


def _switches(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    shape = kit.pick(Switch.SHAPES)
    for text in kit.say.options(kit.rng.randint(2, 6)):
        row = QHBoxLayout()
        switch = Switch(kit.look.colours, shape)
        switch.setChecked(kit.maybe(0.5))
        switch.setProperty("label", text)
        row.addWidget(kit.label(text), 1)
        row.addWidget(_on(kit, switch))
        column.addLayout(row)


def _buttons(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    for _ in range(kit.rng.randint(1, 3)):
        row = QHBoxLayout()
        for text in kit.say.actions(kit.rng.randint(2, 4)):
            button = QPushButton(text)
            if kit.maybe(0.3):
                button.setIcon(kit.icons.icon(kit.icons.some()))
            button.setCheckable(kit.maybe(0.4))
            button.setChecked(kit.maybe(0.5))
            button.setDefault(kit.maybe(0.15))
            row.addWidget(_on(kit, button))
        column.addLayout(row)


def _tools(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    icons = kit.icons.sibling() if kit.maybe(0.5) else kit.icons
    for _ in range(kit.rng.randint(1, 3)):
        row = QHBoxLayout()
        size, flat = kit.pick((16, 20, 24, 32)), kit.maybe(0.5)
        for _ in range(kit.rng.randint(3, 8)):
            subtype = icons.some()
            tool = kit.tool(subtype, size=size, flat=flat)
            tool.setIcon(icons.icon(subtype, size=size))
            tool.setCheckable(kit.maybe(0.4))
            tool.setChecked(kit.maybe(0.5))
            row.addWidget(_on(kit, tool))
        row.addStretch(1)
        column.addLayout(row)


def _fields(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    for _ in range(kit.rng.randint(2, 4)):
        edit = QLineEdit(kit.pick((kit.say.name(), kit.say.path(), kit.say.phrase(3), "")))
        edit.setPlaceholderText(kit.say.phrase(3))
        column.addWidget(_on(kit, edit))


def _choices(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    for _ in range(kit.rng.randint(1, 4)):
        combo = QComboBox()
        combo.addItems(kit.say.nouns(kit.rng.randint(2, 9)))
        combo.setCurrentIndex(kit.rng.randrange(combo.count()))
        combo.setEditable(kit.maybe(0.2))
        column.addWidget(_on(kit, combo))
    if kit.maybe(0.6):
        spin = QSpinBox()
        spin.setRange(0, 900)
        spin.setValue(kit.rng.randrange(900))
        column.addWidget(_on(kit, spin))


def _areas(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    area = QPlainTextEdit(kit.say.paragraph(kit.rng.randint(1, 6)))
    column.addWidget(_on(kit, area))


def _tabs(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    for _ in range(kit.rng.randint(1, 3)):
        bar = QTabBar()
        for text in kit.say.nouns(kit.rng.randint(2, 4)):
            bar.setTabEnabled(bar.addTab(text), not kit.maybe(0.25))
        bar.setDrawBase(kit.maybe(0.5))
        column.addWidget(bar)


def _rows(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    rows = QListWidget()
    rows.setSelectionMode(QListWidget.SelectionMode.MultiSelection)
    ticks, icons = kit.maybe(0.3), kit.maybe(0.3)
    for text in kit.say.nouns(kit.rng.randint(4, 12)):
        item = QListWidgetItem(text)
        if ticks:
            item.setCheckState(Qt.CheckState.Checked if kit.maybe(0.5) else Qt.CheckState.Unchecked)
        if icons:
            item.setIcon(kit.icons.icon(kit.icons.some()))
        if kit.maybe(0.2):
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
        rows.addItem(item)
        item.setSelected(kit.maybe(0.2))
    rows.setIconSize(QSize(16, 16))
    column.addWidget(rows)


def _branches(kit: WidgetBuilder, column: QVBoxLayout) -> None:
    tree = QTreeWidget()
    tree.setHeaderHidden(True)
    for text in kit.say.nouns(kit.rng.randint(3, 7)):
        top = QTreeWidgetItem([text])
        for child in kit.say.nouns(kit.rng.choice((0, 2, 3))):
            top.addChild(QTreeWidgetItem([child]))
        tree.addTopLevelItem(top)
        top.setExpanded(kit.maybe(0.5))
        top.setDisabled(kit.maybe(0.15))
    column.addWidget(tree)


_PANELS: tuple[Callable[[WidgetBuilder, QVBoxLayout], None], ...] = (
    _checks, _checks, _radios, _radios, _switches, _buttons, _buttons, _tools, _tools, _fields, _choices, _choices,
    _areas, _tabs, _rows, _branches,
)  # fmt: skip
