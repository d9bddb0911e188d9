"""The list of steps: chosen one by one or several together, dragged to another place, with a menu."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QDragMoveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from annotator.ui.editor.step_delegate import StepDelegate
from annotator.ui.editor.step_model import StepModel
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from annotator.words import tr

__all__ = ["StepList"]


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
        super().__init__(parent)
        self.setObjectName("steps")
        self.setAccessibleName(tr("Steps"))
        self._steps = model
        self._view = view
        self._choosing = False
        self.setModel(model)
        self.setItemDelegate(StepDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setDropIndicatorShown(True)
        self.selectionModel().currentChanged.connect(self._chosen)
        self._end = view.step_changed.connect(self._follow)
        self._follow()

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        self._end()
        self._steps.close_view()

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
