"""Painting of boxes: outlines, handles, tags, rubber bands and guide lines over the kept image, labels into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPen

from annotator.hit_testing import handle_points
from annotator.outlines import Boxes
from annotator.snap.snapper import SnapLine
from annotator.step_words import type_word
from annotator.ui.painting import faded, rounded_box
from annotator.ui.theme.tokens import (
    FONT,
    HALO,
    HUES,
    LETTERS,
    LINES,
    POINTER,
    SELECTION,
    Family,
    LineStyle,
    Palette,
    family_of,
)
from annotator.viewport import Viewport
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.words import shorten

_HANDLE_PX = 7
_DASHES: dict[LineStyle, list[float]] = {
    "dashed": [4, 2],
    "dotted": [1, 2],
    "dash_dot": [7, 2, 2, 2],
    "sparse": [2, 6],
}
"""Drawn and left out in turn, in widths of the line, as ``annotator.outlines`` has them; others have no gaps."""


def window_rect(view: Viewport, box: Rect) -> QRectF:
    """A box in window pixels."""
    x1, y1 = view.to_window(box.x1, box.y1)
    return QRectF(x1, y1, box.width * view.scale, box.height * view.scale)


def _box_pen(family: Family, style: LineStyle, *, width: float = 1) -> QPen:
    """The outline of a kind of box; cosmetic, so that it is as thin at every zoom."""
    pen = QPen(QColor(HUES[family]), width)
    if style in _DASHES:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(_DASHES[style])
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


def paint_box(painter: QPainter, view: Viewport, element: Element, box: Rect, *, fill: int, width: float) -> None:
    """One box as it is drawn while it is hovered or moved, with a thin line around its mark."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setPen(_box_pen(family_of(element.type), LINES.get(element.source, "dashed"), width=width))
    painter.setBrush(faded(HUES[family_of(element.type)], fill))
    painter.drawRect(window_rect(view, box).toAlignedRect().adjusted(0, 0, -1, -1))
    if element.mark_box is not None:
        mark = element.mark_box.moved(box.x1 - element.box.x1, box.y1 - element.box.y1)
        painter.setPen(_box_pen(family_of(element.type), "solid"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(window_rect(view, mark).toAlignedRect().adjusted(0, 0, -1, -1))


def draw_frames(painter: QPainter, inner: QRect, *colours: str) -> None:
    """Crisp lines around each other, the outermost first; the last one lies on the edge of the rectangle."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for grow, colour in zip(reversed(range(len(colours))), colours, strict=True):
        painter.setPen(QPen(QColor(colour), 1))
        painter.drawRect(inner.adjusted(-grow, -grow, grow - 1, grow - 1))


def paint_handles(painter: QPainter, view: Viewport, box: Rect, *, handles: bool, quiet: bool = False) -> None:
    """The accent around a selected box, or thinly around a group, with eight square handles where they can be used."""
    colours = (SELECTION,) if quiet else (HALO, SELECTION, SELECTION)
    draw_frames(painter, window_rect(view, box).toAlignedRect(), *colours)
    if not handles:
        return
    painter.setPen(QPen(QColor(SELECTION), 1))
    painter.setBrush(QColor(HALO))
    half = _HANDLE_PX // 2
    for x, y in handle_points(box).values():
        wx, wy = view.to_window(x, y)
        painter.drawRect(QRect(round(wx) - half, round(wy) - half, _HANDLE_PX, _HANDLE_PX))


def _tag_words(element: Element) -> str:
    words = type_word(element.type)
    if element.text:
        return f"{words}  “{shorten(element.text, 32)}”"
    return f"{element.subtype} {words}" if element.subtype else words


def _sized(base: QFont, *, size: int = FONT.caption, bold: bool | None = None) -> QFont:
    font = QFont(base)
    font.setPixelSize(size)
    font.setBold(font.bold() if bold is None else bold)
    return font


def _badge_width(metrics: QFontMetricsF, element: Element) -> float:
    return max(metrics.horizontalAdvance(LETTERS[element.type]) + 8, 17)


def tag_rect(base: QFont, view: Viewport, element: Element, box: Rect) -> QRectF:
    """Where the label of a box lies: above it, or below where there is no room, always in the window."""
    frame = window_rect(view, box)
    metrics = QFontMetricsF(_sized(base))
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
    font = _sized(painter.font())
    badge = _badge_width(QFontMetricsF(font), element)
    letter, words = LETTERS[element.type], _tag_words(element)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rounded_box(painter, place, 4, ground=palette.toast)
    hue = QRectF(place.left() + 2, place.top() + 2, badge, place.height() - 4)
    rounded_box(painter, hue, 3, ground=HUES[family_of(element.type)])
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(hue, Qt.AlignmentFlag.AlignCenter, letter)
    font.setBold(False)
    painter.setFont(font)
    painter.setPen(QColor(palette.on_toast))
    painter.drawText(place.translated(badge + 7, 0), Qt.AlignmentFlag.AlignVCenter, words)


def paint_band(painter: QPainter, view: Viewport, band: Rect) -> None:
    """The rubber band that selects what it encloses."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setPen(QPen(QColor(SELECTION), 1, Qt.PenStyle.DashLine))
    painter.setBrush(faded(SELECTION, 28))
    painter.drawRect(window_rect(view, band).toAlignedRect().adjusted(0, 0, -1, -1))


def guide_rect(view: Viewport, guide: SnapLine) -> QRect:
    """What a guide line covers of the window, halo included."""
    return _line(view, guide).adjusted(-2, -2, 3, 3)


def _line(view: Viewport, guide: SnapLine) -> QRect:
    upright = guide.axis == "x"
    first = view.to_window(guide.at, guide.low) if upright else view.to_window(guide.low, guide.at)
    last = view.to_window(guide.at, guide.high) if upright else view.to_window(guide.high, guide.at)
    return QRect(QPoint(round(first[0]), round(first[1])), QPoint(round(last[0]), round(last[1])))


def paint_guides(painter: QPainter, view: Viewport, guides: Iterable[SnapLine]) -> None:
    """Thin lines along what an edge snapped to, with a halo, so that they show on every screenshot."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    for guide in guides:
        line = _line(view, guide)
        for colour, width in ((HALO, 3), (POINTER, 1)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawLine(line.topLeft(), line.bottomRight())


def paint_selected(painter: QPainter, view: Viewport, boxes: Iterable[Rect]) -> None:
    """The outlines of very many selected boxes, in one batch."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(SELECTION), 2))
    painter.drawRects([window_rect(view, box) for box in boxes])


_HEIGHT = 13
MIN_LETTER_BOX_PX: Final = (18, _HEIGHT)
"""Width and height of the smallest box that gets a letter, in pixels of the window."""
MAX_LETTERS: Final = 500
"""In one window; more say nothing any more."""
_MIN_TEXT_BOX_PX = (64, 34)
"""A smaller box would be hidden by its own text."""


def paint_labels(painter: QPainter, boxes: Boxes, elements: Sequence[Element]) -> None:
    """The letter of each element's type in the corner of its box, and beside it the text where there is room.

    Args:
        painter: in window pixels.
        boxes: in window pixels, shape (n, 4); each has room for a letter.
        elements: whose boxes they are.
    """
    ratio = painter.device().devicePixelRatio()
    corners = boxes.tolist()
    for element, (x, y, _, _) in zip(elements, corners, strict=True):
        painter.drawImage(QPoint(x, y), _letter(element.type, ratio))
    for element, (x, y, right, bottom) in zip(elements, corners, strict=True):
        if element.text and right - x >= _MIN_TEXT_BOX_PX[0] and bottom - y >= _MIN_TEXT_BOX_PX[1]:
            left = x + _width(element.type)
            painter.drawImage(QPoint(left, y), _text(element.type, element.text, right - left, ratio))


def _width(kind: ElementType) -> int:
    return 8 + 6 * len(LETTERS[kind])


@cache
def _letter(kind: ElementType, ratio: float) -> QImage:
    return _drawn(LETTERS[kind], kind, _width(kind), _small_font(bold=True), ratio)


@lru_cache(maxsize=1000)
def _text(kind: ElementType, text: str, room: int, ratio: float) -> QImage:
    """The text on its hue, with an ellipsis where the box is too narrow; kept, because setting text is slow."""
    font = _small_font(bold=False)
    metrics = QFontMetricsF(font)
    words = metrics.elidedText(text.split("\n", 1)[0], Qt.TextElideMode.ElideRight, room - 8)
    return _drawn(words, kind, min(int(metrics.horizontalAdvance(words)) + 8, room), font, ratio)


def _drawn(words: str, kind: ElementType, width: int, font: QFont, ratio: float) -> QImage:
    made = QImage(round(width * ratio), round(_HEIGHT * ratio), QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(ratio)
    made.fill(QColor(HUES[family_of(kind)]))
    painter = QPainter(made)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(QRectF(0, 0, width, _HEIGHT), Qt.AlignmentFlag.AlignCenter, words)
    painter.end()
    return made


def _small_font(*, bold: bool) -> QFont:
    return _sized(QGuiApplication.font(), size=FONT.caption - 1, bold=bold)
