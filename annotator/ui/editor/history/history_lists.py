"""The two lists of the history with their models: one row a gesture, or one row a thing that changed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyleOptionViewItem, QTableView

from annotator.history.changes import ChangedRecord, Fate
from annotator.history.timeline import HistoryRow, RowState, Timeline, fitting
from annotator.ui.icons import paint_icon
from annotator.ui.painting import RowDelegate, draw_line, row_ground
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.words import tr
from demopack.store import LogLine

_Index = QModelIndex | QPersistentModelIndex
_ROW: Final = Qt.ItemDataRole.UserRole
_ONE_LINE: Final = 42
_MAX_ROWS_TOLD_SINGLY: Final = 20

_START, _HERE = tr("As it was before the first edit"), tr("this is now")
_STATES: dict[RowState, str] = {
    "done": tr("in force"),
    "undone": tr("taken back"),
    "left": tr("taken back, then something else was done"),
}
_FATES: dict[Fate, str] = {"added": tr("Added"), "removed": tr("Removed"), "changed": tr("Changed")}
_FATE_ICONS: Final = {"added": ("plus", "success"), "removed": ("minus", "danger"), "changed": ("changed", "accent")}


class _Row(NamedTuple):
    """Looks of a row: its lines, an icon with its colour in the palette, and where in the demo it is.

    All of it in words is for the tool tip and for who does not see it.
    """

    title: str
    details: tuple[str, ...]
    words: str
    icon: tuple[str, str] | None
    place: str = ""
    state: RowState = "done"
    here: bool = False


class _RowsModel(QAbstractListModel):
    """Rows with a title that are painted by the delegate below."""

    @abstractmethod
    def row_of(self, place: int) -> _Row:
        """What is painted."""

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one facet of a row."""
        if not index.isValid() or index.row() >= self.rowCount():
            return None
        if role == _ROW:
            return self.row_of(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self.row_of(index.row()).title
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            return self.row_of(index.row()).words
        return None


def _when_words(at: datetime) -> str:
    """A moment for a caption: the time alone for today, with the date before that."""
    local = QDateTime.fromSecsSinceEpoch(round(at.timestamp()))
    short = QLocale.FormatType.ShortFormat
    if local.date() == QDateTime.currentDateTime().date():
        return QLocale().toString(local.time(), short)
    return QLocale().toString(local, short)


class HistoryModel(_RowsModel):
    """The gestures, newest first, and under them the demo before its first edit."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timeline = Timeline()
        self._shown: list[int] = []  # places in the timeline, oldest first
        self._words = ""
        self._since: datetime | None = None

    @property
    def seq(self) -> int:
        """How far the log was read."""
        return self._timeline.seq

    @property
    def total(self) -> int:
        """How many gestures there are, shown or not."""
        return len(self._timeline.rows)

    @property
    def filtered(self) -> bool:
        """Whether some rows may be hidden."""
        return bool(self._words.strip()) or self._since is not None

    def restart(self, lines: Sequence[LogLine]) -> None:
        """Begin again with these lines."""
        self._timeline = Timeline()
        self._extend_whole(lines)

    def _extend_whole(self, lines: Sequence[LogLine]) -> None:
        """Take in further lines, and find out anew what is shown."""
        self.beginResetModel()
        self._timeline.extend(lines)
        self._shown = fitting(self._timeline.rows, self._words, self._since)
        self.endResetModel()

    def extend(self, lines: Sequence[LogLine]) -> None:
        """Take in further lines; rows come on top, others change their looks."""
        if self.filtered or len(lines) > 200:
            self._extend_whole(lines)
            return
        before = self.place_of_here()
        new, touched = self._timeline.extend(lines)
        if new:
            self.beginInsertRows(QModelIndex(), 0, new - 1)
            self._shown = list(range(len(self._timeline.rows)))
            self.endInsertRows()
        last = len(self._shown) - 1
        self._tell({last - place for place in touched} | {before + new, self.place_of_here()})

    def _tell(self, rows: set[int]) -> None:
        """These rows look different; a few are told one by one, so that nothing else is painted."""
        if len(rows) > _MAX_ROWS_TOLD_SINGLY:
            self.dataChanged.emit(self.index(min(rows)), self.index(max(rows)))
            return
        for row in rows:
            self.dataChanged.emit(self.index(row), self.index(row))

    def narrow(self, words: str, since: datetime | None) -> None:
        """Show only what holds every word and is not older than a moment."""
        if (words, since) != (self._words, self._since):
            self._words, self._since = words, since
            self._extend_whole(())

    def row_at(self, place: int) -> HistoryRow | None:
        """The gesture of a row; None for the last row, the beginning."""
        return self._timeline.rows[self._shown[-1 - place]] if place < len(self._shown) else None

    def place_of_here(self) -> int:
        """The row that is now; -1 where it is hidden."""
        here = self._timeline.here
        if here < 0:
            return len(self._shown)
        return len(self._shown) - 1 - self._shown.index(here) if here in self._shown else -1

    def place_of(self, seq: int) -> int:
        """The row of a gesture by its place in the log, 0 for the beginning; -1 where it is hidden."""
        if not seq:
            return len(self._shown)
        rows = self._timeline.rows
        return next((i for i, place in enumerate(reversed(self._shown)) if rows[place].seq == seq), -1)

    def rowCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: the gestures and the beginning."""
        return 0 if parent is not None and parent.isValid() else len(self._shown) + 1

    def row_of(self, place: int) -> _Row:
        """See the base class."""
        row, now = self.row_at(place), self._timeline.here
        here = now == (self._shown[-1 - place] if place < len(self._shown) else -1)
        icon = ("chevron_right", "accent") if here else None
        if row is None:
            return _Row(_START, ("",), f"{_START}\n{_HERE}" if here else _START, icon, here=here)
        who = tr("you") if row.by_person and not row.who else row.who
        words = tr("{when} · {who}") if row.edits == 1 else tr("{when} · {who} · {count} edits")
        caption = words.format(when=_when_words(row.at), who=who, count=row.edits)
        gone = None if row.state == "done" else ("undo", "muted")
        all_words = "\n".join((row.label, caption, _HERE if here else _STATES[row.state]))
        return _Row(row.label, (caption,), all_words, icon or gone, state=row.state, here=here)


class ChangesModel(_RowsModel):
    """What changed since a moment, thing by thing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: Sequence[ChangedRecord] = ()
        self._shown: Sequence[ChangedRecord] = ()
        self._words = ""

    def show(self, found: Sequence[ChangedRecord], *, words: str) -> None:
        """Show these things, as far as they hold every word."""
        wanted = words.casefold().split()
        if (found, words) != (self._found, self._words):
            self.beginResetModel()
            self._found, self._words = found, words
            self._shown = [one for one in found if all(word in _change_words(one).casefold() for word in wanted)]
            self.endResetModel()

    def narrow(self, words: str) -> None:
        """Show only what holds every word."""
        self.show(self._found, words=words)

    def thing_at(self, place: int) -> ChangedRecord:
        """The thing of a row."""
        return self._shown[place]

    def rowCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many things."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def row_of(self, place: int) -> _Row:
        """See the base class."""
        one = self._shown[place]
        details = tuple(line for detail in one.details for line in _lines(detail)) or (_FATES[one.fate],)
        where = tr("step {number}").format(number=one.place) if one.place else ""
        return _Row(one.title, details, _change_words(one), _FATE_ICONS[one.fate], place=where)


def _lines(detail: str) -> list[str]:
    """What it was and what it is under each other, where they have no room beside each other."""
    old, arrow, new = detail.partition(" → ")
    return [old, f"→ {new}"] if arrow and len(detail) > _ONE_LINE else [detail]


def _where(one: ChangedRecord) -> str:
    if not one.place:
        return _FATES[one.fate]
    words = {"added": tr("Added at step {number}"), "removed": tr("Removed at step {number}")}
    return words.get(one.fate, tr("Changed at step {number}")).format(number=one.place)


def _change_words(one: ChangedRecord) -> str:
    return "\n".join((one.title, _where(one), *one.details))


_TITLE_LINE: Final = 18
_DETAIL_LINE: Final = 16
_MARK: Final = 14
_ROW_HEIGHT: Final = 2 * SPACE.s + _TITLE_LINE + _DETAIL_LINE
"""Of a row with one caption."""


class _HistoryDelegate(RowDelegate):
    """A mark, a line in the text's size, and captions under it; what is not in force is quiet."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        del option
        row: _Row = index.data(_ROW)
        return QSize(120, _ROW_HEIGHT + _DETAIL_LINE * (len(row.details) - 1))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        palette = self._theme.palette
        row: _Row = index.data(_ROW)
        painter.save()
        box = row_ground(painter, option, palette, edge=palette.accent if row.here else "")
        left = box.left() + SPACE.m
        if row.icon is not None:
            mark = QRect(left, box.top() + SPACE.s + (_TITLE_LINE - _MARK) // 2, _MARK, _MARK)
            paint_icon(painter, row.icon[0], mark, str(getattr(palette, row.icon[1])))
        left += _MARK + SPACE.s
        line = QRect(left, box.top() + SPACE.s, box.right() - SPACE.m - left, _TITLE_LINE)
        if row.place:
            # At the right; the title gets what is left of the line.
            draw_line(painter, line, row.place, size=FONT.caption, colour=palette.muted, right=True)
            line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(row.place) - SPACE.s)
        colour, struck = palette.text if row.state == "done" else palette.muted, row.state == "left"
        draw_line(painter, line, row.title, size=FONT.base, colour=colour, bold=row.here, struck=struck)
        for number, detail in enumerate(row.details):
            top = box.top() + SPACE.s + _TITLE_LINE + number * _DETAIL_LINE
            line = QRect(left, top, box.right() - SPACE.m - left, _DETAIL_LINE)
            draw_line(painter, line, detail, size=FONT.caption, colour=palette.muted)
        painter.restore()


class HistoryTable(QTableView):
    """One of the lists; arrows, Home and End choose, Enter acts, letters are the editor's.

    A table of one column: a list would lay out ten thousand rows anew after each edit, asking Python for every one.
    """

    def __init__(
        self, name: str, model: QAbstractListModel, theme: Theme, *, act: Callable[[int], None], fixed: bool
    ) -> None:
        """Show a model; ``act`` gets the row on which Enter was pressed; rows fit their lines unless ``fixed``."""
        super().__init__(showGrid=False)
        self.setModel(model)
        self._act = act
        _HistoryDelegate(self, name, theme)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        rows, modes = self.verticalHeader(), QHeaderView.ResizeMode
        rows.hide()
        rows.setSectionResizeMode(modes.Fixed if fixed else modes.ResizeToContents)
        rows.setDefaultSectionSize(_ROW_HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: in a table Home and End would stay in the row, and letters would look for rows."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.model().rowCount() - 1}
        if event.key() in ends:
            self.setCurrentIndex(self.model().index(ends[Qt.Key(event.key())], 0))
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if self.currentIndex().isValid():
                self._act(self.currentIndex().row())
        elif event.text() and event.text().isprintable():
            event.ignore()
        else:
            super().keyPressEvent(event)
