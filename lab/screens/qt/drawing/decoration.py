"""Title bars in several looks, drawn around windows as a desktop would."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QLinearGradient, QPainter, QPen
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from demopack.domain.elements import ElementType
from lab.screens.qt.drawing.icons import IconMaker
from lab.screens.qt.drawing.stage import Layer, Pane
from lab.screens.qt.looks import Scheme, contrast, mixed
from lab.screens.qt.probe.mark import Mark, exact_glyphs, stops_of
from lab.screens.qt.settle import Way

_BUTTONS: Final = ("minimize", "maximize", "close")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Manner:
    """One look of title bars; lengths in logical pixels."""

    height: int
    button: int
    ground: str
    edge: str
    border: int = 1
    gap: int = 4
    left: bool = False
    centred: bool = False
    signs: str = "lines"
    bold: bool = False
    gradient: bool = False
    icon: bool = False


class Decorator:
    """Draws frames in one look; all windows of a desktop share it."""

    def __init__(self, rng: random.Random, colours: Scheme, icons: IconMaker) -> None:
        self._rng = rng
        self._colours = colours
        self._icons = icons
        kind = rng.choice(("plain", "round", "lights", "classic", "thin", "wide", "dark"))
        self.name = kind
        self._manner = _manner(kind, rng, colours)

    def framed(self, widget: QWidget, at: QPoint, ratio: float, *, active: bool) -> Pane:
        """A pane for a widget whose frame begins at a place of the stage."""
        m = self._manner
        width, height = widget.width() + 2 * m.border, widget.height() + m.height + m.border
        image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(QColor(0, 0, 0, 0))
        painter = QPainter(image)
        painter.scale(ratio, ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        marks = self._paint(painter, widget, QRectF(0, 0, width, height), active=active)
        painter.end()
        client = at + QPoint(round(m.border * ratio), round(m.height * ratio))
        return Pane(widget, client, Layer(image, at, marks, QRectF(0, 0, width, height)))

    def room(self) -> tuple[int, int]:
        """Logical pixels that a frame adds to width and height."""
        return 2 * self._manner.border, self._manner.height + self._manner.border

    def _paint(self, painter: QPainter, widget: QWidget, whole: QRectF, *, active: bool) -> list[Mark]:
        m = self._manner
        ground = m.ground if active else mixed(m.ground, "#9a9a9a", 0.45)
        ink = "#ffffff" if contrast(ground, "#ffffff") > contrast(ground, "#111111") else "#111111"
        if not active:
            ink = mixed(ink, ground, 0.3)
        painter.setPen(QPen(QColor(m.edge), 1))
        brush = QColor(ground)
        painter.setBrush(brush)
        painter.drawRect(whole.adjusted(0.5, 0.5, -0.5, -0.5))
        bar = QRectF(m.border, 1, whole.width() - 2 * m.border, m.height - 1)
        if m.gradient:
            flow = QLinearGradient(bar.topLeft(), bar.topRight())
            flow.setColorAt(0, brush)
            flow.setColorAt(1, QColor(mixed(ground, "#ffffff", 0.45)))
            painter.fillRect(bar, flow)
        kind: ElementType = "dialog" if isinstance(widget, QDialog) else "window"
        marks = [Mark(type=kind, rough=whole, clip=whole, states={"focused": active})]
        left, right = self._buttons(painter, bar, ink, marks, dialog=kind == "dialog", active=active)
        if m.icon:
            left += self._icon(painter, bar, left, marks)
        self._title(painter, widget.windowTitle(), QRectF(left, bar.y(), right - left, bar.height()), ink, marks)
        return marks

    def _icon(self, painter: QPainter, bar: QRectF, left: float, marks: list[Mark]) -> float:
        size = min(16.0, bar.height() - 6)
        spot = QRectF(left + 4, bar.center().y() - size / 2, size, size)
        self._icons.icon("logo", colour=self._colours.accent).paint(painter, spot.toRect())
        clip = bar
        marks.append(Mark(type="icon", rough=spot.adjusted(-1, -1, 1, 1), clip=clip, way="ink", subtype="logo"))
        return size + 8

    def _buttons(
        self, painter: QPainter, bar: QRectF, ink: str, marks: list[Mark], *, dialog: bool, active: bool
    ) -> tuple[float, float]:
        """Draw the buttons; what is left for the title, from x to x."""
        m = self._manner
        names: tuple[str, ...] = ("close",) if dialog else _BUTTONS
        if m.left:
            names = ("close", "minimize", "maximize")[: len(names)]
        step = m.button + m.gap
        total = step * len(names)
        x = bar.left() + 6 if m.left else bar.right() - total - (3 if m.gap else 0)
        for name in names:
            spot = QRectF(x, bar.center().y() - m.button / 2, m.button, m.button)
            if m.signs == "wide":
                spot = QRectF(x, bar.y(), m.button, bar.height())
            framed = _SIGNS[m.signs](painter, spot, name, ink if active else mixed(ink, m.ground, 0.4))
            rough = spot if framed else _inside(spot, min(spot.width(), spot.height()) * 0.6 + 6)
            way: Way = "rect" if framed else "ink"
            marks.append(Mark(type="icon", rough=rough, clip=bar, way=way, subtype=name, states={"disabled": False}))
            x += step
        return (bar.left() + total + 10, bar.right()) if m.left else (bar.left() + 2, bar.right() - total - 6)

    def _title(self, painter: QPainter, title: str, room: QRectF, ink: str, marks: list[Mark]) -> None:
        m = self._manner
        font = QFont(QApplication.font())
        font.setBold(m.bold)
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(title, Qt.TextElideMode.ElideRight, room.width() - 8)
        if not shown.strip() or room.width() < 20:
            return
        width = metrics.horizontalAdvance(shown)
        x = room.x() + (room.width() - width) / 2 if m.centred else room.x() + 4
        baseline = room.center().y() + (metrics.ascent() - metrics.descent()) / 2
        painter.setFont(font)
        painter.setPen(QColor(ink))
        pen = QPointF(round(x), round(baseline))
        painter.drawText(pen, shown)
        rough = QRectF(pen.x() - 1, pen.y() - metrics.ascent(), width + 2, metrics.height()).intersected(room)
        marks.append(
            Mark(
                type="text",
                rough=rough,
                clip=room,
                way="ink",
                exact=exact_glyphs(shown, font, pen),
                text=shown,
                stops=stops_of(shown, font, pen.x()),
                states={"highlighted": False},
            )
        )


def _manner(kind: str, rng: random.Random, c: Scheme) -> _Manner:
    height = QFontMetricsF(QApplication.font()).height() + rng.randint(4, 14)
    tall = round(height)
    button = min(tall - 4, rng.randint(14, 18))
    neutral = rng.choice((c.window, c.button, mixed(c.window, "#000000", 0.1), "#ffffff", "#e8e8e8"))
    strong = rng.choice((c.accent, mixed(c.accent, "#000000", 0.4), "#1f3f77", "#30343c"))
    icon = rng.random() < 0.4
    centred = rng.random() < 0.5
    plain = _Manner(height=tall, button=button, ground=neutral, edge=c.border, centred=centred, bold=centred, icon=icon)
    if kind == "round":
        return replace(plain, height=tall + 8, button=20, gap=6, centred=True, bold=True, icon=False, signs="discs")
    if kind == "lights":
        return replace(plain, height=tall + 2, button=12, gap=8, left=True, centred=True, icon=False, signs="lights")
    if kind == "classic":
        size = max(20, tall)
        return _Manner(
            height=size,
            border=4,
            button=16,
            gap=2,
            signs="raised",
            ground="#16317d",
            edge="#404040",
            bold=True,
            gradient=True,
            icon=icon,
        )
    if kind == "thin":
        return replace(plain, border=2, gap=5, ground=strong, edge=mixed(strong, "#000000", 0.4), bold=True, icon=False)
    if kind == "wide":
        return replace(plain, height=tall + 6, button=40, gap=0, centred=False, bold=False, signs="wide", edge=strong)
    if kind == "dark":
        return replace(plain, height=tall + 4, gap=6, ground="#26282d", edge="#111111", bold=False, icon=False)
    return plain


def _draw_sign(painter: QPainter, box: QRectF, name: str, ink: str) -> None:
    painter.setPen(QPen(QColor(ink), 1.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if name == "close":
        painter.drawLine(box.topLeft(), box.bottomRight())
        painter.drawLine(box.topRight(), box.bottomLeft())
    elif name == "maximize":
        painter.drawRect(box)
    else:
        painter.drawLine(QPointF(box.left(), box.bottom()), box.bottomRight())


def _inside(spot: QRectF, size: float) -> QRectF:
    return QRectF(spot.center().x() - size / 2, spot.center().y() - size / 2, size, size)


def _lines(painter: QPainter, spot: QRectF, name: str, ink: str) -> bool:
    _draw_sign(painter, _inside(spot, spot.width() * 0.6), name, ink)
    return False


def _wide(painter: QPainter, spot: QRectF, name: str, ink: str) -> bool:
    _draw_sign(painter, _inside(spot, 10), name, ink)
    return False


def _discs(painter: QPainter, spot: QRectF, name: str, ink: str) -> bool:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(128, 128, 128, 90))
    painter.drawEllipse(spot)
    _draw_sign(painter, _inside(spot, 8), name, ink)
    return True


def _lights(painter: QPainter, spot: QRectF, name: str, _ink: str) -> bool:
    colours = {"close": "#ff5f57", "minimize": "#febc2e", "maximize": "#28c840"}
    painter.setPen(QPen(QColor(mixed(colours[name], "#000000", 0.2)), 1))
    painter.setBrush(QColor(colours[name]))
    painter.drawEllipse(spot)
    return True


def _raised(painter: QPainter, spot: QRectF, name: str, _ink: str) -> bool:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(spot, QColor("#404040"))
    painter.fillRect(spot.adjusted(0, 0, -1, -1), QColor("#ffffff"))
    painter.fillRect(spot.adjusted(1, 1, -1, -1), QColor("#c0c0c0"))
    _draw_sign(painter, _inside(spot, 7), name, "#000000")
    return True


_SIGNS: Final[dict[str, Callable[[QPainter, QRectF, str, str], bool]]] = {
    "lines": _lines,
    "wide": _wide,
    "discs": _discs,
    "lights": _lights,
    "raised": _raised,
}
