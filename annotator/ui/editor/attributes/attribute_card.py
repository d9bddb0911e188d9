"""The card of attribute mode beside the selected element: its attributes, and the digits of the current one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QPainter, QPen, QPixmap

from annotator.attributes.keyboard_choice import Line
from annotator.ui.canvas.layers import CanvasLayer
from annotator.ui.painting import font_of
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, RADIUS, SELECTION, SPACE, Palette
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.geometry import Rect

_ROW: Final = 22.0
_WIDTH: Final = 216.0
_GAP: Final = 14.0
_HINT: Final = tr("↑ ↓ attribute   Tab next   Esc ends")


class AttributeCard(CanvasLayer):
    """Painted while attribute mode is on; Esc ends the mode.

    Attributes:
        lines: what it shows.
    """

    def __init__(self, theme: Theme, *, end: Callable[[], None]) -> None:
        self._theme = theme
        self._end = end
        self.lines: tuple[Line, ...] = ()
        self._around: Rect | None = None
        self._picture: QPixmap | None = None
        self._looks: tuple[Palette, float] | None = None

    @property
    def on(self) -> bool:
        """Whether the card is shown."""
        return bool(self.lines)

    def show(self, lines: Sequence[Line], boxes: Sequence[Rect]) -> None:
        """Show these lines beside the elements with these boxes; no lines take the card away."""
        if tuple(lines) != self.lines:
            self.lines, self._picture = tuple(lines), None
        self._around = functools.reduce(Rect.union, boxes) if boxes else None

    def escaped(self) -> bool:
        """See :class:`CanvasLayer`."""
        if not self.lines:
            return False
        self._end()
        return True

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        around = self._around
        if not self.lines or around is None:
            return
        x1, y1 = viewport.to_window(around.x1, around.y1)
        x2, y2 = viewport.to_window(around.x2, around.y2)
        target = QRectF(QPointF(x1, y1), QPointF(x2, y2))
        _paint_frame(painter, target)
        place = placed(target, height=self._height(), width=viewport.width, room=viewport.height)
        painter.drawPixmap(place.topLeft().toPoint(), self._drawn(painter))

    def _drawn(self, painter: QPainter) -> QPixmap:
        """The card as a picture: its words are painted once, not on every repaint of the canvas."""
        looks = (self._theme.palette, painter.device().devicePixelRatioF())
        if self._picture is None or self._looks != looks:
            palette, ratio = self._looks = looks
            size = QSizeF(_WIDTH + 1, self._height() + 1) * ratio
            self._picture = QPixmap(size.toSize())
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            inside = QPainter(self._picture)
            inside.setFont(painter.font())
            inside.setRenderHint(QPainter.RenderHint.Antialiasing)
            inside.setPen(QPen(QColor(palette.edge), 1))
            inside.setBrush(QColor(palette.surface))
            place = QRectF(0.5, 0.5, _WIDTH - 1, self._height() - 1)
            inside.drawRoundedRect(place, RADIUS, RADIUS)
            self._paint_lines(inside, place, palette)
            inside.end()
        return self._picture

    def _height(self) -> float:
        rows = sum(1 + (len(line.choices) + line.writes if line.current else 0) for line in self.lines)
        return (rows + 1) * _ROW + 2 * SPACE.s

    def _paint_lines(self, painter: QPainter, place: QRectF, palette: Palette) -> None:
        base = painter.font()
        y = place.top() + SPACE.s
        for line in self.lines:
            row = QRectF(place.left() + 1, y, place.width() - 2, _ROW)
            if line.current:
                painter.fillRect(row, QColor(palette.accent_soft))
                painter.fillRect(QRectF(row.left(), row.top(), 3, row.height()), QColor(palette.accent))
            _write_pair(painter, row, line, palette, base)
            y += _ROW
            if line.current:
                offered = [(choice.digit, choice.words, choice.taken) for choice in line.choices]
                if line.writes:
                    offered.append(("↵", tr("write it"), False))
                for digit, words, taken in offered:
                    row = QRectF(place.left() + 1, y, place.width() - 2, _ROW)
                    _write_choice(painter, row, (digit, words), palette, base, taken=taken)
                    y += _ROW
        painter.setFont(font_of(base, size=FONT.caption))
        painter.setPen(QColor(palette.muted))
        hint = QRectF(place.left() + SPACE.m, y, place.width() - SPACE.m, _ROW)
        painter.drawText(hint, Qt.AlignmentFlag.AlignVCenter, _HINT)


def placed(target: QRectF, *, height: float, width: float, room: float) -> QRectF:
    """Where the card lies: right of the element where there is room, else left, else over its right edge.

    Args:
        target: the element, in window pixels.
        height: of the card.
        width: of the window.
        room: height of the window.
    """
    left = target.right() + _GAP
    if left + _WIDTH > width - SPACE.xs:
        left = target.left() - _GAP - _WIDTH
    if left < SPACE.xs:
        left = max(SPACE.xs, min(target.right(), width) - _WIDTH - SPACE.xs)
    top = max(SPACE.xs, min(target.top(), room - height - SPACE.xs))
    return QRectF(left, top, _WIDTH, height)


def _paint_frame(painter: QPainter, target: QRectF) -> None:
    """A second frame, so that the eye finds what the card is about."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, grow, width in ((HALO, 5, 4), (SELECTION, 5, 2)):
        painter.setPen(QPen(QColor(colour), width))
        painter.drawRect(target.adjusted(-grow, -grow, grow, grow))


def _write_pair(painter: QPainter, row: QRectF, line: Line, palette: Palette, base: QFont) -> None:
    painter.setFont(font_of(base, size=FONT.base, bold=line.current))
    painter.setPen(QColor(palette.text))
    name = row.adjusted(SPACE.m, 0, 0, 0)
    painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, line.words)
    painter.setPen(QColor(palette.text if line.current else palette.muted))
    room = row.adjusted(SPACE.m + 84, 0, -SPACE.s, 0)
    words = QFontMetricsF(painter.font()).elidedText(line.value, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)


def _write_choice(
    painter: QPainter, row: QRectF, said: tuple[str, str], palette: Palette, base: QFont, *, taken: bool
) -> None:
    digit, words = said
    cap = QRectF(row.left() + SPACE.m, row.top() + 3, 16, row.height() - 6)
    painter.setPen(QPen(QColor(palette.accent if taken else palette.edge), 1))
    painter.setBrush(QColor(palette.accent if taken else palette.hover))
    painter.drawRoundedRect(cap, 3, 3)
    painter.setFont(font_of(base, size=FONT.caption, bold=True))
    painter.setPen(QColor(palette.on_accent if taken else palette.text))
    painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, digit)
    painter.setFont(font_of(base, size=FONT.base, bold=taken))
    painter.setPen(QColor(palette.text))
    painter.drawText(row.adjusted(SPACE.m + 24, 0, -SPACE.s, 0), Qt.AlignmentFlag.AlignVCenter, words)


def arrow_offset(event: QKeyEvent) -> int:
    """-1 for the arrow up, 1 for the arrow down; 0 for any other key, and with others held."""
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return 0
    if event.key() == Qt.Key.Key_Up:
        return -1
    return 1 if event.key() == Qt.Key.Key_Down else 0
