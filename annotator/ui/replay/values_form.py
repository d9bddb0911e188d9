"""The values that a demo is done with: a line for each variable, and a table of rows to do it for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QGridLayout, QLineEdit, QSizePolicy, QWidget

from annotator.replay_words import spoken_replay
from annotator.ui.controls import check_box, column, combo_box, discard, label, push_button, row, show_words
from annotator.ui.operations import Operations
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.demos import Demo
from demopack.domain.words import shorten
from player.consent import printable, values_words
from player.row_table import RowTable, read_rows
from player.variables import DOTS, Variable, variables_of

_ROWS_SHOWN: Final = 100


def pick_table(parent: QWidget) -> Path | None:
    """Ask for a file of rows; None when the user thinks better of it."""
    kinds = tr("Tables (*.csv *.tsv *.txt *.jsonl *.ndjson);;All files (*)")
    chosen, _ = QFileDialog.getOpenFileName(parent, tr("A table with a row for each time"), str(Path.home()), kinds)
    return Path(chosen) if chosen else None


class ValuesForm(QWidget):
    """Hidden where a demo has no variables.

    Attributes:
        fields: by the name of the variable.
        sources: by the name of the variable: the column that it is taken from, or what stands in the field.
        pick: asks for a table.

    Signals:
        changed: a value, a column or the table is another now.
    """

    changed = Signal()

    def __init__(self, operations: Operations, theme: Theme) -> None:
        super().__init__()
        self.pick: Callable[[QWidget], Path | None] = pick_table
        self._operations, self._theme = operations, theme
        self._variables: dict[str, Variable] = {}
        self.fields: dict[str, QLineEdit] = {}
        self.sources: dict[str, QComboBox] = {}
        self._cells: list[QWidget] = []
        self.table: RowTable | None = None
        self.path: Path | None = None
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(SPACE.m)
        self._grid.setVerticalSpacing(SPACE.xs)
        self._grid.setColumnStretch(2, 1)
        self._choose = push_button(
            tr("For each row of a table …"), tr("Do it once for each row of a CSV or JSON Lines file"), theme,
            name="folder", call=self._choose_table,
        )  # fmt: skip
        self._drop = push_button(tr("Only once"), tr("Leave the table out"), theme, call=lambda: self._use(None, None))
        self.go_on = check_box(tr("Go on after a row that fails"), tr("Otherwise the rows after it are not begun"))
        self.restart = check_box(
            tr("Begin anew at the first row"),
            tr("Rows that were done before are done again; what was done so far is kept in a file beside the table"),
        )
        self._told = label("", role="muted")
        self._problem = label("", role="warning", wraps=True)
        self._rows = label("", role="caption", wraps=True)
        self._options = QWidget()
        row(self.go_on, self.restart, None, of=self._options, spacing=SPACE.l)
        column(
            label(tr("Values"), role="words"), self._grid, row(self._choose, self._drop, self._told, None),
            self._problem, self._options, self._rows, of=self, spacing=SPACE.s, margins=(0, 0, 0, SPACE.s),
        )  # fmt: skip
        self._use(None, None)

    # What is chosen -------------------------------------------------------------------------------------------

    @property
    def values(self) -> dict[str, str]:
        """What differs from the recording, by the name of the variable."""
        return {
            name: field.text()
            for name, field in self.fields.items()
            if name not in self.columns and field.text() != (self._variables[name].value or "")
        }

    @property
    def columns(self) -> dict[str, str]:
        """The column of each variable that is taken from the table."""
        if self.table is None:
            return {}
        return {name: str(box.currentData()) for name, box in self.sources.items() if box.currentData()}

    @property
    def missing(self) -> list[str]:
        """Variables that the demo has no value of, and that were not given one; secrets may be in the key ring."""
        return [
            name
            for name, one in self._variables.items()
            if one.value is None and not one.secret and name not in self.columns and not self.fields[name].text()
        ]

    def first_values(self) -> dict[str, str]:
        """The values of the one time, or of the first row; those that the demo has no value of as dots."""
        found = {name: DOTS for name, one in self._variables.items() if one.value is None} | self.values
        if self.table is not None:
            found |= {name: self.table.rows[0].values[column] for name, column in self.columns.items()}
        return {name: DOTS if self._variables[name].secret else value for name, value in found.items()}

    # Showing --------------------------------------------------------------------------------------------------

    def show_demo(self, demo: Demo) -> None:
        """Show the variables of a demo."""
        discard(self._cells)
        self._cells, self.fields, self.sources = [], {}, {}
        self._variables = {one.name: one for one in variables_of(demo)}
        self.setVisible(bool(self._variables))
        heads = [label(words, role="caption") for words in (tr("Variable"), tr("Recorded"), tr("Now"))]
        self._place(0, *heads)
        for at, one in enumerate(self._variables.values(), start=1):
            self._add_line(at, one)
        self._use(None, None)

    def _add_line(self, at: int, one: Variable) -> None:
        steps = ", ".join(map(str, one.steps))
        name = label(one.name, role="words")
        name.setToolTip(tr("Typed in step {steps}").format(steps=steps))
        recorded = label(tr("hidden") if one.value is None else shorten(printable(one.value), 28), role="muted")
        recorded.setToolTip("" if one.value is None else shorten(printable(one.value), 400))
        field = QLineEdit("" if one.value is None else one.value)
        field.setAccessibleName(tr("Value of {name}").format(name=one.name))
        field.setMinimumWidth(120)
        if one.secret:
            field.setEchoMode(QLineEdit.EchoMode.Password)
            field.setPlaceholderText(tr("or from the key ring"))
        elif one.value is None:
            field.setPlaceholderText(tr("needed: it was hidden in the recording"))
        field.textChanged.connect(self.changed)
        source = combo_box(
            tr("Where {name} comes from").format(name=one.name), tr("A column of the table, or the value beside it"),
            call=self._on_source, focus=Qt.FocusPolicy.StrongFocus,
        )  # fmt: skip
        self.fields[one.name], self.sources[one.name] = field, source
        self._place(at, name, recorded, field, source)

    def _place(self, at: int, *cells: QWidget) -> None:
        for across, cell in enumerate(cells):
            self._grid.addWidget(cell, at, across)
            self._cells.append(cell)

    # The table ------------------------------------------------------------------------------------------------

    def _choose_table(self) -> None:
        path = self.pick(self.window())
        if path is not None:
            self.open_table(path)

    def open_table(self, path: Path) -> None:
        """Read a table beside the window's thread."""

        def fail(error: Exception) -> None:
            self._use(None, None)
            show_words(self._problem, spoken_replay(str(error)))

        self._operations.start(
            lambda: read_rows(path), on_result=lambda table: self._use(path, table), on_error=fail, newest="table"
        )

    def _use(self, path: Path | None, table: RowTable | None) -> None:
        self.path, self.table = path, table
        show_words(self._problem, "")
        for part in (self._options, self._rows, self._drop):
            part.setVisible(table is not None)
        for name, box in self.sources.items():
            with QSignalBlocker(box):
                box.clear()
                box.addItem(tr("this value"), "")
                for one in () if table is None else table.columns:
                    box.addItem(tr("column {name}").format(name=one), one)
                    if one.strip().casefold() == name.casefold():
                        box.setCurrentIndex(box.count() - 1)
                box.setVisible(table is not None)
                box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._on_source()

    def _on_source(self, *_: object) -> None:
        columns, table = self.columns, self.table
        for name, field in self.fields.items():
            field.setEnabled(name not in columns)
        if table is None:
            show_words(self._told, "")
        else:
            count = tr("1 row") if len(table.rows) == 1 else tr("{count} rows").format(count=len(table.rows))
            where = "" if self.path is None else self.path.name
            show_words(self._told, tr("Once for each of {rows} in {file}").format(rows=count, file=where))
            show_words(self._rows, "\n".join(self._row_lines(table)) if columns else "")
        show_words(
            self._problem,
            tr("Choose the column that a variable takes its value from.") if table is not None and not columns else "",
        )
        self.changed.emit()

    def _row_lines(self, table: RowTable) -> list[str]:
        """What is typed for each row; those with a line end, which may send what was typed, wherever they stand."""
        lines: list[str] = []
        left = 0
        for one in table.rows:
            values = {name: one.values[column] for name, column in self.columns.items()}
            moves = any(set(value) & set("\n\t") for value in values.values())
            if one.number > _ROWS_SHOWN and not moves:
                left += 1
                continue
            shown = {name: DOTS if self._variables[name].secret else value for name, value in values.items()}
            lines.append(tr("Row {row}: {words}").format(row=one.number, words=values_words(shown)))
        if left:
            lines.append(tr("and {count} more rows without line ends or tabs").format(count=left))
        return lines
