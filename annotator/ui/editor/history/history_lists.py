"""The two lists of the history, and how their rows look."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from annotator.ui.editor.history.history_models import DetailsRole, FateRole, HereRole, PlaceRole, StateRole
from annotator.ui.icons import paint_icon
from annotator.ui.painting import draw_line, font_of, row_ground
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE, Palette

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
        here = bool(index.data(HereRole))
        painter.save()
        box = row_ground(painter, option, palette, edge=palette.accent if here else "")
        left = box.left() + SPACE.m
        mark = QRect(left, box.top() + SPACE.s + (_TITLE_LINE - _MARK) // 2, _MARK, _MARK)
        self._paint_mark(painter, mark, index, palette, here=here)
        left += _MARK + SPACE.s
        line = QRect(left, box.top() + SPACE.s, box.right() - SPACE.m - left, _TITLE_LINE)
        self._paint_place(painter, line, index, palette)
        self._paint_title(painter, line, index, palette)
        for number, detail in enumerate(index.data(DetailsRole) or ()):
            top = box.top() + SPACE.s + _TITLE_LINE + number * _DETAIL_LINE
            line = QRect(left, top, box.right() - SPACE.m - left, _DETAIL_LINE)
            draw_line(painter, line, str(detail), size=FONT.caption, colour=palette.muted)
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
            draw_line(painter, line, place, size=FONT.caption, colour=palette.muted, right=True)
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


class EditTable(QTableView):
    """Every edit; arrows, Home and End choose, a click shows what it was about, Enter goes there.

    A table of one column: a list would lay out ten thousand rows anew after each edit, asking Python for every one.

    Signals:
        acted: Enter was pressed on a row.
        looked_at: a row was clicked.
    """

    acted = Signal(int)
    looked_at = Signal(int)

    def __init__(self, name: str, model: QAbstractListModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        _set_up(self, name, theme)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self, index: QModelIndex) -> None:
        self.looked_at.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: in a table Home and End would stay in the row."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.model().rowCount() - 1}
        if event.key() in ends:
            self.setCurrentIndex(self.model().index(ends[Qt.Key(event.key())], 0))
        elif not _is_handled(self, event, self.acted):
            super().keyPressEvent(event)


class ChangeList(QListView):
    """What changed, each thing as high as its lines; Enter and a click show it.

    Signals:
        acted: a row was clicked, or Enter was pressed on it.
    """

    acted = Signal(int)

    def __init__(self, name: str, model: QAbstractListModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        _set_up(self, name, theme)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self, index: QModelIndex) -> None:
        self.acted.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Enter acts; letters are the editor's."""
        if not _is_handled(self, event, self.acted):
            super().keyPressEvent(event)


def _set_up(view: QAbstractItemView, name: str, theme: Theme) -> None:
    view.setAccessibleName(name)
    view.setItemDelegate(HistoryDelegate(theme, view))
    view.setMouseTracking(True)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)


def _is_handled(view: QAbstractItemView, event: QKeyEvent, acted: SignalInstance) -> bool:
    """Whether Enter acted on the row; letters are left to the editor, not used for finding rows by their beginning."""
    enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
    if enter and view.currentIndex().isValid():
        acted.emit(view.currentIndex().row())
    letter = not enter and bool(event.text()) and event.text().isprintable()
    if letter:
        event.ignore()
    return enter or letter
