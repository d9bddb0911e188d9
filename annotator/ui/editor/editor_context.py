"""Context and base class of the editor's features: each capability beside its core is one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from annotator.commands import Command
from annotator.document import Document
from annotator.editing import EditSession
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.controls import column
from annotator.ui.editor.editor_actions import EditorActions
from annotator.ui.editor.editor_bars import Foot, Head, Status
from annotator.ui.editor.panels.side_panel import SidePanel
from annotator.ui.editor.step_list import StepList
from annotator.ui.keys.key import Key
from annotator.ui.keys.ring import KeyRing
from annotator.ui.messages import Messages
from annotator.ui.operations import Operations
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState

F = TypeVar("F", bound="Feature")


@dataclass(kw_only=True, eq=False)
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

    session: EditSession
    view: ViewState
    canvas: Canvas
    steps: StepList
    panel: SidePanel
    head: Head
    foot: Foot
    status: Status
    pictures: ScreenshotCache
    operations: Operations
    services: Services
    theme: Theme
    messages: Messages
    page: QWidget
    keyring: KeyRing
    document: Document = field(init=False)
    commands: EditorActions = field(init=False)
    bars: QVBoxLayout = field(init=False)
    foot_rows: QVBoxLayout = field(init=False)
    middle: QStackedWidget = field(init=False)
    features: list[Feature] = field(init=False, default_factory=list["Feature"])

    def __post_init__(self) -> None:
        self.document = self.session.document
        self.commands = EditorActions(self)
        self.bars, self.foot_rows, self.middle = column(spacing=0), column(spacing=0), QStackedWidget()
        self.middle.addWidget(self.canvas)

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
            LookupError: the editor has no such feature.
        """
        for one in self.features:
            if isinstance(one, kind):
                return one
        raise LookupError(kind.__name__)


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
