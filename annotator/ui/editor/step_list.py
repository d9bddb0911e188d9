"""The list of steps: the model that listens to the document, how a row looks, and the list with its menu."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QContextMenuEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyleOptionViewItem, QWidget

from annotator.document import Document
from annotator.step_words import doubts_of, words_of
from annotator.ui.icons import paint_icon
from annotator.ui.painting import RowDelegate, draw_lines, font_of, is_chosen, rounded_picture, row_ground
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, POINTER, SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.elements import Review
from demopack.domain.steps import Step

_Index = QModelIndex | QPersistentModelIndex
ThumbnailRole = Qt.ItemDataRole.UserRole + 1
DoubtsRole = Qt.ItemDataRole.UserRole + 2
_STEP = Qt.ItemDataRole.UserRole + 3

THUMBNAIL = QSize(96, 64)


_STATES: dict[Review, str] = {
    "approved": tr("approved"),
    "rejected": tr("rejected"),
    "doubtful": tr("doubtful"),
    "unreviewed": tr("not approved"),
}


class StepModel(QAbstractListModel):
    """One row a step.

    Attributes:
        changing: rows are being inserted or removed just now.
    """

    def __init__(self, document: Document, pictures: ScreenshotCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ratio = 1.0 if parent is None else parent.devicePixelRatioF()
        self._document = document
        self._pictures = pictures
        self.changing = False
        self._facets = self._facet_table()
        document.step_inserting.connect(lambda index: self._begin(self.beginInsertRows, index))
        document.step_inserted.connect(lambda _: self._end(self.endInsertRows))
        document.step_removing.connect(lambda index: self._begin(self.beginRemoveRows, index))
        document.step_removed.connect(lambda _: self._end(self.endRemoveRows))
        document.step_changed.connect(self._tell)
        document.elements_changed.connect(self._elements_changed)
        pictures.thumbnail_ready.connect(self._thumbnail_ready)

    def rowCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many steps."""
        return 0 if parent is not None and parent.isValid() else len(self._document.steps)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one facet of a step."""
        steps = self._document.steps
        if not index.isValid() or index.row() >= len(steps):
            return None
        facet = self._facets.get(role)
        return None if facet is None else facet(steps[index.row()], index.row())

    def _facet_table(self) -> dict[int, Callable[[Step, int], object]]:
        document = self._document
        return {
            Qt.ItemDataRole.DisplayRole: lambda step, _: words_of(document, step),
            ThumbnailRole: lambda step, _: self._thumbnail(step),
            _STEP: lambda step, _: step,
            DoubtsRole: lambda step, _: doubts_of(document, step),
            Qt.ItemDataRole.ToolTipRole: lambda step, _: "\n".join(
                part for part in (words_of(document, step), _remark(step), *doubts_of(document, step)) if part
            ),
            Qt.ItemDataRole.AccessibleTextRole: self._row_words,
        }

    def _row_words(self, step: Step, row: int) -> str:
        words = tr("Step {value}: {words_of}, {value2}").format(
            value=row + 1, words_of=words_of(self._document, step), value2=_STATES[step.review]
        )
        return " ".join([words + ".", *doubts_of(self._document, step)])

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Qt's hook: a row can be dragged; it is dropped between rows, never on one."""
        known = super().flags(index)
        return known | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        """Qt's hook: steps are moved."""
        return Qt.DropAction.MoveAction

    def _thumbnail(self, step: Step) -> object:
        frame = step.before or step.after
        return None if frame is None else self._pictures.thumbnail(frame.id, THUMBNAIL * self._ratio)

    def _tell(self, row: int, *roles: int) -> None:
        self.dataChanged.emit(self.index(row), self.index(row), list(roles))

    def _elements_changed(self, frame_id: str) -> None:
        """A target may be called otherwise now, and a doubt may have gone."""
        for row, step in enumerate(self._document.steps):
            if step.before is not None and step.before.id == frame_id:
                self._tell(row, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, DoubtsRole)

    def _thumbnail_ready(self, frame_id: str) -> None:
        for row, step in enumerate(self._document.steps):
            frame = step.before or step.after
            if frame is not None and frame.id == frame_id:
                self._tell(row, ThumbnailRole)

    def _begin(self, begin: Callable[[QModelIndex, int, int], None], index: int) -> None:
        self.changing = True
        begin(QModelIndex(), index, index)

    def _end(self, end: Callable[[], None]) -> None:
        end()
        self.changing = False


def _remark(step: Step) -> str:
    return " · ".join(part for part in (f"{{{step.variable}}}" if step.variable else "", step.note) if part)


_ROW = 72
_THUMB = QSize(80, 52)


class _StepDelegate(RowDelegate):
    """Paints one step: doubt is a coloured edge, the current step has the accent."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        del option, index
        return QSize(160, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        palette = self._theme.palette
        step: Step = index.data(_STEP)
        painter.save()
        doubtful = bool(index.data(DoubtsRole))
        edge = palette.warning if doubtful else palette.accent if is_chosen(option) else ""
        box = row_ground(painter, option, palette, edge=edge)
        thumb = QRect(box.left() + SPACE.m, box.top() + (box.height() - _THUMB.height()) // 2, 0, 0)
        thumb.setSize(_THUMB)
        picture = index.data(ThumbnailRole)
        whole = rounded_picture(painter, thumb, picture if isinstance(picture, QPixmap) else None, palette)
        if step.pointer is not None and step.before is not None:
            x = whole.left() + step.pointer.x / step.before.width * whole.width()
            y = whole.top() + step.pointer.y / step.before.height * whole.height()
            _paint_pointer(painter, thumb, x, y)
        left = thumb.right() + SPACE.m
        mark = QRect(box.right() - SPACE.m - 16, box.top() + 10, 16, 16)
        if doubtful:
            paint_icon(painter, "warning", mark, palette.warning)
        elif step.review == "approved":
            paint_icon(painter, "check", mark, palette.success)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        painter.setPen(QColor(palette.muted))
        number = f"{index.row() + 1}  {_remark(step)}".rstrip()
        number = painter.fontMetrics().elidedText(number, Qt.TextElideMode.ElideRight, mark.left() - SPACE.s - left)
        painter.drawText(QPointF(left, box.top() + 21), number)
        painter.setFont(font_of(painter.font(), size=FONT.base))
        painter.setPen(QColor(palette.text))
        words = QRect(left, box.top() + 27, box.right() - SPACE.s - left, box.height() - 30)
        draw_lines(painter, words, str(index.data()), lines=2)
        painter.restore()


def _paint_pointer(painter: QPainter, thumb: QRect, x: float, y: float) -> None:
    at = QPointF(min(max(x, thumb.left() + 4), thumb.right() - 3), min(max(y, thumb.top() + 4), thumb.bottom() - 3))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(HALO), 1.5))
    painter.setBrush(QColor(POINTER))
    painter.drawEllipse(at, 3.5, 3.5)
    painter.restore()


class StepList(QListView):
    """Follows the current step of the view state, and sets it.

    Signals:
        approved: Space was pressed.
        opened: Enter was pressed: on to the picture.
        move_wanted: ids of steps, and the place before which they were dropped.
        menu_wanted: where on the screen the menu is to open.
    """

    approved = Signal()
    opened = Signal()
    move_wanted = Signal(tuple, int)
    menu_wanted = Signal(QPoint)

    def __init__(self, model: StepModel, view: ViewState, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, uniformItemSizes=True)
        self.setObjectName("steps")
        self._steps = model
        self._view = view
        self._choosing = False
        self.setModel(model)
        _StepDelegate(self, tr("Steps"), theme)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setDropIndicatorShown(True)
        self.selectionModel().currentChanged.connect(self._chosen)
        view.step_changed.connect(self._follow)
        self._follow()

    @property
    def selected_ids(self) -> tuple[str, ...]:
        """Ids of the selected steps in the demo's order; the current one alone where none is."""
        steps = self._view.document.steps
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        ids = tuple(steps[row].id for row in rows if row < len(steps))
        current = self._view.step
        return ids or (() if current is None else (current.id,))

    def select_ids(self, step_ids: Collection[str]) -> None:
        """Select these steps, after they were moved; the current one stays."""
        chosen = QItemSelection()
        for row, step in enumerate(self._view.document.steps):
            if step.id in step_ids:
                index = self._steps.index(row)
                chosen.select(index, index)
        self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _follow(self) -> None:
        if self._choosing:
            return
        index = self._steps.index(self._view.index) if self._view.index >= 0 else QModelIndex()
        if index != self.currentIndex() or not self.selectionModel().isSelected(index):
            # Said in full: by itself Qt would look at the keys that are held, and take Ctrl+Z for "one more".
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)

    def _chosen(self, current: QModelIndex) -> None:
        # While rows come and go Qt moves the current index by its own rule; the view state has its own.
        if current.isValid() and not self._steps.changing:
            self._choosing = True
            self._view.go_to(current.row())
            self._choosing = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Space approves, Enter goes to the picture; letters are no search here."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.approved.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit()
        elif not event.text() or not event.text().isprintable():
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Qt's hook: the menu of the selected steps."""
        at = event.globalPos()
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            at = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
        self.menu_wanted.emit(at)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Qt's hook: only our own rows can be dropped here."""
        super().dragMoveEvent(event)
        if event.source() is not self:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Qt's hook: the steps go where the line is; the document moves them, not the list."""
        if event.source() is not self:
            event.ignore()
            return
        self.drop_at(event.position().toPoint())
        # The target has moved the rows itself: Qt must not remove them once more.
        event.setDropAction(Qt.DropAction.TargetMoveAction)
        event.accept()

    def drop_at(self, at: QPoint) -> None:
        """Move the selected steps before the row whose upper half, or behind the one whose lower half is there."""
        index = self.indexAt(at)
        row = self._steps.rowCount()
        if index.isValid():
            row = index.row() + (at.y() > self.visualRect(index).center().y())
        self.setState(QAbstractItemView.State.NoState)
        self.move_wanted.emit(self.selected_ids, row)
