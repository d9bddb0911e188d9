"""Goes through a window and asks each widget what it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from PySide6.QtCore import QPoint, QRectF
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDial,
    QDockWidget,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QProgressBar,
    QRadioButton,
    QScrollBar,
    QSizeGrip,
    QSlider,
    QStatusBar,
    QTabBar,
    QTableView,
    QTextEdit,
    QToolBar,
    QToolButton,
    QTreeView,
    QWidget,
)

from lab.screens.qt.probe import buttons, fields, frames, menus, tables, views
from lab.screens.qt.probe.mark import Mark, Place

_Teller = Callable[[Any, Place], Iterator[Mark]]

_TELLERS: Final[tuple[tuple[type[QWidget], _Teller, bool], ...]] = (
    (QMenu, menus.menu_rows, False),
    (QMenuBar, menus.menu_bar, False),
    (QTabBar, menus.tab_bar, True),
    (QToolButton, buttons.tool_button, False),
    (QCheckBox, buttons.check_box, False),
    (QRadioButton, buttons.radio_button, False),
    (QAbstractButton, buttons.button, False),
    (QComboBox, fields.combo, False),
    (QAbstractSpinBox, fields.spin_box, False),
    (QLineEdit, fields.line_edit, False),
    (QScrollBar, fields.scroll_bar, False),
    (QSlider, fields.slider, False),
    (QDial, fields.slider, False),
    (QProgressBar, fields.progress, False),
    (QHeaderView, tables.header, True),
    (QTableView, tables.table_view, True),
    (QTreeView, views.tree_view, True),
    (QListView, views.list_view, True),
    (QTextEdit, fields.text_edit, True),
    (QPlainTextEdit, fields.plain_edit, True),
    (QGroupBox, frames.group_box, True),
    (QDockWidget, frames.dock, True),
    (QToolBar, frames.tool_bar, True),
    (QStatusBar, frames.status_bar, True),
    (QSizeGrip, frames.size_grip, False),
    (QLabel, frames.label, False),
)
"""What a widget tells, and whether its children are asked, too; the first that fits counts."""


_SILENT: Final = frozenset({"QTableCornerButton"})
"""Widgets of Qt's own that show nothing."""


def marks_of(window: QWidget) -> list[Mark]:
    """Everything a window shows, in the order of painting."""
    place = Place(QPoint(0, 0), QRectF(window.rect()))
    return list(_marks(window, place))


def _teller_of(widget: QWidget) -> tuple[_Teller | None, bool]:
    tellers: tuple[tuple[type[QWidget], _Teller, bool], ...] = _TELLERS
    for kind, teller, deeper in tellers:
        if isinstance(widget, kind):
            return teller, deeper
    return None, True


def _marks(widget: QWidget, place: Place) -> Iterator[Mark]:
    named = widget.property("truth")
    if named == "skip" or place.clip.isEmpty() or widget.metaObject().className() in _SILENT:
        return
    descend = True
    if named == "toggle" and isinstance(widget, QAbstractButton):
        yield from buttons.switch(widget, place)
        return
    if named and not isinstance(widget, QLabel):
        yield from frames.panel(widget, place)
    else:
        teller, descend = _teller_of(widget)
        if teller is not None:
            yield from teller(widget, place)
    if descend:
        for child in widget.children():
            if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
                yield from _marks(child, place.of(child))
