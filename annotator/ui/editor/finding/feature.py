"""The list of elements with its search, and the review of single elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from PySide6.QtCore import QTimer

from annotator.editing import EditKind
from annotator.finding.finder import ElementFilter, Finder
from annotator.finding.jump import show_frame
from annotator.finding.review import ProgressTally
from annotator.finding.rows import Found
from annotator.ui.controls import push_button
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.finding.lister import Lister
from annotator.ui.editor.finding.panel import ListPanel
from annotator.ui.editor.finding.reviewing import Reviewer
from annotator.ui.editor.finding.statistics_page import StatisticsPage
from annotator.ui.editor.finding.uncertain import UncertainWalk
from annotator.ui.editor.keys import Key
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, Review

__all__ = ["FindingFeature"]

_FILTER = "search"
_TAB = "list"


class FindingFeature(Feature):
    """The tab *List*, the button with the progress of the picture, and the keys of the review.

    Attributes:
        panel: the tab.
        tool: the progress of the picture, in the foot.
        statistics: figures, in the picture's place.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="search", words=tr("Search the elements"), keys=("Ctrl+K", "/"), group="Find and review"),
        Key(name="next_uncertain", words=tr("Go to the least sure element"), keys=("Ctrl+U",), group="Find and review"),
        Key(
            name="approve_element",
            words=tr("Approve the selected element, and go on"),
            keys=("Space",),
            group="Find and review",
            scope="shown",
        ),
        Key(
            name="statistics", words=tr("Show or hide the statistics"), keys=("Ctrl+Shift+S",), group="Find and review"
        ),
        Key(
            name="doubt",
            words=tr("Mark as doubtful, and go on"),
            keys=("Shift+Space",),
            group="Find and review",
            scope="picture",
        ),
        Key(
            name="take_back",
            words=tr("Take the review back"),
            keys=("Ctrl+Space",),
            group="Find and review",
            scope="picture",
        ),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._finder = Finder(desk.document)
        self.panel = ListPanel(desk.theme, words=self._finder.words, check=self._finder.understand)
        self._lister = Lister(desk, self._finder, self.panel)
        self.statistics = StatisticsPage(desk, search=self._show_behind)
        self._walk = UncertainWalk(desk, self._finder)
        self._reviewer = Reviewer(desk, self.panel, refresh=self._refresh_now, busy=lambda: self._lister.busy)
        self._stale = True
        self._choosing = False
        self._changed: set[str] = set()
        self._progress = ProgressTally()
        self._soon = QTimer(self.panel, interval=0, singleShot=True)
        self._soon.timeout.connect(self._refresh)
        self.tool = push_button(
            "", tr("Go to the least sure element"), desk.theme, name="check", keys="Ctrl+U", role="flat"
        )
        self.tool.clicked.connect(self._walk.go)
        desk.add_tab(_TAB, tr("List"), self.panel)
        desk.add_foot_tool(self.tool)
        desk.add_head_action(
            "statistics",
            tr("Statistics"),
            self.statistics.toggle,
            tip=tr("How many of what, how far the review is, and how long"),
        )
        desk.add_approver(self._reviewer.approve_on_canvas)
        self._connect()
        self._show_progress()

    def _connect(self) -> None:
        desk, panel = self.desk, self.panel
        panel.search.searched.connect(self._on_search)
        panel.search.field.set_texts(self._texts)
        panel.search.field.left.connect(desk.canvas.setFocus)
        panel.search.field.entered.connect(self._open_first)
        panel.search.field.down.connect(self._to_table)
        panel.scope_chosen.connect(self._restart)
        panel.filter_toggled.connect(self._set_filter)
        panel.review_wanted.connect(self._reviewer.rows)
        panel.uncertain_wanted.connect(self._walk.go)
        panel.statistics_wanted.connect(self.statistics.toggle)
        panel.seen.connect(self._on_seen)
        panel.table.chosen.connect(self._on_chosen)
        panel.table.left.connect(desk.canvas.setFocus)
        self._lister.listed.connect(self._on_listed)
        self._ends = [
            desk.view.frame_changed.connect(self._on_frame),
            desk.view.selection_changed.connect(self._on_selection),
            desk.view.filters_changed.connect(self._on_filters),
            desk.document.elements_changed.connect(self._on_elements),
            desk.session.edited.connect(self._on_edited),
        ]

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {
            "search": self.search,
            "next_uncertain": self._walk.go,
            "statistics": self.statistics.toggle,
            "doubt": lambda: self._reviewer.selection("doubtful"),
            "take_back": lambda: self._reviewer.selection("unreviewed"),
        }

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._soon.stop()
        self._lister.close()
        self._walk.close()
        self.statistics.close()
        self._finder.close()
        for end in self._ends:
            end()

    def search(self, text: str | None = None) -> None:
        """Show the list with the cursor in its search; with a text, search for that."""
        self.desk.show_tab(_TAB)
        field = self.panel.search.field
        if text is not None:
            field.setText(text)
        field.setFocus()
        field.selectAll()

    def _show_behind(self, text: str) -> None:
        """The elements behind a figure of the statistics."""
        self.panel.set_scope(whole_demo=True)
        self.search(text)

    # Listing --------------------------------------------------------------------------------------------------

    def _on_search(self) -> None:
        self._set_filter()
        self._restart()

    def _restart(self) -> None:
        """Look again from the beginning; as long as nobody sees the list, later."""
        self._stale = True
        if self.panel.isVisible():
            self._stale = False
            self._changed.clear()
            search = self._finder.understand(self.panel.search.text)
            self._lister.start(search, whole_demo=self.panel.whole_demo)

    def _refresh(self) -> None:
        self._show_progress()
        if not self.panel.isVisible():
            self._stale = True
            return
        for frame_id in sorted(self._changed):
            self._lister.again(frame_id)
        self._changed.clear()

    def _refresh_now(self, following: Element | None) -> None:
        """After a review in the list: show it, and go to a row."""
        self._soon.stop()
        self._refresh()
        if following is not None:
            self.panel.table.select_elements((following,))
            self._on_chosen()

    def _on_listed(self, found: Found, searching: bool) -> None:  # noqa: FBT001 - a slot
        table = self.panel.table
        kept = table.selected
        at = table.verticalScrollBar().value()
        if self.panel.model.show_rows(found, of_demo=self.panel.whole_demo):
            # Of other pictures than the one in sight only the list knows what was selected.
            table.select_elements(self._selection() or (kept if self.panel.whole_demo else ()), scroll=False)
            table.verticalScrollBar().setValue(at)
        self.panel.show_count(len(found), searching=searching)
        self.panel.show_progress(self._lister.progress)
        self._show_selected()

    def _selection(self) -> list[Element]:
        """What is selected on the picture."""
        found = (self.desk.document.element(uid) for uid in self.desk.view.selection)
        return [element for element in found if element is not None]

    def _texts(self) -> list[str]:
        """What is written on this picture, for the completion."""
        frame = self.desk.view.frame
        found = () if frame is None else self.desk.document.elements(frame.id)
        return [" ".join(e.text.split()) for e in found if e.text and e.review != "rejected"]

    def _set_filter(self) -> None:
        text = self.panel.search.text
        keeps = None
        if self.panel.filters and text.strip():
            keeps = ElementFilter(self._finder, self._finder.understand(text), self.desk.document)
        self.desk.view.set_filter(_FILTER, keeps)

    # Following ------------------------------------------------------------------------------------------------

    def _on_seen(self) -> None:
        if self._stale:
            self._restart()
        self._on_selection()

    def _on_frame(self) -> None:
        self._show_progress()
        if not self.panel.whole_demo:
            self._restart()

    def _on_filters(self) -> None:
        self._restart()

    def _on_elements(self, frame_id: str) -> None:
        self._changed.add(frame_id)
        self._soon.start()

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        """Steps may have other numbers now, and other targets."""
        del kind
        if self.panel.whole_demo and any(change.kind == "step" for change in edit.changes):
            self._restart()

    def _on_selection(self) -> None:
        if self.panel.isVisible() and not self._choosing:
            self.panel.table.select_elements(self._selection())
        self._show_selected()

    def _show_progress(self) -> None:
        frame = self.desk.view.frame
        found = self._progress.of(() if frame is None else self.desk.document.elements(frame.id))
        self.tool.setText(f"{found.approved}/{found.total}")
        self.tool.setVisible(found.total > 0)
        self.tool.setAccessibleName(tr("Elements of this picture that are approved"))
        self.tool.setAccessibleDescription(found.words)

    def _show_selected(self) -> None:
        chosen = self.panel.table.selected
        reviews: set[Review] = {element.review for element in chosen}
        self.panel.show_review(reviews.pop() if len(reviews) == 1 else None, selected=len(chosen))

    # Choosing -------------------------------------------------------------------------------------------------

    def _on_chosen(self) -> None:
        """Show on the picture what was selected in the list; another picture is gone to."""
        chosen, current = self.panel.table.selected, self.panel.table.current
        self._choosing = True
        try:
            if current is not None and chosen:
                self.desk.leave()
                show_frame(self.desk.view, current.frame)
            frame = self.desk.view.frame
            self.desk.view.select(tuple(e.uid for e in chosen if frame is not None and e.frame == frame.id))
        finally:
            self._choosing = False
        self._show_selected()

    def _open_first(self) -> None:
        """Enter in the search: the first row is shown."""
        first = self.panel.model.at(0)
        if first is not None:
            self.panel.table.select_elements((first.element,))
            self._on_chosen()
            self.desk.canvas.setFocus()

    def _to_table(self) -> None:
        self.panel.table.setFocus()
        if self.panel.table.current is None and len(self.panel.model.rows):
            self.panel.table.selectRow(0)
