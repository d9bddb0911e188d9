"""The picture of everything that lies still: painted once, and mended where something changed."""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QImage, QRegion

from annotator.viewport import Viewport

__all__ = ["StillLayer", "ground_in"]


class StillLayer:
    """An image of the window's size, and what of it has to be painted again."""

    def __init__(self) -> None:
        self._image = QImage()
        self._spoiled = QRect()

    def spoil(self, area: QRect) -> None:
        """Have an area painted again; in window pixels."""
        self._spoiled = self._spoiled.united(area)

    def take_spoiled(self) -> QRect:
        """What has to be painted now; whoever takes it paints it."""
        area, self._spoiled = self._spoiled, QRect()
        return area

    def fitted(self, size: QSize, ratio: float) -> QImage:
        """The image; an empty one, spoiled as a whole, where window or screen are others than last time."""
        pixels = QSize(round(size.width() * ratio), round(size.height() * ratio))
        if self._image.size() != pixels or self._image.devicePixelRatio() != ratio:
            # The format that windows have: it is copied to the screen as it is, and its pixels can be written directly.
            self._image = QImage(pixels, QImage.Format.Format_RGB32)
            self._image.setDevicePixelRatio(ratio)
            self._spoiled = QRect(0, 0, size.width(), size.height())
        return self._image


def ground_in(area: QRect, view: Viewport) -> QRegion:
    """What of an area the picture leaves uncovered; a pixel more, because small pictures are rounded to whole ones."""
    left, top = math.ceil(view.x), math.ceil(view.y)
    right = math.floor(view.x + view.picture.width * view.scale)
    bottom = math.floor(view.y + view.picture.height * view.scale)
    return QRegion(area) - QRegion(QRect(left, top, right - left - 1, bottom - top - 1))
