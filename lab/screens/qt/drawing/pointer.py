"""The pointer, as it stands on recorded screens; it is no element, whatever it covers."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from demopack.domain.frames import RgbImage
from lab.screens.qt.drawing.widget_builder import WidgetBuilder

_ARROW: Final = ((0, 0), (0, 17), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12))
_HAND: Final = ((5, 0), (8, 0), (8, 8), (15, 9), (15, 16), (12, 21), (6, 21), (1, 14), (1, 11), (5, 13))


def draw_pointer(kit: WidgetBuilder, image: RgbImage, ratio: float) -> str:
    """Paint a pointer somewhere on a picture, in place; tells which kind."""
    kind = kit.pick(("arrow", "arrow", "arrow", "hand", "beam"))
    height, width = image.shape[:2]
    spot = QPointF(kit.rng.randrange(width), kit.rng.randrange(height))
    view = np.ascontiguousarray(image)
    canvas = QImage(view.data, width, height, width * 3, QImage.Format.Format_RGB888)
    painter = QPainter(canvas)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(spot)
    painter.scale(ratio * kit.pick((1.0, 1.0, 1.3)), ratio)
    inside, outside = ("#ffffff", "#000000") if kit.maybe(0.4) else ("#000000", "#ffffff")
    if kind == "beam":
        painter.setPen(QPen(QColor(outside), 3))
        painter.drawLine(QPointF(0, -8), QPointF(0, 8))
        painter.setPen(QPen(QColor(inside), 1))
        painter.drawLine(QPointF(0, -8), QPointF(0, 8))
    else:
        painter.setPen(QPen(QColor(outside), 1.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.setBrush(QColor(inside))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in (_ARROW if kind == "arrow" else _HAND)]))
    painter.end()
    return kind
