"""Lists and trees: their rows, and in trees with several columns their cells."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyleOptionViewItem, QTreeView

from demopack.domain.elements import ElementType, State
from lab.screens.qt.probe.items import (
    CHECK_ROLE,
    cell_marks,
    check_mark,
    has_widget,
    is_checked,
    is_selected,
    item_option,
    model_of,
    text_rect,
)
from lab.screens.qt.probe.mark import Mark, Place

_ICONS = QListView.ViewMode.IconMode


def _row_states(view: QAbstractItemView, index: QModelIndex) -> dict[State, bool]:
    states: dict[State, bool] = {
        "highlighted": is_selected(view, index),
        "disabled": not (view.isEnabled() and bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)),
    }
    if index.data(CHECK_ROLE) is not None:
        states["checked"] = is_checked(index)
    return states


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
        option = item_option(view, index, rect)
        words = _shown(view, option) if index.data() else None
        states = _row_states(view, index)
        if view.viewMode() == _ICONS:
            yield _grid_entry(view, inner, option, words, states)
            continue
        rows_over_all = view.flow() == QListView.Flow.TopToBottom and not view.isWrapping()
        rough = QRect(0, rect.y(), view.viewport().width(), rect.height()) if rows_over_all else rect
        kind: ElementType = "menu_item" if _opened_list(view) else "list_item"
        where = inner.rect(text_rect(view, option)[0])
        yield Mark(type=kind, rough=inner.rect(rough), clip=inner.clip, text=words, words=where, states=states)
        yield from check_mark(view, inner, index, option, words)


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
        rough = QRect(option.rect)
    return Mark(type="list_item", rough=inner.rect(rough), clip=inner.clip, way="ink", text=words, states=states)


def _shown(view: QAbstractItemView, option: QStyleOptionViewItem) -> str | None:
    if option.features & QStyleOptionViewItem.ViewItemFeature.WrapText:
        return " ".join(option.text.split()) or None
    return " ".join(text_rect(view, option)[1].split()) or None


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
    option = item_option(view, index, rect)
    words = _shown(view, option) if len(columns) == 1 else None
    width = view.viewport().width()
    row = inner.rect(QRect(0, rect.y(), width, rect.height()))
    where = inner.rect(text_rect(view, option)[0])
    yield Mark(type="tree_item", rough=row, clip=inner.clip, text=words, words=where, states=states)
    if len(columns) == 1:
        yield from check_mark(view, inner, index, option, words)
        return
    if branch and (view.rootIsDecorated() or index.parent().isValid()):
        yield _branch(view, inner, index, rect)
    for column in columns:
        cell = index.siblingAtColumn(column)
        if not has_widget(view, cell):
            yield from cell_marks(view, inner, cell, view.visualRect(cell))


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
