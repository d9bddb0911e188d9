"""The list of elements: a model and a table whose rows are as many as there are, drawn only where they are seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem, QTableView

from annotator.finding.element_search import COLUMNS, Column, DocumentFinder, sorted_by, states_in_words
from annotator.step_words import name_element, type_word
from annotator.ui.icons import paint_icon
from annotator.ui.painting import RowDelegate, draw_line, row_ground, type_badge
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HIT, SPACE, Palette
from annotator.words import tr
from demopack.domain.elements import Element

_COLUMNS: Final[dict[Column, tuple[str, str, int]]] = {
    "number": ("#", tr("Sort by reading order"), 42),
    "type": (tr("Type"), tr("Sort by type"), 36),
    "text": (tr("Text"), tr("Sort by text"), 90),
    "states": (tr("States"), tr("Sort by states"), 110),
    "confidence": (tr("Sure"), tr("Sort by how sure the finder is"), 40),
    "review": ("", tr("Sort by review"), 28),
}
"""Heading, its tool tip, and width in pixels."""
REVIEW_WORDS: Final = {
    "unreviewed": tr("to do"),
    "doubtful": tr("doubtful"),
    "approved": tr("approved"),
    "rejected": tr("rejected"),
}
_Index = QModelIndex | QPersistentModelIndex


class ElementModel(QAbstractTableModel):
    """One row an element; owns the order, not the elements.

    Attributes:
        rows: what is listed, in the order shown.
        order: by which column the rows stand, and whether the other way round.
    """

    def __init__(self, finder: DocumentFinder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._finder = finder
        self._found: Sequence[Element] = ()
        self.rows: Sequence[Element] = ()
        self._row_by_uid: dict[str, int] = {}
        self.order: tuple[Column, bool] = ("number", False)
        self._of_demo = False

    def at(self, row: int) -> Element | None:
        """One row; None where there is none."""
        return self.rows[row] if 0 <= row < len(self.rows) else None

    def row_of(self, element: Element) -> int:
        """The row of an element; -1 when it is not there."""
        return self._row_by_uid.get(element.uid, -1)

    def show_rows(self, found: Sequence[Element], *, of_demo: bool) -> bool:
        """List other elements; True when the rows are others than before, and not merely changed in their place."""
        ordered = sorted_by(found, self.order[0], descending=self.order[1])
        if of_demo == self._of_demo and [element.uid for element in ordered] == list(self._row_by_uid):
            self._found, self.rows = found, ordered
            if ordered:
                self.dataChanged.emit(self.index(0, 0), self.index(len(ordered) - 1, len(COLUMNS) - 1))
            return False
        self._of_demo = of_demo
        self._reset(found, ordered)
        return True

    def _reset(self, found: Sequence[Element], ordered: Sequence[Element]) -> None:
        self.beginResetModel()
        self._found, self.rows = found, ordered
        self._row_by_uid = {element.uid: row for row, element in enumerate(ordered)}
        self.endResetModel()

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many elements."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Qt's hook: how many facets."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Qt's hook: another order."""
        wanted = (COLUMNS[column], order == Qt.SortOrder.DescendingOrder)
        if wanted != self.order:
            self.order = wanted
            self._reset(self._found, sorted_by(self._found, wanted[0], descending=wanted[1]))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: what a column shows."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        heading, tip, _ = _COLUMNS[COLUMNS[section]]
        return {Qt.ItemDataRole.DisplayRole: heading, Qt.ItemDataRole.ToolTipRole: tip}.get(Qt.ItemDataRole(role))

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one cell in words."""
        element = self.at(index.row()) if index.isValid() else None
        if element is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(element, COLUMNS[index.column()])
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._row_words(element)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._row_words(element)}, {REVIEW_WORDS[element.review]}"
        return None

    def words(self, element: Element, column: Column) -> str:
        """What stands in a cell."""
        if column == "number":
            number = str(self._finder.number_of(element) or "-")
            step = self._step_of(element)
            return f"{step}.{number}" if step else number
        if column == "type":
            return type_word(element.type)
        if column == "text":
            return " ".join((element.text or element.subtype or "").split())
        if column == "states":
            return states_in_words(element)
        if column == "confidence":
            return "" if element.confidence is None else f"{element.confidence:.2f}"
        return REVIEW_WORDS[element.review]

    def _step_of(self, element: Element) -> int:
        """The step to name, from 1; 0 for none, also where only one picture is listed."""
        return self._finder.step_of(element) if self._of_demo else 0

    def _row_words(self, element: Element) -> str:
        step, states = self._step_of(element), states_in_words(element)
        where = tr("Step {step}: ").format(step=step) if step else ""
        name = f"{where}{name_element(element)}"
        return f"{name}, {states}" if states else name


_MARKS: Final = {"approved": ("check", "success"), "doubtful": ("warning", "warning"), "rejected": ("close", "danger")}
_MIN_STATES_WIDTH_PX: Final = 420
"""Where the table is narrower, states stand behind the text."""
_MUTED_COLUMNS: Final = ("number", "states", "confidence")


_type_badge = cache(type_badge)


class _Delegate(RowDelegate):
    """Paints a cell from its row, without asking the model for each facet."""

    def __init__(self, view: QTableView, theme: Theme, model: ElementModel) -> None:
        super().__init__(view, tr("Elements"), theme)
        self._model = model
        self.states_behind_text = False

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        del option
        return QSize(_COLUMNS[COLUMNS[index.column()]][2], HIT.row)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        element = self._model.at(index.row())
        if element is None:
            return
        palette, column = self._theme.palette, COLUMNS[index.column()]
        painter.save()
        box = row_ground(painter, option, palette)
        if column == "type":
            badge = _type_badge(element.type, ratio=painter.device().devicePixelRatio())
            painter.drawPixmap(box.left() + SPACE.xs, box.center().y() - 7, badge)
        elif column == "review":
            if element.review in _MARKS:
                name, colour = _MARKS[element.review]
                at = QRect(box.center().x() - 7, box.center().y() - 7, 14, 14)
                paint_icon(painter, name, at, str(getattr(palette, colour)))
        else:
            self._paint_words(painter, box, element, column, palette)
        painter.restore()

    def _paint_words(self, painter: QPainter, box: QRect, element: Element, column: Column, palette: Palette) -> None:
        words = self._model.words(element, column)
        quiet = column in _MUTED_COLUMNS
        if column == "text" and not words:
            words, quiet = self._model.words(element, "type"), True
        room = box.adjusted(SPACE.xs, 0, -SPACE.xs, 0)
        size, colour = FONT.caption if column in _MUTED_COLUMNS else FONT.base, palette.muted if quiet else palette.text
        right = column in {"number", "confidence"}
        shown = draw_line(painter, room, words, size=size, colour=colour, right=right)
        states = self._model.words(element, "states") if column == "text" and self.states_behind_text else ""
        if states and shown == words:
            room = room.adjusted(painter.fontMetrics().horizontalAdvance(words), 0, 0, 0)
            draw_line(painter, room, f"  {states}", size=FONT.caption, colour=palette.muted)


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
        super().__init__(showGrid=False, wordWrap=False)
        self._elements = model
        self._following = False
        self.setModel(model)
        self._delegate = _Delegate(self, theme, model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
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
            heading, _, width = _COLUMNS[column]
            words = heads.fontMetrics().horizontalAdvance(heading) + 2 * SPACE.s
            heads.resizeSection(place, max(width, 0 if stretch else words))
        self.setSortingEnabled(True)

    # Selection ------------------------------------------------------------------------------------------------

    @property
    def selected(self) -> list[Element]:
        """The selected elements from the top."""
        # Whole ranges are asked for: thousands of single rows would take a while.
        chosen = self.selectionModel().selection()
        rows = {row for i in range(chosen.size()) for row in range(chosen.at(i).top(), chosen.at(i).bottom() + 1)}
        return [element for row in sorted(rows) if (element := self._elements.at(row)) is not None]

    @property
    def current(self) -> Element | None:
        """The element with the cursor."""
        return self._elements.at(self.currentIndex().row())

    def select_elements(self, elements: Sequence[Element], *, scroll: bool = True) -> None:
        """Follow a selection that was made elsewhere."""
        places = [row for element in elements if (row := self._elements.row_of(element)) >= 0]
        self._following = True
        try:
            chosen = QItemSelection()
            # Rows under each other at once: they differ from their number in the list by as much.
            for _, found in groupby(enumerate(sorted(places)), lambda numbered: numbered[1] - numbered[0]):
                run = [row for _, row in found]
                chosen.select(self._elements.index(run[0], 0), self._elements.index(run[-1], len(COLUMNS) - 1))
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
        narrow = event.size().width() < _MIN_STATES_WIDTH_PX
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
