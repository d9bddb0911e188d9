"""The list of elements: a table whose rows are as many as there are, drawn only where they are seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from annotator.finding.rows import COLUMNS, Column, Row
from annotator.ui.editor.finding.table_model import ElementModel
from annotator.ui.icons import paint_icon
from annotator.ui.painting import font_of, type_badge
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HIT, SPACE, Palette
from annotator.words import tr
from demopack.domain.elements import Element, ElementType

__all__ = ["ElementTable"]

_WIDTHS: Final[dict[Column, int]] = {
    "number": 42, "type": 36, "text": 90, "states": 110, "confidence": 40, "review": 28,
}  # fmt: skip
_MARKS: Final = {"approved": ("check", "success"), "doubtful": ("warning", "warning"), "rejected": ("close", "danger")}
_ROOM_FOR_STATES: Final = 420
"""Where the table is narrower, states stand behind the text."""
_QUIET: Final = ("number", "states", "confidence")


class _Delegate(QStyledItemDelegate):
    """Paints a cell from its row, without asking the model for each facet."""

    def __init__(self, model: ElementModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._theme = theme
        self.states_behind_text = False
        self._badges: dict[tuple[ElementType, float], QPixmap] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        del option
        return QSize(_WIDTHS[COLUMNS[index.column()]], HIT.row)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = self._model.at(index.row())
        if row is None:
            return
        palette, column = self._theme.palette, COLUMNS[index.column()]
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(palette.accent_soft))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, QColor(palette.hover))
        if column == "type":
            badge = self._badge(row.element.type, painter.device().devicePixelRatio())
            painter.drawPixmap(box.left() + SPACE.xs, box.center().y() - 7, badge)
        elif column == "review":
            self._paint_mark(painter, box, row, palette)
        else:
            self._paint_words(painter, box, row, column, palette)
        painter.restore()

    def _badge(self, kind: ElementType, ratio: float) -> QPixmap:
        found = self._badges.get((kind, ratio))
        if found is None:
            found = self._badges[kind, ratio] = type_badge(kind, ratio=ratio)
        return found

    def _paint_mark(self, painter: QPainter, box: QRect, row: Row, palette: Palette) -> None:
        mark = _MARKS.get(row.element.review)
        if mark is not None:
            at = QRect(box.center().x() - 7, box.center().y() - 7, 14, 14)
            paint_icon(painter, mark[0], at, str(getattr(palette, mark[1])))

    def _paint_words(self, painter: QPainter, box: QRect, row: Row, column: Column, palette: Palette) -> None:
        words = self._model.words(row, column)
        quiet = column in _QUIET
        if column == "text" and not words:
            words, quiet = self._model.words(row, "type"), True
        painter.setFont(font_of(painter.font(), size=FONT.caption if column in _QUIET else FONT.base))
        painter.setPen(QColor(palette.muted if quiet else palette.text))
        room = box.adjusted(SPACE.xs, 0, -SPACE.xs, 0)
        side = Qt.AlignmentFlag.AlignRight if column in {"number", "confidence"} else Qt.AlignmentFlag.AlignLeft
        shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, shown)
        states = self._model.words(row, "states") if column == "text" and self.states_behind_text else ""
        if states and shown == words:
            self._paint_states(painter, room.adjusted(painter.fontMetrics().horizontalAdvance(words), 0, 0, 0), states)

    def _paint_states(self, painter: QPainter, room: QRect, states: str) -> None:
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        painter.setPen(QColor(self._theme.palette.muted))
        shown = painter.fontMetrics().elidedText(f"  {states}", Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class ElementTable(QTableView):
    """Rows can be selected together; keys say what is thought of them.

    Signals:
        review_wanted: a ``Review``, for the selected rows.
        left: to the picture.
        chosen: the user selected other rows.
    """

    review_wanted = Signal(str)
    left = Signal()
    chosen = Signal()

    def __init__(self, model: ElementModel, theme: Theme) -> None:
        super().__init__()
        self._elements = model
        self._following = False
        self.setAccessibleName(tr("Elements"))
        self.setModel(model)
        self._delegate = _Delegate(model, theme, self)
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self._make_heads()
        self.selectionModel().selectionChanged.connect(self._on_chosen)

    def _make_heads(self) -> None:
        rows, heads = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(HIT.row)
        rows.setDefaultSectionSize(HIT.row)
        heads.setHighlightSections(False)
        # No heading shows what is selected; to find out, with the table's own model, costs more than all the painting.
        heads.setSelectionModel(QItemSelectionModel(self._elements, heads))
        heads.setMinimumSectionSize(24)
        heads.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        heads.setSortIndicatorShown(True)
        heads.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        for place, column in enumerate(COLUMNS):
            stretch = column == "text"
            heads.setSectionResizeMode(
                place, QHeaderView.ResizeMode.Stretch if stretch else QHeaderView.ResizeMode.Interactive
            )
            heads.resizeSection(place, _WIDTHS[column])
        self.setSortingEnabled(True)

    # Selection ------------------------------------------------------------------------------------------------

    @property
    def selected(self) -> list[Element]:
        """The selected elements from the top."""
        found = self._elements.rows
        return [found.element(row) for row in self._selected_numbers() if row < len(found)]

    @property
    def current(self) -> Element | None:
        """The element with the cursor."""
        row = self._elements.at(self.currentIndex().row())
        return None if row is None else row.element

    def _selected_numbers(self) -> list[int]:
        """Whole ranges are asked for: thousands of single rows would take a while."""
        chosen = self.selectionModel().selection()
        numbers = {n for i in range(chosen.size()) for n in range(chosen.at(i).top(), chosen.at(i).bottom() + 1)}
        return sorted(numbers)

    def select_elements(self, elements: Sequence[Element], *, scroll: bool = True) -> None:
        """Follow a selection that was made elsewhere."""
        found = self._elements.rows
        places = [row for element in elements if (row := found.row_of(element)) >= 0]
        self._following = True
        try:
            chosen = QItemSelection()
            for first, last in _runs(sorted(places)):
                chosen.select(self._elements.index(first, 0), self._elements.index(last, len(COLUMNS) - 1))
            current = self._elements.index(places[-1], 0) if places else QModelIndex()
            self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.selectionModel().setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
            if scroll and current.isValid():
                self.scrollTo(current)
        finally:
            self._following = False

    def _on_chosen(self) -> None:
        if not self._following:
            self.chosen.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: a narrow table has no column of its own for states."""
        narrow = event.size().width() < _ROOM_FOR_STATES
        if narrow != self._delegate.states_behind_text:
            self._delegate.states_behind_text = narrow
            self.setColumnHidden(COLUMNS.index("states"), narrow)
        super().resizeEvent(event)

    # Keys -----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Space approves, with Shift doubts, with Ctrl takes back; Delete rejects; Enter: to the picture."""
        key, held = event.key(), event.modifiers()
        if key == Qt.Key.Key_Space:
            shift, control = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
            self.review_wanted.emit("doubtful" if held & shift else "unreviewed" if held & control else "approved")
        elif key in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.review_wanted.emit("rejected")
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}:
            self.left.emit()
        elif event.text() and event.text().isprintable():
            event.ignore()
        else:
            super().keyPressEvent(event)


def _runs(rows: list[int]) -> list[tuple[int, int]]:
    """Rows that stand under each other, as first and last."""
    found: list[tuple[int, int]] = []
    for row in rows:
        if found and row == found[-1][1] + 1:
            found[-1] = (found[-1][0], row)
        else:
            found.append((row, row))
    return found
