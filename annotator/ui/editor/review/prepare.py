"""What stands in the place of the review strip before a demo is recorded again from one of its steps on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.ui.controls import label, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["PrepareStrip"]


class PrepareStrip(QWidget):
    """Says to what the screen has to be brought first, and starts.

    Signals:
        start_wanted: id of the step after which the recording goes on; empty for the beginning.
        cancelled: everything stays as it is.
    """

    start_wanted = Signal(str)
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Record again"))
        self._after = ""
        self._words = label("", role="words")
        self._more = label("", role="caption", wraps=True)
        self._start = push_button(tr("Start recording"), tr("Record again from this step on"), theme, name="record",
                                  role="main", tint="on_accent")  # fmt: skip
        self._start.clicked.connect(self._begin)
        cancel = push_button(tr("Cancel"), tr("Keep the steps as they are"), theme, keys="Esc")
        cancel.clicked.connect(self._cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.l, SPACE.s, SPACE.m, SPACE.s)
        row.setSpacing(SPACE.m)
        row.addWidget(self._words)
        row.addWidget(self._more, 1)
        row.addWidget(self._start)
        row.addWidget(cancel)
        self.hide()

    @property
    def words(self) -> str:
        """What is asked for; empty while nothing is."""
        return "" if self.isHidden() else f"{self._words.text()} {self._more.text()}"

    @property
    def after(self) -> str | None:
        """Id of the step after which the recording would go on; None while nothing is being prepared."""
        return None if self.isHidden() else self._after

    def ask(self, *, number: int, after: str, last: int) -> None:
        """Ask for the screen as it was before a step.

        Args:
            number: of the first step that is replaced, from 1.
            after: id of the step before it; empty for none.
            last: number of the last step that is replaced.
        """
        self._after = after
        self._words.setText(
            tr("Bring the screen to how it looks here, before step {number}, then start.").format(number=number)
        )
        steps = (
            tr("Step {number}").format(number=number)
            if number == last
            else tr("Steps {number} to {last}").format(number=number, last=last)
        )
        self._more.setText(
            tr("{steps} will be replaced by what you do. One undo brings the old steps back.").format(steps=steps)
        )
        self.show()
        self._start.setFocus(Qt.FocusReason.OtherFocusReason)

    def _begin(self) -> None:
        self.start_wanted.emit(self._after)

    def _cancel(self) -> None:
        self.hide()
        self.cancelled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc thinks better of it."""
        if event.key() == Qt.Key.Key_Escape:
            self._cancel()
        else:
            super().keyPressEvent(event)
