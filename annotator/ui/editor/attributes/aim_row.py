"""A warning that a step and its element do not fit together, with what could be chosen as buttons."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from annotator.attributes.action_words import aim_words
from annotator.attributes.aim import Aim
from annotator.step_words import name_element
from annotator.ui.controls import label, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["AimRow"]

_MOST = 3


class AimRow(QWidget):
    """Hidden while all is well.

    Signals:
        chosen: uid of the element that was meant.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, *, end: bool) -> None:
        super().__init__()
        self._end = end
        self._aim = Aim()
        self._words = label("", role="warning", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        column.addWidget(self._words)
        self._buttons: list[QPushButton] = []
        for place in range(_MOST):
            button = push_button("", tr("Make this the element that was meant"), theme, name="target")
            button.setAccessibleName(tr("It was another element"))
            button.clicked.connect(partial(self._choose, place))
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self._buttons.append(button)
        self.hide()

    def show_aim(self, aim: Aim) -> None:
        """Show what is wrong; nothing, and take no room, when nothing is."""
        self._aim = aim
        self._words.setText(aim_words(aim, end=self._end))
        for place, button in enumerate(self._buttons):
            button.setVisible(place < len(aim.offers))
            if place < len(aim.offers):
                words = name_element(aim.offers[place])
                button.setText(words)
                button.setAccessibleName(tr("It was {element}").format(element=words))
        self.setVisible(bool(aim.trouble))

    def _choose(self, place: int, checked: bool = False) -> None:  # noqa: FBT001, FBT002 - a slot
        del checked
        self.chosen.emit(self._aim.offers[place].uid)
