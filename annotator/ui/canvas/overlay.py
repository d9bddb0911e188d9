"""What moves on the canvas: hover, selection with its handles, the preview of a gesture."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from annotator.hit_testing import handle_points
from annotator.type_words import type_word
from annotator.ui.canvas.layers import box_pen
from annotator.ui.theme.tokens import FONT, HALO, HUES, LETTERS, LINES, SELECTION, Palette, family_of
from annotator.viewport import Viewport
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.words import shorten

__all__ = ["paint_box", "paint_handles", "paint_tag", "tag_rect", "window_rect"]

_HANDLE = 7


def window_rect(view: Viewport, box: Rect) -> QRectF:
    """A box in window pixels."""
    x1, y1 = view.to_window(box.x1, box.y1)
    return QRectF(x1, y1, box.width * view.scale, box.height * view.scale)


def paint_box(painter: QPainter, view: Viewport, element: Element, box: Rect, *, fill: int, width: float) -> None:
    """One box as it is drawn while it is hovered or moved."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    colour = QColor(HUES[family_of(element.type)])
    painter.setPen(box_pen(family_of(element.type), LINES.get(element.source, "dashed"), width=width))
    colour.setAlpha(fill)
    painter.setBrush(colour)
    painter.drawRect(window_rect(view, box).toAlignedRect().adjusted(0, 0, -1, -1))


def paint_handles(painter: QPainter, view: Viewport, box: Rect, *, handles: bool, quiet: bool = False) -> None:
    """The accent around a selected box, or thinly around a group, with eight square handles where they can be used."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    frame = window_rect(view, box).toAlignedRect()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, grow in ((SELECTION, 0),) if quiet else ((HALO, 2), (SELECTION, 1), (SELECTION, 0)):
        painter.setPen(QPen(QColor(colour), 1))
        painter.drawRect(frame.adjusted(-grow, -grow, grow - 1, grow - 1))
    if not handles:
        return
    painter.setPen(QPen(QColor(SELECTION), 1))
    painter.setBrush(QColor(HALO))
    half = _HANDLE // 2
    for x, y in handle_points(box).values():
        wx, wy = view.to_window(x, y)
        painter.drawRect(QRect(round(wx) - half, round(wy) - half, _HANDLE, _HANDLE))


def _tag_words(element: Element) -> str:
    words = type_word(element.type)
    if element.text:
        return f"{words}  “{shorten(element.text, 32)}”"
    return f"{element.subtype} {words}" if element.subtype else words


def _badge_width(metrics: QFontMetricsF, element: Element) -> float:
    return max(metrics.horizontalAdvance(LETTERS[element.type]) + 8, 17)


def _tag_font(base: QFont) -> QFont:
    font = QFont(base)
    font.setPixelSize(FONT.caption)
    return font


def tag_rect(base: QFont, view: Viewport, element: Element, box: Rect) -> QRectF:
    """Where the label of a box lies: above it, or below where there is no room, always in the window."""
    frame = window_rect(view, box)
    metrics = QFontMetricsF(_tag_font(base))
    width = _badge_width(metrics, element) + metrics.horizontalAdvance(_tag_words(element)) + 14
    height = 19.0
    left = min(max(frame.left(), 2), max(view.width - width - 2, 2))
    top = frame.top() - height - 5
    if top < 2:
        top = min(frame.bottom() + 5, view.height - height - 2)
    return QRectF(left, top, width, height)


def paint_tag(painter: QPainter, view: Viewport, element: Element, box: Rect, palette: Palette) -> None:
    """A small label above a box: letter, type, text."""
    place = tag_rect(painter.font(), view, element, box)
    left, top, width, height = place.left(), place.top(), place.width(), place.height()
    font = _tag_font(painter.font())
    badge = _badge_width(QFontMetricsF(font), element)
    letter, words = LETTERS[element.type], _tag_words(element)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.toast))
    painter.drawRoundedRect(QRectF(left, top, width, height), 4, 4)
    painter.setBrush(QColor(HUES[family_of(element.type)]))
    painter.drawRoundedRect(QRectF(left + 2, top + 2, badge, height - 4), 3, 3)
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(QRectF(left + 2, top + 2, badge, height - 4), Qt.AlignmentFlag.AlignCenter, letter)
    font.setBold(False)
    painter.setFont(font)
    painter.setPen(QColor(palette.on_toast))
    painter.drawText(QRectF(left + badge + 7, top, width, height), Qt.AlignmentFlag.AlignVCenter, words)
