"""A list of things to do beside the bar or the tray icon; see ``floating`` for why it is no menu of Qt's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QEnterEvent, QGuiApplication, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton

from annotator.ui.controls import column, discard
from annotator.ui.icons import paint_icon
from annotator.ui.recording.floating import Floating
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE

_ROW = 30
_LEFT_ALONE_MS = 1500
_ICON = 16


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One line.

    Attributes:
        words: what happens.
        act: does it; None for a line that only says something.
        icon: its name; empty for none.
        keys: its hot-key; empty for none.
    """

    words: str
    act: Callable[[], None] | None = None
    icon: str = ""
    keys: str = ""


class MenuPanel(Floating):
    """Closes when something was chosen, and when the pointer has left it for a while."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__(theme, name=name, radius=8)
        self._column = column(of=self, spacing=0, margins=SPACE.xs)
        self._rows: list[_Row] = []
        self._alone = QTimer(self, interval=_LEFT_ALONE_MS, singleShot=True)
        self._alone.timeout.connect(self.hide)

    @property
    def items(self) -> tuple[str, ...]:
        """What is offered, in words."""
        return tuple(row.text() for row in self._rows)

    def offer(self, items: Sequence[MenuItem]) -> None:
        """Show other lines."""
        discard(self._rows)
        self._rows = [_Row(item, self.theme) for item in items]
        for row in self._rows:
            row.chosen.connect(self._choose)
            self._column.addWidget(row)
        self.setFixedSize(self._column.sizeHint())

    def show_at(self, pointer: QPoint) -> None:
        """Appear beside the pointer."""
        self.show_beside(QRect(pointer - QPoint(8, 8), QSize(16, 16)))

    def open_beside(self, anchor: QRect, items: Sequence[MenuItem]) -> None:
        """Show these lines beside a box, to its left where there is no room on its right; close when it is open."""
        if self.isVisible():
            self.hide()
            return
        self.offer(items)
        screen = QGuiApplication.screenAt(anchor.center()) or QGuiApplication.primaryScreen()
        if anchor.left() + self.width() > screen.availableGeometry().right():
            anchor = QRect(QPoint(anchor.right() + 1 - self.width(), anchor.top()), anchor.bottomRight())
        self.show_beside(anchor)
        self._alone.start(4 * _LEFT_ALONE_MS)

    def _choose(self, item: MenuItem) -> None:
        self.hide()
        if item.act is not None:
            item.act()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Qt's hook: somebody is looking."""
        super().enterEvent(event)
        self._alone.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Qt's hook: perhaps nobody is looking any more."""
        super().leaveEvent(event)
        self._alone.start(_LEFT_ALONE_MS)


class _Row(QAbstractButton):
    """Icon, words, and the hot-key at the right edge."""

    chosen = Signal(object)

    def __init__(self, item: MenuItem, theme: Theme) -> None:
        super().__init__()
        self.item = item
        self._theme = theme
        self._keys = QKeySequence(item.keys).toString(QKeySequence.SequenceFormat.NativeText) if item.keys else ""
        self.clicked.connect(lambda: self.chosen.emit(item))
        self.setText(item.words)
        self.setAccessibleName(item.words)
        self.setEnabled(item.act is not None)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        """Qt's hook: room for everything side by side."""
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self.text())
        keys = metrics.horizontalAdvance(self._keys)
        return QSize(SPACE.s + _ICON + SPACE.s + words + (SPACE.xl + keys if keys else 0) + SPACE.m, _ROW)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: paint it."""
        del event
        palette = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.accent_soft if self.isDown() else palette.hover))
            painter.drawRoundedRect(self.rect(), 4, 4)
        left = SPACE.s
        if self.item.icon:
            paint_icon(painter, self.item.icon, QRect(left, (_ROW - _ICON) // 2, _ICON, _ICON), palette.text)
        words = self.rect().adjusted(left + _ICON + SPACE.s, 0, -SPACE.m, 0)
        painter.setPen(QColor(palette.text if self.isEnabled() else palette.muted))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        font = self.font()
        font.setPixelSize(FONT.caption)
        painter.setFont(font)
        painter.setPen(QColor(palette.muted))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._keys)
