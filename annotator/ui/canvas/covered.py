"""Draws a quiet hatch over what was painted over while a picture was recorded."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from annotator.viewport import Viewport
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point

__all__ = ["covers_point", "paint_covered"]

# The same in every theme: it lies on a screenshot, whose colours no theme changes.
_GROUND, _LINES = QColor(128, 134, 146, 46), QColor(96, 102, 114, 150)


def paint_covered(painter: QPainter, view: Viewport, frame: Frame) -> None:
    """Hatch every covered box; the painter is in window pixels, so that the hatch is as fine at every zoom."""
    if not frame.covered:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for box in frame.covered:
        # On whole pixels of the window: the frame is crisp, and nothing beside the box is touched.
        left, top = map(round, view.to_window(box.x1, box.y1))
        right, bottom = map(round, view.to_window(box.x2, box.y2))
        area = QRectF(left, top, right - left, bottom - top)
        painter.fillRect(area, _GROUND)
        painter.fillRect(area, QBrush(_LINES, Qt.BrushStyle.BDiagPattern))
        painter.setPen(QPen(_LINES, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()


def covers_point(frame: Frame | None, x: float, y: float) -> bool:
    """Whether a pixel of the picture was painted over."""
    return frame is not None and any(box.contains(Point(int(x), int(y))) for box in frame.covered)
