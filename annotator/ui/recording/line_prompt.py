"""Prompt for one line during a recording: a note, or the name of a variable. Has the input while it is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from annotator.step_words import describe_action
from annotator.ui.controls import column, label
from annotator.ui.recording.floating import Floating, borrow_focus
from annotator.ui.recording.recording_words import typed_in, variable_name
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.clock import now_ns
from demopack.domain.steps import Step
from recorder.event_filter import OwnWindows

if TYPE_CHECKING:
    from recorder.backends.x11.focus import X11Focus

PromptKind = Literal["note", "variable"]
_WIDTH = 360
_KEYS = tr("Enter keeps it, Esc leaves it; it becomes no step.")


class LinePrompt(Floating):
    """One line near the bar.

    Signals:
        noted: a note on the last step.
        named: the variable's name, made fit.
    """

    noted = Signal(str)
    named = Signal(str)

    def __init__(self, theme: Theme, own: OwnWindows) -> None:
        super().__init__(theme, name="Note", radius=10, takes_focus=True)
        self._own = own
        self._loan: X11Focus | None = None
        self._kind: PromptKind = "note"
        self.title = label("", role="words")
        self.field = QLineEdit()
        self.field.returnPressed.connect(self._keep)
        self.field.textEdited.connect(self._on_edited)
        self._hint = label(_KEYS, role="caption")
        self._touched = False
        layout = column(
            self.title,
            self.field,
            self._hint,
            of=self,
            spacing=SPACE.xs + 2,
            margins=(SPACE.l, SPACE.m, SPACE.l, SPACE.m),
        )
        self.setFixedSize(_WIDTH, layout.sizeHint().height())

    def ask(self, kind: PromptKind, *, anchor: QRect, number: int, step: Step | None) -> None:
        """Open it, or change the question.

        Args:
            kind: what is asked for.
            anchor: the bar's box on the screen.
            number: of the last step, from 1; 0 when there is none.
            step: the last step.
        """
        self._own.begin_input(now_ns())
        if self._loan is None:
            self._loan = borrow_focus()
        self._kind = kind
        self._touched = False
        self.field.clear()
        self.follow(number, step)
        self.field.setAccessibleName(tr("Note") if kind == "note" else tr("Name of the variable"))
        self.field.setPlaceholderText(tr("What matters here?") if kind == "note" else tr("For instance last_name"))
        self.show_beside(anchor)
        self.raise_()
        self.activateWindow()
        if self._loan is not None:
            self._loan.take(int(self.winId()))
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def follow(self, number: int, step: Step | None) -> None:
        """Another step is the last one now: the question, and what is suggested, are about that."""
        if self._kind == "note":
            words = "" if step is None else describe_action(step.action)
            title = (
                tr("Note on step {number}: {words}").format(number=number, words=words)
                if number
                else tr("Note on the last step")
            )
            suggested = "" if step is None else step.note
        elif step is None or not typed_in(step):
            title, suggested = tr("Name of a variable"), ""
        else:
            title = tr("Name for what was typed: “{typed}”").format(typed=typed_in(step))
            field = "" if step.focused is None else step.focused.name
            suggested = step.variable or variable_name(field or typed_in(step))
        room = _WIDTH - 2 * SPACE.l
        self.title.setText(self.title.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room))
        if not self._touched:
            self.field.setText(suggested)
            self.field.selectAll()

    def _on_edited(self) -> None:
        self._touched = True
        self._hint.setText(_KEYS)

    def _keep(self) -> None:
        text = self.field.text().strip()
        if self._kind == "variable":
            text = variable_name(text)
            if not text:
                self._hint.setText(tr("A name needs letters or digits, for instance last_name."))
                return
        kind = self._kind
        self.hide()
        if text and kind == "note":
            self.noted.emit(text)
        elif text:
            self.named.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: somebody turns to another program and back."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isVisible():
            (self._own.begin_input if self.isActiveWindow() else self._own.end_input)(now_ns())

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt's hook: the input goes back to the program that had it."""
        super().hideEvent(event)
        self._own.end_input(now_ns())
        loan, self._loan = self._loan, None
        if loan is not None:
            loan.give_back()
