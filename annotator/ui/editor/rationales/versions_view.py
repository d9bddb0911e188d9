"""Another writer's version of the current step's rationale, and what can be done with all of them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.rationales.versions import Version
from annotator.ui.controls import label, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["VersionsView"]


class VersionsView(QWidget):
    """The version beside the demo's own.

    Signals:
        take_wanted: put the shown one in the place of the demo's own.
        take_all_wanted: the same with all that pass the check.
        dropped: forget all of them.
    """

    take_wanted = Signal()
    take_all_wanted = Signal()
    dropped = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._heading = label("", role="heading")
        self._text = label("", wraps=True)
        self._wrong = label("", role="warning", wraps=True)
        self._good = label(tr("Nothing in it contradicts the screen."), role="good", wraps=True)
        self._take = push_button(tr("Take this one"), tr("Put it in the place of the step's own"), theme)
        self._take.clicked.connect(self.take_wanted)
        self._all = push_button("", tr("Take every version that passes the check, in one edit"), theme, role="main")
        self._all.clicked.connect(self.take_all_wanted)
        self._drop = push_button(tr("Drop them"), tr("Forget these versions; asking again costs nothing"), theme)
        self._drop.clicked.connect(self.dropped)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.m)
        column.setSpacing(SPACE.s)
        for part in (self._heading, self._text, self._wrong, self._good, self._take):
            column.addWidget(part)
        row = QHBoxLayout()
        row.addWidget(self._all, 1)
        row.addWidget(self._drop)
        column.addLayout(row)
        self.hide()

    def show_versions(self, shown: Version | None, *, writer: str, passing: int, total: int) -> None:
        """Show the version of the current step; nothing is shown while there are none at all.

        Args:
            shown: of the current step; None when there is none for it.
            writer: who wrote them.
            passing: how many could be taken.
            total: how many there are.
        """
        self.setVisible(total > 0)
        self._heading.setText(
            tr("AS {upper} SAYS IT · {passing} OF {total} PASS").format(
                upper=writer.upper(), passing=passing, total=total
            )
        )
        there = shown is not None and shown.rationale is not None
        if shown is None:
            text = tr("There is no version for this step.")
        elif shown.rationale is None:
            text = tr("It gave none: {trouble}").format(trouble=shown.trouble)
        else:
            text = shown.rationale.hindsight or shown.rationale.reasoning
        self._text.setText(text)
        wrong = "" if shown is None else "\n".join(dict.fromkeys(one.message for one in shown.findings))
        self._wrong.setText(wrong)
        self._wrong.setVisible(bool(wrong))
        self._good.setVisible(there and not wrong)
        self._take.setEnabled(there)
        self._all.setText(tr("Accept all that pass ({passing})").format(passing=passing))
        self._all.setEnabled(passing > 0)
