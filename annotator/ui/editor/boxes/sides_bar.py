"""A small bar over the canvas: which side to tighten, and which edges count."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from annotator.tighten import ALL_SIDES, DEFAULT_LEVEL, Side
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.controls import Segments, flat_button, label, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HIT, SPACE
from annotator.words import tr

__all__ = ["SidesBar"]

_LEVELS: Final = (DEFAULT_LEVEL, 12)
_SIDES: Final[tuple[tuple[Side, str, Qt.Key, str], ...]] = (
    ("left", "←", Qt.Key.Key_Left, tr("Tighten the left side")),
    ("top", "↑", Qt.Key.Key_Up, tr("Tighten the top side")),
    ("bottom", "↓", Qt.Key.Key_Down, tr("Tighten the bottom side")),
    ("right", "→", Qt.Key.Key_Right, tr("Tighten the right side")),
)


class SidesBar(QFrame):
    """Has the keyboard while it is open: arrows tighten a side, T all of them, Esc closes it.

    Signals:
        wanted: the sides to tighten, a frozenset.
        closed: it was put away.
    """

    wanted = Signal(object)
    closed = Signal()

    def __init__(self, canvas: Canvas, theme: Theme) -> None:
        super().__init__(canvas)
        self.setObjectName("overlay")
        self.setAccessibleName(tr("Tighten one side"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._canvas = canvas
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, SPACE.xs, SPACE.xs, SPACE.xs)
        row.setSpacing(SPACE.xs)
        row.addWidget(label(tr("Tighten"), role="caption"))
        for side, arrow, _, tip in _SIDES:
            row.addWidget(self._button(arrow, tip, theme, sides=frozenset({side})))
        row.addWidget(self._button(tr("All"), tr("Tighten all sides"), theme, sides=ALL_SIDES, keys="T"))
        tips = (tr("Only clear edges count"), tr("Faint edges count too, as dark themes have them"))
        self._level = Segments(tr("Edges"), (tr("Clear"), tr("Faint")), tips=tips)
        self._level.set_current(0)
        row.addSpacing(SPACE.s)
        row.addWidget(self._level)
        close = flat_button("close", tr("Close"), theme, keys="Esc")
        close.clicked.connect(self.close_bar)
        row.addWidget(close)
        self.hide()

    @property
    def level(self) -> int:
        """From which step between pixels on there is an edge."""
        return _LEVELS[max(self._level.current, 0)]

    def open_at(self, box: QRect) -> None:
        """Show it above or below a box of the canvas."""
        self.adjustSize()
        room = self._canvas.rect().adjusted(SPACE.s, SPACE.s, -SPACE.s, -SPACE.s)
        y = box.bottom() + SPACE.m
        if y + self.height() > room.bottom():
            y = box.top() - SPACE.xl - self.height()
        x = min(max(box.left(), room.left()), max(room.right() - self.width(), room.left()))
        self.move(x, min(max(y, room.top()), max(room.bottom() - self.height(), room.top())))
        self.show()
        self.raise_()
        self.setFocus()

    def close_bar(self) -> None:
        """Put it away and give the keyboard back to the picture."""
        if self.isVisible():
            self.hide()
            self._canvas.setFocus()
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: the arrows, T, Esc."""
        side = next((side for side, _, key, _ in _SIDES if key == event.key()), None)
        if side is not None:
            self.wanted.emit(frozenset({side}))
        elif event.key() == Qt.Key.Key_T:
            self.wanted.emit(ALL_SIDES)
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close_bar()
        else:
            super().keyPressEvent(event)

    def _button(self, text: str, tip: str, theme: Theme, *, sides: frozenset[Side], keys: str = "") -> QPushButton:
        made = push_button(text, tip, theme, keys=keys)
        made.setAccessibleName(tip)
        made.setMinimumSize(HIT.tool + SPACE.s, HIT.tool)
        # The arrows belong to the bar, wherever in it the focus is.
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.clicked.connect(lambda: self.wanted.emit(sides))
        return made
