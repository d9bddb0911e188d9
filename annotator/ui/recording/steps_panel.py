"""The steps so far, newest at the bottom, in a panel under the bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QStyleOptionViewItem

from annotator.ui.controls import column, label
from annotator.ui.icons import paint_icon
from annotator.ui.recording.floating import Floating
from annotator.ui.recording.recording_words import StepLine
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.words import tr

LineRole = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex
_WIDTH = 360
_ROW, _UNDER = 26, 16
_MAX_HEIGHT = 10 * _ROW
_NOTHING = tr("Nothing has been done yet.")


class StepLines(QAbstractListModel):
    """The lines as Qt reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[StepLine] = []

    def rowCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many."""
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's variant
        """Qt's hook: one of them."""
        if not index.isValid() or index.row() >= len(self.lines):
            return None
        line = self.lines[index.row()]
        if role == LineRole:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return line.words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ". ".join([f"{index.row() + 1} {line.words}", *line.doubts, *([line.note] if line.note else [])])
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join([line.words, *line.doubts])
        return None

    def clear(self) -> None:
        """Begin again."""
        self.beginResetModel()
        self.lines.clear()
        self.endResetModel()

    def add(self, line: StepLine) -> None:
        """One more step."""
        at = len(self.lines)
        self.beginInsertRows(QModelIndex(), at, at)
        self.lines.append(line)
        self.endInsertRows()

    def change(self, line: StepLine) -> None:
        """A saved step is another now."""
        for row, old in enumerate(self.lines):
            if old.id == line.id:
                self.lines[row] = line
                self.dataChanged.emit(self.index(row), self.index(row))

    def remove(self, ids: Sequence[str]) -> None:
        """These are gone for good."""
        for row in reversed([row for row, line in enumerate(self.lines) if line.id in ids]):
            self.beginRemoveRows(QModelIndex(), row, row)
            del self.lines[row]
            self.endRemoveRows()


class _Painter(QStyledItemDelegate):
    """Number, words, the variable's name; a sign of doubt at the edge; the note below."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Qt's hook: a second line where there is a note."""
        del option
        line = index.data(LineRole)
        return QSize(100, _ROW + (_UNDER if line.note else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Qt's hook: paint one line."""
        line, palette = index.data(LineRole), self._theme.palette
        box = QRect(option.rect).adjusted(SPACE.m, 0, -SPACE.m, 0)  # pyright: ignore[reportAttributeAccessIssue]
        first = QRect(box.left(), box.top(), box.width(), _ROW)
        painter.save()
        painter.setPen(QColor(palette.warning if line.doubts else palette.muted))
        painter.drawText(first, Qt.AlignmentFlag.AlignVCenter, str(index.row() + 1))
        room = first.adjusted(28, 0, 0, 0)
        if line.doubts:
            paint_icon(painter, "warning", QRect(room.right() - 15, room.top() + 5, 16, 16), palette.warning)
            room.setRight(room.right() - 20)
        if line.variable:
            room.setRight(room.right() - self._paint_variable(painter, room, f"{{{line.variable}}}"))
        painter.setPen(QColor(palette.text))
        words = painter.fontMetrics().elidedText(line.words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words)
        if line.note:
            self._small(painter)
            under = QRect(room.left(), first.bottom() - 3, box.right() - room.left(), _UNDER)
            paint_icon(painter, "note", QRect(under.left(), under.top() + 2, 12, 12), palette.muted)
            under.setLeft(under.left() + 16)
            painter.setPen(QColor(palette.muted))
            note = painter.fontMetrics().elidedText(line.note, Qt.TextElideMode.ElideRight, under.width())
            painter.drawText(under, Qt.AlignmentFlag.AlignVCenter, note)
        painter.restore()

    def _paint_variable(self, painter: QPainter, room: QRect, text: str) -> int:
        """At the right edge; returns the width it took."""
        width = min(painter.fontMetrics().horizontalAdvance(text), room.width() // 2)
        painter.setPen(QColor(self._theme.palette.accent))
        box = QRect(room.right() + 1 - width, room.top(), width, room.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        return width + SPACE.s

    def _small(self, painter: QPainter) -> None:
        font = QFont(painter.font())
        font.setPixelSize(FONT.caption)
        painter.setFont(font)


class StepsPanel(Floating):
    """Follows the recording; a click on it changes nothing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, name="Steps so far", radius=10)
        self.model = StepLines()
        self._view = QListView()
        self._view.setModel(self.model)
        self._painter = _Painter(theme)
        self._view.setItemDelegate(self._painter)
        self._view.setAccessibleName(tr("Steps so far"))
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self._view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._view.setProperty("role", "plain")
        self._nothing = label(_NOTHING, role="muted")
        self._nothing.setContentsMargins(SPACE.m, 0, SPACE.m, 0)
        column(self._view, self._nothing, of=self, spacing=-1, margins=(1, SPACE.s, 1, SPACE.s))
        self._hangs_above = False
        for changed in (self.model.rowsInserted, self.model.rowsRemoved, self.model.dataChanged, self.model.modelReset):
            changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self._view.setVisible(bool(self.model.lines))
        self._nothing.setVisible(not self.model.lines)
        high = sum(_ROW + (_UNDER if line.note else 0) for line in self.model.lines)
        bottom = self.y() + self.height()
        above = self.isVisible() and self._hangs_above
        self.setFixedSize(_WIDTH, min(max(high, _ROW), _MAX_HEIGHT) + 2 * SPACE.s)
        if above:
            self.move(self.x(), bottom - self.height())
        self._view.scrollToBottom()

    def show_beside(self, anchor: QRect) -> None:
        """See :class:`Floating`; where it hangs above the bar, it grows upwards."""
        super().show_beside(anchor)
        self._hangs_above = self.y() < anchor.top()
        self._view.scrollToBottom()
