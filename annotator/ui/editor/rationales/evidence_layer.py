"""Marks the elements that the words at the cursor speak of."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.ui.canvas.layer import CanvasLayer
from annotator.ui.theme.manager import Theme
from annotator.viewport import Viewport
from demopack.domain.geometry import Rect

__all__ = ["EvidenceLayer"]

_AIR = 3
_FILL = 46


class EvidenceLayer(CanvasLayer):
    """A soft frame around each element; nothing while the cursor is elsewhere."""

    def __init__(self, theme: Theme, *, boxes: Callable[[], tuple[Rect, ...]]) -> None:
        """Mark what ``boxes`` gives at the time of painting, in pixels of the picture."""
        self._theme = theme
        self._boxes = boxes

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        boxes = self._boxes()
        if not boxes:
            return
        line = QColor(self._theme.palette.accent)
        fill = QColor(line)
        fill.setAlpha(_FILL)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(line, 2, Qt.PenStyle.SolidLine))
        painter.setBrush(fill)
        for box in boxes:
            x1, y1 = viewport.to_window(box.x1, box.y1)
            x2, y2 = viewport.to_window(box.x2, box.y2)
            painter.drawRoundedRect(QRectF(x1 - _AIR, y1 - _AIR, x2 - x1 + 2 * _AIR, y2 - y1 + 2 * _AIR), 4, 4)
