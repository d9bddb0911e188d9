"""A quiet bar under the cards: what is special about the selected demo, and what can be done about it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from annotator.ui.controls import label, push_button
from annotator.ui.library.offers import offers_of, told_of
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from demopack.domain.demos import DemoSummary

__all__ = ["SelectionBar"]


class SelectionBar(QWidget):
    """Hidden for an ordinary demo.

    Signals:
        acted: name of an offer.
    """

    acted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("footer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._words = label("", role="muted", wraps=True)
        self._buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(SPACE.xl, SPACE.s, SPACE.xl, SPACE.s)
        self._row.setSpacing(SPACE.s)
        self._row.addWidget(self._words, 1)
        self.hide()

    @property
    def words(self) -> str:
        """What is said; empty when nothing is."""
        return "" if self.isHidden() else self._words.text()

    def show_summary(self, summary: DemoSummary | None, *, deleted: bool) -> None:
        """Tell about another demo."""
        words = told_of(summary, deleted=deleted)
        for button in self._buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = []
        self._words.setText(words)
        self.setVisible(bool(words))
        if summary is None or not words:
            return
        for offer in offers_of(summary, deleted=deleted):
            if offer.name == "open":
                continue
            button = push_button(offer.words, offer.tip, self._theme, keys=offer.keys)
            button.clicked.connect(partial(self.acted.emit, offer.name))
            self._row.addWidget(button)
            self._buttons.append(button)
