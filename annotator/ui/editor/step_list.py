"""The list of steps: thumbnail, number, words, and a mark for doubt or approval."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from annotator.ui.editor.step_model import DoubtsRole, PointerRole, ReviewRole, StepModel, ThumbnailRole
from annotator.ui.icons import paint_icon
from annotator.ui.painting import draw_lines, font_of, rounded_picture
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, POINTER, SPACE
from annotator.view_state import ViewState

__all__ = ["StepList"]

_ROW = 72
_THUMB = QSize(80, 52)


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        del option, index
        return QSize(160, _ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        palette = self._theme.palette
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(palette.accent_soft))
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), QColor(palette.accent))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, QColor(palette.hover))
        thumb = QRect(box.left() + SPACE.m, box.top() + (box.height() - _THUMB.height()) // 2, 0, 0)
        thumb.setSize(_THUMB)
        picture = index.data(ThumbnailRole)
        whole = rounded_picture(painter, thumb, picture if isinstance(picture, QPixmap) else None, palette)
        self._paint_pointer(painter, thumb, whole, index.data(PointerRole))
        left = thumb.right() + SPACE.m
        mark = QRect(box.right() - SPACE.m - 16, box.top() + 10, 16, 16)
        if index.data(DoubtsRole):
            paint_icon(painter, "warning", mark, palette.warning)
        elif index.data(ReviewRole) == "approved":
            paint_icon(painter, "check", mark, palette.success)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        painter.setPen(QColor(palette.muted))
        painter.drawText(QPointF(left, box.top() + 21), f"{index.row() + 1}")
        painter.setFont(font_of(painter.font(), size=FONT.base))
        painter.setPen(QColor(palette.text))
        words = QRect(left, box.top() + 27, box.right() - SPACE.s - left, box.height() - 30)
        draw_lines(painter, words, str(index.data()), lines=2)
        painter.restore()

    def _paint_pointer(self, painter: QPainter, thumb: QRect, whole: QRectF, pointer: object) -> None:
        if not isinstance(pointer, QPointF):
            return
        x, y = whole.left() + pointer.x() * whole.width(), whole.top() + pointer.y() * whole.height()
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
    """

    approved = Signal()
    opened = Signal()

    def __init__(self, model: StepModel, view: ViewState, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("steps")
        self.setAccessibleName("Steps")
        self._steps = model
        self._view = view
        self.setModel(model)
        self.setItemDelegate(_Delegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.selectionModel().currentChanged.connect(self._chosen)
        self._end = view.step_changed.connect(self._follow)
        self._follow()

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        self._end()
        self._steps.close_view()

    def _follow(self) -> None:
        index = self._steps.index(self._view.index) if self._view.index >= 0 else QModelIndex()
        if index != self.currentIndex():
            self.setCurrentIndex(index)

    def _chosen(self, current: QModelIndex) -> None:
        # While rows come and go Qt moves the current index by its own rule; the view state has its own.
        if current.isValid() and not self._steps.changing:
            self._view.go_to(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Space approves, Enter goes to the picture; letters are no search here."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.approved.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit()
        elif not event.text() or not event.text().isprintable():
            super().keyPressEvent(event)
