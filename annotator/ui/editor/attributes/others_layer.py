"""Elements that would have been as right as the step's target, drawn dashed in the colour of what the step did."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.ui.canvas.layer import CanvasLayer
from annotator.ui.theme.tokens import HALO, POINTER
from annotator.viewport import Viewport
from demopack.domain.geometry import Rect

__all__ = ["OthersLayer"]


class OthersLayer(CanvasLayer):
    """Dashed frames around a few boxes."""

    def __init__(self) -> None:
        self.boxes: tuple[Rect, ...] = ()

    def show(self, boxes: Sequence[Rect]) -> None:
        """Draw around these boxes."""
        self.boxes = tuple(boxes)

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        if not self.boxes:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        halo = QColor(HALO)
        halo.setAlpha(210)
        dashed = QPen(QColor(POINTER), 2)
        dashed.setDashPattern([4, 3])
        for box in self.boxes:
            x1, y1 = viewport.to_window(box.x1, box.y1)
            frame = QRectF(x1 - 2, y1 - 2, box.width * viewport.scale + 4, box.height * viewport.scale + 4)
            for pen in (QPen(halo, 4.5), dashed):
                painter.setPen(pen)
                painter.drawRoundedRect(frame, 4, 4)
