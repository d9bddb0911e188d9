"""Which monitor something is on."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication, QScreen

__all__ = ["monitor_at"]


def monitor_at(point: QPoint) -> QScreen:
    """The monitor at a point of the desktop, or else the main one.

    ``QWidget.screen()`` is used nowhere: PySide ties the monitor to the widget that was asked, and when Python's
    garbage collector takes that widget, the monitor goes with it and the program crashes.
    """
    return QGuiApplication.screenAt(point) or QGuiApplication.primaryScreen()
