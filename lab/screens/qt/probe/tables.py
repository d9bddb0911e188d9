"""Tables and the headers of tables and trees."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionHeader, QTableView

from demopack.domain.elements import State
from lab.screens.qt.probe.items import cell_marks, has_widget, model_of
from lab.screens.qt.probe.mark import Mark, Place


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
            if rect.intersects(seen) and not has_widget(view, index):
                yield from cell_marks(view, inner, index, rect)


def _in_view(header_view: QHeaderView, count: int, length: int) -> list[int]:
    sections = range(count)
    return [
        i
        for i in sections
        if not header_view.isSectionHidden(i)
        and header_view.sectionViewportPosition(i) < length
        and header_view.sectionViewportPosition(i) + header_view.sectionSize(i) > 0
    ]


def header(view: QHeaderView, place: Place) -> Iterator[Mark]:
    """The sections of a header: those over columns are buttons, those beside rows a line each."""
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
    if view.orientation() == Qt.Orientation.Horizontal:
        option.state |= QStyle.StateFlag.State_Horizontal
    sorted_here = view.isSortIndicatorShown() and view.sortIndicatorSection() == section
    if sorted_here:
        down = view.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        kind = QStyleOptionHeader.SortIndicator
        option.sortIndicator = kind.SortDown if down else kind.SortUp
    area = view.style().subElementRect(QStyle.SubElement.SE_HeaderLabel, option, view)
    font = view.font()
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, view.textElideMode(), area.width() - 2)
    line = QStyle.alignedRect(
        view.layoutDirection(),
        view.defaultAlignment(),
        QSize(metrics.horizontalAdvance(shown), metrics.height()),
        area,
    )
    if view.orientation() == Qt.Orientation.Horizontal:
        states: dict[State, bool] = {"disabled": not view.isEnabled()}
        words = inner.rect(line)
        clip = inner.inner(rect).clip
        yield Mark(type="button", rough=inner.rect(rect), clip=clip, text=shown, words=words, states=states)
        return
    rough = QRectF(line.adjusted(-1, 0, 1, 0)).intersected(QRectF(rect.adjusted(1, 1, -1, -1)))
    yield from inner.inner(rect).text(
        rough, shown, font, type="tabled_text", pen=line.x(), baseline=line.y() + metrics.ascent()
    )
