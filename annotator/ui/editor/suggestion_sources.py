"""Sources of the selected element: what each said about it, and buttons that take what differs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import zip_longest

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from annotator.attributes.element_attributes import SetAttribute
from annotator.box_commands import SetBoxes
from annotator.suggestions.statements import (
    FIELD_NAMES,
    FIELDS,
    SOURCE_NAMES,
    Field,
    SourceStatement,
    accessible_element,
    field_words,
    role_words,
    source_words,
    statement_words,
    statements,
)
from annotator.ui.controls import label, push_button, row
from annotator.ui.editor.panels.panel_section import Do, PanelSection
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.elements import Element, Evidence

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

    def show(self, statement: SourceStatement | None) -> None:
        """Show what a source said; None hides the row."""
        self._name.setVisible(statement is not None)
        agreed = "" if statement is None else statement_words(statement.evidence, without=statement.differs)
        self._said.setText(agreed)
        self._said.setVisible(bool(agreed))
        if statement is not None:
            self._name.setText(source_words(statement.evidence))
        for field, line in self._differences.items():
            line.show_said(None if statement is None or field not in statement.differs else statement.evidence)


class _Difference(QWidget):
    """What a source says otherwise about one field, with the button that takes it."""

    def __init__(self, theme: Theme, take: Take, field: Field) -> None:
        super().__init__()
        self._field: Field = field
        self._evidence: Evidence | None = None
        self._words = label("", role="warning", wraps=True)
        self._button = push_button(tr("Take"), "", theme, role="link", call=partial(self._taken, take))
        parts = row((self._words, 1), self._button, of=self, spacing=SPACE.xs)
        parts.setAlignment(self._button, Qt.AlignmentFlag.AlignTop)
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


class FoundBySection(PanelSection):
    """One line for each source; what it said otherwise than the element stands, with a button that takes it."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Found by"), view, do, theme)
        self._shown: Element | None = None
        self._statements: list[StatementRow] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(SPACE.s)
        self._grid.setVerticalSpacing(SPACE.xs)
        self._grid.setColumnStretch(1, 1)
        self._told = label("", role="caption", wraps=True)
        self._body.addLayout(self._grid)
        self._body.addWidget(self._told)
        view.selection_changed.connect(self._show)
        view.document.elements_changed.connect(lambda _: self._show())
        self._show()

    def _show(self) -> None:
        element = self._view.element
        if element is not None and element == self._shown:
            return
        self._shown = element
        said = () if element is None else statements(element)
        self.setVisible(bool(said))
        if element is None or not said:
            return
        differ = sum(bool(one.differs) for one in said)
        words = tr("1 source differs") if differ == 1 else tr("{differ} sources differ").format(differ=differ)
        self._caption.setText(words if differ else "")
        self._fill(element, said)

    def _fill(self, element: Element, said: tuple[SourceStatement, ...]) -> None:
        while len(self._statements) < len(said):
            row = len(self._statements) * StatementRow.height()
            self._statements.append(StatementRow(self._grid, row, self._theme, self._take))
        for one, line in zip_longest(said, self._statements):
            line.show(one)
        frame = self._view.document.frame(element.frame)
        told = None if frame is None else accessible_element(element, frame, self._view.document.steps_on(frame.id))
        self._told.setVisible(told is not None)
        self._told.setText("" if told is None else role_words(told))

    def _take(self, said: Evidence, field: Field) -> None:
        element, frame = self._view.element, self._view.frame
        if element is None or frame is None:
            return
        if field == "text":
            self._do(SetAttribute(uids=(element.uid,), name="text", value=said.text or ""))
        elif field == "type" and said.type is not None:
            self._do(SetAttribute(uids=(element.uid,), name="type", value=said.type))
        elif field == "box" and said.box is not None:
            self._do(SetBoxes(boxes={element.uid: said.box.clamped(frame.size)}))
