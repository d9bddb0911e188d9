"""The app's own outline icons, drawn in the palette's colours at whatever size is asked for."""

from __future__ import annotations

from functools import cache
from typing import Literal

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from annotator.ui.theme.manager import Theme
from demopack.resources import asset

Tint = Literal["text", "muted", "on_accent", "danger", "warning", "success", "accent"]


@cache
def _source(name: str) -> str:
    return asset(f"icons/{name}.svg").read_text(encoding="utf-8")


@cache
def _drawn(name: str, colour: str, width: int, height: int) -> QPixmap:
    pixmap = QPixmap(width, height)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    svg = _source(name).replace("currentColor", colour)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, width, height))
    painter.end()
    return pixmap


def paint_icon(painter: QPainter, name: str, box: QRect, colour: str) -> None:
    """Draw an icon into a square, sharp on every screen."""
    ratio = painter.device().devicePixelRatio()
    pixmap = QPixmap(_drawn(name, QColor(colour).name(), round(box.width() * ratio), round(box.height() * ratio)))
    pixmap.setDevicePixelRatio(ratio)
    painter.drawPixmap(box.topLeft(), pixmap)


class _Tinted(QIconEngine):
    """Asks the theme for the colour whenever it paints, so a switch needs no new icons."""

    def __init__(self, name: str, theme: Theme, tint: Tint) -> None:
        super().__init__()
        self._name = name
        self._theme = theme
        self._tint: Tint = tint

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Qt's hook: draw into a rectangle."""
        del state
        palette = self._theme.palette
        colour = palette.faint if mode == QIcon.Mode.Disabled else str(getattr(palette, self._tint))
        paint_icon(painter, self._name, rect, colour)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Qt's hook: draw into a picture."""
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        """Qt's hook: another one like this."""
        return _Tinted(self._name, self._theme, self._tint)


def icon(name: str, theme: Theme, *, tint: Tint = "text") -> QIcon:
    """One of ``assets/icons`` by name, in a colour of the theme that follows every switch."""
    return QIcon(_Tinted(name, theme, tint))
