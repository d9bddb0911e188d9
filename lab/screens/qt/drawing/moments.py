"""What a person may have done to a window before the picture: scrolled, ticked, chosen, written, moved on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QTabBar,
    QTextEdit,
    QTreeView,
    QWidget,
)

from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.probe.items import model_of

_W = TypeVar("_W", bound=QWidget)


def change(kit: WidgetBuilder, window: QWidget, *, first: bool) -> None:
    """Do some things to a window; at the first moment some of its controls are switched off, too."""
    steps = _FIRST if first else _LATER
    for step, chance in steps:
        if kit.maybe(chance):
            step(kit, window)


def _shown(window: QWidget, kind: type[_W]) -> list[_W]:
    return [child for child in window.findChildren(kind) if child.isVisible()]


def _scroll(kit: WidgetBuilder, window: QWidget) -> None:
    for area in _shown(window, QAbstractScrollArea):
        for bar in (area.verticalScrollBar(), area.horizontalScrollBar()):
            if bar.maximum() > bar.minimum() and kit.maybe(0.6):
                bar.setValue(kit.rng.randint(bar.minimum(), bar.maximum()))


def _tabs(kit: WidgetBuilder, window: QWidget) -> None:
    for bar in _shown(window, QTabBar):
        if bar.count() > 1 and kit.maybe(0.6):
            bar.setCurrentIndex(kit.rng.randrange(bar.count()))


def _tick(kit: WidgetBuilder, window: QWidget) -> None:
    for button in _shown(window, QAbstractButton):
        if button.isCheckable() and kit.maybe(0.35):
            button.setChecked(not button.isChecked())


def _focus(kit: WidgetBuilder, window: QWidget) -> None:
    fitting = [
        child
        for child in _shown(window, QWidget)
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isEnabled() and child.focusProxy() is None
    ]
    if fitting:
        kit.pick(fitting).setFocus(Qt.FocusReason.TabFocusReason)


def _select(kit: WidgetBuilder, window: QWidget) -> None:
    for view in _shown(window, QAbstractItemView):
        if isinstance(view, QHeaderView):
            # It shares the selection of its view, but selects in another way.
            continue
        model = model_of(view)
        if model is None or not kit.maybe(0.7):
            continue
        rows = model.rowCount(view.rootIndex())
        if not rows:
            continue
        index = model.index(kit.rng.randrange(min(rows, 40)), 0, view.rootIndex())
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        if view.selectionBehavior() == QAbstractItemView.SelectionBehavior.SelectRows:
            flags |= QItemSelectionModel.SelectionFlag.Rows
        view.selectionModel().setCurrentIndex(index, flags)


def _branches(kit: WidgetBuilder, window: QWidget) -> None:
    for tree in _shown(window, QTreeView):
        model = model_of(tree)
        if model is None:
            continue
        for row in range(model.rowCount()):
            index = model.index(row, 0)
            if model.hasChildren(index) and kit.maybe(0.4):
                tree.setExpanded(index, not tree.isExpanded(index))


def _mark_text(kit: WidgetBuilder, window: QWidget) -> None:
    for edit in _shown(window, QLineEdit):
        if edit.text() and kit.maybe(0.15):
            edit.selectAll()
    areas: list[QPlainTextEdit | QTextEdit] = [*_shown(window, QPlainTextEdit), *_shown(window, QTextEdit)]
    for area in areas:
        if not area.isReadOnly() and kit.maybe(0.3):
            cursor = area.textCursor()
            length = area.document().characterCount()
            cursor.setPosition(kit.rng.randrange(length))
            cursor.movePosition(
                QTextCursor.MoveOperation.NextWord, QTextCursor.MoveMode.KeepAnchor, kit.rng.randint(1, 9)
            )
            area.setTextCursor(cursor)


def _values(kit: WidgetBuilder, window: QWidget) -> None:
    for slider in _shown(window, QSlider):
        slider.setValue(kit.rng.randint(slider.minimum(), slider.maximum()))
    for spin in _shown(window, QSpinBox):
        if kit.maybe(0.4):
            spin.setValue(kit.rng.randint(spin.minimum(), min(spin.maximum(), 9999)))
    for combo in _shown(window, QComboBox):
        if combo.count() and kit.maybe(0.4):
            combo.setCurrentIndex(kit.rng.randrange(combo.count()))


def _switch_off(kit: WidgetBuilder, window: QWidget) -> None:
    kinds: tuple[type[QWidget], ...] = (QAbstractButton, QLineEdit, QComboBox, QSlider, QAbstractSpinBox, QPushButton)
    share = kit.pick(_OFF)
    for kind in kinds:
        for child in _shown(window, kind):
            if kit.maybe(share):
                child.setEnabled(False)
    areas: list[QPlainTextEdit | QTextEdit] = [*_shown(window, QPlainTextEdit), *_shown(window, QTextEdit)]
    for area in areas:
        # Of an empty one nobody could tell.
        if area.toPlainText().strip() and kit.maybe(share / 2):
            area.setEnabled(False)


_OFF: Final = (0.05, 0.09, 0.09, 0.2, 0.4)
"""Shares of greyed controls: few in most windows, many in some."""
_Step = Callable[[WidgetBuilder, QWidget], None]
_LATER: Final[tuple[tuple[_Step, float], ...]] = (
    (_tabs, 0.5),
    (_tick, 0.6),
    (_values, 0.5),
    (_branches, 0.5),
    (_select, 0.7),
    (_mark_text, 0.5),
    (_focus, 0.8),
    (_scroll, 0.6),
)
_FIRST: Final[tuple[tuple[_Step, float], ...]] = (
    (_switch_off, 0.6),
    (_tabs, 0.3),
    (_branches, 0.7),
    (_values, 0.3),
    (_select, 0.6),
    (_mark_text, 0.3),
    (_focus, 0.7),
    (_scroll, 0.35),
)
