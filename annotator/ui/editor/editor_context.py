"""Context and base class of the editor's features: each capability beside its core is one; and the core's actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QStackedWidget, QWidget

from annotator.commands import Command, DeleteElements, DuplicateElements, MoveElements
from annotator.editing import EditSession
from annotator.step_commands import ReviewStep
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.controls import column
from annotator.ui.editor.editor_bars import Foot, Head, Status
from annotator.ui.editor.panels.panel_section import UndoGroup
from annotator.ui.editor.panels.side_panel import SidePanel
from annotator.ui.editor.step_list import StepList, StepModel
from annotator.ui.keys.key import Key
from annotator.ui.keys.ring import KeyRing
from annotator.ui.messages import Messages
from annotator.ui.operations import Operations
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from demopack.domain.records import new_id

F = TypeVar("F", bound="Feature")


class EditorContext:
    """What a feature works with: the open demo, where the user is, and the places for its widgets.

    Attributes:
        session: what is edited.
        view: where the user is.
        canvas: the picture.
        steps: the list of steps.
        panel: the sections and tabs at the right.
        head: the bar on top, with the jobs.
        foot: the bar under the canvas.
        status: the lowest line.
        pictures: pixels, read beside the window's thread.
        operations: runs everything slow; what it brings after the page's end is dropped.
        services: what the app can do beyond editing.
        theme: colours.
        messages: banner and toast.
        page: the editor itself, parent of what floats over it.
        keyring: the keys that hold.
        document: the demo's values.
        commands: what buttons, keys and the canvas call.
        bars: room over the whole width, under the head.
        foot_rows: room under the canvas, above the foot.
        middle: the canvas, or what is shown in its place.
        features: filled by the page.
    """

    def __init__(
        self,
        page: QWidget,
        session: EditSession,
        keyring: KeyRing,
        *,
        pictures: ScreenshotCache,
        operations: Operations,
        services: Services,
        theme: Theme,
        messages: Messages,
    ) -> None:
        self.page, self.session, self.keyring = page, session, keyring
        self.pictures, self.operations, self.services = pictures, operations, services
        self.theme, self.messages = theme, messages
        document = self.document = session.document
        # The model first: its rows must have changed before the view state points at one of them.
        model = StepModel(document, pictures, page)
        view = self.view = ViewState(document)
        self.steps = StepList(model, view, theme)
        self.canvas = Canvas(view, pictures, theme)
        self.panel = SidePanel(view, session.do, theme, self.canvas)
        self.head, self.foot = Head(document, theme), Foot(view, self.canvas, theme)
        self.status = Status(operations.workers, session, view, theme)
        self.commands = EditorActions(self)
        self.bars, self.foot_rows, self.middle = column(spacing=0), column(spacing=0), QStackedWidget()
        self.middle.addWidget(self.canvas)
        self.features: dict[type[Feature], Feature] = {}

    # Doing ----------------------------------------------------------------------------------------------------

    def do(self, command: Command) -> None:
        """Carry a command out; what is being typed elsewhere is handed over first."""
        self.view.leaving.emit()
        self.session.do(command)

    def say(self, words: str) -> None:
        """Tell in the status line what happened."""
        self.status.last.setText(words)

    def leave(self) -> None:
        """Let fields hand over what is being typed: before a job, or a jump."""
        self.view.leaving.emit()

    # Places ---------------------------------------------------------------------------------------------------

    def replace_canvas(self, widget: QWidget | None) -> None:
        """Show a widget in the canvas's place; None brings the canvas back."""
        if widget is None:
            self.middle.setCurrentIndex(0)
            self.canvas.setFocus()
            return
        if self.middle.indexOf(widget) < 0:
            self.middle.addWidget(widget)
        self.middle.setCurrentWidget(widget)

    # Each other -----------------------------------------------------------------------------------------------

    def feature(self, kind: type[F]) -> F:
        """Another feature, once all are made.

        Raises:
            KeyError: the editor has no such feature.
        """
        return cast("F", self.features[kind])


class Feature(QObject):
    """One capability. Subclasses build their widgets in ``__init__`` and hand them to the context.

    It belongs to the page and goes with it; nothing that it connected or timed has to be ended.

    Attributes:
        KEYS: what can be done by keyboard, each row with what it calls; shown among the editor's own.
    """

    KEYS: ClassVar[tuple[Key, ...]] = ()

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context.page)
        self.context = context

    def close_view(self) -> None:
        """Remember or end what outlives the page; called before it goes."""


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
            self._context.panel.action.bind(element.uid, end=False)

    def pick(self, *, end: bool = False) -> None:
        """Let the next click on the picture choose the target, or where a drag ends."""
        self._pick_end = end
        self._view.set_side("before")
        self._context.canvas.toggle_tool("pick")

    def picked(self, uid: str) -> None:
        """An element was clicked for that."""
        self._context.panel.action.bind(uid, end=self._pick_end)

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

    def run_job(self, button: str, title: str, work: Callable[..., str]) -> None:
        """A job for the whole demo that shows what it found while it goes on, and says what came of it."""
        context, session, settings = self._context, self._session, self._context.services.settings
        context.leave()
        started = context.head.buttons[button]
        started.setEnabled(False)

        def end() -> None:
            started.setEnabled(True)
            session.reload()

        context.operations.run(
            title,
            lambda control: work(session.library, session.demo_id, settings, control),
            announce=context.messages.say,
            on_progress=lambda _: session.reload(),
            on_end=end,
        )
