"""A conversation: people at the left, what was said at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.pictures import avatar
from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.looks import mixed
from lab.screens.qt.windows.boards import scrolled


def chat(kit: WidgetBuilder) -> QWidget:
    """People at the left, what was said at the right."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.name())
    split = QSplitter()
    people = QListWidget()
    for _ in range(kit.count(2, 14)):
        people.addItem(QListWidgetItem(kit.icons.icon("user"), kit.say.name()))
    people.setMaximumWidth(kit.rng.randint(120, 220))
    split.addWidget(people)
    right = QWidget()
    column = QVBoxLayout(right)
    head = QHBoxLayout()
    head.addWidget(avatar(kit, 36))
    head.addWidget(kit.heading(kit.say.name()), 1)
    for subtype in ("phone", "video", "info")[: kit.rng.randint(0, 3)]:
        head.addWidget(kit.tool(subtype, size=20))
    column.addLayout(head)
    said = QWidget()
    lines = QVBoxLayout(said)
    for _ in range(kit.count(2, 10)):
        lines.addLayout(_bubble(kit))
    lines.addStretch(1)
    column.addWidget(scrolled(said), 1)
    row = QHBoxLayout()
    row.addWidget(kit.tool("attach", size=18))
    edit = QTextEdit() if kit.maybe(0.4) else QLineEdit()
    edit.setPlaceholderText(kit.say.phrase(3))
    edit.setMaximumHeight(60)
    row.addWidget(edit, 1)
    row.addWidget(kit.tool("send", size=20, flat=kit.maybe(0.5)) if kit.maybe(0.6) else kit.button(kit.say.action()))
    column.addLayout(row)
    split.addWidget(right)
    split.setStretchFactor(1, 1)
    window.setCentralWidget(split)
    return window


def _bubble(kit: WidgetBuilder) -> QHBoxLayout:
    row = QHBoxLayout()
    mine = kit.maybe(0.5)
    c = kit.look.colours
    ground = mixed(c.window, c.accent, 0.3) if mine else c.alternate
    bubble = kit.label(kit.say.paragraph(kit.rng.randint(1, 3)), wrap=True)
    bubble.setAutoFillBackground(True)
    palette = bubble.palette()
    palette.setColor(bubble.backgroundRole(), ground)
    bubble.setPalette(palette)
    bubble.setMargin(kit.rng.randint(4, 9))
    if mine:
        row.addStretch(1)
    elif kit.maybe(0.5):
        row.addWidget(avatar(kit, 28), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(bubble, 3)
    if not mine:
        row.addStretch(1)
    row.addWidget(kit.label(kit.say.clock()))
    return row
