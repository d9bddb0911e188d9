"""How a difference looks in the list: what it is, as many lines as it needs, and where."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from annotator.ui.painting import font_of
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE

__all__ = ["DifferenceDelegate"]

_WRAPS: Final = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_Index = QModelIndex | QPersistentModelIndex


class DifferenceDelegate(QStyledItemDelegate):
    """Words in the text's size, the place as a caption under them."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Qt's hook: as high as its lines are at this width."""
        del option
        width = self._view.viewport().width()
        words, place = _lines(index)
        height = sum(self._height(text, size, width) for text, size in ((words, FONT.base), (place, FONT.caption)))
        return QSize(width, height + 2 * SPACE.s)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Qt's hook: ground, words, place."""
        palette = self._theme.palette
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(palette.accent_soft))
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), QColor(palette.accent))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, QColor(palette.hover))
        inside = box.adjusted(SPACE.s, SPACE.s, -SPACE.s, -SPACE.s)
        words, place = _lines(index)
        for text, size, colour in ((words, FONT.base, palette.text), (place, FONT.caption, palette.muted)):
            painter.setFont(font_of(self._view.font(), size=size))
            painter.setPen(QColor(colour))
            painter.drawText(inside, int(_WRAPS), text)
            inside.setTop(inside.top() + self._height(text, size, box.width()))
        painter.restore()

    def _height(self, text: str, size: int, width: int) -> int:
        metrics = QFontMetrics(font_of(self._view.font(), size=size))
        return metrics.boundingRect(QRect(0, 0, width - 2 * SPACE.s, 1000), int(_WRAPS), text).height()


def _lines(index: _Index) -> tuple[str, str]:
    words, _, place = str(index.data()).partition("\n")
    return words, place
