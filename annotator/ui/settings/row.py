"""One setting on the page: name and meaning, its control, what is wrong with it, and the way back to the default."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.ui.controls import flat_button, label
from annotator.ui.settings.editors import make_editor
from annotator.ui.settings.fields import SettingField, choice_words
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["SettingRow"]

_NAME_WIDTH = 300


class SettingRow(QWidget):
    """Shows a value and hands over another one.

    Signals:
        changed: path of the setting, and its new value.
        waiting: whether keys are taken from the keyboard just now.
    """

    changed = Signal(tuple, object)
    waiting = Signal(bool)

    def __init__(self, field: SettingField, theme: Theme) -> None:
        super().__init__()
        self.field = field
        self.editor = make_editor(field)
        self.editor.changed.connect(self._hand_over)
        self.editor.wrong.connect(self.show_wrong)
        self.editor.waiting.connect(self.waiting)
        self._back = flat_button("restore", tr("Set {title} back").format(title=field.title), theme)
        self._back.clicked.connect(lambda: self._hand_over(field.default))
        self._wrong = label("", role="error", wraps=True)
        self._wrong.hide()
        name = label(field.title)
        meaning = label(field.description, role="caption", wraps=True)
        for part in (name, meaning):
            part.setFixedWidth(_NAME_WIDTH)
        words, value = QVBoxLayout(), QVBoxLayout()
        for column, upper, lower in ((words, name, meaning), (value, self.editor, self._wrong)):
            column.setSpacing(2)
            column.addWidget(upper)
            column.addWidget(lower)
            column.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, SPACE.xs, 0, SPACE.xs)
        row.setSpacing(SPACE.l)
        row.addLayout(words)
        row.addLayout(value, 1)
        row.addWidget(self._back, 0, Qt.AlignmentFlag.AlignTop)
        keep = self._back.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self._back.setSizePolicy(keep)

    @property
    def wrong(self) -> str:
        """What is wrong, as shown."""
        return "" if self._wrong.isHidden() else self._wrong.text()

    def _hand_over(self, value: object) -> None:
        self.changed.emit(self.field.path, value)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever the setting holds
        """Show what is set."""
        self.editor.show_value(value)
        self._back.setVisible(value != self.field.default)
        default = self.field.default
        shown = choice_words(str(default)) if self.field.kind == "choice" else default
        self._back.setToolTip(
            tr("Back to {shown}").format(shown=shown) if shown not in ((), None, "") else tr("Back to nothing")
        )

    def show_wrong(self, words: str) -> None:
        """Say what is wrong; nothing for nothing."""
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))
