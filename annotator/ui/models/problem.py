"""Why something could not be done, shown where it was asked for."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from annotator.ui.controls import label
from annotator.ui.theme.tokens import SPACE

__all__ = ["Problem"]


class Problem(QFrame):
    """A sentence and the way out of it; hidden while there is none."""

    def __init__(self, name: str) -> None:
        super().__init__()
        # It looks like the app's own message, but stands where the eyes are.
        self.setObjectName("banner")
        self.setAccessibleName(name)
        self._words = label("", role="words", wraps=True)
        self._hint = label("", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.m, SPACE.s, SPACE.m, SPACE.s)
        column.setSpacing(2)
        column.addWidget(self._words)
        column.addWidget(self._hint)
        self.hide()

    @property
    def words(self) -> str:
        """What is wrong, as shown; empty when nothing is."""
        return "" if self.isHidden() else self._words.text()

    def tell(self, words: str, hint: str = "") -> None:
        """Say it; nothing for nothing."""
        self._words.setText(words)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self.setAccessibleDescription(f"{words} {hint}".strip())
        self.setVisible(bool(words))
