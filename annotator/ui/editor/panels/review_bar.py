"""Whether a person checked the step; always in sight under the panel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.ui.controls import flat_button, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr

__all__ = ["ReviewBar"]


class ReviewBar(QWidget):
    """Approves the current step, or deletes it.

    Signals:
        review_wanted: approve the step, or take the approval back.
        delete_wanted: delete the step.
    """

    review_wanted = Signal()
    delete_wanted = Signal()

    def __init__(self, view: ViewState, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("review")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._view = view
        self._approve = push_button(
            tr("Approve step"),
            tr("Approve and go on"),
            theme,
            name="check",
            keys="Space",
            role="main",
            tint="on_accent",
        )
        self._approve.clicked.connect(self.review_wanted)
        self._taken = push_button(tr("Approved"), tr("Take the approval back"), theme, name="check", tint="success")
        self._taken.clicked.connect(self.review_wanted)
        self._delete = flat_button("trash", tr("Delete this step"), theme, keys="Shift+Delete")
        self._delete.clicked.connect(self.delete_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, SPACE.s, SPACE.s, SPACE.s)
        row.setSpacing(SPACE.xs)
        row.addWidget(self._approve, 1)
        row.addWidget(self._taken, 1)
        row.addWidget(self._delete)
        self._end = view.step_changed.connect(self._show)
        self._show()

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        self._end()

    def _show(self) -> None:
        step = self._view.step
        self.setEnabled(step is not None)
        approved = step is not None and step.review == "approved"
        self._approve.setVisible(not approved)
        self._taken.setVisible(approved)
