"""One source's word about the selected element: its name, what it said, and buttons that take what differs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from annotator.suggestions.statements import FIELDS, Field, Statement
from annotator.suggestions.words import FIELD_NAMES, SOURCE_NAMES, field_words, said_words, source_words
from annotator.ui.controls import label, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.elements import Evidence

__all__ = ["StatementRow", "Take"]

Take = Callable[[Evidence, Field], None]
"""Lets the element be what a source said about one field."""


class StatementRow:
    """Its widgets stay, and show one statement after the other: to make them anew would cost more than an edit."""

    def __init__(self, grid: QGridLayout, row: int, theme: Theme, take: Take) -> None:
        self._said = label("", wraps=True)
        self._name = label("", role="muted")
        self._differences = {field: _Difference(theme, take, field) for field in FIELDS}
        grid.addWidget(self._name, row, 0, self.height(), 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._said, row, 1)
        for place, one in enumerate(self._differences.values(), start=1):
            grid.addWidget(one, row + place, 1)

    @staticmethod
    def height() -> int:
        """How many rows of the grid it needs."""
        return len(FIELDS) + 1

    def show(self, statement: Statement | None) -> None:
        """Show what a source said; None hides the row."""
        self._name.setVisible(statement is not None)
        if statement is None:
            self._said.hide()
            for line in self._differences.values():
                line.hide()
            return
        said = statement.evidence
        self._name.setText(source_words(said))
        agreed = said_words(said, without=statement.differs)
        self._said.setText(agreed)
        self._said.setVisible(bool(agreed))
        for field, line in self._differences.items():
            line.show_said(said if field in statement.differs else None)


class _Difference(QWidget):
    """What a source says otherwise about one field, with the button that takes it."""

    def __init__(self, theme: Theme, take: Take, field: Field) -> None:
        super().__init__()
        self._field: Field = field
        self._evidence: Evidence | None = None
        self._words = label("", role="warning", wraps=True)
        self._button = push_button(tr("Take"), "", theme, role="link")
        self._button.clicked.connect(partial(self._taken, take))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.xs)
        row.addWidget(self._words, 1)
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_said(self, said: Evidence | None) -> None:
        """Show a source's word; None where it does not differ."""
        self._evidence = said
        if said is not None:
            words = field_words(said, self._field)
            self._words.setText(f"{FIELD_NAMES[self._field]}: {words}")
            tip = tr("Take what this source says: {field_words}").format(field_words=words)
            self._button.setToolTip(tip)
            self._button.setAccessibleDescription(tip)
            self._button.setAccessibleName(
                tr("Take the {field} from {value}").format(field=self._field, value=SOURCE_NAMES[said.source])
            )
        self.setVisible(said is not None)

    def _taken(self, take: Take) -> None:
        if self._evidence is not None:
            take(self._evidence, self._field)
