"""The edges of the picture that is shown: found once for each picture, beside the window's thread."""

from __future__ import annotations

import contextlib

from annotator.seen.nested import nested_at
from annotator.seen.parts import Mask, edges_of
from annotator.tighten import Image
from annotator.ui.editor.feature import Desk

__all__ = ["SeenEdges"]


class SeenEdges:
    """Keeps the edges of one picture."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._frame = ""
        self._edges: Mask | None = None
        self._asked = ""

    @property
    def known(self) -> Mask | None:
        """Those of the picture that is shown, where they are there already."""
        frame = self._desk.view.frame
        return self._edges if frame is not None and frame.id == self._frame else None

    def now(self) -> Mask | None:
        """As ``known``, found at once where need be; None while the picture is still being read."""
        frame, pixels = self._desk.view.frame, self._desk.canvas.pixels
        if self.known is None and frame is not None and pixels is not None:
            self._take(frame.id, edges_of(pixels))
        return self.known

    def prepare(self) -> None:
        """Find them in the background, so that a click or a resting pointer need not wait."""
        frame, pixels = self._desk.view.frame, self._desk.canvas.pixels
        if frame is None or pixels is None or frame.id in (self._frame, self._asked):
            return
        frame_id = self._asked = frame.id
        self._desk.runner.background(
            lambda: _found(pixels), on_result=lambda edges: self._take(frame_id, edges), on_error=self._failed
        )

    def _take(self, frame_id: str, edges: Mask) -> None:
        frame = self._desk.view.frame
        if frame is not None and frame.id == frame_id:
            self._frame, self._edges = frame_id, edges
        if self._asked == frame_id:
            self._asked = ""

    def _failed(self, error: Exception) -> None:
        """They are found at the click then, and what is wrong shows there."""
        del error
        self._asked = ""


def _found(pixels: Image) -> Mask:
    edges = edges_of(pixels)
    with contextlib.suppress(IndexError):
        # The first time is the slow one: a library is loaded.
        nested_at(edges, edges.shape[1] // 2, edges.shape[0] // 2)
    return edges
