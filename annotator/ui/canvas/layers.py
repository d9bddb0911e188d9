"""Layers: what is painted on a picture, by the canvas itself and by features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from annotator.ui.canvas.box_painting import window_rect
from annotator.viewport import Viewport
from demopack.domain.geometry import Rect


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerPointer:
    """One position of the pointer.

    Attributes:
        x: pixels of the picture; may lie outside.
        y: as ``x``.
        window: the same in pixels of the widget.
    """

    x: float
    y: float
    window: QPointF


class CanvasLayer:
    """Base of all layers: paints, and may watch the pointer.

    What rarely changes is painted into an image that is kept until :meth:`PictureView.invalidate`; the rest is painted
    over it at each repaint.
    """

    def paint_cached(self, painter: QPainter, viewport: Viewport, area: QRect) -> None:
        """Paint what is kept; ``area`` in window pixels is all that shows, and the painter is clipped to it."""

    def write_cached(self, image: QImage, viewport: Viewport, area: QRect) -> None:
        """Write into the pixels of the kept image, format RGB32, after all layers painted; only inside ``area``."""

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Paint over the kept image; the painter is in window pixels.

        It is called on each repaint, also for a part of the window only: what is off should cost nothing.
        """

    def moved(self, at: LayerPointer) -> None:
        """Notice that the pointer moved, whatever it does meanwhile."""

    def left(self) -> None:
        """Notice that the pointer left the widget."""

    def escaped(self) -> bool:
        """Esc was pressed; True when it meant this layer."""
        return False

    def tooltip(self, at: LayerPointer, viewport: Viewport) -> str:
        """Words about what lies at a place; empty for nothing."""
        del at, viewport
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineStyle:
    """Looks of the outlines of a layer.

    Attributes:
        pens: drawn one over the other: a light one below a dark one is seen on every picture.
        fill: colour inside; None for none.
        margin: window pixels between box and outline.
        radius: of the corners in window pixels; rounded ones are painted smoothly.
    """

    pens: tuple[QPen, ...]
    fill: QColor | None = None
    margin: int = 0
    radius: int = 0


class OutlineLayer(CanvasLayer):
    """Outlines a few boxes; whoever shows others repaints the canvas.

    Attributes:
        boxes: what is outlined, in pixels of the picture.
    """

    def __init__(self, style: Callable[[], OutlineStyle]) -> None:
        """Show nothing yet; ``style`` is asked for at each repaint, as it may depend on the theme."""
        self._style = style
        self.boxes: tuple[Rect, ...] = ()

    def show(self, boxes: Sequence[Rect]) -> None:
        """Outline these boxes; none to show nothing."""
        self.boxes = tuple(boxes)

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        if not self.boxes:
            return
        style = self._style()
        out = style.margin
        frames = [window_rect(viewport, box).adjusted(-out, -out, out, out) for box in self.boxes]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=style.radius > 0)
        painter.setBrush(Qt.BrushStyle.NoBrush if style.fill is None else QBrush(style.fill))
        for pen in style.pens:
            painter.setPen(pen)
            for frame in frames:
                painter.drawRoundedRect(frame, style.radius, style.radius)
            painter.setBrush(Qt.BrushStyle.NoBrush)
