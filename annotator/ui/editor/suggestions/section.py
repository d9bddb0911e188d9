"""Who found the selected element, what each source said about it, and where they differ."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from annotator.commands import Command, ResizeElement, SetText, SetType
from annotator.suggestions.statements import Field, Statement, statements, told_about
from annotator.suggestions.words import FIELD_NAMES, SOURCE_NAMES, field_words, role_words, said_words
from annotator.ui.controls import label, push_button
from annotator.ui.editor.panels.base import Do, Section
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
        self._rows = QWidget()
        self._body.addWidget(self._rows)
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
        fresh = QWidget()
        grid = QGridLayout(fresh)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE.s)
        grid.setVerticalSpacing(SPACE.xs)
        grid.setColumnStretch(1, 1)
        for one in said:
            self._add_statement(grid, one)
        frame = self._view.document.frame(element.frame)
        told = None if frame is None else told_about(element, frame, self._view.document.steps_on(frame.id))
        if told is not None:
            grid.addWidget(label(role_words(told), role="caption", wraps=True), grid.rowCount(), 0, 1, 2)
        self._body.replaceWidget(self._rows, fresh)
        self._rows.hide()
        self._rows.deleteLater()
        self._rows = fresh

    def _add_statement(self, grid: QGridLayout, one: Statement) -> None:
        said, row = one.evidence, grid.rowCount()
        name = SOURCE_NAMES[said.source]
        sure = label(name if said.confidence is None else f"{name} {said.confidence:.2f}", role="muted")
        grid.addWidget(sure, row, 0, Qt.AlignmentFlag.AlignTop)
        agreed = said_words(said, without=one.differs)
        if agreed:
            grid.addWidget(label(agreed, wraps=True), row, 1)
        for place, field in enumerate(one.differs, start=1 if agreed else 0):
            grid.addLayout(self._difference(said, field), row + place, 1)

    def _difference(self, said: Evidence, field: Field) -> QHBoxLayout:
        words = label(f"{FIELD_NAMES[field]}: {field_words(said, field)}", role="warning", wraps=True)
        tip = tr("Take what this source says: {field_words}").format(field_words=field_words(said, field))
        take = push_button(tr("Take"), tip, self._theme, role="link")
        take.setAccessibleName(tr("Take the {field} from {value}").format(field=field, value=SOURCE_NAMES[said.source]))
        take.clicked.connect(partial(self._take, said, field))
        row = QHBoxLayout()
        row.setSpacing(SPACE.xs)
        row.addWidget(words, 1)
        row.addWidget(take, 0, Qt.AlignmentFlag.AlignTop)
        return row

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
