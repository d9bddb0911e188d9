"""A tag on the picture while changes go to other pictures too: nobody should do that without knowing."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from annotator.ui.canvas.layer import CanvasLayer
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.viewport import Viewport

__all__ = ["ModeLayer"]


class ModeLayer(CanvasLayer):
    """The words at the top of the canvas; nothing while there are none."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._words = ""

    @property
    def words(self) -> str:
        """What is shown."""
        return self._words

    def show(self, words: str) -> None:
        """Show these words; empty for nothing."""
        self._words = words

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """The tag, in the middle of the upper edge."""
        if not self._words:
            return
        palette = self._theme.palette
        font = QFont(painter.font())
        font.setPixelSize(FONT.caption)
        font.setBold(True)
        painter.setFont(font)
        width = QFontMetricsF(font).horizontalAdvance(self._words) + 2 * SPACE.m
        tag = QRectF((viewport.width - width) / 2, SPACE.s, width, 24)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.accent))
        painter.drawRoundedRect(tag, 4, 4)
        painter.setPen(QColor(palette.on_accent))
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, self._words)
