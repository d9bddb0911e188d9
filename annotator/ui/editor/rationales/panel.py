"""The tab of rationales: ordering, what needs a look, versions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from annotator.ui.controls import label, push_button
from annotator.ui.editor.panels.base import scrolled, stacked
from annotator.ui.editor.rationales.order_form import OrderForm
from annotator.ui.editor.rationales.versions_view import VersionsView
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["RationalesPanel"]

_STEP = Qt.ItemDataRole.UserRole


class RationalesPanel(QWidget):
    """Puts the parts under each other.

    Attributes:
        form: what is to be written.
        versions: another writer's.

    Signals:
        check_wanted: hold all rationales against their screens.
        step_chosen: id of a step that is to be shown.
    """

    check_wanted = Signal()
    step_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.form = OrderForm(theme)
        self.versions = VersionsView(theme)
        self._told = label("", role="caption", wraps=True)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Rationales that need a look"))
        self._list.setProperty("role", "plain")
        self._list.setWordWrap(True)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.itemActivated.connect(self._choose)
        self._list.itemClicked.connect(self._choose)
        under = QWidget()
        column = QVBoxLayout(under)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.versions)
        column.addLayout(self._look_part(theme))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolled(stacked(self.form, under)))

    def _look_part(self, theme: Theme) -> QVBoxLayout:
        check = push_button(tr("Check"), tr("Hold every rationale of this demo against its screens"), theme)
        check.clicked.connect(self.check_wanted)
        head = QHBoxLayout()
        head.addWidget(label(tr("NEED A LOOK"), role="heading"), 1)
        head.addWidget(check)
        column = QVBoxLayout()
        column.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.m)
        column.setSpacing(SPACE.s)
        column.addLayout(head)
        column.addWidget(self._told)
        column.addWidget(self._list)
        return column

    def show_steps(self, rows: Sequence[tuple[str, str]], *, told: str) -> None:
        """Show what needs a look.

        Args:
            rows: id of the step, and the sentence about it.
            told: one sentence over the list.
        """
        with QSignalBlocker(self._list):
            self._list.clear()
            for step_id, words in rows:
                item = QListWidgetItem(words)
                item.setData(_STEP, step_id)
                self._list.addItem(item)
        self._told.setText(told)
        self._list.setVisible(bool(rows))

    @property
    def rows(self) -> list[str]:
        """The sentences that are shown."""
        return [self._list.item(i).text() for i in range(self._list.count())]

    def _choose(self, item: QListWidgetItem) -> None:
        self.step_chosen.emit(str(item.data(_STEP)))
