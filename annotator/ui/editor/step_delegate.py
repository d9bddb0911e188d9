"""How a row of the step list looks."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from annotator.ui.editor.step_model import DoubtsRole, PointerRole, RemarkRole, ReviewRole, ThumbnailRole
from annotator.ui.icons import paint_icon
from annotator.ui.painting import draw_lines, font_of, rounded_picture
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, POINTER, SPACE

__all__ = ["StepDelegate"]

_ROW = 72
_THUMB = QSize(80, 52)


class StepDelegate(QStyledItemDelegate):
    """Paints one step: doubt is a coloured edge, the current step has the accent."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Qt's hook: every row is as high."""
        del option, index
        return QSize(160, _ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Qt's hook: thumbnail, number, remark, words, mark."""
        palette = self._theme.palette
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        doubtful = bool(index.data(DoubtsRole))
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(palette.accent_soft))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, QColor(palette.hover))
        edge = palette.warning if doubtful else palette.accent
        if doubtful or state & QStyle.StateFlag.State_Selected:
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), QColor(edge))
        thumb = QRect(box.left() + SPACE.m, box.top() + (box.height() - _THUMB.height()) // 2, 0, 0)
        thumb.setSize(_THUMB)
        picture = index.data(ThumbnailRole)
        whole = rounded_picture(painter, thumb, picture if isinstance(picture, QPixmap) else None, palette)
        self._paint_pointer(painter, thumb, whole, index.data(PointerRole))
        left = thumb.right() + SPACE.m
        mark = QRect(box.right() - SPACE.m - 16, box.top() + 10, 16, 16)
        if doubtful:
            paint_icon(painter, "warning", mark, palette.warning)
        elif index.data(ReviewRole) == "approved":
            paint_icon(painter, "check", mark, palette.success)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        painter.setPen(QColor(palette.muted))
        remark = str(index.data(RemarkRole) or "")
        number = f"{index.row() + 1}  {remark}" if remark else f"{index.row() + 1}"
        number = painter.fontMetrics().elidedText(number, Qt.TextElideMode.ElideRight, mark.left() - SPACE.s - left)
        painter.drawText(QPointF(left, box.top() + 21), number)
        painter.setFont(font_of(painter.font(), size=FONT.base))
        painter.setPen(QColor(palette.text))
        words = QRect(left, box.top() + 27, box.right() - SPACE.s - left, box.height() - 30)
        draw_lines(painter, words, str(index.data()), lines=2)
        painter.restore()

    def _paint_pointer(self, painter: QPainter, thumb: QRect, whole: QRectF, pointer: object) -> None:
        if not isinstance(pointer, QPointF):
            return
        x, y = whole.left() + pointer.x() * whole.width(), whole.top() + pointer.y() * whole.height()
        at = QPointF(min(max(x, thumb.left() + 4), thumb.right() - 3), min(max(y, thumb.top() + 4), thumb.bottom() - 3))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(HALO), 1.5))
        painter.setBrush(QColor(POINTER))
        painter.drawEllipse(at, 3.5, 3.5)
        painter.restore()
