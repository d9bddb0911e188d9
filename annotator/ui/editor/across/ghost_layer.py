"""Boxes as they would be placed, before they are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.ui.canvas.layer import CanvasLayer
from annotator.ui.theme.tokens import HALO, SELECTION
from annotator.viewport import Viewport
from demopack.domain.geometry import Rect

__all__ = ["GhostLayer"]


class GhostLayer(CanvasLayer):
    """Dashed outlines in the colour of the selection."""

    def __init__(self) -> None:
        self._boxes: tuple[Rect, ...] = ()

    @property
    def boxes(self) -> tuple[Rect, ...]:
        """What is shown, in pixels of the picture."""
        return self._boxes

    def show(self, boxes: Sequence[Rect]) -> None:
        """Show these boxes; none to show nothing."""
        self._boxes = tuple(boxes)

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """All of them: a template has few."""
        if not self._boxes:
            return
        tint = QColor(SELECTION)
        tint.setAlpha(34)
        frames = [
            QRectF(
                box.x1 * viewport.scale + viewport.x,
                box.y1 * viewport.scale + viewport.y,
                box.width * viewport.scale,
                box.height * viewport.scale,
            )
            for box in self._boxes
        ]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setBrush(tint)
        painter.setPen(QPen(QColor(HALO), 3))
        painter.drawRects(frames)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(SELECTION), 1, Qt.PenStyle.DashLine))
        painter.drawRects(frames)
