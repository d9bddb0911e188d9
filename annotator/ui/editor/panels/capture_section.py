"""How well the step was recorded: its pictures, its window, what accessibility said."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from annotator.capture_words import CaptureLine, capture_lines, covered_words
from annotator.ui.controls import label
from annotator.ui.editor.panels.base import Do, Section
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.steps import Step

__all__ = ["CaptureSection"]


class CaptureSection(Section):
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
        self._ends = [view.step_changed.connect(self._show)]
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
        for text, shown in ((self.fact, line is not None and not line.doubtful), (self.doubt, _doubtful(line))):
            text.setText("" if line is None else line.text)
            text.setToolTip("" if line is None else _explained(line, step))
            text.setVisible(shown)


def _doubtful(line: CaptureLine | None) -> bool:
    return line is not None and line.doubtful


def _explained(line: CaptureLine, step: Step | None) -> str:
    if line.name != "Covered" or step is None:
        return ""
    return covered_words(step.before) or covered_words(step.after)
