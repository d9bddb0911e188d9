"""How well the step was recorded: its pictures, its window, what accessibility said."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from annotator.capture_words import capture_lines, covered_words
from annotator.ui.controls import label
from annotator.ui.editor.panels.base import Do, Section
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState

__all__ = ["CaptureSection"]


class CaptureSection(Section):
    """Shows facts; nothing here can be edited."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__("Recorded", view, do, theme)
        self._table = QWidget()
        self._grid = QGridLayout(self._table)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE.m)
        self._grid.setVerticalSpacing(SPACE.xs)
        self._grid.setColumnStretch(1, 1)
        self._body.addWidget(self._table)
        self._ends = [view.step_changed.connect(self._show)]
        self._show()

    @property
    def words(self) -> list[str]:
        """The lines that are shown, each ``name: text``."""
        return list(self._lines)

    def _show(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        step = self._view.step
        lines = [] if step is None else capture_lines(step)
        self._lines = [f"{line.name}: {line.text}" for line in lines]
        for row, line in enumerate(lines):
            name, text = label(line.name, role="caption"), label(line.text, role="fact", wraps=True)
            if line.doubtful:
                text.setProperty("role", "warning")
            if line.name == "Covered" and step is not None:
                frame = step.before if step.before is not None and step.before.covered else step.after
                text.setToolTip(covered_words(frame))
            self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(text, row, 1)
