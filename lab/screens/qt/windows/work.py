"""Large programs: code with docks, records, properties, contacts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QComboBox,
    QDockWidget,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QSplitter,
    QTabWidget,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.pictures import avatar
from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.windows.form import field
from lab.screens.qt.windows.sheet import table

_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea


def ide(kit: WidgetBuilder) -> QWidget:
    """Code between docks."""
    window = QMainWindow()
    window.setAnimated(False)
    window.setWindowTitle(f"{kit.say.noun()} - {kit.say.file_name()}")
    kit.menus(window)
    kit.tool_bar(window, ("save", "undo", "redo", "play", "stop", "search", "settings", "refresh")[: kit.count(3, 8)])
    pages = QTabWidget()
    pages.setTabsClosable(kit.maybe(0.6))
    pages.setDocumentMode(True)
    for _ in range(kit.count(1, 6)):
        code = QPlainTextEdit("\n".join(kit.say.code(kit.count(5, 90))))
        code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        code.setFont(QFont("DejaVu Sans Mono", kit.look.points))
        pages.addTab(code, kit.say.file_name())
    window.setCentralWidget(pages)
    _dock(kit, window, _LEFT, _project(kit))
    if kit.maybe(0.6):
        _dock(kit, window, _RIGHT, properties_tree(kit))
    if kit.maybe(0.7):
        output = QPlainTextEdit("\n".join(kit.say.path() for _ in range(kit.count(2, 20))))
        output.setReadOnly(True)
        _dock(kit, window, Qt.DockWidgetArea.BottomDockWidgetArea, output)
    if kit.maybe(0.7):
        bar = window.statusBar()
        for text in (kit.say.phrase(2), "UTF-8", f"{kit.rng.randrange(900)}:{kit.rng.randrange(80)}"):
            bar.addPermanentWidget(kit.label(text))
    return window


def _dock(kit: WidgetBuilder, window: QMainWindow, area: Qt.DockWidgetArea, inner: QWidget) -> None:
    dock = QDockWidget(kit.say.noun(), window)
    dock.setWidget(inner)
    for tool in dock.findChildren(QToolButton):
        name = tool.objectName()
        tool.setProperty("subtype", "close" if "close" in name else "maximize")
    window.addDockWidget(area, dock)


def _project(kit: WidgetBuilder) -> QWidget:
    tree = QTreeWidget()
    tree.setHeaderHidden(True)
    tree.setAnimated(False)
    icons = kit.maybe(0.6)
    for _ in range(kit.count(1, 6)):
        top = QTreeWidgetItem([kit.say.noun().lower()])
        if icons:
            top.setIcon(0, kit.icons.icon("folder"))
        for _ in range(kit.rng.randint(0, 6)):
            child = QTreeWidgetItem([kit.say.file_name()])
            if icons:
                child.setIcon(0, kit.icons.icon("file"))
            top.addChild(child)
        tree.addTopLevelItem(top)
        top.setExpanded(kit.maybe(0.6))
    return tree


def properties_tree(kit: WidgetBuilder) -> QTreeWidget:
    """Names and values in two columns, in groups."""
    tree = QTreeWidget()
    tree.setHeaderLabels(kit.say.fields(2))
    tree.setAnimated(False)
    tree.setAlternatingRowColors(kit.maybe(0.5))
    for text in kit.say.nouns(kit.count(1, 5)):
        top = QTreeWidgetItem([text])
        tree.addTopLevelItem(top)
        for name in kit.say.fields(kit.rng.randint(1, 7)):
            child = QTreeWidgetItem([name, kit.say.cell()])
            top.addChild(child)
            if kit.maybe(0.12):
                tree.setItemWidget(child, 1, _editor(kit))
                child.setText(1, "")
            elif kit.maybe(0.1):
                child.setText(1, "")
                child.setCheckState(1, kit.pick((Qt.CheckState.Checked, Qt.CheckState.Unchecked)))
        top.setExpanded(kit.maybe(0.75))
    tree.setColumnWidth(0, kit.rng.randint(90, 180))
    return tree


def _editor(kit: WidgetBuilder) -> QWidget:
    if kit.maybe(0.5):
        combo = QComboBox()
        combo.addItems(kit.say.nouns(4))
        return combo
    spin = QSpinBox()
    spin.setValue(kit.rng.randrange(100))
    return spin


def properties(kit: WidgetBuilder) -> QWidget:
    """An editor of properties."""
    window = QWidget()
    window.setWindowTitle(kit.say.action())
    column = QVBoxLayout(window)
    row = QHBoxLayout()
    search = QLineEdit()
    search.setPlaceholderText(kit.say.action())
    row.addWidget(search, 1)
    for subtype in ("filter", "sort", "settings")[: kit.rng.randint(0, 3)]:
        row.addWidget(kit.tool(subtype, size=16))
    column.addLayout(row)
    column.addWidget(properties_tree(kit), 1)
    if kit.maybe(0.5):
        column.addWidget(kit.label(kit.say.paragraph(2), wrap=True))
    return window


def records(kit: WidgetBuilder) -> QWidget:
    """A table with what narrows it down above, and pages below."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.noun())
    if kit.maybe(0.5):
        kit.menus(window)
    middle = QWidget()
    column = QVBoxLayout(middle)
    top = QHBoxLayout()
    top.addWidget(kit.heading(kit.say.noun()))
    top.addStretch(1)
    search = QLineEdit()
    search.setPlaceholderText(kit.say.action())
    top.addWidget(search)
    for text in kit.say.nouns(kit.rng.randint(0, 2)):
        combo = QComboBox()
        combo.addItems([text, *kit.say.nouns(4)])
        top.addWidget(combo)
    top.addWidget(kit.button(kit.say.action()))
    column.addLayout(top)
    column.addWidget(table(kit), 1)
    pages = QHBoxLayout()
    pages.addWidget(kit.label(f"{kit.rng.randint(1, 20)} / {kit.rng.randint(20, 90)}"))
    pages.addStretch(1)
    for number in range(kit.count(2, 7)):
        button = QPushButton(str(number + 1))
        button.setMaximumWidth(44)
        button.setCheckable(True)
        button.setChecked(number == 0)
        pages.addWidget(button)
    column.addLayout(pages)
    window.setCentralWidget(middle)
    return window


def contacts(kit: WidgetBuilder) -> QWidget:
    """People, and the details of one of them."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.noun())
    if kit.maybe(0.6):
        kit.tool_bar(window, ("add", "edit", "delete", "mail", "phone", "share")[: kit.count(2, 6)])
    split = QSplitter()
    people = QListWidget()
    faces = kit.maybe(0.4)
    for _ in range(kit.count(3, 30)):
        item = QListWidgetItem(kit.say.name())
        if faces:
            item.setIcon(kit.icons.icon("user"))
        people.addItem(item)
    split.addWidget(people)
    card = QWidget()
    column = QVBoxLayout(card)
    top = QHBoxLayout()
    top.addWidget(avatar(kit, kit.pick((48, 64, 96))))
    top.addWidget(kit.heading(kit.say.name()), 1)
    for subtype in ("star", "mail", "phone", "chat")[: kit.rng.randint(0, 4)]:
        top.addWidget(kit.tool(subtype, size=20))
    column.addLayout(top)
    form = QFormLayout()
    for text in kit.say.fields(kit.count(3, 10)):
        form.addRow(text + ":", field(kit) if kit.maybe(0.5) else kit.label(kit.say.cell()))
    column.addLayout(form)
    column.addStretch(1)
    split.addWidget(card)
    split.setStretchFactor(1, 1)
    window.setCentralWidget(split)
    return window
