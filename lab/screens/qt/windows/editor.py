"""A text editor: menus, a tool bar, pages, a status bar."""

from __future__ import annotations

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit, QTabWidget, QTextEdit, QWidget

from lab.screens.qt.drawing.widget_builder import WidgetBuilder

_TOOLS = ("new", "open", "save", "print", "undo", "redo", "cut", "copy", "paste", "search", "zoom_in", "zoom_out")


def build(kit: WidgetBuilder) -> QWidget:
    """An editor with one page or several."""
    window = QMainWindow()
    window.setWindowTitle(kit.pick((kit.say.file_name(), f"{kit.say.file_name()} - {kit.say.noun()}")))
    kit.menus(window)
    if kit.maybe(0.8):
        kit.tool_bar(window, _TOOLS[: kit.count(4, 12)])
    if kit.maybe(0.5):
        pages = QTabWidget()
        pages.setTabsClosable(kit.maybe(0.5))
        pages.setDocumentMode(kit.maybe(0.5))
        for _ in range(kit.count(1, 6)):
            pages.addTab(_page(kit), kit.say.file_name())
        window.setCentralWidget(pages)
    else:
        window.setCentralWidget(_page(kit))
    if kit.maybe(0.8):
        bar = window.statusBar()
        bar.setSizeGripEnabled(kit.maybe(0.7))
        if kit.maybe(0.5):
            bar.showMessage(kit.say.phrase(5))
        for text in ("UTF-8", f"{kit.rng.randrange(900)}:{kit.rng.randrange(80)}")[: kit.rng.randint(0, 2)]:
            bar.addPermanentWidget(kit.label(text))
    return window


def _page(kit: WidgetBuilder) -> QWidget:
    if kit.maybe(0.5):
        code = QPlainTextEdit()
        code.setPlainText("\n".join(kit.say.code(kit.count(3, 80))))
        code.setFont(QFont("DejaVu Sans Mono", kit.look.points))
        code.setLineWrapMode(kit.pick((QPlainTextEdit.LineWrapMode.NoWrap, QPlainTextEdit.LineWrapMode.WidgetWidth)))
        return code
    text = QTextEdit()
    text.setPlainText("\n".join(kit.say.paragraph(kit.rng.randint(1, 6)) for _ in range(kit.count(1, 14))))
    return text
