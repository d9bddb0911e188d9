"""The panel at the right: what is selected, what the step did and why; further tabs come from features."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from annotator.ui.controls import flat_button, line
from annotator.ui.editor.panels.action_section import ActionSection
from annotator.ui.editor.panels.base import Do
from annotator.ui.editor.panels.capture_section import CaptureSection
from annotator.ui.editor.panels.element_section import ElementSection
from annotator.ui.editor.panels.note_section import NoteSection
from annotator.ui.editor.panels.rationale_section import RationaleSection
from annotator.ui.editor.panels.review_bar import ReviewBar
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from annotator.words import tr

__all__ = ["FIRST_TAB", "SectionName", "SidePanel"]

SectionName: TypeAlias = Literal["element", "action", "rationale", "note", "capture"]
FIRST_TAB: Final = "element"


class _Ruled(QWidget):
    """A section with a line over it; both hide together."""

    def __init__(self, section: QWidget) -> None:
        super().__init__()
        inside = QVBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(line())
        inside.addWidget(section)
        self._section = section
        section.installEventFilter(self)
        if section.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide) and section.isHidden():
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: the section was shown or hidden by its owner."""
        # Without a parent it would open as a window of its own.
        placed = watched is self._section and self.parentWidget() is not None
        if placed and event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}:
            self.setVisible(not self._section.isHidden())
        return super().eventFilter(watched, event)


class SidePanel(QWidget):
    """The sections under each other, and under them the bar that approves.

    Attributes:
        element: the selected element.
        action: what the step did.
        rationale: why.
        note: remark and variable.
        capture: how well it was recorded.
        review: approves or deletes the step.
    """

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.element = ElementSection(view, do, theme)
        self.action = ActionSection(view, do, theme)
        self.rationale = RationaleSection(view, do, theme)
        self.note = NoteSection(view, do, theme)
        self.capture = CaptureSection(view, do, theme)
        self.review = ReviewBar(view, theme)
        self._sections: dict[SectionName, QWidget] = {
            "element": self.element,
            "action": self.action,
            "rationale": self.rationale,
            "note": self.note,
            "capture": self.capture,
        }
        self._names: list[str] = []
        self._bar = QTabBar()
        self._bar.setAccessibleName(tr("Panel"))
        self._bar.setExpanding(False)
        self._bar.setDrawBase(False)
        self._bar.setUsesScrollButtons(True)
        self._bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._bar.hide()
        self._stack = QStackedWidget()
        self._bar.currentChanged.connect(self._stack.setCurrentIndex)
        self.add_tab(FIRST_TAB, tr("Element"), self._first_tab())
        self.setMinimumWidth(312)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._bar)
        whole.addWidget(self._stack, 1)
        whole.addWidget(self.review)

    def _first_tab(self) -> QScrollArea:
        inside = QWidget()
        inside.setObjectName("panel")
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        for name, section in self._sections.items():
            if self._column.count():
                self._column.addWidget(line())
            self._column.addWidget(section, 1 if name == "rationale" else 0)
        area = QScrollArea()
        area.setObjectName("panel")
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFrameShape(QFrame.Shape.NoFrame)
        return area

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        for part in (self.element, self.action, self.rationale, self.note, self.capture):
            part.close_view()
        self.review.close_view()

    # Sections and tabs ----------------------------------------------------------------------------------------

    def add_section(self, widget: QWidget, *, after: SectionName) -> None:
        """Put a section under one of the panel's own, with a line between them; what is hidden hides its line too."""
        place = self._column.indexOf(self._sections[after]) + 1
        self._column.insertWidget(place, _Ruled(widget))

    def add_tab(self, name: str, title: str, widget: QWidget, *, stays: bool = True) -> None:
        """Add a tab; one that does not stay is hidden until it is shown, and can be closed."""
        self._names.append(name)
        self._stack.addWidget(widget)
        index = self._bar.addTab(title)
        if not stays:
            close = flat_button("close", tr("Close this tab"), self._theme)
            close.setAutoRaise(True)
            close.clicked.connect(lambda: self.close_tab(name))
            self._bar.setTabButton(index, QTabBar.ButtonPosition.RightSide, close)
        self._offer(index, offered=stays)

    def show_tab(self, name: str) -> None:
        """Show a tab, and the panel with it.

        Raises:
            ValueError: there is no such tab.
        """
        index = self._names.index(name)
        self._offer(index, offered=True)
        self._bar.setCurrentIndex(index)
        self.show()

    def close_tab(self, name: str) -> None:
        """Hide a tab that does not stay; the first one is shown instead."""
        index = self._names.index(name)
        if isinstance(self._bar.tabButton(index, QTabBar.ButtonPosition.RightSide), QToolButton):
            self._bar.setCurrentIndex(0)
            self._offer(index, offered=False)

    def _offer(self, index: int, *, offered: bool) -> None:
        self._bar.setTabVisible(index, offered)
        self._bar.setVisible(sum(self._bar.isTabVisible(i) for i in range(self._bar.count())) > 1)

    @property
    def tabs(self) -> tuple[str, ...]:
        """Names of all tabs, shown or not, in their order."""
        return tuple(self._names)

    @property
    def shown_tab(self) -> str:
        """Name of the tab that is shown."""
        return self._names[self._bar.currentIndex()]
