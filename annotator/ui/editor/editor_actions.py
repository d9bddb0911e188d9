"""Actions of the editor's buttons, keys and canvas, as commands on the session."""

from __future__ import annotations

from annotator.commands import DeleteElements, DuplicateElements, MoveElements
from annotator.editing import EditSession
from annotator.step_commands import BindTarget, ReviewStep, SetTask
from annotator.ui.canvas.canvas import Canvas
from annotator.view_state import ViewState
from demopack.domain.records import new_id


class EditorActions:
    """What buttons, keys and the canvas call; each acts on the current step or on the selection."""

    def __init__(self, session: EditSession, view: ViewState, canvas: Canvas) -> None:
        self._session, self._view, self._canvas = session, view, canvas
        self._pick_end = False
        self._nudge = new_id("nudge")
        view.step_changed.connect(self._end_nudge)

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
        self._session.do(SetTask(text=text))

    # Steps ----------------------------------------------------------------------------------------------------

    def approve(self) -> None:
        """Approve the step and go on."""
        step = self._view.step
        if step is not None:
            self._view.leaving.emit()
            self._session.do(ReviewStep(step_id=step.id, review="approved"))
            self._view.go_by(1)

    def review(self) -> None:
        """Approve the step, or take the approval back."""
        step = self._view.step
        if step is not None and step.review == "approved":
            self._session.do(ReviewStep(step_id=step.id, review="unreviewed"))
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
        self._pick_end = end
        self._view.set_side("before")
        self._canvas.toggle_tool("pick")

    def picked(self, uid: str) -> None:
        """An element was clicked for that."""
        self._bind(uid, end=self._pick_end)

    def _bind(self, uid: str, *, end: bool) -> None:
        step = self._view.step
        if step is not None:
            self._session.do(BindTarget(step_id=step.id, uid=uid, end=end))

    # Boxes ----------------------------------------------------------------------------------------------------

    def delete(self) -> None:
        """Delete the selection."""
        self._session.do(DeleteElements(uids=self._view.selection))

    def duplicate(self) -> None:
        """Duplicate the selection and select the copies."""
        frame = self._view.frame
        if frame is not None and self._view.selection:
            copies = {uid: new_id("el") for uid in self._view.selection}
            self._session.do(DuplicateElements(copies=copies, frame_size=frame.size))
            self._view.select(tuple(copies.values()))

    def nudge(self, dx: int, dy: int) -> None:
        """Move the selection by pixels; a run of nudges is undone together."""
        frame, uids = self._view.frame, self._view.selection
        if frame is not None and uids:
            key = "-".join([self._nudge, *uids])
            self._session.do(MoveElements(uids=uids, dx=dx, dy=dy, frame_size=frame.size, merge_key=key))

    def _end_nudge(self) -> None:
        self._nudge = new_id("nudge")
