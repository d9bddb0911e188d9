"""The arrow keys of attribute mode, which are step keys otherwise."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

__all__ = ["ModeKeys"]


class ModeKeys(QObject):
    """Takes up and down from the step keys while attribute mode is on."""

    def __init__(self, canvas: QWidget, *, moved: Callable[[int], None], active: Callable[[], bool]) -> None:
        """Listen to the canvas.

        Args:
            canvas: whose keys they are.
            moved: called with -1 or 1.
            active: whether the mode is on.
        """
        super().__init__(canvas)
        self._canvas, self._moved, self._active = canvas, moved, active
        canvas.installEventFilter(self)

    def close(self) -> None:
        """Listen no more."""
        self._canvas.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: what shortcuts would take otherwise."""
        offset = _offset(event) if isinstance(event, QKeyEvent) and self._active() else 0
        if offset and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if offset and event.type() == QEvent.Type.KeyPress:
            self._moved(offset)
            return True
        return super().eventFilter(watched, event)


def _offset(event: QKeyEvent) -> int:
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return 0
    if event.key() == Qt.Key.Key_Up:
        return -1
    return 1 if event.key() == Qt.Key.Key_Down else 0
