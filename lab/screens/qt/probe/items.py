"""Items of lists, trees and tables: how they are drawn, and what stands in a cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QIcon
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QWidget

from demopack.domain.elements import State
from lab.screens.qt.probe.mark import Mark, Place

SUBTYPE_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 71
"""Under which an item keeps what its icon stands for."""
CHECK_ROLE: Final = Qt.ItemDataRole.CheckStateRole


def model_of(view: QAbstractItemView) -> QAbstractItemModel | None:
    """What a view shows; None when it has nothing to show."""
    return cast("QAbstractItemModel | None", view.model())


def item_option(view: QAbstractItemView, index: QModelIndex, rect: QRect) -> QStyleOptionViewItem:
    """How an item is drawn."""
    option = QStyleOptionViewItem()
    view.initViewItemOption(option)
    option.rect = rect
    delegate = view.itemDelegateForIndex(index)
    fill = getattr(delegate, "initStyleOption", None)
    if fill is not None:
        fill(option, index)
    return option


def is_selected(view: QAbstractItemView, index: QModelIndex) -> bool:
    """Whether an item is chosen."""
    return view.selectionModel().isSelected(index)


def is_checked(index: QModelIndex) -> bool:
    """Whether the box of an item is ticked."""
    return Qt.CheckState(index.data(CHECK_ROLE)) == Qt.CheckState.Checked


def check_mark(
    view: QAbstractItemView, inner: Place, index: QModelIndex, option: QStyleOptionViewItem, words: str | None
) -> Iterator[Mark]:
    """The box to tick of an item, if it has one."""
    if index.data(CHECK_ROLE) is None:
        return
    rect = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, view)
    states: dict[State, bool] = {"checked": is_checked(index), "disabled": not drawn_enabled(option)}
    yield Mark(type="checkbox", rough=inner.rect(rect), clip=inner.clip, way="frame", text=words, states=states)


def drawn_enabled(option: QStyleOptionViewItem) -> bool:
    """Whether an item is drawn as one that can be used."""
    return bool(option.state & QStyle.StateFlag.State_Enabled)


def text_rect(view: QAbstractItemView, option: QStyleOptionViewItem) -> tuple[QRect, str]:
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


def cell_marks(view: QAbstractItemView, inner: Place, index: QModelIndex, rect: QRect) -> Iterator[Mark]:
    """What stands in a cell: a box to tick, an icon, a line."""
    option = item_option(view, index, rect)
    cell = inner.inner(rect)
    highlighted = is_selected(view, index)
    if index.data():
        line, text = text_rect(view, option)
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
    yield from check_mark(view, cell, index, option, None)
    if isinstance(index.data(Qt.ItemDataRole.DecorationRole), QIcon):
        picture = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemDecoration, option, view)
        subtype = index.data(SUBTYPE_ROLE)
        yield Mark(
            type="icon",
            rough=inner.rect(picture.adjusted(-1, -1, 1, 1)),
            clip=cell.clip,
            way="ink",
            subtype=str(subtype) if subtype else None,
            states={"disabled": not drawn_enabled(option)},
        )


def has_widget(view: QAbstractItemView, index: QModelIndex) -> bool:
    """Whether a widget of its own stands in a cell."""
    return cast("QWidget | None", view.indexWidget(index)) is not None
