"""View state: current step, picture and selection. Views follow it; it follows the document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from annotator.document import Document
from annotator.signals import Signal, close_signals
from annotator.step_words import shown_at
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.steps import Step

Side = Literal["before", "after"]


class ViewState:
    """The current step, which of its pictures is shown, and which elements are selected.

    Attributes:
        leaving: before another step, picture or element is shown: hand over what is being typed.
        step_changed: another step is current, or it was edited, or there is none.
        frame_changed: another picture is shown, or none.
        selection_changed: other elements are selected.
        filters_changed: other elements are shown than before, on any frame.
        document: what is looked at.
        side: which picture is asked for.
        peeked: a picture beside the step that is looked at, for instance of the film; None for the step's own.
        selection: uids of the selected elements, in the order of selecting.
    """

    def __init__(self, document: Document) -> None:
        self.leaving: Signal[[]] = Signal()
        self.step_changed: Signal[[]] = Signal()
        self.frame_changed: Signal[[]] = Signal()
        self.selection_changed: Signal[[]] = Signal()
        self.filters_changed: Signal[[]] = Signal()
        self._filters: dict[str, Callable[[Element], bool]] = {}
        self._shown: dict[str, tuple[Element, ...]] = {}
        self.document = document
        self.side: Side = "before"
        self.selection: tuple[str, ...] = ()
        self.peeked: Frame | None = None
        self._step_id = document.steps[0].id if document.steps else None
        self._index = 0
        document.step_removed.connect(self._on_removed)
        document.step_inserted.connect(self._on_inserted)
        document.step_changed.connect(self._on_changed)
        document.elements_changed.connect(self._on_elements)

    def close(self) -> None:
        """Tell nobody anything any more."""
        close_signals(self)

    # Reading --------------------------------------------------------------------------------------------------

    @property
    def step(self) -> Step | None:
        """The current step; None in an empty demo."""
        return None if self._step_id is None else self.document.step(self._step_id)

    @property
    def index(self) -> int:
        """The place of the current step, from 0; -1 in an empty demo."""
        return -1 if self._step_id is None else self._index

    @property
    def frame(self) -> Frame | None:
        """The picture that is shown; None where the step has none on this side."""
        step = self.step
        if self.peeked is not None or step is None:
            return self.peeked
        return step.before if self.side == "before" else step.after

    @property
    def shows_before(self) -> bool:
        """Whether the picture that is shown is the one that the step was done on."""
        return self.peeked is None and self.side == "before"

    @property
    def element(self) -> Element | None:
        """The one selected element; None when none or several are."""
        return self.document.element(self.selection[0]) if len(self.selection) == 1 else None

    @property
    def selected(self) -> list[Element]:
        """The selected elements, in the order of selecting."""
        return self.document.present(self.selection)

    @property
    def elements(self) -> tuple[Element, ...]:
        """All elements of the picture that is shown, in the library's own order, whatever the filters say."""
        return () if self.frame is None else self.document.elements(self.frame.id)

    def is_on(self, frame_id: str) -> bool:
        """Whether this picture is the one that is shown."""
        return self.frame is not None and self.frame.id == frame_id

    # Filters --------------------------------------------------------------------------------------------------

    def set_filter(self, name: str, keeps: Callable[[Element], bool] | None) -> None:
        """Show only elements that ``keeps`` lets through, beside all other filters; None takes this one away.

        What is hidden by it is no longer selected; it is still there, and comes back with the filter's end.
        """
        if keeps is not None:
            self._filters[name] = keeps
        elif self._filters.pop(name, None) is None:
            return
        self._shown.clear()
        self.filters_changed.emit()
        self.select(tuple(element.uid for element in self.selected if self.shows(element)))

    def shows(self, element: Element) -> bool:
        """Whether every filter lets an element through; rejected ones are no filter's matter."""
        for keeps in self._filters.values():  # noqa: SIM110 - a generator costs as much as the filters, at thousands
            if not keeps(element):
                return False
        return True

    def shown(self, frame_id: str) -> tuple[Element, ...]:
        """The elements of a frame that every filter lets through, in the library's own order."""
        everything = self.document.elements(frame_id)
        if not self._filters:
            return everything
        if frame_id not in self._shown:
            for keeps in self._filters.values():
                everything = tuple(filter(keeps, everything))
            self._shown[frame_id] = everything
        return self._shown[frame_id]

    # Moving ---------------------------------------------------------------------------------------------------

    def go_to(self, index: int) -> None:
        """Show the step at a place, the nearest one if there is none; the side stays, the selection does not."""
        steps = self.document.steps
        if not steps:
            return
        index = min(max(index, 0), len(steps) - 1)
        if steps[index].id != self._step_id:
            self._show(steps[index].id, index)

    def go_by(self, offset: int) -> None:
        """Show a step further on, or back."""
        self.go_to(self._index + offset)

    def set_side(self, side: Side) -> None:
        """Show the picture before or after the step."""
        if side != self.side or self.peeked is not None:
            self.leaving.emit()
            self.side = side
            self._show_frame(None)

    def peek(self, frame: Frame | None) -> None:
        """Look at another picture without leaving the step; None goes back to the step's own."""
        if frame != self.peeked:
            self._show_frame(frame)

    def toggle_side(self) -> None:
        """Show the other picture of the step."""
        self.set_side("after" if self.side == "before" else "before")

    def select(self, uids: tuple[str, ...]) -> None:
        """Select these elements; those that are gone or rejected are left out."""
        kept = tuple(element.uid for element in self.document.present(uids) if element.review != "rejected")
        if kept != self.selection:
            self.leaving.emit()
            self.selection = kept
            self.selection_changed.emit()

    def select_next(self, offset: int) -> None:
        """Select the next element in reading order, or the previous one; at the end it starts again."""
        frame = self.frame
        found = () if frame is None else self.document.ordered(frame.id)
        ordered = [element.uid for element in found if self.shows(element)]
        if not ordered:
            return
        current = self.selection[-1] if self.selection else None
        if current in ordered:
            place = (ordered.index(current) + offset) % len(ordered)
        else:
            place = 0 if offset > 0 else len(ordered) - 1
        self.select((ordered[place],))

    # ----------------------------------------------------------------------------------------------------------

    def _show(self, step_id: str | None, index: int) -> None:
        self.leaving.emit()
        self._step_id, self._index = step_id, index
        self.selection, self.peeked = (), None
        self.step_changed.emit()
        self._show_frame(None)

    def _show_frame(self, peeked: Frame | None) -> None:
        self.selection, self.peeked = (), peeked
        self.frame_changed.emit()
        self.selection_changed.emit()

    # What is current stays current at whatever place it stands.

    def _on_removed(self, index: int) -> None:
        steps = self.document.steps
        if self.document.moving is not None and self.document.moving == self._step_id:
            self._index = -1  # until it is there again
        elif index == self._index:
            place = min(index, len(steps) - 1)
            self._show(steps[place].id if steps else None, max(place, 0))
        elif index < self._index:
            self._index -= 1

    def _on_inserted(self, index: int) -> None:
        if self._step_id is None:
            self._show(self.document.steps[0].id, 0)
        elif self.document.moving == self._step_id:
            self._index = index
            self.step_changed.emit()
        elif index <= self._index:
            self._index += 1

    def _on_changed(self, index: int) -> None:
        if index == self._index:
            self.step_changed.emit()

    def _on_elements(self, frame_id: str) -> None:
        self._shown.pop(frame_id, None)
        self.select(self.selection)


def show_frame(view: ViewState, frame_id: str) -> bool:
    """Go to a frame; False where nothing in the demo shows it.

    Where several steps show it, the current one is kept if it is among them; otherwise a step that begins on it is
    chosen before one that ends on it.
    """
    if view.is_on(frame_id):
        return True
    shown = shown_at(view.document.steps, frame_id)
    if shown:
        side: Side = "before" if any(at.side == "before" for at in shown) else "after"
        places = [at.step - 1 for at in shown if at.side == side]
        view.go_to(view.index if view.index in places else places[0])
        view.set_side(side)
        return True
    frame = view.document.frame(frame_id)
    if frame is not None:
        view.peek(frame)
    return frame is not None
