"""Sections of the panel with the quality of the recording, and with a person's note."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QGridLayout, QWidget

from annotator.step_commands import SetNote, SetVariable
from annotator.step_words import CaptureLine, capture_lines, covered_words
from annotator.ui.controls import LineField, label, set_tip
from annotator.ui.editor.panels.panel_section import Do, PanelSection
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.steps import Step


class CaptureSection(PanelSection):
    """Shows facts; nothing here can be edited."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Recorded"), view, do, theme)
        self._table = QWidget()
        self._grid = QGridLayout(self._table)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE.m)
        self._grid.setVerticalSpacing(SPACE.xs)
        self._grid.setColumnStretch(1, 1)
        self._body.addWidget(self._table)
        self._rows: list[_Row] = []
        self._lines: list[str] = []
        view.step_changed.connect(self._show)
        self._show()

    @property
    def words(self) -> list[str]:
        """The lines that are shown, each ``name: text``."""
        return list(self._lines)

    def _show(self) -> None:
        step = self._view.step
        lines = [] if step is None else capture_lines(step)
        self._lines = [f"{line.name}: {line.text}" for line in lines]
        while len(self._rows) < len(lines):
            self._add_row()
        for number, row in enumerate(self._rows):
            row.show_line(lines[number] if number < len(lines) else None, step)

    def _add_row(self) -> None:
        row = _Row()
        self._grid.addWidget(row.name, len(self._rows), 0, Qt.AlignmentFlag.AlignTop)
        for text in (row.fact, row.doubt):
            self._grid.addWidget(text, len(self._rows), 1)
        self._rows.append(row)


class _Row:
    """A name and its text, in one label for a fact and in another for a doubt: a label keeps its looks for good."""

    def __init__(self) -> None:
        self.name = label("", role="caption")
        self.fact = label("", role="fact", wraps=True)
        self.doubt = label("", role="warning", wraps=True)

    def show_line(self, line: CaptureLine | None, step: Step | None) -> None:
        self.name.setText("" if line is None else line.name)
        self.name.setVisible(line is not None)
        for text, doubtful in ((self.fact, False), (self.doubt, True)):
            text.setText("" if line is None else line.text)
            text.setToolTip("" if line is None else _explained(line, step))
            text.setVisible(line is not None and line.doubtful == doubtful)


def _explained(line: CaptureLine, step: Step | None) -> str:
    if line.name != "Covered" or step is None:
        return ""
    return covered_words(step.before) or covered_words(step.after)


class NoteSection(PanelSection):
    """Shows and edits note and variable of the current step."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Note"), view, do, theme)
        self._step_id: str | None = None
        self._note = LineField(tr("Note"), placeholder=tr("A remark on this step"))
        set_tip(self._note, tr("A remark on this step"), action="edit_note")
        self._note.committed.connect(self._write)
        self._body.addWidget(self._note)
        self._variable = LineField(tr("Variable"), placeholder=tr("Always this text"))
        tip = tr("The variable whose value this text is, for instance customer_name")
        set_tip(self._variable, tip, action="edit_variable")
        self._variable.committed.connect(self._name)
        self._variable_label = label(tr("Variable"), role="muted")
        form = QFormLayout()
        form.setHorizontalSpacing(SPACE.m)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        form.addRow(self._variable_label, self._variable)
        self._body.addLayout(form)
        view.leaving.connect(self.flush)
        view.step_changed.connect(self._show)
        self._show()

    def flush(self) -> None:
        """Hand over what is being typed."""
        self._note.flush()
        self._variable.flush()

    def edit_note(self) -> None:
        """Put the cursor into the note."""
        self._note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def edit_variable(self) -> None:
        """Put the cursor into the variable's name, where text was typed."""
        if not self._variable.isHidden():
            self._variable.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show(self) -> None:
        step = self._view.step
        self.setEnabled(step is not None)
        self._step_id = None if step is None else step.id
        self._note.show_text("" if step is None else step.note)
        self._variable.show_text("" if step is None else step.variable)
        typed = step is not None and (step.action.action_type == "type" or bool(step.variable))
        self._variable.setVisible(typed)
        self._variable_label.setVisible(typed)

    def _write(self, text: str) -> None:
        if self._step_id is not None:
            self._do(SetNote(step_id=self._step_id, text=text))
            self._show()

    def _name(self, text: str) -> None:
        if self._step_id is not None:
            self._do(SetVariable(step_id=self._step_id, name=text))
            # What was refused, or written with braces, is shown as it stands.
            self._show()
