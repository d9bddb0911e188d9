"""A browser, and what the machine is doing."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QMainWindow,
    QProgressBar,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.pictures import chart, framed
from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.windows.mail import prose
from lab.screens.qt.windows.sheet import table
from lab.screens.qt.windows.work import properties_tree


def browser(kit: WidgetBuilder) -> QWidget:
    """Pages in tabs with an address above."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.phrase(3))
    bar = window.addToolBar("")
    bar.setMovable(False)
    for subtype in ("back", "forward", "refresh", "home")[: kit.rng.randint(2, 4)]:
        bar.addWidget(kit.tool(subtype, size=18))
    bar.addWidget(QLineEdit(kit.say.url()))
    for subtype in ("bookmark", "download", "menu", "user")[: kit.rng.randint(1, 4)]:
        tool = kit.tool(subtype, size=18)
        if subtype == "menu":
            tool.setMenu(kit.menu(window))
            tool.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        bar.addWidget(tool)
    pages = QTabWidget()
    pages.setTabsClosable(kit.maybe(0.7))
    pages.setDocumentMode(True)
    for _ in range(kit.count(1, 7)):
        pages.addTab(prose(kit), kit.say.phrase(2))
    window.setCentralWidget(pages)
    return window


def monitor(kit: WidgetBuilder) -> QWidget:
    """What the machine is doing."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.noun())
    pages = QTabWidget()
    pages.addTab(table(kit), kit.say.noun())
    graphs = QWidget()
    column = QVBoxLayout(graphs)
    for text in kit.say.nouns(kit.count(1, 4)):
        column.addWidget(kit.label(text))
        column.addWidget(framed(chart(kit, kit.rng.randint(200, 500), kit.rng.randint(70, 140))))
        bar = QProgressBar()
        bar.setValue(kit.rng.randrange(100))
        column.addWidget(bar)
    column.addWidget(QCheckBox(kit.say.option()))
    column.addStretch(1)
    pages.addTab(graphs, kit.say.noun())
    pages.addTab(properties_tree(kit), kit.say.noun())
    pages.setCurrentIndex(kit.rng.randrange(3))
    window.setCentralWidget(pages)
    if kit.maybe(0.5):
        kit.menus(window)
    return window
