"""Letters and texts on the boxes, where the zoom leaves room for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter

from annotator.outlines import Boxes
from annotator.ui.theme.tokens import FONT, HUES, LETTERS, family_of
from demopack.domain.elements import Element, ElementType

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
    return _drawn(LETTERS[kind], kind, _width(kind), _font(bold=True), ratio)


@lru_cache(maxsize=1000)
def _text(kind: ElementType, text: str, room: int, ratio: float) -> QImage:
    """The text on its hue, with an ellipsis where the box is too narrow; kept, because setting text is slow."""
    font = _font(bold=False)
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


def _font(*, bold: bool) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(FONT.caption - 1)
    font.setBold(bold)
    return font
