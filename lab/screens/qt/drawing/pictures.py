"""Pictures by chance: landscapes, patterns, charts, faces."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QLabel

from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.looks import mixed

_SHARP = 2
"""Pixels for each logical one, so that pictures stay sharp on fine screens."""


def framed(pixmap: QPixmap, kind: str = "image") -> QLabel:
    """A label that shows a picture; ``kind`` is its type."""
    label = QLabel()
    label.setPixmap(pixmap)
    label.setProperty("truth", kind)
    return label


def _canvas(width: int, height: int) -> QImage:
    image = QImage(width * _SHARP, height * _SHARP, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(0, 0, 0, 0))
    return image


def _painter(image: QImage) -> QPainter:
    painter = QPainter(image)
    painter.scale(_SHARP, _SHARP)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def _finished(image: QImage, painter: QPainter) -> QPixmap:
    painter.end()
    pixmap = QPixmap.fromImage(image)
    pixmap.setDevicePixelRatio(_SHARP)
    return pixmap


def photo(kit: WidgetBuilder, width: int, height: int) -> QPixmap:
    """Something like a photograph."""
    image = _canvas(width, height)
    painter = _painter(image)
    sky = QLinearGradient(0, 0, 0, height)
    sky.setColorAt(0, _hue(kit, 0.2, 0.6))
    sky.setColorAt(1, _hue(kit, 0.5, 0.95))
    painter.fillRect(QRectF(0, 0, width, height), sky)
    painter.setPen(Qt.PenStyle.NoPen)
    for layer in range(kit.rng.randint(1, 4)):
        painter.setBrush(_hue(kit, 0.15, 0.7))
        base = height * (0.4 + 0.15 * layer)
        hills = QPolygonF([QPointF(0, height)])
        for step in range(9):
            hills.append(QPointF(width * step / 8, base + kit.rng.uniform(-0.12, 0.12) * height))
        hills.append(QPointF(width, height))
        painter.drawPolygon(hills)
    if kit.maybe(0.6):
        painter.setBrush(_hue(kit, 0.8, 1.0))
        size = min(width, height) * kit.rng.uniform(0.05, 0.2)
        painter.drawEllipse(QPointF(width * kit.rng.random(), height * 0.3 * kit.rng.random()), size, size)
    return _finished(image, painter)


def _hue(kit: WidgetBuilder, low: float, high: float) -> QColor:
    return QColor.fromHsvF(kit.rng.random(), kit.rng.uniform(0.1, 0.7), kit.rng.uniform(low, high))


def chart(kit: WidgetBuilder, width: int, height: int) -> QPixmap:
    """Bars, a line, or a pie; without words."""
    image = _canvas(width, height)
    painter = _painter(image)
    c = kit.look.colours
    if kit.maybe(0.5):
        painter.fillRect(QRectF(0, 0, width, height), QColor(c.base))
    kind = kit.pick(("bars", "line", "pie"))
    hues = [mixed(c.accent, other, 0.5) for other in ("#d03030", "#2f9e44", "#e8a200", "#3b6fd4")]
    if kind == "bars":
        _bars(kit, painter, width, height, hues)
    elif kind == "line":
        _line(kit, painter, width, height, hues)
    else:
        _pie(kit, painter, width, height, hues)
    return _finished(image, painter)


def _axes(kit: WidgetBuilder, painter: QPainter, width: int, height: int) -> None:
    painter.setPen(QPen(QColor(kit.look.colours.text), 1))
    painter.drawLine(QPointF(4, 2), QPointF(4, height - 4))
    painter.drawLine(QPointF(4, height - 4), QPointF(width - 2, height - 4))


def _bars(kit: WidgetBuilder, painter: QPainter, width: int, height: int, hues: list[str]) -> None:
    _axes(kit, painter, width, height)
    count = kit.rng.randint(3, 14)
    step = (width - 12) / count
    painter.setPen(Qt.PenStyle.NoPen)
    for number in range(count):
        tall = kit.rng.uniform(0.1, 0.9) * (height - 8)
        painter.setBrush(QColor(hues[number % kit.rng.randint(1, len(hues))]))
        painter.drawRect(QRectF(8 + number * step, height - 4 - tall, step * 0.7, tall))


def _line(kit: WidgetBuilder, painter: QPainter, width: int, height: int, hues: list[str]) -> None:
    _axes(kit, painter, width, height)
    for hue in hues[: kit.rng.randint(1, 3)]:
        painter.setPen(QPen(QColor(hue), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        path = QPainterPath(QPointF(6, height * kit.rng.uniform(0.2, 0.8)))
        for step in range(1, 16):
            path.lineTo(6 + (width - 12) * step / 15, height * kit.rng.uniform(0.1, 0.9))
        painter.drawPath(path)


def _pie(kit: WidgetBuilder, painter: QPainter, width: int, height: int, hues: list[str]) -> None:
    size = min(width, height) - 4
    box = QRectF((width - size) / 2, 2, size, size)
    painter.setPen(QPen(QColor(kit.look.colours.base), 1))
    angle = 0.0
    for number in range(5):
        span = kit.rng.uniform(20, 100) if number < 4 else 360 - angle
        painter.setBrush(QColor(hues[number % len(hues)]))
        painter.drawPie(box, round(angle * 16), round(min(span, 360 - angle) * 16))
        angle = min(360.0, angle + span)
    if kit.maybe(0.4):
        painter.setBrush(QColor(kit.look.colours.base))
        inner = size * math.sqrt(0.25)
        painter.drawEllipse(box.center(), inner / 2, inner / 2)


def avatar(kit: WidgetBuilder, size: int) -> QLabel:
    """A round picture of a person."""
    image = _canvas(size, size)
    painter = _painter(image)
    clip = QPainterPath()
    if kit.maybe(0.7):
        clip.addEllipse(QRectF(0, 0, size, size))
    else:
        clip.addRoundedRect(QRectF(0, 0, size, size), 4, 4)
    painter.setClipPath(clip)
    painter.fillRect(QRectF(0, 0, size, size), _hue(kit, 0.4, 0.9))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_hue(kit, 0.2, 1.0))
    painter.drawEllipse(QPointF(size / 2, size * 0.38), size * 0.2, size * 0.2)
    painter.drawEllipse(QPointF(size / 2, size * 1.02), size * 0.38, size * 0.4)
    label = framed(_finished(image, painter), "icon" if size <= 64 else "image")
    label.setProperty("subtype", "user")
    return label
