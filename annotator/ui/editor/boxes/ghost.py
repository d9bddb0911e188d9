"""A faint dashed box over the picture: what a click would make."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.ui.canvas.canvas import Canvas
from annotator.ui.canvas.layer import CanvasLayer, LayerPointer
from annotator.ui.canvas.overlay import window_rect
from annotator.ui.theme.tokens import HALO, SELECTION
from annotator.viewport import Viewport
from demopack.domain.geometry import Rect

__all__ = ["Ghost"]

_HALO, _LINE = 150, 200


class Ghost(CanvasLayer):
    """Shows one box, or none; tells where the pointer is.

    Attributes:
        box: what is shown, in pixels of the frame.
    """

    def __init__(
        self,
        canvas: Canvas,
        *,
        moved: Callable[[LayerPointer], None],
        left: Callable[[], None],
        escaped: Callable[[], bool],
    ) -> None:
        self.box: Rect | None = None
        self._canvas = canvas
        self._moved, self._left, self._escaped = moved, left, escaped

    def show(self, box: Rect | None) -> None:
        """Show another box, or none; only what changes is painted again."""
        if box == self.box:
            return
        for one in (self.box, box):
            if one is not None:
                self._canvas.update(self._place(self._canvas.viewport, one).adjusted(-2, -2, 2, 2))
        self.box = box

    def leave(self, at: LayerPointer) -> None:
        """Hide it as soon as the pointer is no longer in it."""
        box = self.box
        if box is not None and not (box.x1 <= at.x < box.x2 and box.y1 <= at.y < box.y2):
            self.show(None)

    def _place(self, viewport: Viewport, box: Rect) -> QRect:
        return window_rect(viewport, box).toAlignedRect().adjusted(0, 0, -1, -1)

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        if self.box is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        place = self._place(viewport, self.box)
        for name, strength, style in (
            (HALO, _HALO, Qt.PenStyle.SolidLine),
            (SELECTION, _LINE, Qt.PenStyle.DashLine),
        ):
            colour = QColor(name)
            colour.setAlpha(strength)
            painter.setPen(QPen(colour, 1, style))
            painter.drawRect(place)

    def moved(self, at: LayerPointer) -> None:
        """See :class:`CanvasLayer`."""
        self._moved(at)

    def left(self) -> None:
        """See :class:`CanvasLayer`."""
        self._left()

    def escaped(self) -> bool:
        """See :class:`CanvasLayer`."""
        return self._escaped()
