"""A warning that a step and its element do not fit together, and the list of elements that would be as right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QWidget

from annotator.attributes.target_check import TargetCheck, target_words
from annotator.step_words import name_element
from annotator.ui.controls import column, discard, flat_button, label, push_button, row, set_tip
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.elements import Element

_MAX_ROWS = 3


class TargetWarning(QWidget):
    """Hidden while all is well."""

    def __init__(self, theme: Theme, *, end: bool, choose: Callable[[str], None]) -> None:
        """Make it, hidden; ``choose`` is called with the uid of the element that was meant."""
        super().__init__()
        self._call = choose
        self._end = end
        self._aim = TargetCheck()
        self._words = label("", role="warning", wraps=True)
        tip = tr("Make this the element that was meant")
        self._buttons = [
            push_button("", tip, theme, name="target", call=partial(self._choose, place)) for place in range(_MAX_ROWS)
        ]
        for button in self._buttons:
            button.setAccessibleName(tr("It was another element"))
        column(self._words, *(row(button, None) for button in self._buttons), of=self, spacing=SPACE.xs)
        self.hide()

    def show_check(self, aim: TargetCheck) -> None:
        """Show what is wrong; nothing, and take no room, when nothing is."""
        self._aim = aim
        self._words.setText(target_words(aim, end=self._end))
        for place, button in enumerate(self._buttons):
            button.setVisible(place < len(aim.offers))
            if place < len(aim.offers):
                words = name_element(aim.offers[place])
                button.setText(words)
                button.setAccessibleName(tr("It was {element}").format(element=words))
        self.setVisible(bool(aim.trouble))

    def _choose(self, place: int, *_: object) -> None:
        self._call(self._aim.offers[place].uid)


class AlternativesList(QWidget):
    """One line each; hidden while there is none.

    Attributes:
        words: the names that are shown.
    """

    def __init__(self, theme: Theme, *, drop: Callable[[str], None]) -> None:
        """Make it, empty; ``drop`` is called with the uid of an element that is no alternative any more."""
        super().__init__()
        self._theme, self._call = theme, drop
        self._uids: tuple[str, ...] = ()
        self.words: tuple[str, ...] = ()
        self._rows: list[QWidget] = []
        self._column = column(of=self, spacing=0)
        self.hide()

    def show_elements(self, elements: Sequence[Element]) -> None:
        """Show these."""
        uids, words = tuple(e.uid for e in elements), tuple(name_element(e) for e in elements)
        if (uids, words) != (self._uids, self.words):
            self._uids, self.words = uids, words
            discard(self._rows)
            self._rows = [self._row(uid, name) for uid, name in zip(uids, words, strict=True)]
            for made in self._rows:
                self._column.addWidget(made)
        self.setVisible(bool(uids))

    def _row(self, uid: str, name: str) -> QWidget:
        made, tip = QWidget(), tr("{element} is not right").format(element=name)
        drop = flat_button("close", tip, self._theme, call=lambda: self._call(uid))
        set_tip(drop, tip, action="mark_alternative")
        row((label(name, wraps=True), 1), drop, of=made)
        return made
