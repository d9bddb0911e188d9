"""A mail program: folders, messages, and one of them to read."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QSplitter,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.pictures import avatar
from lab.screens.qt.drawing.widget_builder import WidgetBuilder

_TOOLS = ("refresh", "edit", "reply", "forward", "delete", "flag", "print", "search", "star", "mail")


def build(kit: WidgetBuilder) -> QWidget:
    """Three panes."""
    window = QMainWindow()
    window.setWindowTitle(f"{kit.say.noun()} - {kit.say.email()}")
    if kit.maybe(0.7):
        kit.menus(window)
    kit.tool_bar(window, _TOOLS[: kit.count(4, 10)], texts=kit.say.actions(10) if kit.maybe(0.4) else ())
    split = QSplitter()
    split.addWidget(folders(kit))
    right = QSplitter(kit.pick((Qt.Orientation.Horizontal, Qt.Orientation.Vertical)))
    right.addWidget(_rows(kit) if kit.maybe(0.5) else _table(kit))
    right.addWidget(_message(kit))
    split.addWidget(right)
    split.setStretchFactor(1, 1)
    window.setCentralWidget(split)
    if kit.maybe(0.6):
        window.statusBar().showMessage(kit.say.phrase(4))
    return window


def folders(kit: WidgetBuilder) -> QTreeWidget:
    """A tree of folders, some with a number behind."""
    tree = QTreeWidget()
    tree.setHeaderHidden(True)
    tree.setAnimated(False)
    for account in range(kit.rng.randint(1, 3)):
        top = QTreeWidgetItem([kit.say.email() if kit.maybe(0.6) else kit.say.noun()])
        for text in kit.say.nouns(kit.count(2, 8)):
            child = QTreeWidgetItem([f"{text} ({kit.rng.randrange(90)})" if kit.maybe(0.3) else text])
            if kit.maybe(0.6):
                child.setIcon(0, kit.icons.icon(kit.pick(("folder", "mail", "send", "delete", "star"))))
            top.addChild(child)
        tree.addTopLevelItem(top)
        top.setExpanded(account == 0 or kit.maybe(0.5))
    tree.setMaximumWidth(kit.rng.randint(140, 240))
    return tree


def _table(kit: WidgetBuilder) -> QWidget:
    tree = QTreeWidget()
    tree.setRootIsDecorated(False)
    tree.setHeaderLabels(kit.say.fields(3))
    tree.setAlternatingRowColors(kit.maybe(0.4))
    for _ in range(kit.count(3, 30)):
        item = QTreeWidgetItem([kit.say.phrase(kit.rng.randint(2, 7)), kit.say.name(), kit.say.date()])
        if kit.maybe(0.4):
            font = item.font(0)
            font.setBold(True)
            for column in range(3):
                item.setFont(column, font)
        tree.addTopLevelItem(item)
    tree.setColumnWidth(0, kit.rng.randint(120, 260))
    return tree


def _rows(kit: WidgetBuilder) -> QWidget:
    """Messages of several lines each."""
    rows = QListWidget()
    faces = kit.maybe(0.5)
    for _ in range(kit.count(2, 14)):
        row = QWidget()
        line = QHBoxLayout(row)
        if faces:
            line.addWidget(avatar(kit, kit.pick((28, 32, 40))))
        words = QVBoxLayout()
        words.setSpacing(1)
        first = QHBoxLayout()
        sender = kit.label(kit.say.name())
        font = sender.font()
        font.setBold(kit.maybe(0.5))
        sender.setFont(font)
        first.addWidget(sender)
        first.addStretch(1)
        first.addWidget(kit.label(kit.say.clock()))
        words.addLayout(first)
        words.addWidget(kit.label(kit.say.phrase(kit.rng.randint(2, 5))))
        line.addLayout(words, 1)
        item = QListWidgetItem()
        item.setSizeHint(row.sizeHint())
        rows.addItem(item)
        rows.setItemWidget(item, row)
    return rows


def _message(kit: WidgetBuilder) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.addWidget(kit.heading(kit.say.phrase(5)))
    sender = QHBoxLayout()
    sender.addWidget(kit.label(f"{kit.say.name()} <{kit.say.email()}>"))
    sender.addStretch(1)
    sender.addWidget(kit.label(kit.say.date()))
    column.addLayout(sender)
    column.addWidget(prose(kit), 1)
    if kit.maybe(0.4):
        answer = QHBoxLayout()
        edit = QLineEdit()
        edit.setPlaceholderText(kit.say.phrase(3))
        answer.addWidget(edit, 1)
        answer.addWidget(kit.tool("send", size=18, flat=False))
        column.addLayout(answer)
    return page


def prose(kit: WidgetBuilder) -> QTextBrowser:
    """A page to read, with headings, lists and links."""
    page = QTextBrowser()
    parts: list[str] = []
    for _ in range(kit.count(1, 9)):
        kind = kit.rng.random()
        if kind < 0.15:
            parts.append(f"<h3>{kit.say.phrase(4)}</h3>")
        elif kind < 0.3:
            parts.append("<ul>" + "".join(f"<li>{kit.say.phrase(5)}</li>" for _ in range(3)) + "</ul>")
        elif kind < 0.55:
            link = f'<a href="x">{kit.say.phrase(kit.rng.randint(1, 3))}</a>'
            parts.append(f"<p>{kit.say.sentence()} {link} {kit.say.sentence()}</p>")
        else:
            parts.append(f"<p>{kit.say.paragraph(kit.rng.randint(1, 5))}</p>")
    page.setHtml("".join(parts))
    return page
