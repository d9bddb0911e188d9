"""A person's remark on the step, and the variable whose value was typed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout

from annotator.step_commands_demo import SetNote, SetVariable
from annotator.ui.controls import LineField, label
from annotator.ui.editor.panels.base import Do, Section
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr

__all__ = ["NoteSection"]


class NoteSection(Section):
    """Shows and edits note and variable of the current step."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Note"), view, do, theme)
        self._step_id: str | None = None
        self._note = LineField(tr("Note"), placeholder=tr("A remark on this step"))
        self._note.setToolTip(tr("A remark on this step (N)"))
        self._note.committed.connect(self._write)
        self._body.addWidget(self._note)
        self._variable = LineField(tr("Variable"), placeholder=tr("Always this text"))
        self._variable.setToolTip(tr("The variable whose value this text is, for instance customer_name (V)"))
        self._variable.committed.connect(self._name)
        self._variable_label = label(tr("Variable"), role="muted")
        form = QFormLayout()
        form.setHorizontalSpacing(SPACE.m)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        form.addRow(self._variable_label, self._variable)
        self._body.addLayout(form)
        self._ends = [view.leaving.connect(self.flush), view.step_changed.connect(self._show)]
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
