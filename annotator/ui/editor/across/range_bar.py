"""Asks over which steps the selected boxes are to be copied, or taken away."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from annotator.ui.controls import Segments, flat_button, label, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["RangeBar"]


class RangeBar(QWidget):
    """Two rows under the picture: which steps, under which condition, and what to do there.

    Signals:
        copy_wanted: copy the selection over the range.
        remove_wanted: take it away over the range.
        closed: the bar was closed.
    """

    copy_wanted = Signal()
    remove_wanted = Signal()
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("footer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Copy boxes over steps"))
        self._index, self._count = 0, 1
        self._words = label("", role="words")
        self._way = Segments(
            tr("Direction"),
            (tr("Back"), tr("On")),
            tips=(tr("All steps before this one"), tr("All steps after this one")),
        )
        self._way.chosen.connect(self._choose_way)
        self._first = self._spin(tr("First step"))
        self._last = self._spin(tr("Last step"))
        self._same = QCheckBox(tr("Only where it looks the same"))
        self._same.setToolTip(tr("Leave out pictures that show something else in the place of a box"))
        self._same.setAccessibleName(tr("Only where it looks the same"))
        self._same.setChecked(True)
        self._copy = push_button(
            tr("Copy"), tr("Copy the selected boxes to these steps"), theme, role="main", keys="Return"
        )
        self._copy.clicked.connect(self.copy_wanted)
        self._remove = push_button(tr("Remove"), tr("Take the same boxes away from these steps"), theme)
        self._remove.clicked.connect(self.remove_wanted)
        close = flat_button("close", tr("Close"), theme, keys="Esc")
        close.clicked.connect(self.close_bar)
        first, second = QHBoxLayout(), QHBoxLayout()
        for part in (
            self._words,
            self._way,
            label(tr("Steps"), role="muted"),
            self._first,
            label(tr("to"), role="muted"),
        ):
            first.addWidget(part)
        first.addWidget(self._last)
        first.addStretch(1)
        first.addWidget(close)
        second.addWidget(self._same)
        second.addStretch(1)
        for button in (self._copy, self._remove):
            second.addWidget(button)
        # Two rows: between two panels there is not much room.
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.m, SPACE.xs, SPACE.s, SPACE.s)
        column.setSpacing(SPACE.xs)
        for row in (first, second):
            row.setSpacing(SPACE.s)
            column.addLayout(row)
        self.hide()

    def _spin(self, name: str) -> QSpinBox:
        field = QSpinBox()
        field.setAccessibleName(name)
        field.setToolTip(tr("{name} of the range").format(name=name))
        field.setFixedWidth(52)
        return field

    @property
    def steps(self) -> tuple[int, int]:
        """The range: numbers of its first and last step, from 1."""
        return self._first.value(), self._last.value()

    @property
    def only_same(self) -> bool:
        """Whether pictures that show something else are left out."""
        return self._same.isChecked()

    def open_for(self, *, index: int, count: int) -> None:
        """Show the bar, set to all that follows.

        Args:
            index: of the current step, from 0.
            count: how many steps there are.
        """
        self._index, self._count = index, count
        for field in (self._first, self._last):
            field.setRange(1, max(count, 1))
        self._way.button(0).setEnabled(index > 0)
        self._way.button(1).setEnabled(index + 1 < count)
        self._way.set_current(1 if index + 1 < count else 0)
        self._choose_way(self._way.current)
        self.show()
        self._last.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._last.selectAll()

    def show_selection(self, count: int) -> None:
        """How many boxes are meant."""
        words = tr("1 selected box") if count == 1 else tr("{count} selected boxes").format(count=count)
        self._words.setText(words if count else tr("Select boxes first"))
        self._copy.setEnabled(bool(count))
        self._remove.setEnabled(bool(count))

    def set_running(self, *, running: bool) -> None:
        """A job that runs cannot be started again."""
        for button in (self._copy, self._remove):
            button.setEnabled(not running)

    def close_bar(self) -> None:
        """Put it away."""
        self.hide()
        self.closed.emit()

    def _choose_way(self, place: int) -> None:
        if place:
            self._first.setValue(self._index + 2)
            self._last.setValue(self._count)
        else:
            self._first.setValue(1)
            self._last.setValue(self._index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Enter copies, or removes with the focus on that button; Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._copy.isEnabled():
            (self.remove_wanted if self._remove.hasFocus() else self.copy_wanted).emit()
        else:
            super().keyPressEvent(event)
