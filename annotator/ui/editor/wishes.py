"""Turns what the user asks for into commands on the session."""

from __future__ import annotations

from annotator.commands import Command, DeleteElements, DuplicateElements, MoveElements
from annotator.editing import EditSession
from annotator.step_commands import BindTarget, ReviewStep, SetTask
from annotator.ui.canvas.canvas import Canvas
from annotator.view_state import ViewState
from demopack.domain.elements import ElementType
from demopack.domain.records import new_id

__all__ = ["Wishes"]


class Wishes:
    """What buttons, keys and the canvas call; each acts on the current step or on the selection."""

    def __init__(self, session: EditSession, view: ViewState) -> None:
        self._session = session
        self._view = view
        self._canvas: Canvas | None = None
        self._pick_end = False
        self._nudge = new_id("nudge")
        view.step_changed.connect(self._end_nudge)

    def set_canvas(self, canvas: Canvas) -> None:
        """The canvas whose modes are meant."""
        self._canvas = canvas

    def do(self, command: Command) -> None:
        """Carry a command out."""
        self._session.do(command)

    # Everything -----------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last edit; what is being typed counts as one."""
        self._view.leaving.emit()
        self._session.undo()

    def redo(self) -> None:
        """Do it again."""
        self._view.leaving.emit()
        self._session.redo()

    def reword_task(self, text: str) -> None:
        """Another wording of the task."""
        self.do(SetTask(text=text))

    # Steps ----------------------------------------------------------------------------------------------------

    def approve(self) -> None:
        """Approve the step and go on."""
        step = self._view.step
        if step is not None:
            self._view.leaving.emit()
            self.do(ReviewStep(step_id=step.id, review="approved"))
            self._view.go_by(1)

    def review(self) -> None:
        """Approve the step, or take the approval back."""
        step = self._view.step
        if step is not None and step.review == "approved":
            self.do(ReviewStep(step_id=step.id, review="unreviewed"))
        else:
            self.approve()

    def show_side(self, place: int) -> None:
        """Show the picture before (0) or after (1) the step."""
        self._view.set_side("after" if place else "before")

    # Targets --------------------------------------------------------------------------------------------------

    def use_target(self) -> None:
        """Make the selected element the step's target."""
        element = self._view.element
        if element is not None:
            self._bind(element.uid, end=False)

    def pick(self, end: bool = False) -> None:  # noqa: FBT001, FBT002 - a slot; the signal has one argument
        """Let the next click on the picture choose the target, or where a drag ends."""
        if self._canvas is not None:
            self._pick_end = end
            self._view.set_side("before")
            self._canvas.set_mode(pick=not self._canvas.pick_mode)
            self._canvas.setFocus()

    def picked(self, uid: str) -> None:
        """An element was clicked for that."""
        self._bind(uid, end=self._pick_end)

    def _bind(self, uid: str, *, end: bool) -> None:
        step = self._view.step
        if step is not None:
            self.do(BindTarget(step_id=step.id, uid=uid, end=end))

    # Boxes ----------------------------------------------------------------------------------------------------

    def set_draw(self, on: bool) -> None:  # noqa: FBT001 - a slot; the signal has one argument
        """Draw with every drag, or no longer."""
        if self._canvas is not None:
            self._canvas.set_mode(draw=on)
            self._canvas.setFocus()

    def toggle_draw(self) -> None:
        """As :meth:`set_draw`, the other way."""
        self.set_draw(self._canvas is not None and not self._canvas.draw_mode)

    def set_new_type(self, kind: ElementType) -> None:
        """Which type the next drawn box has."""
        if self._canvas is not None:
            self._canvas.set_new_type(kind)

    def delete(self) -> None:
        """Delete the selection."""
        self.do(DeleteElements(uids=self._view.selection))

    def duplicate(self) -> None:
        """Duplicate the selection and select the copies."""
        frame = self._view.frame
        if frame is not None and self._view.selection:
            copies = {uid: new_id("el") for uid in self._view.selection}
            self.do(DuplicateElements(copies=copies, frame_size=frame.size))
            self._view.select(tuple(copies.values()))

    def nudge(self, dx: int, dy: int) -> None:
        """Move the selection by pixels; a run of nudges is undone together."""
        frame, uids = self._view.frame, self._view.selection
        if frame is not None and uids:
            key = "-".join([self._nudge, *uids])
            self.do(MoveElements(uids=uids, dx=dx, dy=dy, frame_size=frame.size, merge_key=key))

    def _end_nudge(self) -> None:
        self._nudge = new_id("nudge")
