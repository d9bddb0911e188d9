"""Letters and texts on the boxes, where the zoom leaves room for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

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


def paint_labels(painter: QPainter, boxes: Boxes, elements: Sequence[Element]) -> None:
    """Letters on every box with room for one, texts on every box with room for more; none where they would be too many.

    Args:
        painter: in window pixels.
        boxes: in window pixels, shape (n, 4).
        elements: whose boxes they are.
    """
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    lettered = np.flatnonzero((width >= _LEAST_WIDTH) & (height >= _HEIGHT))
    if len(lettered) > _MOST_LETTERS:
        return
    texted = (width >= _TEXT_FROM[0]) & (height >= _TEXT_FROM[1])
    texts = set(np.flatnonzero(texted).tolist()) if int(texted.sum()) <= _MOST_TEXTS else set[int]()
    ratio = painter.device().devicePixelRatio()
    for row in lettered.tolist():
        x, y, right, _ = boxes[row].tolist()
        badge = _badge(elements[row].type, ratio)
        painter.drawImage(QPoint(x, y), badge)
        if row in texts and elements[row].text:
            left = x + badge.width() / ratio
            _paint_text(painter, QRectF(left, y, right - left, _HEIGHT), elements[row])


@cache
def _badge(kind: ElementType, ratio: float) -> QImage:
    text = LETTERS[kind]
    width = 8 + 6 * len(text)
    made = QImage(round(width * ratio), round(_HEIGHT * ratio), QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(ratio)
    made.fill(QColor(HUES[family_of(kind)]))
    painter = QPainter(made)
    painter.setFont(_font(painter.font(), bold=True))
    painter.setPen(QColor("white"))
    painter.drawText(QRectF(0, 0, width, _HEIGHT), Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    return made


def _paint_text(painter: QPainter, room: QRectF, element: Element) -> None:
    font = _font(painter.font(), bold=False)
    metrics = QFontMetricsF(font)
    first = (element.text or "").split("\n", 1)[0]
    words = metrics.elidedText(first, Qt.TextElideMode.ElideRight, room.width() - 8)
    tag = QRectF(room.left(), room.top(), metrics.horizontalAdvance(words) + 8, room.height())
    painter.fillRect(tag, QColor(HUES[family_of(element.type)]))
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(tag.adjusted(4, 0, -4, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


def _font(base: QFont, *, bold: bool) -> QFont:
    font = QFont(base)
    font.setPixelSize(FONT.caption - 1)
    font.setBold(bold)
    return font
