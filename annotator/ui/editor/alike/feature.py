"""One key selects what looks like the selected element, then its row, column or grid, then all of its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from annotator.alike.levels import Level, levels_of
from annotator.alike.words import level_words
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.words import tr

__all__ = ["AlikeFeature"]


class AlikeFeature(Feature):
    """Whatever works on a selection then works on all of them, as one edit.

    What is like the element is made out at the first press and holds until something else is selected: an edit of what
    is selected does not change what the next press selects.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            name="select_alike",
            words=tr("Select what is like it; again: wider"),
            keys=(";", "F7"),
            group="Boxes",
        ),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._one = ""
        self._levels: tuple[Level, ...] = ()
        self._place = -1
        self._selecting = False
        self._end = desk.view.selection_changed.connect(self._on_selection)

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"select_alike": self.widen}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._end()

    @property
    def level(self) -> Level | None:
        """What is selected; None where this key did not select it."""
        return self._levels[self._place] if 0 <= self._place < len(self._levels) else None

    def widen(self) -> None:
        """Select the next level; after the widest the one element alone."""
        self.desk.leave()
        if not self._levels and not self._begin():
            return
        self._place = self._place + 1 if self._place + 1 < len(self._levels) else -1
        level, following = self.level, self._levels[(self._place + 1) % len(self._levels)]
        # The one comes last, so that Tab, Y and Space go on from where one was.
        others = () if level is None else level.uids[1:]
        self._select((*others, self._one))
        last = self._place + 1 == len(self._levels)
        self.desk.say(level_words(level, None if last else following))

    def _begin(self) -> bool:
        view, frame = self.desk.view, self.desk.view.frame
        if not view.selection or frame is None:
            self.desk.say(tr("Select an element; then this key selects what is like it."))
            return False
        self._one = view.selection[-1]
        self._levels = levels_of(self.desk.canvas.pixels, view.shown(frame.id), self._one)
        if not self._levels:
            self.desk.say(tr("Nothing on this picture is like it."))
        return bool(self._levels)

    def _select(self, uids: tuple[str, ...]) -> None:
        self._selecting = True
        try:
            self.desk.view.select(uids)
        finally:
            self._selecting = False

    def _on_selection(self) -> None:
        if not self._selecting:
            self._levels, self._place = (), -1
