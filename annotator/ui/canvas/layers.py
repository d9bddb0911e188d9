"""Layers: what is painted on a picture, by the canvas itself and by features."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QImage, QPainter

from annotator.viewport import Viewport


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
