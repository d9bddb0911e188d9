"""Context and base class of the editor's features: each capability beside its core is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QStackedWidget, QWidget

from annotator.commands import Command
from annotator.document import Document
from annotator.editing import EditSession
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.controls import column
from annotator.ui.editor.editor_bars import Foot, Head, Status
from annotator.ui.editor.panels.side_panel import SectionName, SidePanel
from annotator.ui.keys.key import Key
from annotator.ui.keys.ring import KeyRing
from annotator.ui.messages import Messages
from annotator.ui.operations import Operations
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState

F = TypeVar("F", bound="Feature")


class EditorSlots:
    """Where the editor has room for what features bring along.

    Attributes:
        bars: full width, under the head.
        foot_rows: under the canvas, above the foot.
        middle: the canvas, or what is shown in its place.
    """

    def __init__(self, canvas: QWidget) -> None:
        self.bars = column(spacing=0)
        self.foot_rows = column(spacing=0)
        self.middle = QStackedWidget()
        self.middle.addWidget(canvas)


class EditorContext:
    """What a feature works with: the open demo, where the user is, and the places for its widgets.

    Attributes:
        session: what is edited.
        view: where the user is.
        document: the demo's values.
        canvas: the picture.
        panel: the sections and tabs at the right.
        pictures: pixels, read beside the window's thread.
        operations: runs everything slow; what it brings after the page's end is dropped.
        services: what the app can do beyond editing.
        theme: colours.
        messages: banner and toast.
        page: the editor itself, parent of what floats over it.
        keyring: the keys that hold.
    """

    def __init__(
        self,
        session: EditSession,
        view: ViewState,
        *,
        canvas: Canvas,
        panel: SidePanel,
        head: Head,
        foot: Foot,
        status: Status,
        slots: EditorSlots,
        pictures: ScreenshotCache,
        operations: Operations,
        services: Services,
        theme: Theme,
        messages: Messages,
        page: QWidget,
        keyring: KeyRing,
    ) -> None:
        self.session, self.view = session, view
        self.document: Document = session.document
        self.canvas, self.panel, self.pictures = canvas, panel, pictures
        self.operations, self.services, self.theme = operations, services, theme
        self.messages, self.page = messages, page
        self.keyring = keyring
        self._head, self._foot, self._status, self._slots = head, foot, status, slots
        self._features: list[Feature] = []
        self._approvers: list[Callable[[], bool]] = []

    # Doing ----------------------------------------------------------------------------------------------------

    def do(self, command: Command) -> None:
        """Carry a command out; what is being typed elsewhere is handed over first."""
        self.view.leaving.emit()
        self.session.do(command)

    def say(self, words: str) -> None:
        """Tell in the status line what happened."""
        self._status.last.setText(words)

    def leave(self) -> None:
        """Let fields hand over what is being typed: before a job, or a jump."""
        self.view.leaving.emit()

    def add_approver(self, call: Callable[[], bool]) -> None:
        """Let a feature take Space on the picture; it returns False where that is not its business just now."""
        self._approvers.append(call)

    def approve(self) -> bool:
        """Whether a feature took Space on the picture; otherwise the step is meant."""
        return any(call() for call in self._approvers)

    # Places ---------------------------------------------------------------------------------------------------

    def add_section(self, widget: QWidget, *, after: SectionName) -> None:
        """Put a section under one of the panel's own, on its first tab."""
        self.panel.add_section(widget, after=after)

    def add_tab(self, name: str, title: str, widget: QWidget, *, stays: bool = True) -> None:
        """Add a tab to the side panel; one that does not stay is there only from ``show_tab`` until it is closed."""
        self.panel.add_tab(name, title, widget, stays=stays)

    def show_tab(self, name: str) -> None:
        """Show a tab, and the panel with it; ``element`` is the first."""
        self.panel.show_tab(name)

    @property
    def shown_tab(self) -> str:
        """Name of the tab that is shown."""
        return self.panel.shown_tab

    def add_bar(self, widget: QWidget) -> None:
        """Put a bar over the whole width, under the head; hidden ones take no room."""
        self._slots.bars.addWidget(widget)

    def add_foot_row(self, widget: QWidget) -> None:
        """Put a row under the canvas."""
        self._slots.foot_rows.addWidget(widget)

    def add_foot_tool(self, widget: QWidget) -> None:
        """Put a small button into the foot, left of the zoom."""
        self._foot.tools.addWidget(widget)

    def add_head_action(self, name: str, words: str, call: Callable[[], object], *, tip: str, key: str = "") -> None:
        """Add an entry to the head's menu of further jobs; ``key`` names the ``Key`` that does the same."""
        self._head.add_job(name, words, call, tip=tip, key=key)

    def replace_canvas(self, widget: QWidget | None) -> None:
        """Show a widget in the canvas's place; None brings the canvas back."""
        middle = self._slots.middle
        if widget is None:
            middle.setCurrentIndex(0)
            self.canvas.setFocus()
            return
        if middle.indexOf(widget) < 0:
            middle.addWidget(widget)
        middle.setCurrentWidget(widget)

    # Each other -----------------------------------------------------------------------------------------------

    def make(self, kinds: Sequence[type[Feature]]) -> list[Feature]:
        """Make the features; the page calls it once."""
        for kind in kinds:
            self._features.append(kind(self))
        return self._features

    def feature(self, kind: type[F]) -> F:
        """Another feature, once all are made.

        Raises:
            LookupError: the editor has no such feature.
        """
        for one in self._features:
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
