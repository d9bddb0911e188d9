"""What moves on the canvas: hover, selection with its handles, the preview of a gesture, and what the step did."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPolygonF

from annotator.hit_testing import handle_points
from annotator.type_words import type_word
from annotator.ui.canvas.layers import box_pen
from annotator.ui.theme.tokens import FONT, HALO, HUES, LETTERS, LINES, POINTER, SELECTION, Palette, family_of
from annotator.viewport import Viewport
from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect
from demopack.domain.words import shorten

__all__ = ["ActionMark", "paint_action", "paint_box", "paint_handles", "paint_tag", "tag_rect", "window_rect"]

_HANDLE = 7
_RING = 13.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionMark:
    """What a step did, as it is drawn on the picture before it.

    Attributes:
        at: where the pointer acted; None for the keyboard.
        path: way-points of a drag, its end last.
        target: box of the element it was done to.
        end: box of the element a drag ended on.
        caption: typed text, a key, or what kind of click it was; may be empty.
        rings: 2 for a double click, 3 for a triple one.
    """

    at: Point | None = None
    path: tuple[Point, ...] = ()
    target: Rect | None = None
    end: Rect | None = None
    caption: str = ""
    rings: int = 1


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


# The step's action ------------------------------------------------------------------------------------------------


def paint_action(painter: QPainter, view: Viewport, mark: ActionMark) -> None:
    """A ring where the pointer acted, an arrow for a drag, a caption for what was typed."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for box in (mark.target, mark.end):
        if box is not None:
            _haloed(painter, _rounded(window_rect(view, box).adjusted(-2, -2, 2, 2)), 2)
    caption_at: QPointF | None = None
    if mark.at is not None:
        at = QPointF(*view.to_window(mark.at.x + 0.5, mark.at.y + 0.5))
        if mark.path:
            _paint_arrow(painter, view, at, mark.path)
        _paint_ring(painter, at, mark.rings)
        caption_at = at + QPointF(_RING + 4 * mark.rings + 4, -9)
    elif mark.target is not None:
        frame = window_rect(view, mark.target)
        caption_at = QPointF(frame.left(), frame.bottom() + 8)
    elif mark.caption:
        caption_at = QPointF(max(view.x, 0) + 12, max(view.y, 0) + 12)
    if mark.caption and caption_at is not None:
        _paint_caption(painter, view, caption_at, mark.caption)


def _rounded(rect: QRectF) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(rect, 4, 4)
    return path


def _haloed(painter: QPainter, path: QPainterPath, width: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    halo = QColor(HALO)
    halo.setAlpha(210)
    for colour, wide in ((halo, width + 2.5), (QColor(POINTER), width)):
        pen = QPen(colour, wide)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPath(path)


def _paint_ring(painter: QPainter, at: QPointF, rings: int) -> None:
    path = QPainterPath()
    for i in range(rings):
        path.addEllipse(at, _RING + 4 * i, _RING + 4 * i)
    _haloed(painter, path, 2)
    painter.setPen(QPen(QColor(HALO), 1.5))
    painter.setBrush(QColor(POINTER))
    painter.drawEllipse(at, 3.5, 3.5)


def _paint_arrow(painter: QPainter, view: Viewport, start: QPointF, points: tuple[Point, ...]) -> None:
    path = QPainterPath(start)
    places = [QPointF(*view.to_window(p.x + 0.5, p.y + 0.5)) for p in points]
    for place in places:
        path.lineTo(place)
    _haloed(painter, path, 2.5)
    end = places[-1]
    # The head follows the last stretch that is long enough to have a direction.
    before = next(
        (p for p in reversed([start, *places[:-1]]) if math.hypot(end.x() - p.x(), end.y() - p.y()) > 6), start
    )
    angle = math.atan2(end.y() - before.y(), end.x() - before.x())
    head = QPolygonF(
        [end]
        + [
            QPointF(end.x() - 13 * math.cos(angle + side), end.y() - 13 * math.sin(angle + side))
            for side in (0.42, -0.42)
        ]
    )
    painter.setPen(QPen(QColor(HALO), 1.5))
    painter.setBrush(QColor(POINTER))
    painter.drawPolygon(head)


def _paint_caption(painter: QPainter, view: Viewport, at: QPointF, text: str) -> None:
    ratio = painter.device().devicePixelRatioF()
    made = _caption(shorten(text, 60), painter.font().toString(), ratio)
    width, height = made.width() / ratio, made.height() / ratio
    left = min(max(at.x(), 4), max(view.width - width - 4, 4))
    top = min(max(at.y(), 4), max(view.height - height - 4, 4))
    painter.drawImage(QPointF(round(left), round(top)), made)


@lru_cache(maxsize=32)
def _caption(words: str, base: str, ratio: float) -> QImage:
    """A caption on its ground; kept, because setting text costs more than everything else that is painted each time."""
    font = QFont()
    font.fromString(base)
    font.setPixelSize(FONT.base)
    font.setBold(True)
    width, height = math.ceil(QFontMetricsF(font).horizontalAdvance(words)) + 18, 24
    made = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    box = QRectF(1, 1, width - 2, height - 2)
    painter.setPen(QPen(QColor(HALO), 1.5))
    painter.setBrush(QColor(POINTER))
    painter.drawRoundedRect(box, 5, 5)
    painter.setPen(QColor(HALO))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
    painter.end()
    return made
