"""The tasks as rows of which only those that are seen are read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyle, QStyleOptionViewItem, QTableView

from annotator.task_words import STATE_WORDS, row_facts
from annotator.ui.painting import RowDelegate, draw_line, is_chosen, row_ground
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE, Tone
from annotator.words import tr
from demopack.domain.tasks import TaskState
from tasks.bank import TaskRow

TaskRole: Final = Qt.ItemDataRole.UserRole + 1
PAGE: Final = 200
"""Tasks that are read at once."""
_PAGES_KEPT: Final = 40
_HEIGHT: Final = 50
TONES: Final[Mapping[TaskState, Tone]] = {
    "collected": "muted",
    "filtered_out": "warning",
    "kept": "accent",
    "instantiated": "accent",
    "infeasible": "warning",
    "executed": "accent",
    "stage_failed": "danger",
    "complete": "success",
    "incomplete": "danger",
    "unsure": "warning",
}

_Index = QModelIndex | QPersistentModelIndex


class TaskListModel(QAbstractListModel):
    """As many rows as tasks are meant; those of a page are asked for when one of them is first looked at."""

    def __init__(self, read: Callable[[int], object], parent: QObject | None = None) -> None:
        """Begin with no tasks; ``read`` asks for the page that begins with a row, see :meth:`fill`."""
        super().__init__(parent)
        self._read = read
        self._count = 0
        self._pages: OrderedDict[int, Sequence[TaskRow]] = OrderedDict()
        self._asked: set[int] = set()

    def begin(self, count: int, first: Sequence[TaskRow]) -> None:
        """Show other tasks, of which the first page is known."""
        self.beginResetModel()
        self._count = count
        self._pages = OrderedDict({0: first})
        self._asked = {0}
        self.endResetModel()

    def refresh(self, count: int, first: Sequence[TaskRow]) -> None:
        """Read the same tasks anew; where there are as many as before, the list stays where it is."""
        if count != self._count:
            self.begin(count, first)
            return
        self._pages = OrderedDict({0: first})
        self._asked = {0}
        if count:
            self.dataChanged.emit(self.index(0), self.index(count - 1))

    def fill(self, start: int, rows: Sequence[TaskRow]) -> None:
        """Show a page that was asked for."""
        self._pages[start] = rows
        while len(self._pages) > _PAGES_KEPT:
            self._asked.discard(self._pages.popitem(last=False)[0])
        if rows and start < self._count:
            self.dataChanged.emit(self.index(start), self.index(min(start + len(rows), self._count) - 1))

    def place(self, name: str) -> QModelIndex:
        """Where a task stands that was read; an index that is none for others."""
        found = (start + n for start, rows in self._pages.items() for n, row in enumerate(rows) if row.id == name)
        return self.index(next(found, -1))

    def row(self, number: int) -> TaskRow | None:
        """The task in a row; None while it is read."""
        start = number // PAGE * PAGE
        page = self._pages.get(start)
        if page is None:
            if start not in self._asked:
                self._asked.add(start)
                self._read(start)
            return None
        self._pages.move_to_end(start)
        return page[number - start] if number - start < len(page) else None

    def rowCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many tasks are meant."""
        return 0 if parent is not None and parent.isValid() else self._count

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one facet of a task."""
        if role not in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, TaskRole}:
            return None
        found = self.row(index.row()) if index.isValid() else None
        if found is None or role == TaskRole:
            return found
        words = found.task or tr("No task written")
        if role == Qt.ItemDataRole.DisplayRole:
            return words
        return f"{words}. {STATE_WORDS[found.state]}. {row_facts(found)}"


class TaskList(QTableView):
    """The tasks, one of them current; a table of one column, because Qt asks a list for every row at each change.

    Signals:
        current_changed: id of the current task; empty while it is read, and for none.
        opened: Enter was pressed on a task, or it was double-clicked.
        aside_wanted: Delete was pressed on a task.
    """

    current_changed = Signal(str)
    opened = Signal()
    aside_wanted = Signal()

    def __init__(self, model: TaskListModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_HEIGHT)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        _Delegate(self, tr("Tasks"), theme)
        self.selectionModel().currentChanged.connect(lambda: self.current_changed.emit(self.current))
        model.dataChanged.connect(lambda: self.current_changed.emit(self.current))
        self.doubleClicked.connect(lambda: self.opened.emit())
        theme.changed.connect(self.viewport().update)

    @property
    def current(self) -> str:
        """Id of the current task; empty for none."""
        found = self.currentIndex().data(TaskRole)
        return found.id if isinstance(found, TaskRow) else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Enter opens, Delete sets aside, Home and End go to the first and last task."""
        count = self.model().rowCount()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.aside_wanted.emit()
        elif event.key() in {Qt.Key.Key_Home, Qt.Key.Key_End} and count:
            self.setCurrentIndex(self.model().index(0 if event.key() == Qt.Key.Key_Home else count - 1, 0))
        else:
            super().keyPressEvent(event)


class _Delegate(RowDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = index.data(TaskRole)
        palette, chosen = self._theme.palette, is_chosen(option)
        painter.save()
        box = row_ground(painter, option, palette, edge=palette.accent if chosen else "")
        if chosen and option.state & QStyle.StateFlag.State_HasFocus:  # pyright: ignore[reportAttributeAccessIssue]
            painter.setPen(QColor(palette.accent))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
        if isinstance(row, TaskRow):
            inner = box.adjusted(SPACE.m, 6, -SPACE.m, -6)
            half = inner.height() // 2
            words, (_, colour) = STATE_WORDS[row.state], palette.badge(TONES[row.state])
            badge = draw_line(
                painter, QRect(inner.left(), inner.top(), inner.width(), half), words,
                size=FONT.caption, colour=colour, right=True, bold=True,
            )  # fmt: skip
            room = inner.width() - painter.fontMetrics().horizontalAdvance(badge) - SPACE.s
            title = row.task or tr("No task written")
            top = QRect(inner.left(), inner.top(), room, half)
            draw_line(painter, top, title, size=FONT.base, colour=palette.text if row.task else palette.muted)
            below = QRect(inner.left(), inner.top() + half, inner.width(), half)
            draw_line(painter, below, row_facts(row), size=FONT.caption, colour=palette.muted)
        painter.restore()
