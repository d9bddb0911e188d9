"""How the rows of the history look."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from annotator.ui.editor.history.models import DetailsRole, FateRole, HereRole, PlaceRole, StateRole
from annotator.ui.icons import paint_icon
from annotator.ui.painting import font_of
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE, Palette

__all__ = ["ROW", "HistoryDelegate"]

_TITLE_LINE: Final = 18
_DETAIL_LINE: Final = 16
_MARK: Final = 14
ROW: Final = 2 * SPACE.s + _TITLE_LINE + _DETAIL_LINE
"""Height of a row with one caption."""
_FATES: Final = {"added": ("plus", "success"), "removed": ("minus", "danger"), "changed": ("changed", "accent")}


class HistoryDelegate(QStyledItemDelegate):
    """A mark, a line in the text's size, and captions under it; what is not in force is quiet."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Qt's hook: as high as its lines."""
        del option
        details = index.data(DetailsRole) or ()
        return QSize(120, ROW + _DETAIL_LINE * (len(details) - 1))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Qt's hook: ground, mark, words."""
        palette = self._theme.palette
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        here = bool(index.data(HereRole))
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(palette.accent_soft))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, QColor(palette.hover))
        if here:
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), QColor(palette.accent))
        left = box.left() + SPACE.m
        mark = QRect(left, box.top() + SPACE.s + (_TITLE_LINE - _MARK) // 2, _MARK, _MARK)
        self._paint_mark(painter, mark, index, palette, here=here)
        left += _MARK + SPACE.s
        line = QRect(left, box.top() + SPACE.s, box.right() - SPACE.m - left, _TITLE_LINE)
        self._paint_place(painter, line, index, palette)
        self._paint_title(painter, line, index, palette)
        painter.setPen(QColor(palette.muted))
        for number, detail in enumerate(index.data(DetailsRole) or ()):
            top = box.top() + SPACE.s + _TITLE_LINE + number * _DETAIL_LINE
            line = QRect(left, top, box.right() - SPACE.m - left, _DETAIL_LINE)
            _draw_line(painter, line, str(detail), FONT.caption)
        painter.restore()

    def _paint_mark(
        self,
        painter: QPainter,
        box: QRect,
        index: QModelIndex | QPersistentModelIndex,
        palette: Palette,
        *,
        here: bool,
    ) -> None:
        fate = index.data(FateRole)
        if fate is not None:
            name, colour = _FATES[str(fate)]
            paint_icon(painter, name, box, str(getattr(palette, colour)))
        elif here:
            paint_icon(painter, "chevron_right", box, palette.accent)
        elif index.data(StateRole) != "done":
            paint_icon(painter, "undo", box, palette.muted)

    def _paint_place(
        self, painter: QPainter, line: QRect, index: QModelIndex | QPersistentModelIndex, palette: Palette
    ) -> None:
        """Where it is, at the right; the title gets what is left of the line."""
        place = str(index.data(PlaceRole) or "")
        if place:
            painter.setFont(font_of(painter.font(), size=FONT.caption))
            painter.setPen(QColor(palette.muted))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, place)
            line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(place) - SPACE.s)

    def _paint_title(
        self, painter: QPainter, line: QRect, index: QModelIndex | QPersistentModelIndex, palette: Palette
    ) -> None:
        state = index.data(StateRole)
        painter.setPen(QColor(palette.muted if state in {"undone", "left"} else palette.text))
        font = font_of(painter.font(), size=FONT.base, bold=bool(index.data(HereRole)))
        font.setStrikeOut(state == "left")
        painter.setFont(font)
        text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


def _draw_line(painter: QPainter, line: QRect, text: str, size: int) -> None:
    font = font_of(painter.font(), size=size)
    font.setStrikeOut(False)
    painter.setFont(font)
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
