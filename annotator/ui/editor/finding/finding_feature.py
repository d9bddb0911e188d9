"""The list of elements with its search, the review of single elements, and the demo's statistics."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import ClassVar, Final

from PySide6.QtCore import QTimer

from annotator.document import FrameCounter
from annotator.editing import EditKind
from annotator.finding.element_search import DocumentFinder
from annotator.finding.review import ReviewElements, by_doubt, is_open, progress_from, progress_of
from annotator.finding.statistics import Statistics, counts_of, demo_work, statistics
from annotator.step_commands import ReviewStep
from annotator.suggestions.confidence_filter import next_after
from annotator.ui.controls import push_button
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.finding.finding_panel import ElementSearch, ListPanel
from annotator.ui.keys.key import Key
from annotator.ui.statistics_view import StatisticsView
from annotator.view_state import show_frame
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import REVIEWS, Element, Review

_MAX_SORTED_INLINE: Final = 4000
"""So many open elements are put in order while the user waits; more in the background."""
_FILTER = "search"
_TAB = "list"


class FindingFeature(Feature):
    """The tab *List*, the button with the progress of the picture, and the keys of the review.

    Attributes:
        panel: the tab.
        tool: the progress of the picture, in the foot.
        figures: statistics, in the picture's place; None before they were first wanted.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self._finder = DocumentFinder(context.document)
        self.panel = ListPanel(context.theme, self._finder)
        self._lister = ElementSearch(context, self._finder, self.panel)
        self.figures: StatisticsView | None = None
        self._passed: set[str] = set()
        self._reviews: FrameCounter[Review] = FrameCounter(attrgetter("review"))
        self._stale = True
        self._choosing = False
        self._changed: set[str] = set()
        self._soon = QTimer(self.panel, interval=0, singleShot=True)
        self._soon.timeout.connect(self._refresh)
        tip = tr("Go to the least sure element")
        self.tool = push_button("", tip, context.theme, name="check", action="next_uncertain", role="flat")
        context.panel.add_tab(_TAB, tr("List"), self.panel)
        context.foot.add_tool(self.tool, stays=True)
        figures = tr("How many of what, how far the review is, and how long")
        context.head.add_job("statistics", tr("Statistics"), self.toggle_figures, tip=figures)
        self._connect()
        self._show_progress()

    def _connect(self) -> None:
        context, panel = self.context, self.panel
        panel.search.searched.connect(self._set_filter)
        panel.search.searched.connect(self._restart)
        panel.search.field.texts = self._texts
        panel.search.field.left.connect(context.canvas.setFocus)
        panel.search.field.entered.connect(self._open_first)
        panel.search.field.down.connect(self._to_table)
        panel.scope.chosen.connect(self._restart)
        panel.filter.toggled.connect(self._set_filter)
        panel.review.chosen.connect(lambda: self._review_rows(REVIEWS[panel.review.current]))
        panel.table.review_wanted.connect(self._review_rows)
        panel.seen.connect(self._on_seen)
        panel.table.chosen.connect(self._on_chosen)
        panel.table.left.connect(context.canvas.setFocus)
        self._lister.listed.connect(self._on_listed)
        context.canvas.approved.connect(self._approve_on_canvas)
        context.view.frame_changed.connect(self._on_frame)
        context.view.selection_changed.connect(self._on_selection)
        context.view.filters_changed.connect(self._restart)
        context.document.elements_changed.connect(self._on_elements)
        context.session.edited.connect(self._on_edited)

    def search(self, text: str | None = None) -> None:
        """Show the list with the cursor in its search; with a text, search for that."""
        self.context.panel.show_tab(_TAB)
        field = self.panel.search.field
        if text is not None:
            field.setText(text)
        field.setFocus()
        field.selectAll()

    # Statistics -----------------------------------------------------------------------------------------------

    def toggle_figures(self) -> None:
        """Show the statistics, counted anew, or the picture again."""
        context, view = self.context, self.figures
        if view is not None and view.isVisible():
            context.replace_canvas(None)
            return
        if view is None:
            heading = tr("Statistics of this demo")
            view = self.figures = StatisticsView(
                context.theme, heading=heading, close=lambda: context.replace_canvas(None), search=self._show_behind
            )
        context.leave()
        view.show_waiting()
        context.replace_canvas(view)
        view.setFocus()

        def count(_: None) -> None:
            demo, library = context.document.demo(), context.session.library

            def work() -> Statistics:
                counts, steps = counts_of(demo)
                made, time = demo_work(library, demo.head.id)
                return statistics([counts], steps=steps, made=made, time=time)

            context.operations.start(work, on_result=view.show_statistics)

        # Behind what is still to be written, or the log would lack the newest edits.
        context.operations.start(lambda: None, on_result=count, lane="library")

    def _show_behind(self, text: str) -> None:
        """Show the elements behind a figure."""
        self.context.replace_canvas(None)
        self.panel.scope.set_current(1)
        self.panel.scope.chosen.emit(1)
        self.search(text)

    # Listing --------------------------------------------------------------------------------------------------

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

    def _on_listed(self, found: list[Element], searching: bool) -> None:  # noqa: FBT001 - a slot
        table = self.panel.table
        kept = table.selected
        at = table.verticalScrollBar().value()
        if self.panel.model.show_rows(found, of_demo=self.panel.whole_demo):
            # Of other pictures than the one in sight only the list knows what was selected.
            table.select_elements(self.context.view.selected or (kept if self.panel.whole_demo else ()), scroll=False)
            table.verticalScrollBar().setValue(at)
        self.panel.show_count(len(found), searching=searching)
        self.panel.show_progress(self._lister.progress)
        self._show_selected()

    def _texts(self) -> list[str]:
        """What is written on this picture, for the completion."""
        found = self.context.view.elements
        return [" ".join(e.text.split()) for e in found if e.text and e.review != "rejected"]

    def _set_filter(self) -> None:
        text = self.panel.search.text
        keeps = None
        if self.panel.filter.isChecked() and text.strip():
            keeps = partial(self._finder.fits, self._finder.understand(text))
        self.context.view.set_filter(_FILTER, keeps)

    # Following ------------------------------------------------------------------------------------------------

    def _on_seen(self) -> None:
        if self._stale:
            self._restart()
        self._on_selection()

    def _on_frame(self) -> None:
        self._show_progress()
        if not self.panel.whole_demo:
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
            self.panel.table.select_elements(self.context.view.selected)
        self._show_selected()

    def _show_progress(self) -> None:
        found = progress_from(self._reviews.count(self.context.view.elements))
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
                self.context.leave()
                show_frame(self.context.view, current.frame)
            view = self.context.view
            view.select(tuple(element.uid for element in chosen if view.is_on(element.frame)))
        finally:
            self._choosing = False
        self._show_selected()

    def _open_first(self) -> None:
        """Enter in the search: the first row is shown."""
        first = self.panel.model.at(0)
        if first is not None:
            self._show_row(first)
            self.context.canvas.setFocus()

    def _show_row(self, element: Element) -> None:
        self.panel.table.select_elements((element,))
        self._on_chosen()

    def _to_table(self) -> None:
        self.panel.table.setFocus()
        if self.panel.table.current is None and len(self.panel.model.rows):
            self.panel.table.selectRow(0)

    def go_to_uncertain(self) -> None:
        """Show the least sure element that has not been shown yet; after the last one it begins again."""
        view, document = self.context.view, self.context.document
        found = [e for frame in self._finder.frames for e in document.elements(frame)]
        waiting = [e for e in found if e.review in {"unreviewed", "doubtful"} and view.shows(e)]
        if not waiting:
            self.context.say(tr("Every element that is shown is reviewed."))
        elif len(waiting) <= _MAX_SORTED_INLINE:
            self._show_uncertain(by_doubt(waiting, self._finder.doubts))
        else:
            self.context.operations.start(
                lambda: by_doubt(waiting, self._finder.doubts), on_result=self._show_uncertain
            )

    def _show_uncertain(self, ordered: list[Element]) -> None:
        following = next((e for e in ordered if e.uid not in self._passed), None)
        if following is None:
            self._passed.clear()
            following = ordered[0]
        self._passed.add(following.uid)
        self.context.leave()
        show_frame(self.context.view, following.frame)
        self.context.view.select((following.uid,))
        self.context.canvas.setFocus()
        place = sum(element.uid in self._passed for element in ordered)
        words = tr("Least sure: {place} of {ordered} to look at in this demo.")
        self.context.say(words.format(place=place, ordered=len(ordered)))

    # Reviewing ------------------------------------------------------------------------------------------------

    def _review_rows(self, review: Review) -> None:
        """Say something about the selected rows; after a judgement the next open row is selected."""
        chosen = self.panel.table.selected
        if not chosen:
            return
        uids = tuple(element.uid for element in chosen)
        passed = frozenset(uids[:-1])
        listed = [element for element in self.panel.model.rows if element.uid not in passed]
        following = None if review == "unreviewed" else next_after(listed, uids[-1:], waits=is_open)
        self.context.do(ReviewElements(uids=uids, review=review))
        self._soon.stop()
        self._refresh()
        if following is not None:
            self._show_row(following)
        elif review != "unreviewed" and not self._lister.busy:
            self.context.say(tr("Everything in the list is reviewed."))

    def _approve_on_canvas(self) -> None:
        """Space on the picture: approve the selection, and go to the next that is open; the step without one."""
        if self.context.view.selection:
            self._go_on(self.context.view.selection, "approved")
        else:
            self.context.commands.approve()

    def _review_selection(self, review: Review) -> None:
        """Shift+Space and Ctrl+Space: about the selection; about the step where nothing is selected."""
        uids, step = self.context.view.selection, self.context.view.step
        if uids and review == "unreviewed":
            self.context.do(ReviewElements(uids=uids, review=review))
        elif uids:
            self._go_on(uids, review)
        elif step is not None:
            self.context.do(ReviewStep(step_id=step.id, review=review))
            if review == "doubtful":
                self.context.view.go_by(1)

    def _go_on(self, uids: tuple[str, ...], review: Review) -> None:
        view = self.context.view
        self.context.do(ReviewElements(uids=uids, review=review))
        frame = view.frame
        everything = self._finder.understand("")
        ordered = [] if frame is None else self._finder.find(everything, frame.id, shown=view.shown(frame.id))
        following = next_after(ordered, uids[-1:], waits=is_open)
        if following is not None:
            view.select((following.uid,))
            return
        view.select(())
        words = progress_of(view.elements).words
        self.context.say(
            tr("No open element is left on this picture: {words}. Space approves the step.").format(words=words)
        )

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("search", tr("Search the elements"), ("Ctrl+K", "/"), "Find and review", call=search),
        Key("next_uncertain", tr("Go to the least sure element"), ("Ctrl+U",), "Find and review",
            call=go_to_uncertain),
        Key("approve_element", tr("Approve the selected element, and go on"), ("Space",), "Find and review", "shown"),
        Key("statistics", tr("Show or hide the statistics"), ("Ctrl+Shift+S",), "Find and review",
            call=toggle_figures),
        Key("doubt", tr("Mark as doubtful, and go on"), ("Shift+Space",), "Find and review", "picture",
            call=lambda self: self._review_selection("doubtful")),
        Key("take_back", tr("Take the review back"), ("Ctrl+Space",), "Find and review", "picture",
            call=lambda self: self._review_selection("unreviewed")),
    )  # fmt: skip
