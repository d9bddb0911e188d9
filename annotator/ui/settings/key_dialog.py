"""Asks what to do about a hot-key that clashes."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from annotator.ui.controls import label, push_button
from annotator.ui.settings.key_choice import KeyProblem
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.settings import HotkeySettings

__all__ = ["KeyDialog"]

_WIDTH = 420


class KeyDialog(QDialog):
    """The problem, the ways out, and leaving everything as it was.

    Signals:
        chosen: the ``HotkeySettings`` of the way that was taken.
    """

    chosen = Signal(object)

    def __init__(self, problem: KeyProblem, *, keep: str, theme: Theme, parent: QWidget) -> None:
        """Put the question together.

        Args:
            problem: what is wrong, and what can be done.
            keep: the key that stays otherwise; empty for none.
            theme: colours.
            parent: the window it belongs to.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(problem.title)
        self.setAccessibleDescription(problem.words)
        self.problem = problem
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.xl)
        column.setSpacing(SPACE.s)
        column.addWidget(label(problem.title, role="title"))
        words = label(problem.words, wraps=True)
        words.setFixedWidth(_WIDTH)
        column.addWidget(words)
        column.addSpacing(SPACE.s)
        for way in problem.ways:
            button = push_button(way.words, way.words, theme)
            button.clicked.connect(partial(self._take, way.hotkeys))
            column.addWidget(button)
        stay = push_button(
            tr("Keep {keep}").format(keep=keep) if keep else tr("Keep it without a key"),
            tr("Change nothing"),
            theme,
            role="main",
        )
        stay.clicked.connect(self.reject)
        stay.setDefault(True)
        column.addWidget(stay)
        stay.setFocus()
        self.setFixedSize(column.sizeHint())

    def _take(self, hotkeys: HotkeySettings, _checked: bool = False) -> None:  # noqa: FBT001, FBT002 - a button's click
        self.accept()
        self.chosen.emit(hotkeys)
