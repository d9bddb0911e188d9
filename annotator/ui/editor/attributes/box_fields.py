"""Left, top, width and height of a box as numbers."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QSizePolicy, QSpinBox, QWidget

from annotator.attributes.box_numbers import BoxField, number_of
from annotator.ui.controls import label
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.geometry import Rect

__all__ = ["BoxFields", "NumberField"]

_MOST: Final = 99_999
_WORDS: Final[dict[BoxField, tuple[str, str]]] = {
    "x": (
        tr("Left edge in pixels"),
        tr("Left edge, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10"),
    ),
    "y": (
        tr("Top edge in pixels"),
        tr("Top edge, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10"),
    ),
    "w": (
        tr("Width in pixels"),
        tr("Width, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10"),
    ),
    "h": (
        tr("Height in pixels"),
        tr("Height, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10"),
    ),
}
_COARSE: Final = 10


class NumberField(QSpinBox):
    """Pixels: the arrow keys change them by 1, with Shift by 10.

    Signals:
        left: the keyboard went elsewhere.
    """

    left = Signal()

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        self.setRange(0, _MOST)
        self.setKeyboardTracking(False)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(56)

    def show_number(self, number: int) -> None:
        """Show a number without telling anybody."""
        with QSignalBlocker(self):
            self.setValue(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Shift makes the arrows coarse."""
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and event.key() in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self.stepBy(_COARSE if event.key() == Qt.Key.Key_Up else -_COARSE)
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's hook: tell that it is over."""
        super().focusOutEvent(event)
        self.left.emit()


class BoxFields(QWidget):
    """The four numbers of one box.

    Signals:
        changed: which number, and what was typed; it may lie outside the picture.
        left: the keyboard left all four, so that the next visit is undone on its own.
    """

    changed = Signal(str, int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE.s)
        grid.setVerticalSpacing(SPACE.s)
        self._fields: dict[BoxField, NumberField] = {}
        for place, (name, (words, tip)) in enumerate(_WORDS.items()):
            field = NumberField(words, tip)
            field.valueChanged.connect(partial(self.changed.emit, name))
            field.left.connect(self._on_left)
            grid.addWidget(label(name, role="muted"), place // 2, place % 2 * 2)
            grid.addWidget(field, place // 2, place % 2 * 2 + 1)
            self._fields[name] = field
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)

    def show_box(self, box: Rect) -> None:
        """Show a box without telling anybody."""
        for name, field in self._fields.items():
            field.show_number(number_of(box, name))

    def _on_left(self) -> None:
        if QApplication.focusWidget() not in self._fields.values():
            self.left.emit()
