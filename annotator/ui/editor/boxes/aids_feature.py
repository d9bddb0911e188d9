"""Loupe, crosshair and overview: on and off by one key each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from annotator.ui.editor.boxes.aids import Crosshair, Loupe
from annotator.ui.editor.boxes.minimap import Minimap
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.words import tr

__all__ = ["AidsFeature"]


class AidsFeature(Feature):
    """What helps to see pixels.

    Attributes:
        loupe: pixels enlarged at the pointer.
        crosshair: lines through the pointer.
        minimap: the whole picture in a corner.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="loupe", words=tr("Loupe"), keys=("Z",), group="View"),
        Key(name="crosshair", words=tr("Crosshair"), keys=("C",), group="View"),
        Key(name="minimap", words=tr("Overview in the corner"), keys=("Shift+M",), group="View"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        canvas = desk.canvas
        self.loupe, self.crosshair = Loupe(canvas, desk.theme), Crosshair(canvas)
        self.minimap = Minimap(canvas, desk.theme)
        canvas.add_layer(self.crosshair)
        canvas.add_layer(self.loupe)
        canvas.looked.connect(self.minimap.follow)
        desk.pictures.frame_ready.connect(self._on_ready)
        self._end = desk.view.frame_changed.connect(self.minimap.follow)

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {
            "loupe": self.loupe.toggle,
            "crosshair": self.crosshair.toggle,
            "minimap": self.minimap.toggle,
        }

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._end()
        self.desk.pictures.frame_ready.disconnect(self._on_ready)
        self.desk.canvas.remove_layer(self.loupe)
        self.desk.canvas.remove_layer(self.crosshair)

    def _on_ready(self, frame_id: str) -> None:
        del frame_id
        self.minimap.follow()
