"""Letters and texts on the boxes, where the zoom leaves room for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter

from annotator.outlines import Boxes
from annotator.ui.theme.tokens import FONT, HUES, LETTERS, family_of
from demopack.domain.elements import Element, ElementType

__all__ = ["paint_labels"]

_HEIGHT = 13
_LEAST_WIDTH = 18
_MOST_LETTERS = 1000
_MOST_TEXTS = 200
_TEXT_FROM = (64, 34)
"""Pixels of the window: a smaller box would be hidden by its own text."""


def paint_labels(painter: QPainter, boxes: Boxes, element_of: Callable[[int], Element], area: QRect) -> None:
    """Letters on every box with room for one, texts on every box with room for more; none where they would be too many.

    Args:
        painter: in window pixels.
        boxes: in window pixels, shape (n, 4): all that are in the window, because how many they are decides.
        element_of: whose box a row is.
        area: only labels that reach into this part of the window are painted.
    """
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    lettered = np.flatnonzero((width >= _LEAST_WIDTH) & (height >= _HEIGHT))
    if len(lettered) > _MOST_LETTERS:
        return
    texted = (width >= _TEXT_FROM[0]) & (height >= _TEXT_FROM[1])
    texts = set(np.flatnonzero(texted).tolist()) if int(texted.sum()) <= _MOST_TEXTS else set[int]()
    ratio = painter.device().devicePixelRatio()
    inside = (boxes[:, 0] <= area.right()) & (boxes[:, 1] <= area.bottom())
    inside &= (boxes[:, 2] >= area.left()) & (boxes[:, 3] >= area.top())
    rows = lettered[inside[lettered]]
    places = boxes[rows].tolist()
    for row, (x, y, right, _) in zip(rows.tolist(), places, strict=True):
        element = element_of(row)
        tag = _badge(element.type, ratio)
        painter.drawImage(QPoint(x, y), tag)
        if row in texts and element.text:
            left = x + round(tag.width() / ratio)
            painter.drawImage(QPoint(left, y), _text(element.type, element.text, right - left, ratio))


@cache
def _badge(kind: ElementType, ratio: float) -> QImage:
    text = LETTERS[kind]
    width = 8 + 6 * len(text)
    made = _ground(width, kind, ratio)
    painter = QPainter(made)
    painter.setFont(_font(QGuiApplication.font(), bold=True))
    painter.setPen(QColor("white"))
    painter.drawText(QRectF(0, 0, width, _HEIGHT), Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    return made


@lru_cache(maxsize=1000)
def _text(kind: ElementType, text: str, room: int, ratio: float) -> QImage:
    """The text on its hue, with an ellipsis where the box is too narrow; kept, because setting text is slow."""
    font = _font(QGuiApplication.font(), bold=False)
    metrics = QFontMetricsF(font)
    words = metrics.elidedText(text.split("\n", 1)[0], Qt.TextElideMode.ElideRight, room - 8)
    width = min(int(metrics.horizontalAdvance(words)) + 8, room)
    made = _ground(width, kind, ratio)
    painter = QPainter(made)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    place = QRectF(4, 0, width - 4, _HEIGHT)
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
    painter.end()
    return made


def _ground(width: int, kind: ElementType, ratio: float) -> QImage:
    made = QImage(round(width * ratio), round(_HEIGHT * ratio), QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(ratio)
    made.fill(QColor(HUES[family_of(kind)]))
    return made


def _font(base: QFont, *, bold: bool) -> QFont:
    font = QFont(base)
    font.setPixelSize(FONT.caption - 1)
    font.setBold(bold)
    return font
