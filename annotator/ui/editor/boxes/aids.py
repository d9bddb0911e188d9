"""What lies over the picture while somebody looks closely: crosshair and loupe.

Both repaint the strips that they leave and come to, never the still layer under them.
"""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from annotator.ui.canvas.canvas import Canvas
from annotator.ui.canvas.layer import CanvasLayer, LayerPointer
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, POINTER, RADIUS, SPACE
from annotator.viewport import Viewport

__all__ = ["Aid", "Crosshair", "Loupe"]

_PIXELS = 15
_ENLARGED = 10
_SIDE = _PIXELS * _ENLARGED
_CAPTION = 22
_AWAY = 24


class Aid(CanvasLayer):
    """A layer that is on or off and follows the pointer.

    Attributes:
        on: whether it is shown.
    """

    def __init__(self, canvas: Canvas) -> None:
        self.on = False
        self._canvas = canvas
        self._at: LayerPointer | None = None

    def toggle(self) -> bool:
        """Show it, or no longer; returns which."""
        self.on = not self.on
        self._canvas.update()
        return self.on

    def moved(self, at: LayerPointer) -> None:
        """See :class:`CanvasLayer`."""
        before, self._at = self._at, at
        if self.on:
            for one in (before, at):
                if one is not None:
                    self.spoil(one)

    def left(self) -> None:
        """See :class:`CanvasLayer`."""
        before, self._at = self._at, None
        if self.on and before is not None:
            self.spoil(before)

    def spoil(self, at: LayerPointer) -> None:
        """For those who inherit: have painted again what lies there for this position of the pointer."""
        del at
        self._canvas.update()


class Crosshair(Aid):
    """Two lines through the pointer, over the whole canvas."""

    def spoil(self, at: LayerPointer) -> None:
        """See :class:`Aid`."""
        x, y = int(at.window.x()), int(at.window.y())
        self._canvas.update(x - 2, 0, 5, self._canvas.height())
        self._canvas.update(0, y - 2, self._canvas.width(), 5)

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        if not self.on or self._at is None:
            return
        x, y = int(self._at.window.x()), int(self._at.window.y())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        lines = [QLineF(x, 0, x, viewport.height), QLineF(0, y, viewport.width, y)]
        halo = QColor(HALO)
        halo.setAlpha(150)
        for colour, width in ((halo, 3), (QColor(POINTER), 1)):
            painter.setPen(QPen(colour, width))
            painter.drawLines(lines)


class Loupe(Aid):
    """The pixels around the pointer, ten times as large, with the place and the colour of the one in the middle."""

    def __init__(self, canvas: Canvas, theme: Theme) -> None:
        super().__init__(canvas)
        self._theme = theme

    def spoil(self, at: LayerPointer) -> None:
        """See :class:`Aid`."""
        self._canvas.update(self._place(at.window).adjusted(-2, -2, 2, 2))

    def _place(self, at: QPointF) -> QRect:
        """Below and right of the pointer, or on the other side where the window ends."""
        x, y = int(at.x()) + _AWAY, int(at.y()) + _AWAY
        if x + _SIDE > self._canvas.width():
            x = int(at.x()) - _AWAY - _SIDE
        if y + _SIDE + _CAPTION > self._canvas.height():
            y = int(at.y()) - _AWAY - _SIDE - _CAPTION
        return QRect(x, y, _SIDE, _SIDE + _CAPTION)

    def words(self) -> str:
        """Place and colour of the pixel under the pointer; empty outside the picture."""
        picture = self._canvas.picture
        if self._at is None or picture is None:
            return ""
        x, y = int(self._at.x // 1), int(self._at.y // 1)
        if not picture.rect().contains(x, y):
            return ""
        return f"{x}, {y}   {picture.pixelColor(x, y).name()}"

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        del viewport
        picture, words = self._canvas.picture, self.words()
        if not self.on or self._at is None or picture is None or not words:
            return
        palette = self._theme.palette
        place = QRectF(self._place(self._at.window))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(palette.edge), 1))
        painter.setBrush(QColor(palette.toast))
        painter.drawRoundedRect(place, RADIUS, RADIUS)
        glass = QRectF(place.left() + 1, place.top() + 1, _SIDE - 2, _SIDE - 2)
        painter.fillRect(glass, QColor(palette.sunken))
        half = _PIXELS // 2
        x, y = int(self._at.x // 1), int(self._at.y // 1)
        around = QRect(x - half, y - half, _PIXELS, _PIXELS)
        seen = around.intersected(picture.rect())
        scale = glass.width() / _PIXELS
        target = QRectF(
            glass.left() + (seen.left() - around.left()) * scale,
            glass.top() + (seen.top() - around.top()) * scale,
            seen.width() * scale,
            seen.height() * scale,
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        painter.drawImage(target, picture, QRectF(seen))
        self._paint_middle(painter, QRectF(glass.left() + half * scale, glass.top() + half * scale, scale, scale))
        font = QFont(painter.font())
        font.setPixelSize(FONT.caption)
        painter.setFont(font)
        painter.setPen(QColor(palette.on_toast))
        caption = QRectF(place.left() + SPACE.s, place.bottom() - _CAPTION, place.width() - 2 * SPACE.s, _CAPTION)
        painter.drawText(caption, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)

    def _paint_middle(self, painter: QPainter, pixel: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, grow in ((HALO, 1), (POINTER, 0)):
            painter.setPen(QPen(QColor(colour), 1))
            painter.drawRect(pixel.toAlignedRect().adjusted(-grow, -grow, grow - 1, grow - 1))
