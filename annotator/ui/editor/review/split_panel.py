"""Overlay that asks where a step is to be split."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QSlider, QWidget

from annotator.step_shape import parts_of
from annotator.ui.controls import column, label, push_button, row
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.steps import Step
from demopack.domain.words import shorten

_PARTS: Final = {
    "scroll": (tr("1 notch"), tr("{count} notches")),
    "press_key": (tr("1 press"), tr("{count} presses")),
    "click": (tr("1 click"), tr("{count} clicks")),
}


class SplitPanel(QFrame):
    """A slider over the parts of a step, and what the two steps will do."""

    def __init__(self, theme: Theme, parent: QWidget, *, split: Callable[[str, int], None]) -> None:
        """Make it, hidden; ``split`` is called with the id of the step, and how many parts the first one gets."""
        super().__init__(parent)
        self._call = split
        self.setObjectName("overlay")
        self.setAccessibleName(tr("Split the step"))
        self._parent = parent
        self._step: Step | None = None
        self._back: QWidget | None = None
        self._first = label("", role="words")
        self._second = label("", role="words")
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setAccessibleName(tr("Where to cut"))
        self._slider.setToolTip(tr("Where to cut (left and right arrow, Enter splits)"))
        self._slider.valueChanged.connect(self._show_parts)
        cut = push_button(tr("Split"), tr("Make two steps of it"), theme, role="main", keys="Return", call=self._split)
        cancel = push_button(tr("Cancel"), tr("Leave the step whole"), theme, keys="Esc", call=self.leave)
        column(
            label(tr("SPLIT THE STEP"), role="heading"),
            self._first,
            self._second,
            self._slider,
            row(None, cut, cancel),
            of=self,
            margins=(SPACE.l, SPACE.m, SPACE.l, SPACE.m),
        )
        self.setFixedWidth(340)
        self.hide()

    @property
    def step(self) -> Step | None:
        """The step that it asks about; None while it is hidden."""
        return None if self.isHidden() else self._step

    def ask(self, step: Step, *, at: QPoint) -> None:
        """Show it beside a point of the parent."""
        parent = self._parent
        self._step = step
        self._back = parent.focusWidget()
        count = parts_of(step)
        self._slider.setRange(1, count - 1)
        self._slider.setValue(count // 2)
        self._show_parts()
        self.adjustSize()
        room_x, room_y = parent.width() - self.width() - SPACE.s, parent.height() - self.height() - SPACE.s
        self.move(min(max(at.x(), SPACE.s), room_x), min(max(at.y(), SPACE.s), room_y))
        self.show()
        self.raise_()
        self._slider.setFocus()

    def _show_parts(self) -> None:
        if self._step is None:
            return
        at, count = self._slider.value(), parts_of(self._step)
        text = self._step.action.typed_text
        if text is not None:
            first, second = f"“{shorten(text[:at], 36)}”", f"“{shorten(text[at:], 36)}”"
        else:
            one, several = _PARTS[self._step.action.action_type]
            first, second = ((one if n == 1 else several).format(count=n) for n in (at, count - at))
        self._first.setText(f"1  {first}")
        self._second.setText(f"2  {second}")

    def _split(self) -> None:
        step = self._step
        self.leave()
        if step is not None:
            self._call(step.id, self._slider.value())

    def leave(self) -> None:
        """Ask no more."""
        had_focus = self.isAncestorOf(self._parent.focusWidget())
        self.hide()
        if self._back is not None and had_focus:
            self._back.setFocus()

    def event(self, event: QEvent) -> bool:
        """Qt's hook: while it asks, no key reaches what lies behind it."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Enter splits, Esc does not."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._split()
        else:
            event.accept()
