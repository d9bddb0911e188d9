"""Elements that would have been as right as the target, by name, each to be taken out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.step_words import name_element
from annotator.ui.controls import flat_button, label
from annotator.ui.theme.manager import Theme
from annotator.words import tr
from demopack.domain.elements import Element

__all__ = ["OthersList"]


class OthersList(QWidget):
    """One line each; hidden while there is none.

    Signals:
        dropped: uid of an element that is no alternative any more.
    """

    dropped = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._uids: tuple[str, ...] = ()
        self._words: tuple[str, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    @property
    def words(self) -> tuple[str, ...]:
        """The names that are shown."""
        return self._words

    def show_elements(self, elements: Sequence[Element]) -> None:
        """Show these."""
        uids, words = tuple(e.uid for e in elements), tuple(name_element(e) for e in elements)
        if (uids, words) != (self._uids, self._words):
            self._uids, self._words = uids, words
            while (item := self._column.takeAt(0)) is not None:
                row = item.widget()
                if row is not None:
                    row.hide()
                    row.deleteLater()
            for uid, name in zip(uids, words, strict=True):
                self._column.addWidget(self._row(uid, name))
        self.setVisible(bool(uids))

    def _row(self, uid: str, name: str) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(label(name, wraps=True), 1)
        drop = flat_button("close", tr("{element} is not right").format(element=name), self._theme, keys="Shift+U")
        drop.clicked.connect(partial(self._drop, uid))
        layout.addWidget(drop)
        return row

    def _drop(self, uid: str, checked: bool = False) -> None:  # noqa: FBT001, FBT002 - a slot
        del checked
        self.dropped.emit(uid)
