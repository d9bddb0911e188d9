"""Asks what is to be written: by whom, for which steps, in place of what, and what it may cost."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QHBoxLayout, QVBoxLayout, QWidget

from annotator.ui.controls import Segments, label, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["OrderForm", "Scope"]

Scope = Literal["step", "selected", "demo", "library"]
_SCOPES: Final[tuple[Scope, ...]] = ("step", "selected", "demo", "library")
_REPLACED: Final = (
    ("missing", tr("Where there is none")),
    ("stale", tr("Also what is out of date")),
    ("programs", tr("Also all that a program wrote")),
)
_TEMPLATE: Final = "template"


class OrderForm(QWidget):
    """The form.

    Signals:
        write_wanted: write and store.
        beside_wanted: write beside what is there.
    """

    write_wanted = Signal()
    beside_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._writer = QComboBox()
        self._writer.setEditable(True)
        self._writer.setAccessibleName(tr("Writer"))
        line = self._writer.lineEdit()
        if line is not None:
            line.setAccessibleName(tr("Writer"))
        self._writer.setToolTip(tr("The template, which needs no network, or a model such as ollama:qwen2.5vl:7b"))
        self._scope = Segments(tr("For"), (tr("Step"), tr("Chosen"), tr("Demo"), tr("Library")))
        self._scope.set_current(2)
        self._replaced = QComboBox()
        self._replaced.setAccessibleName(tr("Write"))
        self._replaced.setToolTip(tr("A person's words stay in any case"))
        for field in (self._writer, self._replaced):
            field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            field.setMinimumContentsLength(8)
        for _, words in _REPLACED:
            self._replaced.addItem(words)
        self._hindsight = QCheckBox(tr("May tell what came of it"))
        self._hindsight.setToolTip(tr("Hindsight reads better, and must not be used for training"))
        self._budget = QDoubleSpinBox()
        self._budget.setAccessibleName(tr("Most that it may cost, in dollars"))
        self._budget.setToolTip(tr("Nothing is sent that could cost more; 0 for what the settings allow"))
        self._budget.setRange(0, 1000)
        self._budget.setDecimals(2)
        self._budget.setSingleStep(0.1)
        self._budget.setPrefix("$ ")
        self._budget.setSpecialValueText(tr("As in the settings"))
        self._write = push_button(
            tr("Write"), tr("Write and store, each step as soon as it is there"), theme, role="main"
        )
        self._write.clicked.connect(self.write_wanted)
        self._beside = push_button(
            tr("Try beside"), tr("Write beside what is there, to compare; nothing is stored"), theme
        )
        self._beside.clicked.connect(self.beside_wanted)
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.m)
        column.setSpacing(SPACE.s)
        column.addWidget(label(tr("Write").upper(), role="heading"))
        for words, field in ((tr("Writer"), self._writer), (tr("Where"), self._replaced), (tr("Budget"), self._budget)):
            row = QHBoxLayout()
            name = label(words, role="muted")
            name.setFixedWidth(56)
            row.addWidget(name)
            row.addWidget(field, 1)
            column.addLayout(row)
        column.addWidget(self._scope)
        column.addWidget(self._hindsight)
        buttons = QHBoxLayout()
        buttons.addWidget(self._write, 1)
        buttons.addWidget(self._beside, 1)
        column.addLayout(buttons)

    # Asking ---------------------------------------------------------------------------------------------------

    @property
    def writer(self) -> str:
        """``template``, or the name of a model."""
        return self._writer.currentText().strip() or _TEMPLATE

    @property
    def scope(self) -> Scope:
        """Which steps are meant."""
        return _SCOPES[self._scope.current]

    @property
    def rewriting(self) -> Literal["missing", "stale", "programs"]:
        """What is replaced."""
        chosen = self._replaced.currentIndex()
        return "missing" if chosen == 0 else "stale" if chosen == 1 else "programs"

    @property
    def hindsight(self) -> bool:
        """Whether the writer may see what came of it."""
        return self._hindsight.isChecked()

    @property
    def budget(self) -> float | None:
        """Dollars; None for what the settings allow."""
        return self._budget.value() or None

    def offer_writers(self, names: tuple[str, ...]) -> None:
        """Which writers can be chosen without typing; the first that is not the template is proposed."""
        shown = self._writer.currentText()
        self._writer.clear()
        self._writer.addItems([_TEMPLATE, *names])
        self._writer.setCurrentText(shown or (names[0] if names else _TEMPLATE))

    def choose(self, *, writer: str | None = None, scope: Scope | None = None) -> None:
        """Choose without the user; what is None stays."""
        if writer is not None:
            self._writer.setCurrentText(writer)
        if scope is not None:
            self._scope.set_current(_SCOPES.index(scope))

    def show_running(self, *, running: bool) -> None:
        """While a job runs no second one is started."""
        self._write.setEnabled(not running)
        self._beside.setEnabled(not running)
