"""A type by its first letters: a key opens the palette at what is selected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import ClassVar, cast

from PySide6.QtCore import QRect

from annotator.type_words import type_word
from annotator.ui.editor.attributes.feature import AttributesFeature
from annotator.ui.editor.attributes.palette import TypePalette
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.words import tr
from demopack.domain.elements import ElementType

__all__ = ["TypePaletteFeature"]


class TypePaletteFeature(Feature):
    """Sets the type of the selection, or of the next box where nothing is selected.

    Attributes:
        palette: the list at the element.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="type_letters", words=tr("Choose a type by its letters"), keys=("\\", "F4"), group="Attributes"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.palette = TypePalette(desk.canvas)
        self.palette.chosen.connect(self._use)
        self._end = desk.view.frame_changed.connect(self.palette.hide)

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"type_letters": self.open_palette}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._end()
        self.palette.close_view()

    def open_palette(self) -> None:
        """Let letters choose a type."""
        learning = self.desk.feature(AttributesFeature).learning
        self.desk.leave()
        boxes = [self.desk.canvas.box_on_screen(uid) for uid in self.desk.view.selection]
        around = reduce(QRect.united, boxes, QRect())
        self.palette.open_at(around, by_use=learning.habits.types_by_use(), digits=learning.digits)

    def _use(self, kind: str) -> None:
        self.desk.panel.element.use_type(cast("ElementType", kind))
        if not self.desk.view.selection:
            self.desk.say(tr("The next box is a {type}.").format(type=type_word(kind)))
