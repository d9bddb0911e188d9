"""The review of single elements: by Space and its relatives, and from the least sure one to the next."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Final, cast

from annotator.finding.element_search import MAX_ORDERED_INLINE, ElementFinder
from annotator.finding.review import ReviewElements, by_doubt, next_open, progress_of
from annotator.step_commands import ReviewStep
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.editor.finding.finding_panel import ListPanel
from annotator.view_state import show_frame
from annotator.words import tr
from demopack.domain.elements import Element, Review

_UID: Final[Callable[[Element], str]] = attrgetter("uid")
_MAX_SORTED_INLINE: Final = 4000
"""So many open elements are put in order while the user waits; more in the background."""


class Reviewer:
    """Carries reviews out, and goes on to what is open."""

    def __init__(
        self,
        context: EditorContext,
        panel: ListPanel,
        *,
        refresh: Callable[[Element | None], None],
        busy: Callable[[], bool],
    ) -> None:
        self._context = context
        self._panel = panel
        self._refresh = refresh
        self._busy = busy

    def rows(self, review: str) -> None:
        """Say something about the selected rows; after a judgement the next open row is selected."""
        chosen = self._panel.table.selected
        if not chosen:
            return
        uids = tuple(element.uid for element in chosen)
        passed = frozenset(uids[:-1])
        listed = [element for element in self._panel.model.rows if element.uid not in passed]
        following = None if review == "unreviewed" else next_open(listed, uids[-1])
        self._context.do(ReviewElements(uids=uids, review=cast("Review", review)))
        self._refresh(following)
        if review != "unreviewed" and following is None and not self._busy():
            self._context.say(tr("Everything in the list is reviewed."))

    def approve_on_canvas(self) -> bool:
        """Space on the picture: approve the selection, and go to the next that is open; nothing without one."""
        uids = self._context.view.selection
        if not uids:
            return False
        self._go_on(uids, "approved")
        return True

    def selection(self, review: Review) -> None:
        """Shift+Space and Ctrl+Space: about the selection; about the step where nothing is selected."""
        uids, step = self._context.view.selection, self._context.view.step
        if uids and review == "unreviewed":
            self._context.do(ReviewElements(uids=uids, review=review))
        elif uids:
            self._go_on(uids, review)
        elif step is not None:
            self._context.do(ReviewStep(step_id=step.id, review=review))
            if review == "doubtful":
                self._context.view.go_by(1)

    def _go_on(self, uids: tuple[str, ...], review: Review) -> None:
        view = self._context.view
        self._context.do(ReviewElements(uids=uids, review=review))
        frame = view.frame
        ordered = [] if frame is None else [e for e in self._in_order(frame.id) if view.shows(e)]
        following = next_open(ordered, uids[-1])
        if following is not None:
            view.select((following.uid,))
            return
        view.select(())
        words = progress_of(view.elements).words
        self._context.say(
            tr("No open element is left on this picture: {words}. Space approves the step.").format(words=words)
        )

    def _in_order(self, frame_id: str) -> list[Element]:
        """Reading order; where thousands lie on a picture, rows from the top have to do."""
        elements = self._context.document.elements(frame_id)
        if len(elements) <= MAX_ORDERED_INLINE:
            return list(self._context.document.ordered(frame_id))
        kept = [element for element in elements if element.review != "rejected"]
        return sorted(kept, key=lambda element: (element.box.y1, element.box.x1))


class UncertainWalk:
    """Remembers where it was: each call goes one further, also past what was left undecided."""

    def __init__(self, context: EditorContext, finder: ElementFinder) -> None:
        self._context = context
        self._finder = finder
        self._passed: set[str] = set()

    def go(self) -> None:
        """Show the least sure element that has not been shown yet; after the last one it begins again."""
        view, document = self._context.view, self._context.document
        found = [e for frame in self._finder.frames for e in document.elements(frame)]
        waiting = [e for e in found if e.review in {"unreviewed", "doubtful"} and view.shows(e)]
        if not waiting:
            self._context.say(tr("Every element that is shown is reviewed."))
            return
        if len(waiting) <= _MAX_SORTED_INLINE:
            self._show(by_doubt(waiting, self._finder.doubts))
            return
        self._context.operations.start(lambda: by_doubt(waiting, self._finder.doubts), on_result=self._show)

    def _show(self, ordered: list[Element]) -> None:
        following = next((e for e in ordered if e.uid not in self._passed), None)
        if following is None:
            self._passed.clear()
            following = ordered[0]
        self._passed.add(following.uid)
        self._context.leave()
        show_frame(self._context.view, following.frame)
        self._context.view.select((following.uid,))
        self._context.canvas.setFocus()
        place = sum(map(self._passed.__contains__, map(_UID, ordered)))
        self._context.say(
            tr("Least sure: {place} of {ordered} to look at in this demo.").format(place=place, ordered=len(ordered))
        )
