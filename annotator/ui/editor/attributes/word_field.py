"""A field for one word that completes itself while it is typed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QKeyEvent

from annotator.attributes.completion import completed
from annotator.ui.controls import LineField

__all__ = ["WordField"]


class WordField(LineField):
    """Each letter at the end is followed by the rest of the best word, selected.

    Return takes it, the next letter takes its place, Backspace takes it away.

    Attributes:
        words: the best first.
    """

    def __init__(self, name: str, *, placeholder: str = "") -> None:
        super().__init__(name, placeholder=placeholder)
        self.words: Sequence[str] = ()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: completes after a letter."""
        before = self.text()
        super().keyPressEvent(event)
        typed = self.text()
        if typed == before or not event.text().isprintable() or not event.text().strip():
            return
        if self.cursorPosition() == len(typed):
            whole = completed(typed, self.words)
            if whole != typed:
                self.setText(whole)
                self.setSelection(len(typed), len(whole) - len(typed))
