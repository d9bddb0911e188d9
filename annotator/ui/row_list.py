"""A quiet list of two-line rows under headings, one of them current."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen, QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem, QWidget

from annotator.ui.controls import LayoutPart, column
from annotator.ui.painting import RowDelegate, draw_lines, font_of, is_chosen, rounded_picture, row_ground
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE, Tone

_ROW: Final = Qt.ItemDataRole.UserRole + 1
_HEIGHT, _HEADING, _TALL = 52, 32, 84
_THUMB = QSize(104, 66)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRow:
    """What a row says.

    Attributes:
        key: names it; empty for a heading.
        title: first line.
        caption: second line; two lines where there is a picture.
        badge: a word at its right.
        tone: of the badge.
        frame: id of a frame whose picture stands before it; None for no picture.
    """

    key: str
    title: str
    caption: str = ""
    badge: str = ""
    tone: Tone = "muted"
    frame: str | None = None


class RowList(QListView):
    """Rows, one of them current.

    Signals:
        current_changed: key of the current row; empty for none.
        opened: key of a row that was double-clicked, or Enter was pressed on it.
    """

    current_changed = Signal(str)
    opened = Signal(str)

    def __init__(self, name: str, theme: Theme, *, pictures: ScreenshotCache | None = None) -> None:
        super().__init__()
        self._model = QStandardItemModel(self)
        self.rows: tuple[ListRow, ...] = ()
        self.setModel(self._model)
        _Delegate(self, name, theme, pictures)
        self.selectionModel().currentChanged.connect(lambda: self.current_changed.emit(self.current))
        # Not ``activated``: on desktops that open with one click it comes with every choice.
        self.doubleClicked.connect(lambda: self.opened.emit(self.current))
        theme.changed.connect(self.viewport().update)
        if pictures is not None:
            pictures.thumbnail_ready.connect(self.viewport().update)

    @property
    def current(self) -> str:
        """Key of the current row; empty for none."""
        place = self.currentIndex().row()
        return self.rows[place].key if 0 <= place < len(self.rows) else ""

    def show_rows(self, rows: Sequence[ListRow], *, select: str = "") -> None:
        """Show other rows; the current one stays, or the one to select becomes it, or else the first.

        Whoever calls this asks afterwards which row is current: where rows went the signal may not come.
        """
        wanted = select or self.current
        if tuple(rows) != self.rows:
            self.rows = tuple(rows)
            self._model.setRowCount(len(rows))
            for place, row in enumerate(rows):
                self._model.setItem(place, _item(row))
        keys = [row.key for row in rows if row.key]
        self.select(wanted if wanted in keys else keys[0] if keys else "")

    def beside(self, *below: LayoutPart) -> QWidget:
        """The list with parts below it, as wide as it should be beside what is shown of its rows."""
        self.setMinimumWidth(260)
        made = QWidget()
        made.setMaximumWidth(340)
        column((self, 1), *below, of=made, margins=(0, SPACE.s, 0, SPACE.m))
        return made

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Enter opens."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.current:
            self.opened.emit(self.current)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: the current row stays in sight."""
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def select(self, key: str) -> None:
        """Make a row the current one."""
        for place, row in enumerate(self.rows):
            if key and row.key == key and self.currentIndex().row() != place:
                self.setCurrentIndex(self._model.index(place, 0))


def _item(row: ListRow) -> QStandardItem:
    # What a screen reader reads.
    item = QStandardItem(". ".join(part for part in (row.title, row.badge, row.caption) if part))
    item.setData(row, _ROW)
    item.setToolTip(row.caption if row.key else "")
    if not row.key:
        item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item


class _Delegate(RowDelegate):
    def __init__(self, view: QListView, name: str, theme: Theme, pictures: ScreenshotCache | None) -> None:
        super().__init__(view, name, theme)
        self._pictures = pictures

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        del option
        row: ListRow = index.data(_ROW)
        return QSize(160, _HEADING if not row.key else _TALL if row.frame else _HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: ListRow = index.data(_ROW)
        palette = self._theme.palette
        painter.save()
        if not row.key:
            box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
            painter.setFont(font_of(painter.font(), size=FONT.caption, bold=True))
            painter.setPen(QColor(palette.muted))
            painter.drawText(QPoint(box.left() + SPACE.m, box.bottom() - SPACE.s), row.title)
        else:
            chosen = is_chosen(option)
            box = row_ground(painter, option, palette, edge=palette.accent if chosen else "")
            if chosen and option.state & QStyle.StateFlag.State_HasFocus:  # pyright: ignore[reportAttributeAccessIssue]
                painter.setPen(QPen(QColor(palette.accent), 1))
                painter.drawRect(box.adjusted(0, 0, -1, -1))
            left = box.left() + SPACE.m
            if row.frame is not None:
                place = QRect(QPoint(left, box.top() + (box.height() - _THUMB.height()) // 2), _THUMB)
                size = _THUMB * 2 * painter.device().devicePixelRatio()
                found = None if self._pictures is None else self._pictures.thumbnail(row.frame, size)
                rounded_picture(painter, place, found, palette)
                left = place.right() + SPACE.m
            self._paint_words(painter, row, QRect(left, box.top(), box.right() - SPACE.m - left, box.height()))
        painter.restore()

    def _paint_words(self, painter: QPainter, row: ListRow, room: QRect) -> None:
        palette = self._theme.palette
        painter.setFont(font_of(painter.font(), size=FONT.caption, bold=True))
        metrics, top = painter.fontMetrics(), room.top() + SPACE.s
        width = metrics.horizontalAdvance(row.badge)
        painter.setPen(QColor(palette.badge(row.tone)[1]))
        painter.drawText(QPoint(room.right() - width, top + metrics.ascent() + 2), row.badge)
        painter.setFont(font_of(painter.font(), size=FONT.base))
        metrics = painter.fontMetrics()
        painter.setPen(QColor(palette.text))
        space = room.width() - (width + SPACE.s if row.badge else 0)
        title = metrics.elidedText(row.title, Qt.TextElideMode.ElideMiddle, space)
        painter.drawText(QPoint(room.left(), top + metrics.ascent()), title)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        painter.setPen(QColor(palette.muted))
        below = QRect(room.left(), top + metrics.height() + 3, room.width(), 40)
        draw_lines(painter, below, row.caption, lines=2 if row.frame else 1)
