"""The tab with the list: search, where to look, the rows, filled at once or in slices, and what is said about them."""

from __future__ import annotations

from functools import partial
from itertools import chain
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget

from annotator.finding.element_search import ELEMENT_KEYS, DocumentFinder, ElementQuery
from annotator.finding.review import ReviewProgress, progress_of
from annotator.ui.controls import ProgressLine, Segments, column, flat_button, label, row, set_tip
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.editor.finding.element_table import ElementModel, ElementTable
from annotator.ui.editor.panels.panel_section import TabPage
from annotator.ui.fitting import Fitting
from annotator.ui.search_field import SearchBox
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HIT, SPACE
from annotator.words import tr
from demopack.domain.elements import REVIEWS, Element, Review, reading_order

_TIP = tr(
    "Words are looked for in the text. Also type:button, state:checked, conf:<0.6, review:todo, step:3-7 and more: "
    "begin to type a key to see them"
)
_NOTHING_FOUND = tr("No element fits this search.")
_NOTHING_THERE = tr("There are no elements here yet. Find them, or draw a box on the picture.")


class ListPanel(TabPage):
    """The widgets of the tab; what they do is the feature's business.

    Attributes:
        search: the search.
        table: the rows.
        model: what the table shows.
        scope: 0 for this picture, 1 for the whole demo.
        filter: show only what was found on the picture too, or everything.
        review: what is said about the selected rows, a place in ``REVIEWS``.
    """

    def __init__(self, theme: Theme, finder: DocumentFinder) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.search = SearchBox(tr("Search elements"), theme, keys=ELEMENT_KEYS, check=finder.understand, tip=_TIP)
        set_tip(self.search.field, action="search")
        self.model = ElementModel(finder, self)
        self.table = ElementTable(self.model, theme)
        self.scope = Segments(
            tr("Where to look"),
            (tr("Picture"), tr("Demo")),
            tips=(tr("List the elements of this picture"), tr("List the elements of every step")),
        )
        self.scope.set_current(0)
        self.filter = flat_button("filter", tr("Show only these on the picture too"), theme)
        self.filter.setCheckable(True)
        self._least = flat_button("find", tr("Go to the least sure element"), theme, action="next_uncertain")
        self._figures = flat_button("statistics", tr("Statistics"), theme, action="statistics")
        self.count = label("", role="caption")
        self.progress = label("", role="caption")
        self._line = ProgressLine(tr("Review of these elements"), theme)
        self.review = Segments(
            tr("Review"),
            (tr("To do"), tr("Doubt"), tr("Approve"), tr("Reject")),
            tips=(
                tr("Nothing was said about it"),
                tr("Somebody should look at it again"),
                tr("It is right; go on"),
                tr("Nothing is there"),
            ),
            actions=("take_back", "doubt", "approve_element", "delete"),
            fills=True,
        )
        self._nothing = label("", role="muted", wraps=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setMargin(SPACE.l)
        self._table_or_words = QStackedWidget()
        self._table_or_words.setMinimumHeight(2 * HIT.row)
        for part in (self.table, self._nothing):
            self._table_or_words.addWidget(part)
        column(
            column(
                self.search,
                row(self.scope, None, self.filter, self._least, self._figures, spacing=SPACE.xs),
                margins=(SPACE.m, SPACE.m, SPACE.s, SPACE.s),
            ),
            (self._table_or_words, 1),
            column(
                row(self.count, None, self.progress),
                self._line,
                self.review,
                margins=(SPACE.m, SPACE.s, SPACE.m, SPACE.s),
            ),
            of=self,
            spacing=0,
        )
        spare = ((partial(self.review.set_lines, 2), partial(self.review.set_lines, 1)),)
        self._fitting = Fitting(self, spare, says=lambda: (self.count.text(), self.progress.text()))
        self.show_review(None, selected=0)

    @property
    def whole_demo(self) -> bool:
        """Whether every step is looked at."""
        return self.scope.current == 1

    def show_count(self, found: int, *, searching: bool = False) -> None:
        """How many were found; where nothing was, a sentence stands in the table's place."""
        self._nothing.setText(_NOTHING_FOUND if self.search.text.strip() else _NOTHING_THERE)
        self._table_or_words.setCurrentIndex(0 if found or searching else 1)
        if searching:
            words = tr("1 found so far") if found == 1 else tr("{found} found so far")
        else:
            words = tr("1 element") if found == 1 else tr("{found} elements")
        self.count.setText(words.format(found=found))

    def show_progress(self, progress: ReviewProgress) -> None:
        """How far the review is, of the picture or of the demo."""
        self.progress.setText(progress.words)
        self._line.show_progress(progress)

    def show_review(self, review: Review | None, *, selected: int) -> None:
        """What was said about the selected rows; None where it is not the same about all."""
        self.review.setEnabled(selected > 0)
        if review is None:
            self.review.set_none()
        else:
            self.review.set_current(REVIEWS.index(review))


_SLICE_S: Final = 0.008
_SHOW_INTERVAL_S: Final = 0.15
"""How often what was found so far is shown."""
_REORDER_DELAY_MS: Final = 300
"""How long a crowded picture has to rest before its reading order is worked out again."""


class ElementSearch(QObject):
    """Searches the open demo, and keeps what it found for each frame.

    Signals:
        listed: the elements that were found, and whether more are still to come.
    """

    listed = Signal(object, bool)

    def __init__(self, context: EditorContext, finder: DocumentFinder, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._finder = finder
        self._query = finder.understand("")
        self._whole_demo = False
        self._parts: dict[str, list[Element]] = {}
        self._waiting: list[str] = []
        self._shown_at = 0.0
        self._slices = QTimer(self, interval=0)
        self._slices.timeout.connect(self._work)
        self._rest = QTimer(self, interval=_REORDER_DELAY_MS, singleShot=True)
        self._rest.timeout.connect(self._order)

    @property
    def busy(self) -> bool:
        """Whether a part of the demo is still to be searched."""
        return bool(self._waiting)

    @property
    def progress(self) -> ReviewProgress:
        """How far the review of what is looked at is: the picture, or the demo."""
        return progress_of(chain.from_iterable(map(self._context.document.elements, self._frames())))

    def start(self, query: ElementQuery, *, whole_demo: bool) -> None:
        """Look for something, from the beginning."""
        self._query, self._whole_demo = query, whole_demo
        self._parts.clear()
        self._waiting = list(self._frames())
        self._shown_at = perf_counter()
        self._work(at_once=not whole_demo)

    def again(self, frame_id: str) -> None:
        """Search one frame again, after its elements changed."""
        if frame_id in self._frames():
            if frame_id not in self._waiting:
                self._waiting.append(frame_id)
            self._work(at_once=True)

    def _frames(self) -> tuple[str, ...]:
        if self._whole_demo:
            return self._finder.frames
        frame = self._context.view.frame
        return () if frame is None else (frame.id,)

    def _work(self, *, at_once: bool = False) -> None:
        end = perf_counter() + _SLICE_S
        while self._waiting and (at_once or perf_counter() < end):
            frame_id = self._waiting.pop(0)
            if self._finder.unordered(frame_id) is not None and not self._whole_demo:
                self._rest.start()
            shown = self._context.view.shown(frame_id)
            self._parts[frame_id] = self._finder.find(self._query, frame_id, shown=shown)
        if self._waiting and not self._slices.isActive():
            self._slices.start()
        elif not self._waiting:
            self._slices.stop()
        if not self._waiting or perf_counter() - self._shown_at > _SHOW_INTERVAL_S:
            parts = [self._parts.get(frame_id, []) for frame_id in self._frames()]
            self.listed.emit(list(chain.from_iterable(parts)), self.busy)
            self._shown_at = perf_counter()

    def _order(self) -> None:
        """Work out the reading order of a crowded picture beside the window's thread."""
        frame = self._context.view.frame
        elements = None if frame is None else self._finder.unordered(frame.id)
        if frame is None or elements is None:
            return

        def show(ordered: list[Element]) -> None:
            self._finder.put_order(frame.id, elements, ordered)
            self.again(frame.id)

        self._context.operations.start(lambda: reading_order(elements), on_result=show)
