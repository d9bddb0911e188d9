"""The whole picture in a corner, with a frame around what the canvas shows."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from annotator.ui.canvas.canvas import Canvas
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HALO, SELECTION, SPACE
from annotator.words import tr

__all__ = ["Minimap"]

_LARGEST = QSize(220, 160)


class Minimap(QWidget):
    """Lies over the canvas at the bottom right; a press on it brings that place into the middle."""

    def __init__(self, canvas: Canvas, theme: Theme) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._theme = theme
        self._small: tuple[int, QPixmap] | None = None
        self.setAccessibleName(tr("Overview of the picture"))
        self.setToolTip(tr("Overview: press to look there (Shift+M hides it)"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def toggle(self) -> bool:
        """Show it, or no longer; returns which."""
        self.setVisible(self.isHidden())
        self.follow()
        return not self.isHidden()

    def follow(self) -> None:
        """Lie in the corner, and show where the canvas looks."""
        picture = self._canvas.picture
        if self.isHidden() or picture is None:
            return
        size = picture.size().scaled(_LARGEST, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(24, 24))
        place = QRect(0, 0, size.width() + 2, size.height() + 2)
        place.moveBottomRight(self._canvas.rect().bottomRight())
        self.setGeometry(place.translated(-SPACE.m, -SPACE.m))
        self.update()

    def shown_part(self) -> QRectF:
        """What the canvas shows, in pixels of this widget."""
        view = self._canvas.viewport
        x1, y1 = view.to_picture(0, 0)
        x2, y2 = view.to_picture(view.width, view.height)
        across, down = self._scale()
        whole = QRectF(self.rect().adjusted(1, 1, -1, -1))
        return QRectF(QPointF(1 + x1 * across, 1 + y1 * down), QPointF(1 + x2 * across, 1 + y2 * down)) & whole

    def _scale(self) -> tuple[float, float]:
        size = self._canvas.viewport.picture
        return (self.width() - 2) / max(size.width, 1), (self.height() - 2) / max(size.height, 1)

    def _look_at(self, at: QPointF) -> None:
        across, down = self._scale()
        view = self._canvas.viewport
        x, y = view.to_window((at.x() - 1) / across, (at.y() - 1) / down)
        self._canvas.look(view.moved(view.width / 2 - x, view.height / 2 - y))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the picture, darker where the canvas does not look."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.palette.edge))
        picture = self._canvas.picture
        inside = self.rect().adjusted(1, 1, -1, -1)
        if picture is None:
            return
        if self._small is None or self._small[0] != picture.cacheKey() or self._small[1].size() != inside.size():
            made = picture.scaled(
                inside.size(), Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            self._small = (picture.cacheKey(), QPixmap.fromImage(made))
        painter.drawPixmap(inside.topLeft(), self._small[1])
        part = self.shown_part().toAlignedRect()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, grow in ((HALO, 1), (SELECTION, 0)):
            painter.setPen(QPen(QColor(colour), 1))
            painter.drawRect(part.adjusted(-grow, -grow, grow - 1, grow - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: look there."""
        self._look_at(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: go on looking."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look_at(event.position())
