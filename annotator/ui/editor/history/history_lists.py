"""The two lists of the history with their models: one row a gesture, or one row a thing that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

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

from annotator.history.changes import ChangedRecord, Fate
from annotator.history.timeline import HistoryRow, Timeline, fitting
from annotator.ui.icons import paint_icon
from annotator.ui.painting import draw_line, font_of, row_ground
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.words import tr
from demopack.store import LogLine

StateRole = Qt.ItemDataRole.UserRole + 1
"""Of a gesture: ``done``, ``undone`` or ``left``."""
DetailsRole = Qt.ItemDataRole.UserRole + 2
"""Lines under the first one."""
HereRole = Qt.ItemDataRole.UserRole + 3
"""Whether the demo is now as it was right after this row."""
FateRole = Qt.ItemDataRole.UserRole + 4
PlaceRole = Qt.ItemDataRole.UserRole + 5
"""Of a thing: where it is, in a word or two."""
_ONE_LINE: Final = 42
_MAX_ROWS_TOLD_SINGLY: Final = 20

_START = tr("As it was before the first edit")
_STATES = {
    "done": tr("in force"),
    "undone": tr("taken back"),
    "left": tr("taken back, then something else was done"),
}
_FATES: dict[Fate, str] = {"added": tr("Added"), "removed": tr("Removed"), "changed": tr("Changed")}


def when_words(at: datetime) -> str:
    """A moment for a caption: the time alone for today, with the date before that."""
    local = QDateTime.fromSecsSinceEpoch(round(at.timestamp()))
    short = QLocale.FormatType.ShortFormat
    if local.date() == QDateTime.currentDateTime().date():
        return QLocale().toString(local.time(), short)
    return QLocale().toString(local, short)


class HistoryModel(QAbstractListModel):
    """The gestures, newest first, and under them the demo before its first edit."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timeline = Timeline()
        self._shown: list[int] = []  # places in the timeline, oldest first
        self._words = ""
        self._since: datetime | None = None

    # What is shown --------------------------------------------------------------------------------------------

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

    def is_here(self, place: int) -> bool:
        """Whether the demo is now as it was right after this row."""
        here = self._timeline.here
        return here == (self._shown[-1 - place] if place < len(self._shown) else -1)

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

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Qt's hook: the gestures and the beginning."""
        return 0 if parent is not None and parent.isValid() else len(self._shown) + 1

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one facet of a gesture."""
        if not index.isValid() or index.row() > len(self._shown):
            return None
        row, here = self.row_at(index.row()), self.is_here(index.row())
        label = _START if row is None else row.label
        facets: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: label,
            HereRole: here,
            StateRole: "done" if row is None else row.state,
        }
        if role in facets:
            return facets[role]
        caption = "" if row is None else _caption(row)
        if role == DetailsRole:
            return (caption,)
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            state = tr("this is now") if here else "" if row is None else _STATES[row.state]
            return "\n".join(part for part in (label, caption, state) if part)
        return None


def _caption(row: HistoryRow) -> str:
    who = tr("you") if row.by_person and not row.who else row.who
    when = when_words(row.at)
    words = tr("{when} · {who}") if row.edits == 1 else tr("{when} · {who} · {count} edits")
    return words.format(when=when, who=who, count=row.edits)


class ChangesModel(QAbstractListModel):
    """What changed since a moment, thing by thing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: Sequence[ChangedRecord] = ()
        self._shown: Sequence[ChangedRecord] = ()
        self._words = ""

    def show(self, found: Sequence[ChangedRecord]) -> None:
        """Show these things."""
        self.beginResetModel()
        self._found = found
        self._filter()
        self.endResetModel()

    def narrow(self, words: str) -> None:
        """Show only what holds every word."""
        if words != self._words:
            self.beginResetModel()
            self._words = words
            self._filter()
            self.endResetModel()

    def thing_at(self, place: int) -> ChangedRecord:
        """The thing of a row."""
        return self._shown[place]

    def _filter(self) -> None:
        wanted = self._words.casefold().split()
        self._shown = [one for one in self._found if all(word in _change_words(one).casefold() for word in wanted)]

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Qt's hook: how many things."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one facet of a thing."""
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        one = self._shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one.title
        if role == FateRole:
            return one.fate
        if role == DetailsRole:
            return tuple(line for detail in one.details for line in _lines(detail)) or (_FATES[one.fate],)
        if role == PlaceRole:
            return tr("step {number}").format(number=one.place) if one.place else ""
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            return _change_words(one)
        return None


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
ROW: Final = 2 * SPACE.s + _TITLE_LINE + _DETAIL_LINE
"""Height of a row with one caption."""
_FATE_ICONS: Final = {"added": ("plus", "success"), "removed": ("minus", "danger"), "changed": ("changed", "accent")}


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
        fate, state = index.data(FateRole), index.data(StateRole)
        if fate is not None:
            name, colour = _FATE_ICONS[str(fate)]
            paint_icon(painter, name, mark, str(getattr(palette, colour)))
        elif here:
            paint_icon(painter, "chevron_right", mark, palette.accent)
        elif state != "done":
            paint_icon(painter, "undo", mark, palette.muted)
        left += _MARK + SPACE.s
        line = QRect(left, box.top() + SPACE.s, box.right() - SPACE.m - left, _TITLE_LINE)
        place = str(index.data(PlaceRole) or "")
        if place:
            # At the right; the title gets what is left of the line.
            draw_line(painter, line, place, size=FONT.caption, colour=palette.muted, right=True)
            line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(place) - SPACE.s)
        painter.setPen(QColor(palette.muted if state in {"undone", "left"} else palette.text))
        font = font_of(painter.font(), size=FONT.base, bold=here)
        font.setStrikeOut(state == "left")
        painter.setFont(font)
        title = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)
        for number, detail in enumerate(index.data(DetailsRole) or ()):
            top = box.top() + SPACE.s + _TITLE_LINE + number * _DETAIL_LINE
            line = QRect(left, top, box.right() - SPACE.m - left, _DETAIL_LINE)
            draw_line(painter, line, str(detail), size=FONT.caption, colour=palette.muted)
        painter.restore()


class EditTable(QTableView):
    """Every edit; arrows, Home and End choose, a click shows what it was about, Enter goes there.

    A table of one column: a list would lay out ten thousand rows anew after each edit, asking Python for every one.
    """

    def __init__(self, name: str, model: QAbstractListModel, theme: Theme, *, act: Callable[[int], None]) -> None:
        """Show a model; ``act`` is called with the row on which Enter was pressed."""
        super().__init__()
        self.setModel(model)
        self._act = act
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: in a table Home and End would stay in the row."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.model().rowCount() - 1}
        if event.key() in ends:
            self.setCurrentIndex(self.model().index(ends[Qt.Key(event.key())], 0))
        elif not _is_handled(self, event, self._act):
            super().keyPressEvent(event)


class ChangeList(QListView):
    """What changed, each thing as high as its lines; Enter and a click show it."""

    def __init__(self, name: str, model: QAbstractListModel, theme: Theme, *, act: Callable[[int], None]) -> None:
        """Show a model; ``act`` is called with the row on which Enter was pressed."""
        super().__init__()
        self.setModel(model)
        self._act = act
        _set_up(self, name, theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Enter acts; letters are the editor's."""
        if not _is_handled(self, event, self._act):
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


def _is_handled(view: QAbstractItemView, event: QKeyEvent, act: Callable[[int], None]) -> bool:
    """Whether Enter acted on the row; letters are left to the editor, not used for finding rows by their beginning."""
    enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
    if enter and view.currentIndex().isValid():
        act(view.currentIndex().row())
    letter = not enter and bool(event.text()) and event.text().isprintable()
    if letter:
        event.ignore()
    return enter or letter
