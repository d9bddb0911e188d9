"""Legend of the digits that set types: ten small buttons that can also be clicked, and given to other types."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QGridLayout, QMenu, QSizePolicy, QToolButton, QWidget

from annotator.attributes.keyboard_choice import DIGITS, TypeDigits
from annotator.step_words import type_word
from annotator.ui.painting import type_badge
from annotator.ui.theme.tokens import HIT, SPACE
from annotator.words import tr
from demopack.domain.elements import ELEMENT_TYPES, ElementType

_COLUMNS = 5
_TIPS = {
    True: tr("{digit} always sets {type}.\nThe context menu gives this digit to another type."),
    False: tr("{digit} sets {type}, which is used much.\nThe context menu gives this digit to another type."),
}


class DigitLegend(QWidget):
    """Two rows of five.

    Signals:
        fixed: a digit, and the type that it is to have from now on; None lets it be learned.
    """

    fixed = Signal(str, object)

    def __init__(self, *, use_type: Callable[[ElementType], None]) -> None:
        """Make the buttons; ``use_type`` is called with the type of a digit that was clicked."""
        super().__init__()
        self._use_type = use_type
        self._current: ElementType | None = None
        self.setAccessibleName(tr("Types by digit"))
        self._digits = TypeDigits()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(SPACE.xs)
        self._buttons: dict[str, QToolButton] = {}
        for place, digit in enumerate(DIGITS):
            button = QToolButton()
            button.setProperty("role", "flat")
            button.setText(digit)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setIconSize(QSize(22, 16))
            button.setCheckable(True)
            button.setMinimumHeight(HIT.tool)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            button.clicked.connect(partial(self._on_clicked, digit))
            button.customContextMenuRequested.connect(partial(self._open_menu, digit))
            grid.addWidget(button, place // _COLUMNS, place % _COLUMNS)
            self._buttons[digit] = button
        self.show_digits(self._digits)

    def show_digits(self, digits: TypeDigits) -> None:
        """Show another map."""
        self._digits = digits
        for digit, button in self._buttons.items():
            kind = digits.type_of(digit)
            button.setEnabled(kind is not None)
            words = tr("no type yet") if kind is None else type_word(kind)
            tip = _TIPS[digit in digits.fixed].format(digit=digit, type=words)
            button.setIcon(QIcon() if kind is None else QIcon(type_badge(kind, ratio=self.devicePixelRatioF())))
            button.setAccessibleName(tr("Digit {digit}: {type}").format(digit=digit, type=words))
            button.setToolTip(tip)
        self.show_current(self._current)

    def show_current(self, kind: ElementType | None) -> None:
        """Mark the digit of the type that is selected, or that the next box has."""
        self._current = kind
        for digit, button in self._buttons.items():
            button.setChecked(kind is not None and self._digits.type_of(digit) == kind)

    def _on_clicked(self, digit: str, *_: object) -> None:
        kind = self._digits.type_of(digit)
        if kind is not None:
            self._use_type(kind)

    def menu_of(self, digit: str) -> QMenu:
        """The menu that gives a digit to another type."""
        menu = QMenu(self)
        menu.setAccessibleName(tr("Digit {digit}").format(digit=digit))
        for kind in ELEMENT_TYPES:
            entry = menu.addAction(QIcon(type_badge(kind)), type_word(kind))
            entry.setData(kind)
            entry.setCheckable(True)
            entry.setChecked(self._digits.fixed.get(digit) == kind)
        menu.addSeparator()
        learn = menu.addAction(tr("Let it be learned"))
        learn.setEnabled(digit in self._digits.fixed)
        menu.triggered.connect(partial(self._on_entry, digit))
        return menu

    def _on_entry(self, digit: str, entry: QAction) -> None:
        self.fixed.emit(digit, entry.data())

    def _open_menu(self, digit: str, at: QPoint) -> None:
        menu = self.menu_of(digit)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._buttons[digit].mapToGlobal(at))
