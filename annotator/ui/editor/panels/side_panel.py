"""The panel at the right: what is selected, what the step did and why, what is known about it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from annotator.ui.controls import line
from annotator.ui.editor.panels.action_section import ActionSection
from annotator.ui.editor.panels.base import Do
from annotator.ui.editor.panels.capture_section import CaptureSection
from annotator.ui.editor.panels.element_section import ElementSection
from annotator.ui.editor.panels.note_section import NoteSection
from annotator.ui.editor.panels.rationale_section import RationaleSection
from annotator.ui.editor.panels.review_bar import ReviewBar
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState

__all__ = ["SidePanel"]


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
        self.element = ElementSection(view, do, theme)
        self.action = ActionSection(view, do, theme)
        self.rationale = RationaleSection(view, do, theme)
        self.note = NoteSection(view, do, theme)
        self.capture = CaptureSection(view, do, theme)
        self.review = ReviewBar(view, theme)
        inside = QWidget()
        inside.setObjectName("panel")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for section in (self.element, self.action, self.rationale, self.note, self.capture):
            if column.count():
                column.addWidget(line())
            column.addWidget(section, 1 if section is self.rationale else 0)
        area = QScrollArea()
        area.setObjectName("panel")
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(272)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(area, 1)
        whole.addWidget(self.review)

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        for part in (self.element, self.action, self.rationale, self.note, self.capture):
            part.close_view()
        self.review.close_view()
