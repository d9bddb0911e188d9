"""Preferences: pages as tabs, or a tree of pages beside one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.parts import Switch
from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.windows.form import field


def build(kit: WidgetBuilder) -> QWidget:
    """A dialog of preferences."""
    dialog = QDialog()
    dialog.setWindowTitle(kit.pick((kit.say.action(), kit.say.noun())))
    column = QVBoxLayout(dialog)
    row = QHBoxLayout()
    if kit.maybe(0.5):
        row.addWidget(_tree(kit) if kit.maybe(0.6) else _list(kit))
    row.addWidget(_tabs(kit) if kit.maybe(0.7) else page(kit), 1)
    column.addLayout(row, 1)
    buttons = QDialogButtonBox()
    role = QDialogButtonBox.ButtonRole
    for text, one in zip(
        kit.say.answers(kit.rng.randint(2, 4)),
        (role.AcceptRole, role.RejectRole, role.ApplyRole, role.HelpRole),
        strict=False,
    ):
        button = buttons.addButton(text, one)
        button.setEnabled(not kit.maybe(0.15))
    column.addWidget(buttons)
    return dialog


def _tree(kit: WidgetBuilder) -> QWidget:
    tree = QTreeWidget()
    tree.setHeaderHidden(kit.maybe(0.8))
    tree.setHeaderLabel(kit.say.noun())
    tree.setAnimated(False)
    icons = kit.maybe(0.4)
    for text in kit.say.nouns(kit.count(3, 9)):
        top = QTreeWidgetItem([text])
        if icons:
            top.setIcon(0, kit.icons.icon(kit.icons.some()))
        for child in kit.say.nouns(kit.rng.choice((0, 0, 2, 3, 5))):
            top.addChild(QTreeWidgetItem([child]))
        tree.addTopLevelItem(top)
    tree.setMaximumWidth(kit.rng.randint(140, 230))
    return tree


def _list(kit: WidgetBuilder) -> QWidget:
    pages = QListWidget()
    for text in kit.say.nouns(kit.count(3, 10)):
        pages.addItem(QListWidgetItem(kit.icons.icon(kit.icons.some()), text))
    pages.setMaximumWidth(kit.rng.randint(130, 200))
    pages.setSpacing(kit.pick((0, 0, 2, 4)))
    return pages


def _tabs(kit: WidgetBuilder) -> QWidget:
    tabs = QTabWidget()
    place = QTabWidget.TabPosition
    tabs.setTabPosition(kit.pick((place.North, place.North, place.North, place.North, place.South)))
    for text in kit.say.nouns(kit.count(2, 7)):
        tabs.addTab(page(kit), text)
    if kit.maybe(0.2):
        tabs.setTabEnabled(tabs.count() - 1, False)  # noqa: FBT003 - Qt knows no other way
    return tabs


def page(kit: WidgetBuilder) -> QWidget:
    """A page of groups with options."""
    box = QWidget()
    column = QVBoxLayout(box)
    for _ in range(kit.count(1, 3)):
        group = QGroupBox(kit.say.noun())
        form = QFormLayout(group)
        for text in kit.say.fields(kit.count(1, 4)):
            form.addRow(text + ":", field(kit))
        for text in kit.say.options(kit.count(0, 4)):
            form.addRow(_option(kit, text))
        column.addWidget(group)
    if kit.maybe(0.3):
        link = QLabel(f'{kit.say.phrase(4)} <a href="x">{kit.say.noun()}</a>')
        link.setTextFormat(Qt.TextFormat.RichText)
        column.addWidget(link)
    column.addStretch(1)
    return box


def _option(kit: WidgetBuilder, text: str) -> QWidget:
    if kit.maybe(0.75):
        check = QCheckBox(text)
        check.setChecked(kit.maybe(0.5))
        return check
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(kit.label(text), 1)
    switch = Switch(kit.look.colours, kit.pick(Switch.SHAPES))
    switch.setChecked(kit.maybe(0.5))
    switch.setProperty("label", text)
    row.addWidget(switch)
    return box
