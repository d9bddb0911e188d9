"""Lists, trees and tables: their rows, cells and headers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListView,
    QStyle,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
)

from demopack.domain.elements import ElementType, State
from models.training.screens.qt.drawing.probe.mark import Mark, Place

__all__ = ["SUBTYPE_ROLE", "header", "list_view", "model_of", "table_view", "tree_view"]

SUBTYPE_ROLE = int(Qt.ItemDataRole.UserRole) + 71
"""Under which an item keeps what its icon stands for."""
_CHECK = Qt.ItemDataRole.CheckStateRole
_ICONS = QListView.ViewMode.IconMode


def model_of(view: QAbstractItemView) -> QAbstractItemModel | None:
    """What a view shows; None when it has nothing to show."""
    return cast("QAbstractItemModel | None", view.model())


def _option(view: QAbstractItemView, index: QModelIndex, rect: QRect) -> QStyleOptionViewItem:
    option = QStyleOptionViewItem()
    view.initViewItemOption(option)
    option.rect = rect
    delegate = view.itemDelegateForIndex(index)
    fill = getattr(delegate, "initStyleOption", None)
    if fill is not None:
        fill(option, index)
    return option


def _selected(view: QAbstractItemView, index: QModelIndex) -> bool:
    return view.selectionModel().isSelected(index)


def _row_states(view: QAbstractItemView, index: QModelIndex) -> dict[State, bool]:
    states: dict[State, bool] = {
        "highlighted": _selected(view, index),
        "disabled": not (view.isEnabled() and bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)),
    }
    if index.data(_CHECK) is not None:
        states["checked"] = _is_checked(index)
    return states


def _is_checked(index: QModelIndex) -> bool:
    return Qt.CheckState(index.data(_CHECK)) == Qt.CheckState.Checked


def list_view(view: QListView, place: Place) -> Iterator[Mark]:
    """Rows over the whole width; in a grid of icons what is drawn of each entry."""
    model = model_of(view)
    inner = place.of(view.viewport())
    if model is None:
        return
    for number in range(model.rowCount(view.rootIndex())):
        index = model.index(number, view.modelColumn(), view.rootIndex())
        rect = view.visualRect(index)
        if view.isRowHidden(number) or not rect.intersects(view.viewport().rect()):
            continue
        if index.data(Qt.ItemDataRole.AccessibleDescriptionRole) == "separator":
            continue
        option = _option(view, index, rect)
        words = _shown(view, option) if index.data() else None
        states = _row_states(view, index)
        if view.viewMode() == _ICONS:
            yield _grid_entry(view, inner, option, words, states)
            continue
        rows_over_all = view.flow() == QListView.Flow.TopToBottom and not view.isWrapping()
        rough = QRect(0, rect.y(), view.viewport().width(), rect.height()) if rows_over_all else rect
        kind: ElementType = "menu_item" if _opened_list(view) else "list_item"
        where = inner.rect(_text_rect(view, option)[0])
        yield Mark(type=kind, rough=inner.rect(rough), clip=inner.clip, text=words, words=where, states=states)
        yield from _check_mark(view, inner, index, option, words)


def _opened_list(view: QListView) -> bool:
    """Whether this is the list of a drop-down or of completions."""
    window = view.window()
    return window is view or window.metaObject().className() == "QComboBoxPrivateContainer"


def _grid_entry(
    view: QListView, inner: Place, option: QStyleOptionViewItem, words: str | None, states: dict[State, bool]
) -> Mark:
    picture = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemDecoration, option, view)
    text = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, view)
    rough = picture.united(text) if not picture.isEmpty() else text
    if states["highlighted"]:
        # The ground of the selection may be wider than the words.
        rough = option_rect(option)
    return Mark(type="list_item", rough=inner.rect(rough), clip=inner.clip, way="ink", text=words, states=states)


def _check_mark(
    view: QAbstractItemView, inner: Place, index: QModelIndex, option: QStyleOptionViewItem, words: str | None
) -> Iterator[Mark]:
    if index.data(_CHECK) is None:
        return
    rect = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, view)
    states: dict[State, bool] = {"checked": _is_checked(index), "disabled": not option_enabled(option)}
    yield Mark(type="checkbox", rough=inner.rect(rect), clip=inner.clip, way="frame", text=words, states=states)


def option_rect(option: QStyleOptionViewItem) -> QRect:
    """The whole cell of an item."""
    return QRect(option.rect)


def option_enabled(option: QStyleOptionViewItem) -> bool:
    """Whether an item is drawn as one that can be used."""
    return bool(option.state & QStyle.StateFlag.State_Enabled)


def _text_rect(view: QAbstractItemView, option: QStyleOptionViewItem) -> tuple[QRect, str]:
    """Where the line is drawn, of the viewport, and what of it fits in."""
    style = view.style()
    area = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, view)
    margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, view) + 1
    area.adjust(margin, 0, -margin, 0)
    metrics = QFontMetrics(option.font)
    text = metrics.elidedText(option.text.replace("\n", " "), option.textElideMode, area.width())
    line = QStyle.alignedRect(
        option.direction, option.displayAlignment, QSize(metrics.horizontalAdvance(text), metrics.height()), area
    )
    return line, text


def _shown(view: QAbstractItemView, option: QStyleOptionViewItem) -> str | None:
    if option.features & QStyleOptionViewItem.ViewItemFeature.WrapText:
        return " ".join(option.text.split()) or None
    return " ".join(_text_rect(view, option)[1].split()) or None


def _cell(view: QAbstractItemView, inner: Place, index: QModelIndex, rect: QRect) -> Iterator[Mark]:
    """What stands in a cell: a box to tick, an icon, a line."""
    option = _option(view, index, rect)
    cell = inner.inner(rect)
    highlighted = _selected(view, index)
    if index.data():
        line, text = _text_rect(view, option)
        rough = QRectF(line.adjusted(-1, -1, 1, 1)).intersected(QRectF(rect))
        baseline = line.y() + QFontMetrics(option.font).ascent()
        yield from cell.text(
            rough,
            text,
            option.font,
            type="tabled_text",
            states={"highlighted": highlighted},
            pen=line.x(),
            baseline=baseline,
        )
    yield from _check_mark(view, cell, index, option, None)
    if isinstance(index.data(Qt.ItemDataRole.DecorationRole), QIcon):
        picture = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemDecoration, option, view)
        subtype = index.data(SUBTYPE_ROLE)
        yield Mark(
            type="icon",
            rough=inner.rect(picture.adjusted(-1, -1, 1, 1)),
            clip=cell.clip,
            way="ink",
            subtype=str(subtype) if subtype else None,
            states={"disabled": not option_enabled(option)},
        )


def table_view(view: QTableView, place: Place) -> Iterator[Mark]:
    """The cells that are in view."""
    model = model_of(view)
    inner = place.of(view.viewport())
    if model is None:
        return
    seen = view.viewport().rect()
    rows = _in_view(view.verticalHeader(), model.rowCount(), seen.height())
    columns = _in_view(view.horizontalHeader(), model.columnCount(), seen.width())
    for row in rows:
        for column in columns:
            index = model.index(row, column)
            rect = view.visualRect(index)
            if rect.intersects(seen) and view.indexWidget(index) is None:
                yield from _cell(view, inner, index, rect)


def _in_view(header_view: QHeaderView, count: int, length: int) -> list[int]:
    sections = range(count)
    return [
        i
        for i in sections
        if not header_view.isSectionHidden(i)
        and header_view.sectionViewportPosition(i) < length
        and header_view.sectionViewportPosition(i) + header_view.sectionSize(i) > 0
    ]


def tree_view(view: QTreeView, place: Place) -> Iterator[Mark]:
    """The rows that are in view; with several columns their cells are elements, too."""
    model = model_of(view)
    if model is None:
        return
    inner = place.of(view.viewport())
    seen = view.viewport().rect()
    columns = [i for i in range(model.columnCount()) if not view.isColumnHidden(i)]
    index = view.indexAt(seen.topLeft())
    while index.isValid():
        index = index.siblingAtColumn(columns[0])
        rect = view.visualRect(index)
        if rect.y() > seen.bottom():
            break
        yield from _tree_row(view, inner, index, rect, columns)
        index = view.indexBelow(index)


def _tree_row(view: QTreeView, inner: Place, index: QModelIndex, rect: QRect, columns: list[int]) -> Iterator[Mark]:
    states = _row_states(view, index)
    branch = view.model().hasChildren(index)
    if branch:
        states["expanded"] = view.isExpanded(index)
    option = _option(view, index, rect)
    words = _shown(view, option) if len(columns) == 1 else None
    width = view.viewport().width()
    row = inner.rect(QRect(0, rect.y(), width, rect.height()))
    where = inner.rect(_text_rect(view, option)[0])
    yield Mark(type="tree_item", rough=row, clip=inner.clip, text=words, words=where, states=states)
    if len(columns) == 1:
        yield from _check_mark(view, inner, index, option, words)
        return
    if branch and (view.rootIsDecorated() or index.parent().isValid()):
        yield _branch(view, inner, index, rect)
    for column in columns:
        cell = index.siblingAtColumn(column)
        if view.indexWidget(cell) is None:
            yield from _cell(view, inner, cell, view.visualRect(cell))


def _branch(view: QTreeView, inner: Place, index: QModelIndex, rect: QRect) -> Mark:
    indent = view.indentation()
    arrow = QRect(rect.x() - indent, rect.y(), indent, rect.height())
    return Mark(
        type="icon",
        rough=inner.rect(arrow.adjusted(0, 1, 0, -1)),
        clip=inner.clip,
        way="ink",
        subtype="collapse" if view.isExpanded(index) else "expand",
        states={"disabled": not view.isEnabled()},
    )


def header(view: QHeaderView, place: Place) -> Iterator[Mark]:
    """The sections of a header: a line each, and the arrow of the order."""
    model = model_of(view)
    inner = place.of(view.viewport())
    if model is None:
        return
    across = view.orientation() == Qt.Orientation.Horizontal
    length = view.viewport().width() if across else view.viewport().height()
    for section in _in_view(view, view.count(), length):
        text = model.headerData(section, view.orientation(), Qt.ItemDataRole.DisplayRole)
        at, size = view.sectionViewportPosition(section), view.sectionSize(section)
        rect = QRect(at, 0, size, view.viewport().height()) if across else QRect(0, at, view.viewport().width(), size)
        if text is not None:
            yield from _section(view, inner, rect, section, str(text))


def _section(view: QHeaderView, inner: Place, rect: QRect, section: int, text: str) -> Iterator[Mark]:
    option = QStyleOptionHeader()
    option.initFrom(view)
    option.rect = rect
    option.orientation = view.orientation()
    option.text = text
    option.section = section
    sorted_here = view.isSortIndicatorShown() and view.sortIndicatorSection() == section
    if sorted_here:
        down = view.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        kind = QStyleOptionHeader.SortIndicator
        option.sortIndicator = kind.SortDown if down else kind.SortUp
        arrow = view.style().subElementRect(QStyle.SubElement.SE_HeaderArrow, option, view)
        yield Mark(type="icon", rough=inner.rect(arrow), clip=inner.inner(rect).clip, way="ink", subtype="sort")
    area = view.style().subElementRect(QStyle.SubElement.SE_HeaderLabel, option, view)
    font = _section_font(view)
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, view.textElideMode(), area.width() - 2)
    line = QStyle.alignedRect(
        view.layoutDirection(),
        view.defaultAlignment(),
        QSize(metrics.horizontalAdvance(shown), metrics.height()),
        area,
    )
    rough = QRectF(line.adjusted(-1, 0, 1, 0)).intersected(QRectF(rect.adjusted(1, 1, -1, -1)))
    yield from inner.inner(rect).text(
        rough, shown, font, type="tabled_text", pen=line.x(), baseline=line.y() + metrics.ascent()
    )


def _section_font(view: QHeaderView) -> QFont:
    return view.font()
