"""The figures of two models side by side, with what changed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QScrollArea, QVBoxLayout, QWidget

from annotator.model_words import FigureRow, figure_name, figure_rows
from annotator.ui.controls import label
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from models.registry import ModelCard

__all__ = ["FigureTable"]

_HEAD = 76
_WORSE = ("loss", "cer", "error", "_ms", "seconds")
"""Figures that are better when they are smaller have one of these in their names."""


class FigureTable(QScrollArea):
    """A table that is read, not worked in."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[FigureRow] = []
        self.setWidgetResizable(True)
        self.setAccessibleName(tr("Figures side by side"))
        self.show_nothing("")

    @property
    def rows(self) -> list[FigureRow]:
        """What is shown."""
        return list(self._rows)

    def show_nothing(self, words: str) -> None:
        """A sentence in the place of figures."""
        self._rows = []
        told = label(words, role="muted", wraps=True)
        told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setWidget(told)

    def show_cards(self, first: ModelCard, second: ModelCard, *, names: tuple[str, str]) -> None:
        """Show the figures of two cards."""
        self._rows = figure_rows(first, second)
        if not self._rows:
            self.show_nothing(tr("No figures are written on these cards."))
            return
        inside = QWidget()
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE.s)
        grid.setVerticalSpacing(SPACE.xs)
        for at, words in enumerate((tr("Figure"), *names, tr("Difference"))):
            # A name may be broken after each of its hyphens, which Qt does not do between digits.
            head = label(words.replace("-", "-\u200b"), role="heading", wraps=at in {1, 2})
            head.setAccessibleName(words)
            right = Qt.AlignmentFlag.AlignRight if at else Qt.AlignmentFlag.AlignLeft
            head.setAlignment(right | Qt.AlignmentFlag.AlignBottom)
            if at in {1, 2}:
                head.setFixedWidth(_HEAD)
            grid.addWidget(head, 0, at)
        for number, row in enumerate(self._rows, start=1):
            name = label(figure_name(row.name), wraps=True)
            grid.addWidget(name, number, 0)
            for at, value in enumerate((row.first, row.second), start=1):
                grid.addWidget(_value("-" if value is None else f"{value:.3f}"), number, at)
            grid.addWidget(_change(row), number, 3)
        grid.setColumnStretch(0, 1)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, SPACE.m, SPACE.m)
        column.addLayout(grid)
        column.addStretch(1)
        self.setWidget(inside)


def _value(words: str, role: str = "") -> QWidget:
    made = label(words, role=role)
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made


def _change(row: FigureRow) -> QWidget:
    change = row.change
    if change is None:
        return _value("")
    if abs(change) < 0.0005:
        return _value("same", "muted")
    better = (change < 0) == any(word in row.name for word in _WORSE)
    return _value(f"{'▲' if change > 0 else '▼'} {abs(change):.3f}", "good" if better else "error")
