"""The panel at the right: what is selected, what the step did and why; further tabs come from features."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal, TypeAlias

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from annotator.step_commands import ReviewStep
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.controls import Bar, column, flat_button, push_button, row
from annotator.ui.editor.panels.action_section import ActionSection
from annotator.ui.editor.panels.element_section import ElementSection
from annotator.ui.editor.panels.panel_section import Do, PanelSection, scrolled
from annotator.ui.editor.panels.step_sections import CaptureSection, NoteSection, RationaleSection
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr


class ReviewBar(Bar):
    """Approves the current step, takes the approval back, or deletes the step."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__("review")
        self._view, self._do = view, do
        self._approve = push_button(
            tr("Approve step"),
            tr("Approve and go on"),
            theme,
            name="check",
            action="approve",
            role="main",
            tint="on_accent",
        )
        back = tr("Take the approval back")
        self._taken = push_button(tr("Approved"), back, theme, name="check", tint="success", call=self._take_back)
        self._delete = flat_button("trash", tr("Delete this step"), theme, action="delete_step")
        row(
            (self._approve, 1),
            (self._taken, 1),
            self._delete,
            of=self,
            spacing=SPACE.xs,
            margins=(SPACE.m, SPACE.s, SPACE.s, SPACE.s),
        )
        view.step_changed.connect(self._show)
        self._show()

    def _take_back(self) -> None:
        step = self._view.step
        if step is not None:
            self._do(ReviewStep(step_id=step.id, review="unreviewed"))

    def _show(self) -> None:
        step = self._view.step
        self.setEnabled(step is not None)
        approved = step is not None and step.review == "approved"
        self._approve.setVisible(not approved)
        self._taken.setVisible(approved)


SectionName: TypeAlias = Literal["element", "action", "rationale", "note", "capture"]
FIRST_TAB: Final = "element"
_TABS_HEIGHT: Final = 38


class _Tabs(QTabBar):
    """As high with a tab that can be closed as without, or everything under it would jump."""

    def tabSizeHint(self, index: int) -> QSize:
        return QSize(super().tabSizeHint(index).width(), _TABS_HEIGHT)


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

    def __init__(self, view: ViewState, do: Do, theme: Theme, canvas: Canvas) -> None:
        super().__init__()
        self._theme = theme
        self.element = ElementSection(view, do, theme, canvas)
        self.action = ActionSection(view, do, theme)
        self.rationale = RationaleSection(view, do, theme)
        self.note = NoteSection(view, do, theme)
        self.capture = CaptureSection(view, do, theme)
        self.review = ReviewBar(view, do, theme)
        self._sections: dict[SectionName, PanelSection] = {
            "element": self.element,
            "action": self.action,
            "rationale": self.rationale,
            "note": self.note,
            "capture": self.capture,
        }
        self._names: list[str] = []
        self._offered: set[int] = set()
        self._bar = _Tabs(
            expanding=False, drawBase=False, usesScrollButtons=False, elideMode=Qt.TextElideMode.ElideRight
        )
        self._bar.setAccessibleName(tr("Panel"))
        self._bar.setMinimumWidth(0)
        self._bar.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._head = self._make_head()
        self._stack = QStackedWidget()
        self._bar.currentChanged.connect(self._stack.setCurrentIndex)
        inside = QWidget()
        self._column = column(of=inside, spacing=0)
        for name, section in self._sections.items():
            self._column.addWidget(section, 1 if name == "rationale" else 0)
            section.wanted.connect(self._show_field)
        self._area = scrolled(inside)
        self.add_tab(FIRST_TAB, tr("Element"), self._area)
        self.setMinimumWidth(312)
        column(self._head, (self._stack, 1), self.review, of=self, spacing=0)

    def _make_head(self) -> QWidget:
        made = QWidget()
        self._all = flat_button("chevron_down", tr("All tabs"), self._theme)
        self._all.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._all)
        menu.aboutToShow.connect(lambda: self._fill_menu(menu))
        self._all.setMenu(menu)
        row((self._bar, 1), self._all, of=made, spacing=0, margins=(0, 0, SPACE.xs, 0))
        made.hide()
        return made

    def _fill_menu(self, menu: QMenu) -> None:
        menu.clear()
        for index, name in enumerate(self._names):
            if index in self._offered:
                action = menu.addAction(self._bar.tabToolTip(index))
                action.setCheckable(True)
                action.setChecked(index == self._bar.currentIndex())
                action.triggered.connect(partial(self.show_tab, name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: the menu of tabs is there when their names do not fit."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """The tab that is shown stands in the row, and of the others those that fit; the menu has them all."""
        offered, current = sorted(self._offered), self._bar.currentIndex()
        room = self.width() - SPACE.xs
        crowded = sum(map(self._width_of, offered)) > room
        if crowded:
            room -= self._all.sizeHint().width()
        room -= self._width_of(current)
        fitting = {current}
        for index in offered:
            if index != current and (room := room - self._width_of(index)) >= 0:
                fitting.add(index)
        for index in range(self._bar.count()):
            # Told what it is already, Qt forgets that it has to lay the others out again.
            if self._bar.isTabVisible(index) != (index in fitting):
                self._bar.setTabVisible(index, index in fitting)
        self._head.setVisible(len(offered) > 1)
        self._all.setVisible(crowded)

    def _width_of(self, index: int) -> int:
        font = self._bar.font()
        font.setBold(True)
        close = self._bar.tabButton(index, QTabBar.ButtonPosition.RightSide)
        more = close.sizeHint().width() + SPACE.xs if isinstance(close, QToolButton) else 0
        return QFontMetrics(font).horizontalAdvance(self._bar.tabText(index)) + 2 * SPACE.s + SPACE.xs + more

    # Sections and tabs ----------------------------------------------------------------------------------------

    def add_section(self, widget: QWidget, *, after: SectionName) -> None:
        """Put a section, which begins with a line, under one of the panel's own."""
        self._column.insertWidget(self._column.indexOf(self._sections[after]) + 1, widget)

    def add_tab(self, name: str, title: str, widget: QWidget, *, stays: bool = True) -> None:
        """Add a tab; one that does not stay is hidden until it is shown, and can be closed."""
        self._names.append(name)
        self._stack.addWidget(widget)
        index = self._bar.addTab(title)
        self._bar.setTabToolTip(index, title)
        if not stays:
            close = flat_button("close", tr("Close this tab"), self._theme, call=lambda: self.close_tab(name))
            close.setAutoRaise(True)
            self._bar.setTabButton(index, QTabBar.ButtonPosition.RightSide, close)
        self._offer(index, offered=stays)

    def show_tab(self, name: str) -> None:
        """Show a tab, and the panel with it.

        Raises:
            ValueError: there is no such tab.
        """
        index = self._names.index(name)
        if not self._bar.isTabVisible(index):
            self._bar.setTabVisible(index, True)  # noqa: FBT003 - Qt's own
        self._bar.setCurrentIndex(index)
        self._offer(index, offered=True)
        self.show()

    def _show_field(self, field: QWidget) -> None:
        self.show_tab(FIRST_TAB)
        self._area.ensureWidgetVisible(field)

    def take_focus(self) -> None:
        """Let the keyboard begin here, on the tab that is shown."""
        if self.shown_tab == FIRST_TAB:
            self.element.take_focus()
        else:
            self._bar.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_tab(self, name: str) -> None:
        """Hide a tab that does not stay; the first one is shown instead."""
        index = self._names.index(name)
        if isinstance(self._bar.tabButton(index, QTabBar.ButtonPosition.RightSide), QToolButton):
            self._bar.setCurrentIndex(0)
            self._offer(index, offered=False)

    def _offer(self, index: int, *, offered: bool) -> None:
        (self._offered.add if offered else self._offered.discard)(index)
        self._arrange()

    def is_offered(self, name: str) -> bool:
        """Whether there is such a tab, and it can be chosen just now."""
        return name in self._names and self._names.index(name) in self._offered

    @property
    def tabs(self) -> tuple[str, ...]:
        """Names of all tabs, shown or not, in their order."""
        return tuple(self._names)

    @property
    def shown_tab(self) -> str:
        """Name of the tab that is shown."""
        return self._names[self._bar.currentIndex()]
