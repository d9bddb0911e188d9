"""Sections of the panel about the step: the quality of the recording, a person's note, the rationale."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QTextEdit

from annotator.commands import Command
from annotator.rationale_checks import STALE_WORDS, is_stale_in
from annotator.step_commands import SetNote, SetRationale, SetVariable
from annotator.step_words import capture_lines
from annotator.ui.controls import LineField, TextField, label, set_tip, show_words, table
from annotator.ui.editor.panels.panel_section import Do, PanelSection, UndoGroup
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.provenance import Provenance
from demopack.domain.rationale import Rationale
from models.language.check.truth_rule import RationaleFinding


class CaptureSection(PanelSection):
    """Shows facts; nothing here can be edited."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Recorded"), view, do, theme)
        self._grid = table((), spacing=SPACE.m, below=SPACE.xs)
        self._grid.setColumnStretch(1, 1)
        self._body.addLayout(self._grid)
        self._rows: list[list[QLabel]] = []
        view.step_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        step = self._view.step
        lines = [] if step is None else capture_lines(step)
        while len(self._rows) < len(lines):
            # One label for a fact and another for a doubt: a label keeps its looks for good.
            row = [label("", role="caption"), *(label("", role=role, wraps=True) for role in ("fact", "warning"))]
            self._grid.addWidget(row[0], len(self._rows), 0, Qt.AlignmentFlag.AlignTop)
            for part in row[1:]:
                self._grid.addWidget(part, len(self._rows), 1)
            self._rows.append(row)
        for number, row in enumerate(self._rows):
            for part in row:
                part.setVisible(number < len(lines))
        for line, (name, fact, doubt) in zip(lines, self._rows, strict=False):
            name.setText(line.name)
            for text, doubtful in ((fact, False), (doubt, True)):
                text.setText(line.text)
                text.setToolTip(line.tip)
                text.setVisible(line.doubtful == doubtful)


class NoteSection(PanelSection):
    """Shows and edits note and variable of the current step."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Note"), view, do, theme)
        self._step_id = ""
        self._note = LineField(tr("Note"), placeholder=tr("A remark on this step"))
        set_tip(self._note, tr("A remark on this step"), action="edit_note")
        self._note.committed.connect(lambda: self._write(SetNote(step_id=self._step_id, text=self._note.text())))
        self._body.addWidget(self._note)
        self._variable = LineField(tr("Variable"), placeholder=tr("Always this text"))
        tip = tr("The variable whose value this text is, for instance customer_name")
        set_tip(self._variable, tip, action="edit_variable")
        self._variable.committed.connect(
            lambda: self._write(SetVariable(step_id=self._step_id, name=self._variable.text()))
        )
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
        self._give_keyboard(self._note)

    def edit_variable(self) -> None:
        """Put the cursor into the variable's name, where text was typed."""
        self._give_keyboard(self._variable)

    def _show(self) -> None:
        step = self._view.step
        self.setEnabled(step is not None)
        self._step_id = "" if step is None else step.id
        self._note.show_text("" if step is None else step.note)
        self._variable.show_text("" if step is None else step.variable)
        typed = step is not None and (step.action.action_type == "type" or bool(step.variable))
        self._variable.setVisible(typed)
        self._variable_label.setVisible(typed)

    def _write(self, command: Command) -> None:
        if self._step_id:
            self._do(command)
            # What was refused, or written with braces, is shown as it stands.
            self._show()


_HEIGHT = 96


class _Words(TextField):
    """Ends the gesture when the field is left, so that the next visit is undone on its own."""

    left = Signal()

    def sizeHint(self) -> QSize:
        """Qt's hook: a few lines; it grows where there is room."""
        return QSize(super().sizeHint().width(), _HEIGHT)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class RationaleSection(PanelSection):
    """Shows and edits the current step's rationale.

    Signals:
        place_changed: where the cursor is in the text, in characters; -1 when it left the text.
    """

    place_changed = Signal(int)

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Rationale"), view, do, theme)
        self._gesture = UndoGroup()
        self._step_id: str | None = None
        self._text = _Words(
            tr("Rationale"), placeholder=tr("Why this step? What is seen, what is chosen, what should happen.")
        )
        self._text.setMinimumHeight(_HEIGHT)
        self._text.committed.connect(self._write)
        self._text.left.connect(self._leave)
        self._text.cursorPositionChanged.connect(self._tell_place)
        self._body.addWidget(self._text, 1)
        self._more = QPushButton(tr("What the writer saw"))
        self._more.setProperty("role", "link")
        self._more.setToolTip(tr("Show what the writer saw, expected and found"))
        self._more.setCheckable(True)
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.toggled.connect(self._show)
        self._details = label("", role="caption", wraps=True)
        self._stale = label(STALE_WORDS, role="warning", wraps=True)
        self._wrong = label("", role="warning", wraps=True)
        self._body.addWidget(self._stale)
        self._body.addWidget(self._wrong)
        self._body.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self._body.addWidget(self._details)
        view.leaving.connect(self.flush)
        view.step_changed.connect(self._show)
        view.document.head_changed.connect(self._show_standing)
        view.document.elements_changed.connect(lambda _: self._show_standing())
        self._show()

    def flush(self) -> None:
        """Hand over what is being typed."""
        self._text.flush()

    def edit(self) -> None:
        """Put the cursor into the text."""
        self._give_keyboard(self._text)

    @property
    def text(self) -> str:
        """What is written just now."""
        return self._text.toPlainText()

    def show_marks(self, marks: Sequence[RationaleFinding]) -> None:
        """Underline what the truth check objects to, and say why under the text."""
        selections: list[QTextEdit.ExtraSelection] = []
        for one in marks:
            if one.end > one.start:
                cursor = QTextCursor(self._text.document())
                cursor.setPosition(one.start)
                cursor.setPosition(min(one.end, len(self.text)), QTextCursor.MoveMode.KeepAnchor)
                form = QTextCharFormat()
                palette = self._theme.palette
                form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
                form.setUnderlineColor(QColor(palette.danger if one.severity == "error" else palette.warning))
                chosen = QTextEdit.ExtraSelection()
                chosen.cursor, chosen.format = cursor, form
                selections.append(chosen)
        self._text.setExtraSelections(selections)
        show_words(self._wrong, "\n".join(dict.fromkeys(one.message for one in marks)))

    def _leave(self) -> None:
        self._gesture.end()
        self.place_changed.emit(-1)

    def _tell_place(self) -> None:
        if self._text.hasFocus():
            self.place_changed.emit(self._text.textCursor().position())

    def _show_standing(self) -> None:
        step = self._view.step
        self._stale.setVisible(step is not None and is_stale_in(self._view.document, step))

    def _show(self) -> None:
        step = self._view.step
        self.setEnabled(step is not None)
        rationale = None if step is None else step.rationale
        if step is not None and step.id != self._step_id:
            self._gesture.end()
        self._step_id = None if step is None else step.id
        self.show_marks(())
        self._show_standing()
        self._text.show_text("" if rationale is None else rationale.reasoning)
        self._caption.setText("" if rationale is None else _who(rationale.provenance))
        details = _details(rationale)
        self._more.setVisible(bool(details))
        show_words(self._details, details if self._more.isChecked() else "")

    def _write(self, text: str) -> None:
        if self._step_id is not None:
            key = self._gesture.key(self._step_id)
            self._do(SetRationale(step_id=self._step_id, text=text, merge_key=key))


def _details(rationale: Rationale | None) -> str:
    if rationale is None:
        return ""
    parts = {
        tr("Seen"): rationale.observation,
        tr("Chosen"): rationale.thought if rationale.text is not None else "",
        tr("Expected"): rationale.expected_effect if rationale.text is not None else "",
        tr("Happened"): rationale.actual_effect,
    }
    return "\n".join(f"{name}: {text}" for name, text in parts.items() if text)


def _who(provenance: Provenance) -> str:
    if provenance.kind == "recorder":
        return "recorded"
    if provenance.kind == "template":
        return tr("written by template")
    own = provenance.kind == "human" and provenance.name == "user"
    return tr("written by you") if own else tr("written by {name}").format(name=provenance.name)
