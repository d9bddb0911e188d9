"""What shows how a gesture goes: the rubber band, the lines that edges snap to, and selections of very many boxes."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.snapping import Guide
from annotator.ui.canvas.overlay import window_rect
from annotator.ui.theme.tokens import HALO, POINTER, SELECTION
from annotator.viewport import Viewport
from demopack.domain.geometry import Rect

__all__ = ["guide_rect", "paint_band", "paint_guides", "paint_selected"]


def paint_band(painter: QPainter, view: Viewport, band: Rect) -> None:
    """The rubber band that selects what it encloses."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    colour = QColor(SELECTION)
    painter.setPen(QPen(colour, 1, Qt.PenStyle.DashLine))
    colour.setAlpha(28)
    painter.setBrush(colour)
    painter.drawRect(window_rect(view, band).toAlignedRect().adjusted(0, 0, -1, -1))


def guide_rect(view: Viewport, guide: Guide) -> QRect:
    """What a guide line covers of the window, halo included."""
    return _line(view, guide).adjusted(-2, -2, 3, 3)


def _line(view: Viewport, guide: Guide) -> QRect:
    upright = guide.axis == "x"
    first = view.to_window(guide.at, guide.low) if upright else view.to_window(guide.low, guide.at)
    last = view.to_window(guide.at, guide.high) if upright else view.to_window(guide.high, guide.at)
    return QRect(QPoint(round(first[0]), round(first[1])), QPoint(round(last[0]), round(last[1])))


def paint_guides(painter: QPainter, view: Viewport, guides: Iterable[Guide]) -> None:
    """Thin lines along what an edge snapped to, with a halo, so that they show on every screenshot."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    for guide in guides:
        line = _line(view, guide)
        for colour, width in ((HALO, 3), (POINTER, 1)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawLine(line.topLeft(), line.bottomRight())


def paint_selected(painter: QPainter, view: Viewport, boxes: Iterable[Rect]) -> None:
    """The outlines of very many selected boxes, in one batch."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(SELECTION), 2))
    painter.drawRects([window_rect(view, box) for box in boxes])
