"""Boards: figures on cards, days of a month, rows of settings, programs to start, icons in a grid."""

from __future__ import annotations

from PySide6.QtCore import QDate, QSize, Qt
from PySide6.QtWidgets import (
    QCalendarWidget,
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.parts import Switch
from lab.screens.qt.drawing.pictures import chart, framed, photo
from lab.screens.qt.drawing.widget_builder import WidgetBuilder


def scrolled(inner: QWidget) -> QScrollArea:
    """A page that may be taller than its window."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(inner)
    return area


def dashboard(kit: WidgetBuilder) -> QWidget:
    """Cards with figures, charts and bars."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.noun())
    if kit.maybe(0.4):
        kit.menus(window)
    inner = QWidget()
    grid = QGridLayout(inner)
    columns = kit.rng.randint(2, 4)
    for number in range(kit.count(3, 10)):
        grid.addWidget(_card(kit), number // columns, number % columns)
    window.setCentralWidget(scrolled(inner))
    return window


def _card(kit: WidgetBuilder) -> QWidget:
    card = QFrame()
    card.setFrameShape(kit.pick((QFrame.Shape.StyledPanel, QFrame.Shape.Box, QFrame.Shape.NoFrame)))
    column = QVBoxLayout(card)
    top = QHBoxLayout()
    top.addWidget(kit.label(kit.say.noun()), 1)
    if kit.maybe(0.5):
        top.addWidget(kit.tool(kit.pick(("more", "refresh", "close", "settings")), size=16))
    column.addLayout(top)
    kind = kit.rng.random()
    if kind < 0.4:
        column.addWidget(framed(chart(kit, kit.rng.randint(140, 280), kit.rng.randint(80, 160))))
    elif kind < 0.7:
        column.addWidget(kit.heading(kit.pick((kit.say.price, kit.say.number))()))
        column.addWidget(kit.label(kit.say.phrase(4)))
    else:
        for text in kit.say.nouns(kit.rng.randint(1, 4)):
            column.addWidget(kit.label(text))
            bar = QProgressBar()
            bar.setValue(kit.rng.randint(2, 100))
            bar.setTextVisible(kit.maybe(0.5))
            column.addWidget(bar)
    if kit.maybe(0.3):
        column.addWidget(kit.button(kit.say.action()))
    column.addStretch(1)
    return card


def calendar(kit: WidgetBuilder) -> QWidget:
    """A month with the day's tasks."""
    window = QWidget()
    window.setWindowTitle(kit.say.months[kit.rng.randrange(12)])
    row = QHBoxLayout(window)
    month = QCalendarWidget()
    month.setGridVisible(kit.maybe(0.5))
    month.setSelectedDate(QDate(kit.rng.randint(2000, 2030), kit.rng.randint(1, 12), kit.rng.randint(1, 28)))
    if kit.maybe(0.4):
        month.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
    for tool in month.findChildren(QToolButton):
        name = tool.objectName()
        if name in {"qt_calendar_prevmonth", "qt_calendar_nextmonth"}:
            tool.setProperty("subtype", "left" if "prev" in name else "right")
    row.addWidget(month, 2)
    side = QVBoxLayout()
    side.addWidget(kit.heading(kit.say.date()))
    for _ in range(kit.count(1, 8)):
        check = QCheckBox(f"{kit.say.clock()} {kit.say.phrase(3)}")
        check.setChecked(kit.maybe(0.4))
        side.addWidget(check)
    side.addStretch(1)
    side.addWidget(kit.button(kit.say.action()))
    row.addLayout(side, 1)
    return window


def preferences(kit: WidgetBuilder) -> QWidget:
    """Rows with a line, often a second one, and a control at the end."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.noun())
    inner = QWidget()
    column = QVBoxLayout(inner)
    for _ in range(kit.count(1, 4)):
        if kit.maybe(0.7):
            column.addWidget(kit.heading(kit.say.noun()))
        rows = QFrame()
        rows.setFrameShape(QFrame.Shape.StyledPanel)
        lines = QVBoxLayout(rows)
        for text in kit.say.options(kit.rng.randint(1, 5)):
            lines.addLayout(_setting(kit, text))
        column.addWidget(rows)
    column.addStretch(1)
    split = QSplitter()
    if kit.maybe(0.6):
        pages = QListWidget()
        for text in kit.say.nouns(kit.count(4, 12)):
            pages.addItem(QListWidgetItem(kit.icons.icon(kit.icons.some()), text))
        pages.setMaximumWidth(200)
        split.addWidget(pages)
    split.addWidget(scrolled(inner))
    window.setCentralWidget(split)
    return window


def _setting(kit: WidgetBuilder, text: str) -> QHBoxLayout:
    row = QHBoxLayout()
    if kit.maybe(0.3):
        row.addWidget(kit.picture(kit.icons.some(), kit.pick((16, 20, 24))))
    words = QVBoxLayout()
    words.addWidget(kit.label(text))
    if kit.maybe(0.4):
        words.addWidget(kit.label(kit.say.sentence(), wrap=True))
    row.addLayout(words, 1)
    kind = kit.rng.random()
    if kind < 0.6:
        switch = Switch(kit.look.colours, kit.pick(Switch.SHAPES))
        switch.setChecked(kit.maybe(0.5))
        switch.setProperty("label", text)
        row.addWidget(switch)
    elif kind < 0.8:
        row.addWidget(kit.button(kit.say.action()))
    else:
        row.addWidget(kit.picture("right", 16))
    return row


def launcher(kit: WidgetBuilder) -> QWidget:
    """Programs or projects to start, as large buttons."""
    window = QWidget()
    window.setWindowTitle(kit.say.noun())
    column = QVBoxLayout(window)
    column.addWidget(kit.heading(kit.say.phrase(3)))
    search = QLineEdit()
    search.setPlaceholderText(kit.say.action())
    column.addWidget(search)
    inner = QWidget()
    grid = QGridLayout(inner)
    columns = kit.rng.randint(3, 6)
    size = kit.pick((32, 48, 64))
    for number, text in enumerate(kit.say.nouns(kit.count(4, 24))):
        tool = kit.tool(kit.icons.some(), size=size)
        tool.setText(text)
        tool.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        grid.addWidget(tool, number // columns, number % columns)
    column.addWidget(scrolled(inner), 1)
    return window


def gallery(kit: WidgetBuilder) -> QWidget:
    """A grid of icons or pictures, with what to do with them."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.noun())
    kit.tool_bar(window, ("back", "forward", "up", "search", "list", "grid", "sort")[: kit.count(3, 7)])
    view = QListWidget()
    view.setViewMode(QListView.ViewMode.IconMode)
    view.setResizeMode(QListView.ResizeMode.Adjust)
    view.setMovement(QListView.Movement.Static)
    size = kit.pick((32, 48, 64, 96))
    view.setIconSize(QSize(size, size))
    view.setGridSize(QSize(size + kit.rng.randint(40, 80), size + 48))
    pictures = kit.maybe(0.4)
    for _ in range(kit.count(4, 40)):
        text = kit.say.file_name() if pictures else kit.say.noun()
        icon = photo(kit, size, size) if pictures else kit.icons.icon(kit.icons.some(), size=size)
        view.addItem(QListWidgetItem(icon, text))
    window.setCentralWidget(view)
    row = QPushButton(kit.say.action())
    window.statusBar().addPermanentWidget(row)
    window.statusBar().showMessage(kit.say.phrase(3))
    return window
