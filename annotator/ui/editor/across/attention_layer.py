"""Brackets around the regions that changed and ask for attention."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.ui.canvas.layer import CanvasLayer
from annotator.ui.theme.tokens import HALO, HUES
from annotator.viewport import Viewport
from demopack.domain.geometry import Rect

__all__ = ["AttentionLayer"]

_COLOUR = HUES["group"]
"""Stands out from light and dark screenshots alike."""
_AIR = 3
_ARM = 9.0


class AttentionLayer(CanvasLayer):
    """Corners around each region, and a tint; the one that was gone to is marked all around."""

    def __init__(self) -> None:
        self._regions: tuple[Rect, ...] = ()
        self._current: Rect | None = None

    @property
    def regions(self) -> tuple[Rect, ...]:
        """What is marked, in pixels of the picture."""
        return self._regions

    @property
    def current(self) -> Rect | None:
        """The one that was gone to."""
        return self._current

    def show(self, regions: tuple[Rect, ...], *, current: Rect | None = None) -> None:
        """Mark these regions."""
        self._regions, self._current = regions, current

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Those that can be seen."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for region in self._regions:
            x1, y1 = viewport.to_window(region.x1, region.y1)
            x2, y2 = viewport.to_window(region.x2, region.y2)
            frame = QRectF(x1 - _AIR, y1 - _AIR, x2 - x1 + 2 * _AIR, y2 - y1 + 2 * _AIR)
            if (
                frame.right() < 0
                or frame.bottom() < 0
                or frame.left() > viewport.width
                or frame.top() > viewport.height
            ):
                continue
            _paint_region(painter, frame, current=region == self._current)


def _paint_region(painter: QPainter, frame: QRectF, *, current: bool) -> None:
    tint = QColor(_COLOUR)
    tint.setAlpha(46 if current else 28)
    painter.fillRect(frame, tint)
    lines = _around(frame) if current else _corners(frame)
    halo = QColor(HALO)
    halo.setAlpha(210)
    for colour, width in ((halo, 4.5), (QColor(_COLOUR), 2.0)):
        pen = QPen(colour, width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLines(lines)


def _around(frame: QRectF) -> list[QLineF]:
    a, b, c, d = frame.topLeft(), frame.topRight(), frame.bottomRight(), frame.bottomLeft()
    return [QLineF(a, b), QLineF(b, c), QLineF(c, d), QLineF(d, a)]


def _corners(frame: QRectF) -> list[QLineF]:
    wide, high = min(_ARM, frame.width() / 2), min(_ARM, frame.height() / 2)
    lines: list[QLineF] = []
    for x, dx in ((frame.left(), wide), (frame.right(), -wide)):
        for y, dy in ((frame.top(), high), (frame.bottom(), -high)):
            lines += [QLineF(x, y, x + dx, y), QLineF(x, y, x, y + dy)]
    return lines
