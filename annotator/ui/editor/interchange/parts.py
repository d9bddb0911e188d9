"""Parts that the tabs for exchange and for a second opinion share."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from annotator.ui.controls import label
from annotator.ui.editor.panels.base import part

__all__ = ["Lines"]


class Lines(QWidget):
    """Sentences under a heading; hidden while there are none."""

    def __init__(self, heading: str, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._words = label("", role="fact", wraps=True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.setAccessibleName(name)
        column = part(heading, self._words)
        self.setLayout(column)
        self.hide()

    @property
    def text(self) -> str:
        """What is shown."""
        return self._words.text()

    def show_lines(self, lines: Iterable[str], *, role: str = "fact") -> None:
        """Show sentences, one a line; none hides everything."""
        text = "\n".join(lines)
        self._words.setProperty("role", role)
        style = self._words.style()
        style.unpolish(self._words)
        style.polish(self._words)
        self._words.setText(text)
        self.setVisible(bool(text))
