"""Small controls that every window shares, each with an accessible name and a tooltip."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QToolButton,
    QWidget,
)

from annotator.ui.icons import Tint, icon
from annotator.ui.theme.manager import Theme

__all__ = [
    "LineField",
    "Segments",
    "TextField",
    "TitleField",
    "flat_button",
    "label",
    "line",
    "push_button",
    "shortcut_tip",
]


_PAUSE_MS = 700


def shortcut_tip(text: str, keys: str = "") -> str:
    """A tooltip with its shortcut, in the words of the platform."""
    return f"{text} ({QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)})" if keys else text


def label(text: str, *, role: str = "", wraps: bool = False) -> QLabel:
    """A label that looks as its role says; see the style sheet."""
    made = QLabel(text)
    if role:
        made.setProperty("role", role)
    if wraps:
        made.setWordWrap(True)
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    made.setTextFormat(Qt.TextFormat.PlainText)
    return made


def flat_button(name: str, tip: str, theme: Theme, *, keys: str = "", tint: Tint = "text") -> QToolButton:
    """A button that is only an icon."""
    made = QToolButton()
    made.setProperty("role", "flat")
    made.setIcon(icon(name, theme, tint=tint))
    made.setIconSize(QSize(16, 16))
    made.setToolTip(shortcut_tip(tip, keys))
    made.setAccessibleName(tip)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made


def push_button(
    text: str, tip: str, theme: Theme, *, name: str = "", keys: str = "", role: str = "", tint: Tint = "text"
) -> QPushButton:
    """A button with words, and perhaps an icon before them."""
    made = QPushButton(text)
    if role:
        made.setProperty("role", role)
    if name:
        made.setIcon(icon(name, theme, tint=tint))
        made.setIconSize(QSize(16, 16))
    made.setToolTip(shortcut_tip(tip, keys))
    made.setAccessibleName(text)
    made.setAccessibleDescription(tip)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made


def line() -> QFrame:
    """A thin separator."""
    made = QFrame()
    made.setObjectName("line")
    return made


class Segments(QWidget):
    """A few choices side by side, one of them taken.

    Signals:
        chosen: the index that the user took.
    """

    chosen = Signal(int)

    def __init__(self, name: str, choices: Sequence[str], *, tips: Sequence[str] = ()) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for i, text in enumerate(choices):
            button = QToolButton()
            button.setText(text)
            button.setCheckable(True)
            button.setProperty("role", "segment")
            button.setProperty("place", "first" if i == 0 else "last" if i == len(choices) - 1 else "middle")
            button.setAccessibleName(f"{name}: {text}")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(tips[i] if tips else f"{name}: {text}")
            self._group.addButton(button, i)
            layout.addWidget(button)
        self._group.idClicked.connect(self.chosen)

    def set_current(self, index: int) -> None:
        """Show which one is taken, without telling anybody."""
        self._group.button(index).setChecked(True)

    def set_none(self) -> None:
        """Show that none of them is taken."""
        self._group.setExclusive(False)
        for button in self._group.buttons():
            button.setChecked(False)
        self._group.setExclusive(True)

    @property
    def current(self) -> int:
        """Which one is taken; -1 for none."""
        return self._group.checkedId()

    def button(self, index: int) -> QToolButton:
        """One of the choices."""
        made = self._group.button(index)
        if not isinstance(made, QToolButton):
            raise IndexError(index)
        return made


def _is_undo(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


class LineField(QLineEdit):
    """One line of text that is handed over when the user is done with it.

    Enter and leaving the field hand it over; Esc restores what it was. With nothing of its own left to undo it lets
    Ctrl+Z through to the document.

    Signals:
        committed: the new text; only when it differs.
    """

    committed = Signal(str)

    def __init__(self, name: str, *, placeholder: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self._shown = ""
        self.editingFinished.connect(self.flush)

    def show_text(self, text: str) -> None:
        """Show what the document says, unless the user is typing something else."""
        if text == self._shown and self.text() != text and self.hasFocus():
            return
        self._shown = text
        if self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)

    def flush(self) -> None:
        """Hand over what was typed."""
        if self.text() != self._shown:
            self._shown = self.text()
            self.committed.emit(self._shown)

    def event(self, event: QEvent) -> bool:
        """Qt's hook: which keys the field keeps for itself."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            free = not (self.isUndoAvailable() or self.isRedoAvailable())
            if _is_undo(event) and free:
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc takes back what was typed."""
        if event.key() == Qt.Key.Key_Escape and self.text() != self._shown:
            self.setText(self._shown)
            return
        super().keyPressEvent(event)


class TitleField(LineField):
    """A line that is cut with an ellipsis while nobody writes in it."""

    def __init__(self, name: str, *, placeholder: str = "") -> None:
        super().__init__(name, placeholder=placeholder)
        self.setProperty("role", "title")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: cut what does not fit."""
        room = self.contentsRect().adjusted(8, 0, -8, 0)
        metrics = self.fontMetrics()
        if self.hasFocus() or metrics.horizontalAdvance(self.text()) <= room.width():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        words = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words)


class TextField(QPlainTextEdit):
    """Several lines of text, handed over after a pause and when the field is left.

    Signals:
        committed: the new text; only when it differs.
    """

    committed = Signal(str)

    def __init__(self, name: str, *, placeholder: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self._shown = ""
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self.flush)
        self.textChanged.connect(self._pause.start)

    def show_text(self, text: str) -> None:
        """Show what the document says, unless the user is typing something else."""
        if text == self._shown and self.toPlainText() != text and self.hasFocus():
            return
        self._shown = text
        if self.toPlainText() != text:
            self.setPlainText(text)

    def flush(self) -> None:
        """Hand over what was typed."""
        self._pause.stop()
        text = self.toPlainText()
        if text != self._shown:
            self._shown = text
            self.committed.emit(text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's hook: leaving hands over."""
        self.flush()
        super().focusOutEvent(event)

    def event(self, event: QEvent) -> bool:
        """Qt's hook: which keys the field keeps for itself."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            document = self.document()
            free = not (document.isUndoAvailable() or document.isRedoAvailable())
            if _is_undo(event) and free:
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc takes back what was typed, Ctrl+Enter hands it over."""
        if event.key() == Qt.Key.Key_Escape and self.toPlainText() != self._shown:
            self.setPlainText(self._shown)
            return
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.flush()
            return
        super().keyPressEvent(event)
