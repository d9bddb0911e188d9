"""Where the user is in the document: step, picture, selection. Views follow it; it follows the document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from annotator.current_step import CurrentStep
from annotator.document import Document
from annotator.signals import Signal
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.steps import Step

__all__ = ["Side", "ViewState"]

Side = Literal["before", "after"]


class ViewState:
    """The current step, which of its pictures is shown, and which elements are selected.

    Attributes:
        leaving: before another step, picture or element is shown: hand over what is being typed.
        step_changed: another step is current, or it was edited, or there is none.
        frame_changed: another picture is shown, or none.
        selection_changed: other elements are selected.
        filters_changed: other elements are shown than before, on any frame.
    """

    def __init__(self, document: Document) -> None:
        self.leaving: Signal[[]] = Signal()
        self.step_changed: Signal[[]] = Signal()
        self.frame_changed: Signal[[]] = Signal()
        self.selection_changed: Signal[[]] = Signal()
        self.filters_changed: Signal[[]] = Signal()
        self._filters: dict[str, Callable[[Element], bool]] = {}
        self._shown: dict[str, tuple[Element, ...]] = {}
        self._document = document
        self._side: Side = "before"
        self._selection: tuple[str, ...] = ()
        self._peeked: Frame | None = None
        self._current = CurrentStep(document)
        self._current.lost.connect(self._show)
        self._current.edited.connect(self.step_changed.emit)
        self._end = document.elements_changed.connect(self._on_elements)

    def close(self) -> None:
        """Stop following the document."""
        self._current.close()
        self._end()

    # Reading --------------------------------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        """What is looked at."""
        return self._document

    @property
    def step(self) -> Step | None:
        """The current step; None in an empty demo."""
        return None if self._current.id is None else self._document.step(self._current.id)

    @property
    def index(self) -> int:
        """The place of the current step, from 0; -1 in an empty demo."""
        return -1 if self._current.id is None else self._current.index

    @property
    def side(self) -> Side:
        """Which picture is asked for."""
        return self._side

    @property
    def frame(self) -> Frame | None:
        """The picture that is shown; None where the step has none on this side."""
        step = self.step
        if self._peeked is not None or step is None:
            return self._peeked
        return step.before if self._side == "before" else step.after

    @property
    def peeked(self) -> Frame | None:
        """A picture that is looked at beside the step, for instance in the film; None while the step's own is shown."""
        return self._peeked

    @property
    def shows_before(self) -> bool:
        """Whether the picture that is shown is the one that the step was done on."""
        return self._peeked is None and self._side == "before"

    @property
    def selection(self) -> tuple[str, ...]:
        """Uids of the selected elements, in the order of selecting."""
        return self._selection

    @property
    def element(self) -> Element | None:
        """The one selected element; None when none or several are."""
        return self._document.element(self._selection[0]) if len(self._selection) == 1 else None

    # Filters --------------------------------------------------------------------------------------------------

    def set_filter(self, name: str, keeps: Callable[[Element], bool] | None) -> None:
        """Show only elements that ``keeps`` lets through, beside all other filters; None takes this one away.

        What is hidden by it is no longer selected; it is still there, and comes back with the filter's end.
        """
        if keeps is None and name not in self._filters:
            return
        if keeps is None:
            del self._filters[name]
        else:
            self._filters[name] = keeps
        self._shown.clear()
        self.filters_changed.emit()
        found = (self._document.element(uid) for uid in self._selection)
        self.select(tuple(element.uid for element in found if element is not None and self.shows(element)))

    def shows(self, element: Element) -> bool:
        """Whether every filter lets an element through; rejected ones are no filter's matter."""
        for keeps in self._filters.values():  # noqa: SIM110 - a generator costs as much as the filters, at thousands
            if not keeps(element):
                return False
        return True

    def shown(self, frame_id: str) -> tuple[Element, ...]:
        """The elements of a frame that every filter lets through, in the library's own order."""
        everything = self._document.elements(frame_id)
        if not self._filters:
            return everything
        found = self._shown.get(frame_id)
        if found is None:
            found = everything
            for keeps in self._filters.values():
                found = tuple(filter(keeps, found))
            self._shown[frame_id] = found
        return found

    # Moving ---------------------------------------------------------------------------------------------------

    def go_to(self, index: int) -> None:
        """Show the step at a place, the nearest one if there is none; the side stays, the selection does not."""
        steps = self._document.steps
        if not steps:
            return
        index = min(max(index, 0), len(steps) - 1)
        if steps[index].id != self._current.id:
            self._show(steps[index].id, index)

    def go_by(self, offset: int) -> None:
        """Show a step further on, or back."""
        self.go_to(self._current.index + offset)

    def set_side(self, side: Side) -> None:
        """Show the picture before or after the step."""
        if side != self._side or self._peeked is not None:
            self.leaving.emit()
            self._side = side
            self._peeked = None
            self._selection = ()
            self.frame_changed.emit()
            self.selection_changed.emit()

    def peek(self, frame: Frame | None) -> None:
        """Look at another picture without leaving the step; None goes back to the step's own."""
        if frame != self._peeked:
            self._peeked = frame
            self._selection = ()
            self.frame_changed.emit()
            self.selection_changed.emit()

    def toggle_side(self) -> None:
        """Show the other picture of the step."""
        self.set_side("after" if self._side == "before" else "before")

    def select(self, uids: tuple[str, ...]) -> None:
        """Select these elements; those that are gone or rejected are left out."""
        found = (self._document.element(uid) for uid in uids)
        kept = tuple(e.uid for e in found if e is not None and e.review != "rejected")
        if kept != self._selection:
            self.leaving.emit()
            self._selection = kept
            self.selection_changed.emit()

    def select_next(self, offset: int) -> None:
        """Select the next element in reading order, or the previous one; at the end it starts again."""
        frame = self.frame
        found = () if frame is None else self._document.ordered(frame.id)
        ordered = [element.uid for element in found if self.shows(element)]
        if not ordered:
            return
        current = self._selection[-1] if self._selection else None
        if current in ordered:
            place = (ordered.index(current) + offset) % len(ordered)
        else:
            place = 0 if offset > 0 else len(ordered) - 1
        self.select((ordered[place],))

    # ----------------------------------------------------------------------------------------------------------

    def _show(self, step_id: str | None, index: int) -> None:
        self.leaving.emit()
        self._current.take(step_id, index)
        self._selection = ()
        self._peeked = None
        self.step_changed.emit()
        self.frame_changed.emit()
        self.selection_changed.emit()

    def _on_elements(self, frame_id: str) -> None:
        self._shown.pop(frame_id, None)
        self.select(self._selection)
