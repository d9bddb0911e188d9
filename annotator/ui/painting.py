"""Helpers of painting: fonts, faded colours, lines of text, lists whose rows are painted, thumbnails, badges."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HUES, LETTERS, SPACE, Palette, family_of
from demopack.domain.elements import ElementType


def faded(colour: str, alpha: int) -> QColor:
    """A colour with an opacity of 0 to 255."""
    made = QColor(colour)
    made.setAlpha(alpha)
    return made


def font_of(base: QFont, *, size: int, bold: bool = False) -> QFont:
    """A font of a size of the theme, not struck out."""
    made = QFont(base)
    made.setStrikeOut(False)
    made.setPixelSize(size)
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return made


def rounded_box(
    painter: QPainter, box: QRect | QRectF, radius: float, *, ground: str = "", edge: str = "", width: float = 1
) -> None:
    """A box with rounded corners; no ground, or no edge, where no colour is given."""
    painter.setPen(QPen(QColor(edge), width) if edge else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(ground) if ground else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, radius, radius)


def draw_tag(painter: QPainter, words: str, ground: str, colour: str, *, middle: float | None = None) -> None:
    """Words on a rounded ground at the upper edge: at the left, or around a ``middle`` in window pixels."""
    font = QFont(painter.font())
    font.setPixelSize(FONT.caption)
    font.setBold(True)
    painter.setFont(font)
    width = QFontMetricsF(font).horizontalAdvance(words) + 2 * SPACE.m
    tag = QRectF(SPACE.s if middle is None else middle - width / 2, SPACE.s, width, 24)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rounded_box(painter, tag, 4, ground=ground)
    painter.setPen(QColor(colour))
    painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, words)


class RowDelegate(QStyledItemDelegate):
    """Base of what paints the rows of a list, and sets the list up for it: no row is edited in its place."""

    def __init__(self, view: QAbstractItemView, name: str, theme: Theme) -> None:
        super().__init__(view)
        self._view, self._theme = view, theme
        view.setAccessibleName(name)
        view.setItemDelegate(self)
        view.setMouseTracking(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)


def row_ground(painter: QPainter, option: QStyleOptionViewItem, palette: Palette, *, edge: str = "") -> QRect:
    """The ground of a list's row: chosen, under the pointer, or none; returns where the row is.

    ``edge`` is the colour of the left edge; empty for none.
    """
    box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
    if is_chosen(option):
        painter.fillRect(box, QColor(palette.accent_soft))
    elif option.state & QStyle.StateFlag.State_MouseOver:  # pyright: ignore[reportAttributeAccessIssue]
        painter.fillRect(box, QColor(palette.hover))
    if edge:
        painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), QColor(edge))
    return box


def is_chosen(option: QStyleOptionViewItem) -> bool:
    """Whether a row is selected."""
    return bool(option.state & QStyle.StateFlag.State_Selected)  # pyright: ignore[reportAttributeAccessIssue]


def draw_line(
    painter: QPainter,
    box: QRect | QRectF,
    text: str,
    *,
    size: int,
    colour: str,
    right: bool = False,
    bold: bool = False,
    struck: bool = False,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> str:
    """One line of text in the middle of a box's height, with an ellipsis where it is long; returns what is shown."""
    font = font_of(painter.font(), size=size, bold=bold)
    font.setStrikeOut(struck)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = painter.fontMetrics().elidedText(text, elide, int(box.width()))
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, shown)
    return shown


def draw_lines(painter: QPainter, box: QRect, text: str, *, lines: int) -> int:
    """Text over a few lines at most, an ellipsis at its end where it was cut; returns the height that was used."""
    metrics = QFontMetrics(painter.font())
    layout = QTextLayout(text, painter.font())
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    y = box.top()
    for number in range(lines):
        row = layout.createLine()
        if not row.isValid():
            break
        row.setLineWidth(box.width())
        start, length = row.textStart(), row.textLength()
        shown = text[start : start + length]
        if number == lines - 1 and start + length < len(text):
            shown = metrics.elidedText(text[start:], Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(QPoint(box.left(), y + metrics.ascent()), shown.rstrip())
        y += metrics.lineSpacing()
    layout.endLayout()
    return y - box.top()


def rounded_picture(
    painter: QPainter, box: QRect, picture: QPixmap | None, palette: Palette, *, radius: int = 4
) -> QRectF:
    """A thumbnail that covers a box with rounded corners; returns where the whole picture would lie."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    path = QPainterPath()
    path.addRoundedRect(QRectF(box), radius, radius)
    painter.setClipPath(path)
    painter.fillPath(path, QColor(palette.sunken))
    placed = QRectF(box)
    if picture is not None and not picture.isNull():
        size = QSize(picture.width(), picture.height()).scaled(
            box.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding
        )
        placed = QRectF(box.center().x() - size.width() / 2, box.top(), size.width(), size.height())
        painter.drawPixmap(placed, picture, QRectF(picture.rect()))
    painter.setClipping(False)
    rounded_box(painter, QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), radius, edge=palette.line)
    painter.restore()
    return placed


def type_badge(kind: ElementType, *, ratio: float = 1.0) -> QPixmap:
    """The letter of an element type on its hue, for lists of types."""
    width, height = 22, 16
    made = QPixmap(round(width * ratio), round(height * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rounded_box(painter, QRectF(0, 0, width, height), 3, ground=HUES[family_of(kind)])
    painter.setFont(font_of(painter.font(), size=FONT.caption - 1, bold=True))
    painter.setPen(QColor("white"))
    painter.drawText(QRectF(0, 0, width, height), Qt.AlignmentFlag.AlignCenter, LETTERS[kind])
    painter.end()
    return made
