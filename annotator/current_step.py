"""Which step of a demo is current, while steps come, go and move."""

from __future__ import annotations

from annotator.document import Document
from annotator.signals import Signal

__all__ = ["CurrentStep"]


class CurrentStep:
    """Follows the document: what is current stays current at whatever place it stands.

    Attributes:
        id: of the step; None in an empty demo.
        index: its place, from 0.
        lost: it went, or there is a first one: the id and the place of the one that should be current instead.
        edited: it is another value, or stands at another place.
    """

    def __init__(self, document: Document) -> None:
        self.lost: Signal[str | None, int] = Signal()
        self.edited: Signal[[]] = Signal()
        self._document = document
        self.id = document.steps[0].id if document.steps else None
        self.index = 0
        self._ends = [
            document.step_removed.connect(self._on_removed),
            document.step_inserted.connect(self._on_inserted),
            document.step_changed.connect(self._on_changed),
        ]

    def close(self) -> None:
        """Stop following the document."""
        for end in self._ends:
            end()

    def take(self, step_id: str | None, index: int) -> None:
        """Make another step the current one."""
        self.id, self.index = step_id, index

    def _on_removed(self, index: int) -> None:
        steps = self._document.steps
        if self._document.moving is not None and self._document.moving == self.id:
            self.index = -1  # until it is there again
        elif index == self.index:
            place = min(index, len(steps) - 1)
            self.lost.emit(steps[place].id if steps else None, max(place, 0))
        elif index < self.index:
            self.index -= 1

    def _on_inserted(self, index: int) -> None:
        if self.id is None:
            self.lost.emit(self._document.steps[0].id, 0)
        elif self._document.moving == self.id:
            self.index = index
            self.edited.emit()
        elif index <= self.index:
            self.index += 1

    def _on_changed(self, index: int) -> None:
        if index == self.index:
            self.edited.emit()
