"""The pieces of the statistics page: cards with one figure, and tables with bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from annotator.finding.review import Progress
from annotator.ui.controls import label, line
from annotator.ui.painting import type_badge
from annotator.ui.progress_line import ProgressLine
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.elements import ELEMENT_TYPES, ElementType

__all__ = ["Figure", "FigureCard", "FigureGrid", "GridRow"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure in a card.

    Attributes:
        name: what it is.
        value: in words.
        more: a sentence under it; may be empty.
        progress: a line under it; None for none.
    """

    name: str
    value: str
    more: str = ""
    progress: Progress | None = None


class FigureCard(QFrame):
    """A large figure with its name."""

    def __init__(self, figure: Figure, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setAccessibleName(f"{figure.name}: {figure.value}")
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        column.setSpacing(SPACE.xs)
        column.addWidget(label(figure.name, role="muted"))
        column.addWidget(label(figure.value, role="large"))
        if figure.progress is not None:
            bar = ProgressLine(figure.name, theme)
            bar.show_progress(figure.progress)
            column.addWidget(bar)
        column.addWidget(label(figure.more, role="caption", wraps=True))
        column.addStretch(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """One row of a table.

    Attributes:
        name: what it is about.
        values: its cells, as many as the table has columns.
        progress: drawn as a bar behind the name; None for none.
        search: what shows its elements; empty where nothing does.
    """

    name: str
    values: Sequence[str]
    progress: Progress | None = None
    search: str = ""


class FigureGrid(QFrame):
    """A table with a heading; a name can be clicked where a search shows what is counted.

    Signals:
        search_wanted: show these elements.
    """

    search_wanted = Signal(str)

    def __init__(
        self,
        heading: str,
        columns: Sequence[str],
        rows: Sequence[GridRow],
        theme: Theme,
        *,
        nothing: str,
        note: str = "",
    ) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setAccessibleName(heading)
        self._theme = theme
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.l)
        column.setSpacing(SPACE.s)
        column.addWidget(label(heading, role="words"))
        if note:
            column.addWidget(label(note, role="caption", wraps=True))
        if not rows:
            column.addWidget(label(nothing, role="muted", wraps=True))
            return
        column.addLayout(self._grid(columns, rows))

    def _grid(self, columns: Sequence[str], rows: Sequence[GridRow]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE.l)
        grid.setVerticalSpacing(SPACE.xs)
        grid.setColumnStretch(1, 1)
        bars = any(row.progress is not None for row in rows)
        for at, words in enumerate(columns):
            head = label(words, role="caption")
            head.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(head, 0, at + 2)
        grid.addWidget(line(), 1, 0, 1, len(columns) + 2)
        for place, row in enumerate(rows, start=2):
            grid.addWidget(self._name(row), place, 0)
            if bars and row.progress is not None:
                bar = ProgressLine(row.name, self._theme)
                bar.show_progress(row.progress)
                grid.addWidget(bar, place, 1)
            for at, words in enumerate(row.values):
                grid.addWidget(_cell(words, row, columns[at]), place, at + 2)
        return grid

    def _name(self, row: GridRow) -> QWidget:
        made = QWidget()
        inside = QHBoxLayout(made)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(SPACE.s)
        found: list[ElementType] = [kind for kind in ELEMENT_TYPES if kind == row.name.replace(" ", "_")]
        for kind in found:
            badge = QLabel()
            badge.setPixmap(type_badge(kind, ratio=self.devicePixelRatioF()))
            inside.addWidget(badge)
        if row.search:
            button = QPushButton(row.name)
            button.setProperty("role", "link")
            button.setToolTip(tr("Show these elements: {search}").format(search=row.search))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda: self.search_wanted.emit(row.search))
            inside.addWidget(button)
        else:
            inside.addWidget(label(row.name))
        inside.addStretch(1)
        made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        made.setMinimumHeight(28)
        return made


def _cell(words: str, row: GridRow, column: str) -> QLabel:
    made = label(words, role="" if words not in {"0", "-"} else "muted")
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    made.setAccessibleName(f"{row.name}, {column}: {words}")
    return made
