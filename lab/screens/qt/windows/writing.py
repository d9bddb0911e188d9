"""Programs to write with: text areas of every size, with bars, lists and fields around them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QPlainTextEdit,
    QSpinBox,
    QSplitter,
    QTabWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.numbered import Numbered
from lab.screens.qt.drawing.widget_builder import WidgetBuilder

_TOOLS = (
    "new",
    "open",
    "save",
    "print",
    "undo",
    "redo",
    "cut",
    "copy",
    "paste",
    "search",
    "edit",
    "link",
    "image",
    "list",
)


def writing(kit: WidgetBuilder) -> QWidget:
    """One of the ways to write."""
    window = QMainWindow()
    window.setWindowTitle(f"{kit.say.file_name()} - {kit.say.noun()}")
    if kit.maybe(0.85):
        kit.menus(window)
    if kit.maybe(0.75):
        kit.tool_bar(window, kit.rng.sample(_TOOLS, kit.count(3, len(_TOOLS))))
    window.setCentralWidget(kit.pick(_WAYS)(kit))
    if kit.maybe(0.6):
        window.statusBar().showMessage(
            kit.pick((kit.say.phrase(4), f"{kit.rng.randrange(900)}:{kit.rng.randrange(80)}"))
        )
    return window


def area(kit: WidgetBuilder) -> QWidget:
    """A text area: code with numbers, plain text, or text with headings."""
    kind = kit.rng.random()
    if kind < 0.35:
        return _code(kit)
    if kind < 0.75:
        plain = QPlainTextEdit(_text(kit))
        plain.setFont(_font(kit))
        if kit.maybe(0.25):
            plain.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        plain.setReadOnly(kit.maybe(0.1))
        return plain
    rich = QTextEdit()
    lines = [f"<p>{kit.say.paragraph(kit.rng.randint(1, 5))}</p>" for _ in range(kit.count(1, 10))]
    lines.insert(0, f"<h2>{kit.say.noun()}</h2>")
    rich.setHtml("".join(lines))
    rich.document().setDefaultFont(_font(kit))
    return rich


def _code(kit: WidgetBuilder) -> QWidget:
    lines = "\n".join(kit.say.code(kit.pick((6, 20, 60, 120))))
    code = Numbered(lines, kit.look.colours, marked=kit.maybe(0.6)) if kit.maybe(0.7) else QPlainTextEdit(lines)
    code.setFont(QFont("DejaVu Sans Mono", kit.look.points + kit.rng.randint(-1, 3)))
    code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    return code


def _font(kit: WidgetBuilder) -> QFont:
    family = kit.pick((kit.look.family, kit.look.family, "DejaVu Sans Mono", "DejaVu Serif", "Liberation Serif"))
    return QFont(family, max(7, kit.look.points + kit.rng.randint(-2, 6)))


def _text(kit: WidgetBuilder) -> str:
    """Lines as people write them: paragraphs, short lines, empty ones."""
    made: list[str] = []
    for _ in range(kit.pick((1, 3, 8, 20, 50))):
        kind = kit.rng.random()
        if kind < 0.5:
            made.append(kit.say.paragraph(kit.rng.randint(1, 4)))
        elif kind < 0.8:
            made.append(kit.pick(("- ", "", "", "> ")) + kit.pick((kit.say.noun, kit.say.path, kit.say.cell))())
        else:
            made.append("")
    return "\n".join(made)


def _pages(kit: WidgetBuilder) -> QWidget:
    pages = QTabWidget()
    pages.setTabsClosable(kit.maybe(0.5))
    pages.setDocumentMode(kit.maybe(0.6))
    for _ in range(kit.count(1, 6)):
        pages.addTab(area(kit), kit.say.file_name())
    return pages


def _halves(kit: WidgetBuilder) -> QWidget:
    split = QSplitter(kit.pick((Qt.Orientation.Horizontal, Qt.Orientation.Vertical)))
    for _ in range(kit.pick((2, 2, 3))):
        split.addWidget(area(kit))
    return split


def _letter(kit: WidgetBuilder) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    form = QFormLayout()
    for text in kit.say.fields(kit.rng.randint(2, 4)):
        form.addRow(f"{text}:", QLineEdit(kit.pick((kit.say.email(), kit.say.phrase(4), ""))))
    column.addLayout(form)
    row = QHBoxLayout()
    fonts = QComboBox()
    fonts.addItems([kit.look.family, "DejaVu Serif", "DejaVu Sans Mono"])
    row.addWidget(fonts)
    size = QSpinBox()
    size.setValue(kit.rng.randint(8, 24))
    row.addWidget(size)
    for subtype in kit.rng.sample(_TOOLS, kit.rng.randint(3, 7)):
        row.addWidget(kit.tool(subtype, size=18))
    row.addStretch(1)
    if kit.maybe(0.7):
        column.addLayout(row)
    column.addWidget(area(kit), 1)
    ends = QHBoxLayout()
    ends.addStretch(1)
    for text in kit.say.answers(kit.rng.randint(1, 3)):
        ends.addWidget(kit.button(text))
    if kit.maybe(0.6):
        column.addLayout(ends)
    return box


def _notes(kit: WidgetBuilder) -> QWidget:
    split = QSplitter()
    names = QListWidget()
    names.addItems([kit.say.phrase(4) for _ in range(kit.count(4, 30))])
    names.setAlternatingRowColors(kit.maybe(0.3))
    split.addWidget(names)
    split.addWidget(area(kit))
    split.setStretchFactor(1, 3)
    return split


def _several(kit: WidgetBuilder) -> QWidget:
    """Areas below each other, each with its name."""
    box = QWidget()
    column = QVBoxLayout(box)
    for text in kit.say.fields(kit.rng.randint(2, 4)):
        column.addWidget(kit.label(text))
        one = area(kit)
        one.setEnabled(not kit.maybe(0.2))
        column.addWidget(one, kit.rng.randint(1, 4))
    return box


_WAYS: tuple[Callable[[WidgetBuilder], QWidget], ...] = (area, area, _pages, _pages, _halves, _letter, _notes, _several)
