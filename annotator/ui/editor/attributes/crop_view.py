"""An element cut out of its picture and enlarged, so that its text can be compared with what was written."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import RADIUS, SPACE
from annotator.words import tr
from demopack.domain.geometry import Rect

__all__ = ["CropView"]

_HIGHEST: Final = 88
_LARGEST: Final = 6
_AIR: Final = 2
"""Pixels of the picture that are shown around the box."""


class CropView(QWidget):
    """Shows a part of a picture as large as there is room, in half steps: pixels stay crisp."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._crop = QPixmap()
        self.setAccessibleName(tr("The element, enlarged"))
        self.setToolTip(tr("The element as it is on the screenshot, enlarged"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_part(self, image: QImage | None, box: Rect | None) -> None:
        """Show a part of a picture; nothing, and take no room, where there is none."""
        part = QRect() if box is None else QRect(box.x1, box.y1, box.width, box.height)
        part = part.adjusted(-_AIR, -_AIR, _AIR, _AIR) if part.isValid() else part
        if image is not None:
            part = part.intersected(image.rect())
        if image is None or part.isEmpty():
            self._crop = QPixmap()
            self.hide()
            return
        self._crop = QPixmap.fromImage(image.copy(part))
        self.updateGeometry()
        self.show()
        self.update()

    @property
    def scale(self) -> float:
        """How much larger than on the screenshot; less than 1 where it does not fit."""
        if self._crop.isNull():
            return 1.0
        room = QSize(max(self.width() - 2 * SPACE.xs, 60), _HIGHEST)
        fits = min(room.width() / self._crop.width(), room.height() / self._crop.height())
        # Half steps: a long line would stay as small as it is otherwise.
        return min(int(2 * fits) / 2, _LARGEST) if fits >= 1 else fits

    def sizeHint(self) -> QSize:
        """Qt's hook: as high as the enlarged crop, and no higher than a few lines."""
        height = 0 if self._crop.isNull() else min(round(self._crop.height() * self.scale), _HIGHEST)
        return QSize(120, height + 2 * SPACE.xs)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: the height is the hint's."""
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the crop in the middle of a quiet ground."""
        del event
        palette, scale = self._theme.palette, self.scale
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.setBrush(QColor(palette.sunken))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        if self._crop.isNull():
            return
        width, height = round(self._crop.width() * scale), round(self._crop.height() * scale)
        place = QRect((self.width() - width) // 2, (self.height() - height) // 2, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale < 1)
        painter.drawPixmap(place, self._crop)

    def resizeEvent(self, event: object) -> None:
        """Qt's hook: another width may allow another scale."""
        del event
        self.updateGeometry()
        self.setCursor(Qt.CursorShape.ArrowCursor)
