"""The statistics page."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from annotator.finding.review import Progress
from annotator.finding.statistics import Agreement, Statistics
from annotator.type_words import type_word
from annotator.ui.controls import flat_button, label
from annotator.ui.statistics.parts import Figure, FigureCard, FigureGrid, GridRow
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr

__all__ = ["StatisticsView"]

_SOURCES: Mapping[str, str] = {
    "ocr": "OCR",
    "detector": tr("Detector"),
    "describer": tr("Describer"),
    "accessibility": tr("The programs themselves"),
    "human": tr("A person"),
    "rule": tr("Rules"),
    "propagated": tr("Carried over"),
}
_REVIEW_COLUMNS = (tr("All"), tr("Approved"), tr("Doubtful"), tr("To do"), tr("Rejected"))
_VERDICT_COLUMNS = (tr("Accepted"), tr("Fixed"), tr("Rejected"), tr("Right as it was"))


class StatisticsView(QWidget):
    """Figures of a demo or a library.

    Signals:
        closed: back to where it was opened.
        search_wanted: show the elements behind a figure.
    """

    closed = Signal()
    search_wanted = Signal(str)

    def __init__(self, theme: Theme, *, heading: str, searchable: bool) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(heading)
        self._theme = theme
        self._searchable = searchable
        self._shown: Statistics | None = None
        back = flat_button("close", tr("Close the statistics"), theme, keys="Esc")
        back.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.setContentsMargins(SPACE.xl, SPACE.m, SPACE.m, SPACE.s)
        head.addWidget(label(heading, role="title"))
        head.addStretch(1)
        head.addWidget(back)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setAccessibleName(heading)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._area, 1)
        self.setFocusProxy(self._area)
        self.show_waiting()

    @property
    def shown(self) -> Statistics | None:
        """The figures on the page; None while they are counted."""
        return self._shown

    def show_waiting(self, words: str = "Counting …") -> None:
        """A sentence in the place of figures."""
        self._shown = None
        told = label(words, role="muted")
        told.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._area.setWidget(told)

    def show_statistics(self, found: Statistics) -> None:
        """Show the figures."""
        self._shown = found
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(SPACE.xl, SPACE.s, SPACE.xl, SPACE.xl)
        column.setSpacing(SPACE.l)
        cards = QGridLayout()
        cards.setSpacing(SPACE.l)
        for place, figure in enumerate(_figures(found)):
            cards.addWidget(FigureCard(figure, self._theme), 0, place)
            cards.setColumnStretch(place, 1)
        column.addLayout(cards)
        for grid in self._grids(found):
            grid.search_wanted.connect(self.search_wanted)
            column.addWidget(grid)
        column.addStretch(1)
        self._area.setWidget(inside)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _grids(self, found: Statistics) -> list[FigureGrid]:
        theme, empty = self._theme, tr("There are no elements yet.")
        undecided = tr("Nothing was decided yet.")
        types, sources = self._review_rows(found.types, "type"), self._review_rows(found.sources, "source")
        by_type = [_verdict_row(type_word(kind), one, drawn=True) for kind, one in found.by_type.items()]
        by_source = [_verdict_row(_SOURCES.get(name, name), one, drawn=False) for name, one in found.by_source.items()]
        fields = [
            GridRow(name=capital(type_word(name)), values=(str(number),)) for name, number in found.fields.items()
        ]
        actions = [GridRow(name=type_word(name), values=(str(n),)) for name, n in found.actions.items()]
        return [
            FigureGrid(tr("Types"), _REVIEW_COLUMNS, types, theme, nothing=empty),
            FigureGrid(
                tr("What became of suggestions, by type"),
                (*_VERDICT_COLUMNS, tr("Drawn by hand")),
                by_type,
                theme,
                nothing=undecided,
                note=tr("Drawn by hand: boxes that nothing had suggested."),
            ),
            FigureGrid(
                tr("What became of suggestions, by source"), _VERDICT_COLUMNS, by_source, theme, nothing=undecided
            ),
            FigureGrid(
                tr("What was corrected"), (tr("Suggestions"),), fields, theme, nothing=tr("Nothing was corrected yet.")
            ),
            FigureGrid(tr("Sources"), _REVIEW_COLUMNS, sources, theme, nothing=empty),
            FigureGrid(
                tr("States"),
                (tr("Holds"), tr("Does not")),
                self._state_rows(found),
                theme,
                nothing=tr("No state is known yet."),
            ),
            FigureGrid(tr("Actions"), (tr("Steps"),), actions, theme, nothing=tr("There are no steps yet.")),
        ]

    def _review_rows(self, parts: Mapping[str, Progress], key: str) -> list[GridRow]:
        return [
            GridRow(
                name=_SOURCES.get(name, type_word(name)) if key == "source" else type_word(name),
                values=tuple(str(n) for n in (one.total, one.approved, one.doubtful, one.todo, one.rejected)),
                progress=one,
                search=f"{key}:{name}" if self._searchable else "",
            )
            for name, one in parts.items()
        ]

    def _state_rows(self, found: Statistics) -> list[GridRow]:
        return [
            GridRow(
                name=state,
                values=(str(one.yes), str(one.no)),
                search=f"state:{state}" if self._searchable else "",
            )
            for state, one in found.states.items()
        ]


def _figures(found: Statistics) -> list[Figure]:
    decided = Agreement(
        accepted=sum(one.accepted for one in found.by_source.values()),
        fixed=sum(one.fixed for one in found.by_source.values()),
        rejected=sum(one.rejected for one in found.by_source.values()),
    )
    per_element = None
    if found.elements.approved and found.time.seconds >= 1:
        per_element = found.time.seconds / found.elements.approved
    pace = (
        ""
        if per_element is None
        else tr("{per_element:.1f} s for each approved element").format(per_element=per_element)
    )
    sittings = (
        tr("1 sitting") if found.time.sittings == 1 else tr("{sittings} sittings").format(sittings=found.time.sittings)
    )
    figures = [
        Figure(
            name=tr("Steps approved"),
            value=_of(found.steps),
            more=_open_words(found.steps),
            progress=found.steps,
        ),
        Figure(
            name=tr("Elements approved"),
            value=_of(found.elements),
            more=_open_words(found.elements),
            progress=found.elements,
        ),
        Figure(
            name=tr("Suggestions right as they were"),
            value="-" if decided.share is None else f"{decided.share:.0%}",
            more=tr("of {decided} that were decided about").format(decided=decided.decided)
            if decided.decided
            else tr("Nothing was decided yet."),
        ),
        Figure(
            name=tr("Time of review"),
            value=found.time.words,
            more=", ".join(
                part
                for part in (tr("{edits} edits in {sittings}").format(edits=found.time.edits, sittings=sittings), pace)
                if part
            ),
        ),
    ]
    if found.demos > 1:
        figures.insert(0, Figure(name=tr("Demos"), value=str(found.demos)))
    return figures


def _of(progress: Progress) -> str:
    return tr("{approved} of {total}").format(approved=progress.approved, total=progress.total)


def _open_words(progress: Progress) -> str:
    words = tr("{todo} to do").format(todo=progress.todo)
    return (
        tr("{words}, {doubtful} doubtful").format(words=words, doubtful=progress.doubtful)
        if progress.doubtful
        else words
    )


def _verdict_row(name: str, one: Agreement, *, drawn: bool) -> GridRow:
    share = "-" if one.share is None else f"{one.share:.0%}"
    values = (str(one.accepted), str(one.fixed), str(one.rejected), share)
    bar = Progress(total=one.decided, approved=one.accepted, doubtful=one.fixed) if one.decided else None
    return GridRow(name=name, values=(*values, str(one.missed)) if drawn else values, progress=bar)
