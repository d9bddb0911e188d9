"""The sign of a recording's state: a colour and a shape, the same on the bar, on the dot and in the tray."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from annotator.ui.theme.tokens import Palette
from annotator.words import tr

__all__ = ["STATE_WORDS", "paint_state", "state_colour"]

STATE_WORDS = {
    "ready": tr("Ready"),
    "recording": tr("Recording"),
    "paused": tr("Paused"),
    "finishing": tr("Saving"),
    "stopped": tr("Saved"),
}


def state_colour(palette: Palette, state: str) -> QColor:
    """Red while it records, amber when it is paused, grey otherwise."""
    return QColor({"recording": palette.danger, "paused": palette.warning}.get(state, palette.edge))


def paint_state(painter: QPainter, box: QRectF, state: str, palette: Palette, *, number: int = 0) -> None:
    """Draw it into a square: a disc, two bars, a ring, three dots; or a number that is counted down.

    Args:
        painter: where to; anti-aliased by the caller.
        box: the square.
        state: of the session.
        palette: the colours.
        number: seconds until a shot is taken; 0 for none.
    """
    colour = state_colour(palette, state)
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    side = box.width()
    if number:
        _paint_number(painter, box, number, palette)
    elif state == "paused":
        for left in (0.14, 0.58):
            bar = QRectF(box.left() + left * side, box.top(), 0.28 * side, side)
            painter.drawRoundedRect(bar, side * 0.08, side * 0.08)
    elif state == "recording":
        painter.drawEllipse(box)
    elif state == "finishing":
        for part in range(3):
            painter.drawEllipse(
                QRectF(box.left() + part * 0.37 * side, box.center().y() - side / 8, side / 4, side / 4)
            )
    else:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        width = max(1.5, side / 8)
        painter.setPen(QPen(colour, width))
        painter.drawEllipse(box.adjusted(width / 2, width / 2, -width / 2, -width / 2))
    painter.restore()


def _paint_number(painter: QPainter, box: QRectF, number: int, palette: Palette) -> None:
    wide = box.adjusted(-4, -4, 4, 4)
    painter.setBrush(QColor(palette.accent))
    painter.drawEllipse(wide)
    font = QFont(painter.font())
    font.setPixelSize(round(box.height() * 0.95))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(palette.on_accent))
    painter.drawText(wide, Qt.AlignmentFlag.AlignCenter, str(number))
