"""Actions of the editor's buttons, keys and canvas: commands on the session, and the three long jobs of a demo."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from annotator.commands import DeleteElements, DuplicateElements, MoveElements
from annotator.step_commands import BindTarget, ReviewStep
from annotator.ui.editor.panels.panel_section import UndoGroup
from annotator.ui.services import target_folder
from annotator.words import tr
from demopack.domain.records import new_id

if TYPE_CHECKING:
    from annotator.ui.editor.editor_context import EditorContext


class EditorActions:
    """What buttons, keys and the canvas call; each acts on the current step or on the selection."""

    def __init__(self, context: EditorContext) -> None:
        self._context, self._session, self._view = context, context.session, context.view
        self._pick_end = False
        self._nudges = UndoGroup()
        context.view.step_changed.connect(self._nudges.end)

    # Everything -----------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last edit; what is being typed counts as one."""
        self._view.leaving.emit()
        self._session.undo()

    def redo(self) -> None:
        """Do it again."""
        self._view.leaving.emit()
        self._session.redo()

    # Steps ----------------------------------------------------------------------------------------------------

    def approve(self) -> None:
        """Approve the step and go on."""
        step = self._view.step
        if step is not None:
            self._view.leaving.emit()
            self._session.do(ReviewStep(step_id=step.id, review="approved"))
            self._view.go_by(1)

    # Targets --------------------------------------------------------------------------------------------------

    def use_target(self) -> None:
        """Make the selected element the step's target."""
        element = self._view.element
        if element is not None:
            self._bind(element.uid, end=False)

    def pick(self, *, end: bool = False) -> None:
        """Let the next click on the picture choose the target, or where a drag ends."""
        self._pick_end = end
        self._view.set_side("before")
        self._context.canvas.toggle_tool("pick")

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
        """Move the selection by pixels; a run of nudges as far is undone together."""
        frame, uids = self._view.frame, self._view.selection
        if frame is not None and uids:
            key = self._nudges.key(max(dx, dy, -dx, -dy), uids)
            self._session.do(MoveElements(uids=uids, dx=dx, dy=dy, frame_size=frame.size, merge_key=key))

    # Jobs -----------------------------------------------------------------------------------------------------

    def find_elements(self) -> None:
        """Find elements on every picture."""
        self._run("find", tr("Finding elements"), self._context.services.find)

    def write_rationales(self) -> None:
        """Write the rationales that are missing."""
        self._run("write", tr("Writing rationales"), self._context.services.write)

    def _run(self, button: str, title: str, work: Callable[..., str]) -> None:
        """A job that shows what it found while it goes on, and says what came of it."""
        context, session, settings = self._context, self._session, self._context.services.settings
        context.leave()
        context.head.set_running(button, running=True)

        def end() -> None:
            context.head.set_running(button, running=False)
            session.reload()

        context.operations.run(
            title,
            lambda control: work(session.library, session.demo_id, settings, control),
            announce=context.messages.say,
            on_progress=lambda _: session.reload(),
            on_end=end,
        )

    def export(self) -> None:
        """Ask where to, then write the pack."""
        context, session, task = self._context, self._session, self._session.document.head.task
        context.leave()
        chosen = context.services.pick_new_folder(
            context.page.window(), tr("Where should the pack go?"), lambda chosen: target_folder(chosen, task, "pack")
        )
        if chosen is None:
            return
        out = target_folder(chosen, task, "pack")
        context.head.set_running("export", running=True)
        context.operations.run(
            tr("Writing the pack"),
            lambda control: context.services.export(session.library, [session.demo_id], out, control),
            announce=lambda words: context.messages.say_written(words, out),
            on_end=lambda: context.head.set_running("export", running=False),
        )
