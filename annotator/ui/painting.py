"""What several delegates paint alike."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QTextLayout,
    QTextOption,
)

from annotator.ui.theme.tokens import FONT, HUES, LETTERS, Palette, family_of
from demopack.domain.elements import ElementType

__all__ = ["draw_lines", "font_of", "rounded_picture", "type_badge"]


def font_of(base: QFont, *, size: int, bold: bool = False) -> QFont:
    """A font of a size of the theme."""
    made = QFont(base)
    made.setPixelSize(size)
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return made


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
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(palette.line), 1))
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
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
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(HUES[family_of(kind)]))
    painter.drawRoundedRect(QRectF(0, 0, width, height), 3, 3)
    painter.setFont(font_of(painter.font(), size=FONT.caption - 1, bold=True))
    painter.setPen(QColor("white"))
    painter.drawText(QRectF(0, 0, width, height), Qt.AlignmentFlag.AlignCenter, LETTERS[kind])
    painter.end()
    return made
