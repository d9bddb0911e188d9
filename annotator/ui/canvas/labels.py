"""Letters and texts on the boxes, where the zoom leaves room for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter

from annotator.outlines import Boxes, Pixels
from annotator.ui.canvas.layers import pixels_of
from annotator.ui.theme.tokens import FONT, HUES, LETTERS, family_of
from demopack.domain.elements import ELEMENT_TYPES, Element, ElementType

__all__ = ["LETTER_ROOM", "MOST_LETTERS", "Clip", "draw_badges", "paint_texts"]

Clip: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom."""
_PLACES = {kind: place for place, kind in enumerate(ELEMENT_TYPES)}

_HEIGHT = 13
LETTER_ROOM: Final = (18, _HEIGHT)
"""Width and height of the smallest box that gets a letter, in pixels of the window."""
MOST_LETTERS: Final = 500
"""In one window; more say nothing any more."""
_TEXT_ROOM = (64, 34)
"""A smaller box would be hidden by its own text."""


def draw_badges(pixels: Pixels, boxes: Boxes, types: Sequence[ElementType], *, ratio: float, clip: Clip) -> None:
    """The letter of each box's type in its corner, written straight into a layer: a painter takes a call for each.

    Args:
        pixels: of the layer, shape (height, width).
        boxes: in pixels of the window, shape (n, 4); each has room for a letter.
        types: of each box.
        ratio: pixels of the layer for one of the window.
        clip: left, top, right, bottom in pixels of the layer: nothing outside is touched.
    """
    across = pixels.shape[1]
    corners: npt.NDArray[np.int64] = np.rint(boxes[:, :2] * ratio).astype(np.int64)
    places = np.array([_PLACES[kind] for kind in types], dtype=np.int64)
    flat = pixels.reshape(-1)
    for badges in _badges(ratio):
        these = np.flatnonzero(badges.of_type[places] >= 0)
        if not these.size:
            continue
        x, y = corners[these, 0:1], corners[these, 1:2]
        at = (y * across + x) + (badges.down * across + badges.beside)
        colours = badges.images[badges.of_type[places[these]]]
        inside = _inside(x, y, badges, clip)
        flat[at if inside is None else at[inside]] = colours if inside is None else colours[inside]


def _inside(
    x: npt.NDArray[np.int64], y: npt.NDArray[np.int64], badges: _Badges, clip: Clip
) -> npt.NDArray[np.bool_] | None:
    """Which pixels may be touched, where the corners lie at (x, y); None for all, as almost always."""
    left, top, right, bottom = clip
    last_x, last_y = x.max() + badges.beside[-1], y.max() + badges.down[-1]
    if x.min() >= left and y.min() >= top and last_x < right and last_y < bottom:
        return None
    x, y = x + badges.beside, y + badges.down
    return (x >= left) & (x < right) & (y >= top) & (y < bottom)


def paint_texts(painter: QPainter, boxes: Boxes, element_of: Callable[[int], Element]) -> None:
    """Texts beside the letters of the boxes with room for one.

    Args:
        painter: in window pixels.
        boxes: in window pixels, shape (n, 4).
        element_of: whose box a row is.
    """
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    rows = np.flatnonzero((width >= _TEXT_ROOM[0]) & (height >= _TEXT_ROOM[1]))
    ratio = painter.device().devicePixelRatio()
    for row, (x, y, right, _) in zip(rows.tolist(), boxes[rows].tolist(), strict=True):
        element = element_of(row)
        if element.text:
            left = x + _width(element.type)
            painter.drawImage(QPoint(left, y), _text(element.type, element.text, right - left, ratio))


class _Badges(NamedTuple):
    """All badges of one width.

    Attributes:
        images: their pixels, shape (badges, pixels).
        of_type: which of them each type has, -1 for none, shape (types,).
        down: how far each pixel lies below the corner, shape (pixels,).
        beside: how far right of it.
    """

    images: Pixels
    of_type: npt.NDArray[np.int64]
    down: npt.NDArray[np.int64]
    beside: npt.NDArray[np.int64]


@cache
def _badges(ratio: float) -> tuple[_Badges, ...]:
    drawn = [pixels_of(_badge(kind, ratio)).view(np.uint32)[:, :, 0] for kind in ELEMENT_TYPES]
    found: list[_Badges] = []
    for width in sorted({one.shape[1] for one in drawn}):
        same = np.array([one.shape[1] == width for one in drawn])
        images = np.stack([one.reshape(-1) for one in drawn if one.shape[1] == width])
        numbers = np.arange(images.shape[1], dtype=np.int64)
        found.append(_Badges(images, np.where(same, np.cumsum(same) - 1, -1), numbers // width, numbers % width))
    return tuple(found)


def _width(kind: ElementType) -> int:
    return 8 + 6 * len(LETTERS[kind])


def _badge(kind: ElementType, ratio: float) -> QImage:
    width = _width(kind)
    made = _ground(width, kind, ratio)
    painter = QPainter(made)
    painter.setFont(_font(QGuiApplication.font(), bold=True))
    painter.setPen(QColor("white"))
    painter.drawText(QRectF(0, 0, width, _HEIGHT), Qt.AlignmentFlag.AlignCenter, LETTERS[kind])
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
