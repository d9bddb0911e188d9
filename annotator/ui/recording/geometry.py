"""From Qt's logical pixels to the units of the virtual desktop, in which the recorder counts."""

from __future__ import annotations

import sys

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication, QScreen

from demopack.domain.geometry import Rect

__all__ = ["desktop_pixels", "screen_pixels"]


def screen_pixels(screen: QScreen) -> Rect:
    """A whole monitor."""
    return desktop_pixels(screen.geometry(), screen)


def desktop_pixels(box: QRect, screen: QScreen | None = None) -> Rect:
    """A box of the screen, each corner by the monitor it lies on.

    Qt keeps the place of a monitor's corner as the system has it, and scales what lies on the monitor.
    """
    x1, y1 = _pixel(box.topLeft(), screen)
    x2, y2 = _pixel(QPoint(box.right(), box.bottom()), screen, end=1)
    return Rect(x1, y1, max(x2, x1 + 1), max(y2, y1 + 1))


def _pixel(point: QPoint, screen: QScreen | None, *, end: int = 0) -> tuple[int, int]:
    on = screen or QGuiApplication.screenAt(point) or QGuiApplication.primaryScreen()
    # macOS counts its desktop in points, as Qt does; elsewhere a unit of the desktop is a pixel.
    origin, ratio = on.geometry().topLeft(), 1.0 if sys.platform == "darwin" else on.devicePixelRatio()
    x, y = point.x() + end - origin.x(), point.y() + end - origin.y()
    return round(x * ratio) + origin.x(), round(y * ratio) + origin.y()
