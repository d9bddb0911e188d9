"""What Space and its relatives do: about selected rows, about what is selected on the picture, about the step."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from annotator.finding.order import QUICK
from annotator.finding.review import ReviewElements, next_open, progress_of
from annotator.step_commands import ReviewStep
from annotator.ui.editor.feature import Desk
from annotator.ui.editor.finding.panel import ListPanel
from annotator.words import tr
from demopack.domain.elements import Element, Review

__all__ = ["Reviewer"]


class Reviewer:
    """Carries reviews out, and goes on to what is open."""

    def __init__(
        self, desk: Desk, panel: ListPanel, *, refresh: Callable[[Element | None], None], busy: Callable[[], bool]
    ) -> None:
        self._desk = desk
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
        listed = [element for element in self._panel.model.rows.elements() if element.uid not in passed]
        following = None if review == "unreviewed" else next_open(listed, uids[-1])
        self._desk.do(ReviewElements(uids=uids, review=cast("Review", review)))
        self._refresh(following)
        if review != "unreviewed" and following is None and not self._busy():
            self._desk.say(tr("Everything in the list is reviewed."))

    def approve_on_canvas(self) -> bool:
        """Space on the picture: approve the selection, and go to the next that is open; nothing without one."""
        uids = self._desk.view.selection
        if not uids:
            return False
        self._go_on(uids, "approved")
        return True

    def selection(self, review: Review) -> None:
        """Shift+Space and Ctrl+Space: about the selection; about the step where nothing is selected."""
        uids, step = self._desk.view.selection, self._desk.view.step
        if uids and review == "unreviewed":
            self._desk.do(ReviewElements(uids=uids, review=review))
        elif uids:
            self._go_on(uids, review)
        elif step is not None:
            self._desk.do(ReviewStep(step_id=step.id, review=review))
            if review == "doubtful":
                self._desk.view.go_by(1)

    def _go_on(self, uids: tuple[str, ...], review: Review) -> None:
        view, document = self._desk.view, self._desk.document
        self._desk.do(ReviewElements(uids=uids, review=review))
        frame = view.frame
        ordered = [] if frame is None else [e for e in self._in_order(frame.id) if view.shows(e)]
        following = next_open(ordered, uids[-1])
        if following is not None:
            view.select((following.uid,))
            return
        view.select(())
        words = progress_of(() if frame is None else document.elements(frame.id)).words
        self._desk.say(
            tr("No open element is left on this picture: {words}. Space approves the step.").format(words=words)
        )

    def _in_order(self, frame_id: str) -> list[Element]:
        """Reading order; where thousands lie on a picture, rows from the top have to do."""
        elements = self._desk.document.elements(frame_id)
        if len(elements) <= QUICK:
            return list(self._desk.document.ordered(frame_id))
        kept = [element for element in elements if element.review != "rejected"]
        return sorted(kept, key=lambda element: (element.box.y1, element.box.x1))
