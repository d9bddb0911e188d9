"""The screens whose correction would teach the models most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.model_shelf import Place
from annotator.model_words import reason_words
from annotator.type_words import beside_step
from annotator.ui.controls import label, push_button
from annotator.ui.models.rows import Row, RowList
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr

if TYPE_CHECKING:
    from models.training.active import Suspect

__all__ = ["SuspectsView"]


class SuspectsView(QWidget):
    """A ranking; choosing a screen opens the editor there.

    Signals:
        open_wanted: id of a demo, and a ``Place``.
        look_wanted: rank again.
    """

    open_wanted = Signal(str, object)
    look_wanted = Signal()

    def __init__(self, pictures: Pictures, theme: Theme) -> None:
        super().__init__()
        self._places: dict[str, tuple[str, Place]] = {}
        self.list = RowList(tr("Correct these first"), theme, pictures=pictures)
        self.list.opened.connect(self._open)
        self.list.clicked.connect(self._on_click)
        self._told = label("", role="muted", wraps=True)
        again = push_button(tr("Rank again"), tr("Look through the library once more"), theme)
        again.clicked.connect(self.look_wanted)
        head = QHBoxLayout()
        head.addWidget(self._told, 1)
        head.addWidget(again)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(SPACE.xl, SPACE.l, SPACE.xl, SPACE.m)
        inside.setSpacing(SPACE.m)
        inside.addLayout(head)
        inside.addWidget(self.list, 1)

    @property
    def told(self) -> str:
        """What stands above the list."""
        return self._told.text()

    def show_looking(self) -> None:
        """The library is being looked through."""
        self._told.setText(tr("Looking through the library …"))

    def show_suspects(self, found: Sequence[tuple[Suspect, str, Place]]) -> None:
        """Show a new ranking."""
        self._places = {f"{one.demo} {one.frame}": (one.demo, place) for one, _, place in found}
        rows = [
            Row(
                key=f"{one.demo} {one.frame}",
                title=task or tr("No task written"),
                caption=tr("{place}: {reason}").format(
                    place=capital(beside_step(place.side, place.step)), reason=reason_words(one)
                ),
                badge=tr("{score:.1f} doubtful").format(score=one.score),
                tone="warning",
                frame=one.frame,
            )
            for one, task, place in found
        ]
        self.list.show_rows(rows)
        self._told.setText(
            tr("Most is learned from correcting these screens, in this order. Choose one to open it.")
            if rows
            else tr(
                "Nothing to correct: there are no elements that nobody looked at. Open a demo and find elements first."
            )
        )

    def _on_click(self, index: QModelIndex) -> None:
        if index.isValid():
            self._open(self.list.current)

    def _open(self, key: str) -> None:
        found = self._places.get(key)
        if found is not None:
            self.open_wanted.emit(*found)
