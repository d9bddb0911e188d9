"""A picture that is drawn at any scale, and its pixels as an array."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap

from annotator.snap.tighten import Image
from annotator.viewport import CRISP_ABOVE, Viewport

_GRID_MIN_SCALE = 8.0


class _Pixels:
    """Lends an image's memory to an array, and keeps the image as long as the array lives."""

    def __init__(self, image: QImage) -> None:
        self.image = image
        rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
        part = rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)
        self.__array_interface__ = part.__array_interface__


def pixels_of(image: QImage) -> Image:
    """The pixels of a 32 bit image, shape (height, width, 4), blue first; not a copy, so not to be written to."""
    pixels: Image = np.asarray(_Pixels(image))
    return pixels


class ScaledPicture:
    """Draws one picture at any scale, smooth when small, crisp when large; keeps the last reduced one."""

    def __init__(self, image: QImage) -> None:
        self.image = image
        self._pixmap = QPixmap.fromImage(image)
        self._small: QPixmap | None = None
        self._small_for: tuple[int, int] = (0, 0)

    def paint(self, painter: QPainter, view: Viewport, *, quick: bool) -> bool:
        """Draw the part that shows; the painter is in window pixels.

        Args:
            painter: where to.
            view: how the picture lies.
            quick: while zooming: a little blurred, at once.

        Returns:
            False when it should be drawn again without ``quick``.
        """
        target = QRectF(view.x, view.y, view.picture.width * view.scale, view.picture.height * view.scale)
        if view.scale < 1:
            return self._paint_small(painter, target, quick=quick)
        window = QRectF(0, 0, view.width, view.height)
        x1, y1 = view.to_picture(window.left(), window.top())
        x2, y2 = view.to_picture(window.right(), window.bottom())
        # Whole pixels, or the crisp squares would be cut at the edges of the window.
        part = QRect(int(x1) - 1, int(y1) - 1, int(x2 - x1) + 3, int(y2 - y1) + 3).intersected(self.image.rect())
        left, top = view.to_window(part.x(), part.y())
        shown = QRectF(left, top, part.width() * view.scale, part.height() * view.scale)
        smooth = view.scale < CRISP_ABOVE and view.scale != 1
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.drawPixmap(shown, self._pixmap, QRectF(part))
        if view.scale >= _GRID_MIN_SCALE:
            _paint_grid(painter, view, part)
        return True

    def _paint_small(self, painter: QPainter, target: QRectF, *, quick: bool) -> bool:
        ratio = painter.device().devicePixelRatio()
        size = QSize(max(round(target.width() * ratio), 1), max(round(target.height() * ratio), 1))
        fits = self._small is not None and self._small_for == (size.width(), size.height())
        if quick and not fits:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(target, self._pixmap, QRectF(self.image.rect()))
            return False
        if self._small is None or not fits:
            made = self.image.scaled(
                size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            self._small = QPixmap.fromImage(made)
            self._small.setDevicePixelRatio(ratio)
            self._small_for = (size.width(), size.height())
        painter.drawPixmap(target.topLeft(), self._small)
        return True


def _paint_grid(painter: QPainter, view: Viewport, part: QRect) -> None:
    pen = QPen(QColor(128, 128, 128, 60), 1)
    pen.setCosmetic(True)
    painter.setPen(pen)
    lines: list[QLineF] = []
    for x in range(part.left(), part.right() + 2):
        wx, _ = view.to_window(x, 0)
        lines.append(QLineF(QPointF(wx, 0), QPointF(wx, view.height)))
    for y in range(part.top(), part.bottom() + 2):
        _, wy = view.to_window(0, y)
        lines.append(QLineF(QPointF(0, wy), QPointF(view.width, wy)))
    painter.drawLines(lines)
