"""Who found the selected element, what each source said about it, and where they differ."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from PySide6.QtWidgets import QGridLayout

from annotator.commands import Command, ResizeElement, SetText, SetType
from annotator.suggestions.statements import Field, Statement, statements, told_about
from annotator.suggestions.words import role_words
from annotator.ui.controls import label
from annotator.ui.editor.panels.base import Do, Section
from annotator.ui.editor.suggestions.statement_row import StatementRow
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.elements import Element, Evidence

__all__ = ["FoundBySection"]


class FoundBySection(Section):
    """One line for each source; what it said otherwise than the element stands, with a button that takes it."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Found by"), view, do, theme)
        self._shown: tuple[Element | None, bool] = (None, False)
        self._statements: list[StatementRow] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(SPACE.s)
        self._grid.setVerticalSpacing(SPACE.xs)
        self._grid.setColumnStretch(1, 1)
        self._told = label("", role="caption", wraps=True)
        self._body.addLayout(self._grid)
        self._body.addWidget(self._told)
        self._ends = [
            view.selection_changed.connect(self._show),
            view.document.elements_changed.connect(lambda _: self._show()),
        ]
        self._show()

    def _show(self) -> None:
        element = self._view.element
        if (element, True) == self._shown:
            return
        self._shown = (element, True)
        said = () if element is None else statements(element)
        self.setVisible(bool(said))
        if element is None or not said:
            return
        differ = sum(bool(one.differs) for one in said)
        self._caption.setText(
            ""
            if not differ
            else tr("1 source differs")
            if differ == 1
            else tr("{differ} sources differ").format(differ=differ)
        )
        self._fill(element, said)

    def _fill(self, element: Element, said: tuple[Statement, ...]) -> None:
        while len(self._statements) < len(said):
            row = len(self._statements) * StatementRow.height()
            self._statements.append(StatementRow(self._grid, row, self._theme, self._take))
        for one, line in zip_longest(said, self._statements):
            line.show(one)
        frame = self._view.document.frame(element.frame)
        told = None if frame is None else told_about(element, frame, self._view.document.steps_on(frame.id))
        self._told.setVisible(told is not None)
        self._told.setText("" if told is None else role_words(told))

    def _take(self, said: Evidence, field: Field) -> None:
        element, frame = self._view.element, self._view.frame
        if element is None or frame is None:
            return
        made: dict[Field, Callable[[], Command | None]] = {
            "type": lambda: None if said.type is None else SetType(uid=element.uid, type=said.type),
            "text": lambda: SetText(uid=element.uid, text=said.text or ""),
            "box": lambda: (
                None if said.box is None else ResizeElement(uid=element.uid, box=said.box.clamped(frame.size))
            ),
        }
        command = made[field]()
        if command is not None:
            self._do(command)
