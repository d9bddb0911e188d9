"""The statistics page: cards with one figure, and tables with bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QWidget

from annotator.finding.review import ReviewProgress
from annotator.finding.statistics import AcceptanceCounts, Statistics
from annotator.step_words import type_word
from annotator.ui.controls import (
    Bar,
    ProgressLine,
    column,
    figure,
    flat_button,
    label,
    line,
    on_escape,
    push_button,
    row,
    scroll_area,
)
from annotator.ui.painting import type_badge
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr
from demopack.domain.elements import ELEMENT_TYPES, ElementType


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One row of a table.

    Attributes:
        name: what it is about.
        values: its cells, as many as the table has columns.
        progress: drawn as a bar behind the name; None for none.
        search: finds its elements; empty where nothing does.
        type: the type of element whose badge stands before the name; empty for none.
    """

    name: str
    values: Sequence[object]
    progress: ReviewProgress | None = None
    search: str = ""
    type: str = ""


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


class StatisticsView(Bar):
    """Figures of a demo or a library."""

    def __init__(
        self,
        theme: Theme,
        *,
        heading: str,
        close: Callable[[], object],
        search: Callable[[str], object] | None = None,
    ) -> None:
        """Show that figures are being counted; ``search`` shows the elements that a search finds, if anything can."""
        super().__init__("page")
        self.setAccessibleName(heading)
        self._theme = theme
        self._show_behind = search
        self.shown: Statistics | None = None
        back = flat_button("close", tr("Close the statistics"), theme, keys="Esc", call=close)
        self._area = scroll_area(QWidget(), heading)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setMinimumHeight(1)
        column(
            row(label(heading, role="title"), None, back, spacing=-1, margins=(SPACE.xl, SPACE.m, SPACE.m, SPACE.s)),
            (self._area, 1),
            of=self,
            spacing=0,
        )
        self.setFocusProxy(self._area)
        on_escape(self, close)
        self.show_waiting()

    def show_waiting(self, words: str = "Counting …") -> None:
        """A sentence in the place of figures."""
        self.shown = None
        told = label(words, role="muted")
        told.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._area.setWidget(told)

    def show_statistics(self, found: Statistics) -> None:
        """Show the figures."""
        self.shown = found
        inside = QWidget()
        cards = row(*((card, 1) for card in self._cards(found)), spacing=SPACE.l)
        margins = (SPACE.xl, SPACE.s, SPACE.xl, SPACE.xl)
        column(cards, *self._tables(found), None, of=inside, spacing=SPACE.l, margins=margins)
        self._area.setWidget(inside)

    # Cards: one large figure with its name ------------------------------------------------------------------------

    def _cards(self, found: Statistics) -> list[QFrame]:
        by_source = found.by_source.values()
        decided, accepted = sum(one.decided for one in by_source), sum(one.accepted for one in by_source)
        time, approved = found.time, found.elements.approved
        sittings = tr("1 sitting") if time.sittings == 1 else tr("{sittings} sittings").format(sittings=time.sittings)
        effort = tr("{edits} edits in {sittings}").format(edits=time.edits, sittings=sittings)
        if approved and time.seconds >= 1:
            pace = tr("{per_element:.1f} s for each approved element").format(per_element=time.seconds / approved)
            effort = f"{effort}, {pace}"
        known = tr("of {decided} that were decided about").format(decided=decided)
        return [
            *([self._card(tr("Demos"), str(found.demos))] if found.demos > 1 else []),
            self._card(tr("Steps approved"), _of(found.steps), _open_words(found.steps), found.steps),
            self._card(tr("Elements approved"), _of(found.elements), _open_words(found.elements), found.elements),
            self._card(
                tr("Suggestions right as they were"),
                f"{accepted / decided:.0%}" if decided else "-",
                known if decided else tr("Nothing was decided yet."),
            ),
            self._card(tr("Time of review"), time.words, effort),
        ]

    def _card(self, name: str, value: str, more: str = "", progress: ReviewProgress | None = None) -> QFrame:
        made = QFrame()
        made.setObjectName("card")
        made.setAccessibleName(f"{name}: {value}")
        column(
            label(name, role="muted"),
            label(value, role="large"),
            *self._bar(name, progress),
            label(more, role="caption", wraps=True),
            None,
            of=made,
            spacing=SPACE.xs,
            margins=(SPACE.l, SPACE.m, SPACE.l, SPACE.m),
        )
        return made

    def _bar(self, name: str, progress: ReviewProgress | None) -> list[ProgressLine]:
        if progress is None:
            return []
        bar = ProgressLine(name, self._theme)
        bar.show_progress(progress)
        return [bar]

    # Tables: a name can be clicked where a search shows what is counted -------------------------------------------

    def _tables(self, found: Statistics) -> list[QFrame]:
        empty, undecided = tr("There are no elements yet."), tr("Nothing was decided yet.")
        by_type = [_verdict_row(type_word(kind), one, drawn=True, type=kind) for kind, one in found.by_type.items()]
        by_source = [_verdict_row(_SOURCES.get(name, name), one, drawn=False) for name, one in found.by_source.items()]
        fields = [_Row(name=capital(type_word(name)), values=(number,)) for name, number in found.fields.items()]
        actions = [_Row(name=type_word(name), values=(number,)) for name, number in found.actions.items()]
        states = [_Row(name=state, values=counts, search=f"state:{state}") for state, counts in found.states.items()]
        drawn = tr("Drawn by hand: boxes that nothing had suggested; copies on other pictures do not count.")
        return [
            self._table(tr("Types"), _REVIEW_COLUMNS, self._review_rows(found.types, "type"), empty),
            self._table(
                tr("What became of suggestions, by type"),
                (*_VERDICT_COLUMNS, tr("Drawn by hand")),
                by_type,
                undecided,
                note=drawn,
            ),
            self._table(tr("What became of suggestions, by source"), _VERDICT_COLUMNS, by_source, undecided),
            self._table(tr("What was corrected"), (tr("Suggestions"),), fields, tr("Nothing was corrected yet.")),
            self._table(tr("Sources"), _REVIEW_COLUMNS, self._review_rows(found.sources, "source"), empty),
            self._table(tr("States"), (tr("Holds"), tr("Does not")), states, tr("No state is known yet.")),
            self._table(tr("Actions"), (tr("Steps"),), actions, tr("There are no steps yet.")),
        ]

    def _review_rows(self, parts: Mapping[str, ReviewProgress], key: str) -> list[_Row]:
        return [
            _Row(
                name=_SOURCES.get(name, type_word(name)) if key == "source" else type_word(name),
                values=(one.total, one.approved, one.doubtful, one.todo, one.rejected),
                progress=one,
                search=f"{key}:{name}",
                type=name if key == "type" else "",
            )
            for name, one in parts.items()
        ]

    def _table(
        self, heading: str, columns: Sequence[str], rows: Sequence[_Row], nothing: str, *, note: str = ""
    ) -> QFrame:
        made = QFrame()
        made.setObjectName("card")
        made.setAccessibleName(heading)
        layout = column(label(heading, role="words"), of=made, margins=(SPACE.l, SPACE.m, SPACE.l, SPACE.l))
        if note:
            layout.addWidget(label(note, role="caption", wraps=True))
        if not rows:
            layout.addWidget(label(nothing, role="muted", wraps=True))
            return made
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE.l)
        grid.setVerticalSpacing(SPACE.xs)
        grid.setColumnStretch(1, 1)
        for at, words in enumerate(columns, start=2):
            grid.addWidget(figure(words, role="caption"), 0, at)
        grid.addWidget(line(), 1, 0, 1, len(columns) + 2)
        for place, entry in enumerate(rows, start=2):
            grid.addWidget(self._name(entry), place, 0)
            for bar in self._bar(entry.name, entry.progress):
                grid.addWidget(bar, place, 1)
            for at, (words, head) in enumerate(zip(map(str, entry.values), columns, strict=True), start=2):
                cell = figure(words, role="" if words not in {"0", "-"} else "muted")
                cell.setAccessibleName(f"{entry.name}, {head}: {words}")
                grid.addWidget(cell, place, at)
        layout.addLayout(grid)
        return made

    def _name(self, entry: _Row) -> QWidget:
        made = QWidget()
        found: list[ElementType] = [kind for kind in ELEMENT_TYPES if kind == entry.type]
        badges = [QLabel() for _ in found]
        for badge, kind in zip(badges, found, strict=True):
            badge.setPixmap(type_badge(kind, ratio=self.devicePixelRatioF()))
        name: QWidget = label(entry.name)
        show, wanted = self._show_behind, entry.search
        if show is not None and wanted:
            tip = tr("Show these elements: {search}").format(search=wanted)
            name = push_button(entry.name, tip, self._theme, role="link", call=lambda: show(wanted))
        row(*badges, name, None, of=made)
        made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        made.setMinimumHeight(28)
        return made


def _of(progress: ReviewProgress) -> str:
    return tr("{approved} of {total}").format(approved=progress.approved, total=progress.total)


def _open_words(progress: ReviewProgress) -> str:
    words = tr("{todo} to do").format(todo=progress.todo)
    return (
        tr("{words}, {doubtful} doubtful").format(words=words, doubtful=progress.doubtful)
        if progress.doubtful
        else words
    )


def _verdict_row(name: str, one: AcceptanceCounts, *, drawn: bool, type: str = "") -> _Row:
    share = "-" if one.share is None else f"{one.share:.0%}"
    values = (one.accepted, one.fixed, one.rejected, share)
    bar = ReviewProgress(total=one.decided, approved=one.accepted, doubtful=one.fixed) if one.decided else None
    return _Row(name=name, values=(*values, one.missed) if drawn else values, progress=bar, type=type)
