"""Letters and texts on the boxes, where the zoom leaves room for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

import numpy as np
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter

from annotator.outlines import Boxes
from annotator.ui.theme.tokens import FONT, HUES, LETTERS, family_of
from demopack.domain.elements import Element, ElementType

__all__ = ["LETTER_ROOM", "MOST_LETTERS", "paint_labels"]

_HEIGHT = 13
LETTER_ROOM: Final = (18, _HEIGHT)
"""Width and height of the smallest box that gets a letter, in pixels of the window."""
MOST_LETTERS: Final = 500
"""In one window; more say nothing any more."""
_TEXT_ROOM = (64, 34)
"""A smaller box would be hidden by its own text."""


def paint_labels(painter: QPainter, boxes: Boxes, element_of: Callable[[int], Element]) -> None:
    """Letters on every box with room for one, texts on every box with room for more.

    Args:
        painter: in window pixels.
        boxes: in window pixels, shape (n, 4).
        element_of: whose box a row is.
    """
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    rows = np.flatnonzero((width >= LETTER_ROOM[0]) & (height >= LETTER_ROOM[1]))
    ratio = painter.device().devicePixelRatio()
    for row, (x, y, right, bottom) in zip(rows.tolist(), boxes[rows].tolist(), strict=True):
        element = element_of(row)
        tag = _badge(element.type, ratio)
        painter.drawImage(QPoint(x, y), tag)
        if element.text and right - x >= _TEXT_ROOM[0] and bottom - y >= _TEXT_ROOM[1]:
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
