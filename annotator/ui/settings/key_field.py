"""Takes a key combination by having it pressed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QPushButton

from annotator.ui.controls import native
from annotator.words import tr
from demopack.domain.keys import join_keys, parse_key_info
from demopack.errors import ActionError

ALONE = {
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_Meta,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Super_L,
    Qt.Key.Key_Super_R,
    Qt.Key.Key_CapsLock,
    Qt.Key.Key_NumLock,
    Qt.Key.Key_ScrollLock,
}
"""Keys that mean nothing by themselves."""
_MODIFIERS = (
    (Qt.KeyboardModifier.ControlModifier, tr("Ctrl")),
    (Qt.KeyboardModifier.AltModifier, tr("Alt")),
    (Qt.KeyboardModifier.ShiftModifier, tr("Shift")),
    (Qt.KeyboardModifier.MetaModifier, tr("Meta")),
)


def key_text(event: QKeyEvent) -> str:
    """The recorder's name of what was pressed, for instance ``Ctrl+Alt+R``; empty for a modifier alone.

    Raises:
        ActionError: the recorder has no name for this key.
    """
    key = Qt.Key(event.key())
    if key in ALONE:
        return ""
    if key == Qt.Key.Key_Backtab:
        key = Qt.Key.Key_Tab
    name = QKeySequence(QKeyCombination(key)).toString(QKeySequence.SequenceFormat.PortableText)
    held = [text for flag, text in _MODIFIERS if event.modifiers() & flag]
    return join_keys([*held, *parse_key_info(name)])


class KeyField(QPushButton):
    """Shows a key; pressed, it waits for another one.

    Esc leaves it as it was, Backspace takes the key away.

    Signals:
        committed: the new key; empty for none.
        waiting_changed: whether it waits for a key.
        refused: why what was pressed cannot be used.
    """

    committed = Signal(str)
    waiting_changed = Signal(bool)
    refused = Signal(str)

    def __init__(self, name: str, *, read: Callable[[QKeyEvent], str] = key_text) -> None:
        """Make the button; ``read`` gives the text of what was pressed, empty for a modifier alone, or ActionError."""
        super().__init__()
        self._name = name
        self._read = read
        self.keys = ""
        self._waiting = False
        self.setProperty("role", "keys")
        self.setMinimumWidth(190)
        self.setToolTip(tr("Click, then press the keys. Backspace takes the key away, Esc leaves it."))
        self.clicked.connect(self._wait)
        self.show_keys("")

    def show_keys(self, keys: str) -> None:
        """Show what is set."""
        self.keys = keys
        self._show()

    def _wait(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._set_waiting(waiting=True)

    def _set_waiting(self, *, waiting: bool) -> None:
        if waiting == self._waiting:
            return
        self._waiting = waiting
        # Also keys that the window manager or a shortcut of ours would take.
        (self.grabKeyboard if waiting else self.releaseKeyboard)()
        self.setProperty("waiting", "yes" if waiting else "no")
        self.style().polish(self)
        self._show()
        self.waiting_changed.emit(waiting)

    def _show(self) -> None:
        shown = native(self.keys) or tr("No key")
        self.setText(tr("Press the keys …") if self._waiting else shown)
        self.setAccessibleName(f"{self._name}: {self.text()}")

    def event(self, event: QEvent) -> bool:
        """Qt's hook: while it waits, no shortcut of the window takes a key."""
        if self._waiting and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: take what is pressed."""
        if not self._waiting:
            super().keyPressEvent(event)
            return
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if plain and event.key() == Qt.Key.Key_Escape:
            self._set_waiting(waiting=False)
        elif plain and event.key() in {Qt.Key.Key_Backspace, Qt.Key.Key_Delete}:
            self._take("")
        else:
            try:
                keys = self._read(event)
            except ActionError as error:
                self._set_waiting(waiting=False)
                self.refused.emit(str(error))
                return
            if keys:
                self._take(keys)

    def _take(self, keys: str) -> None:
        self._set_waiting(waiting=False)
        if keys != self.keys:
            self.committed.emit(keys)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's hook: leaving stops waiting."""
        self._set_waiting(waiting=False)
        super().focusOutEvent(event)
