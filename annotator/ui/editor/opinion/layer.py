"""What the other one drew, over the picture, for the difference that is looked at."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.ui.canvas.layer import CanvasLayer
from annotator.ui.theme.manager import Theme
from annotator.viewport import Viewport
from demopack.domain.geometry import Rect

__all__ = ["OpinionLayer"]


class OpinionLayer(CanvasLayer):
    """One dashed box in the colour of doubt."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._box: Rect | None = None

    @property
    def box(self) -> Rect | None:
        """What is shown, in pixels of the picture; None for nothing."""
        return self._box

    def show(self, box: Rect | None) -> None:
        """Show another box."""
        self._box = box

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """The box."""
        if self._box is None:
            return
        left, top = viewport.to_window(self._box.x1, self._box.y1)
        right, bottom = viewport.to_window(self._box.x2, self._box.y2)
        box = QRectF(left, top, right - left, bottom - top)
        painter.save()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Light under dark, so that it is seen on every picture.
        for width, colour, style in (
            (4.0, self._theme.palette.window, Qt.PenStyle.SolidLine),
            (2.0, self._theme.palette.warning, Qt.PenStyle.DashLine),
        ):
            painter.setPen(QPen(QColor(colour), width, style))
            painter.drawRect(box)
        painter.restore()
