"""Fills the list: this picture at once, a whole demo in slices that leave the window alive."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from annotator.finding.finder import Finder, Search
from annotator.finding.order import Orders
from annotator.finding.review import Progress, progress_in
from annotator.finding.rows import Part, found_on, joined
from annotator.ui.editor.feature import Desk
from demopack.domain.elements import Element, reading_order

__all__ = ["Lister"]

_SLICE_S: Final = 0.008
_TELL_S: Final = 0.15
"""How often what was found so far is shown."""
_REST_MS: Final = 300
"""How long a crowded picture has to rest before its reading order is worked out again."""


class Lister(QObject):
    """Searches the open demo, and keeps what it found for each frame.

    Signals:
        listed: a ``Found``, and whether more are still to come.
    """

    listed = Signal(object, bool)

    def __init__(self, desk: Desk, finder: Finder, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._finder = finder
        self._orders = Orders(desk.document)
        self._search = finder.understand("")
        self._whole_demo = False
        self._parts: dict[str, Part] = {}
        self._waiting: list[str] = []
        self._told = 0.0
        self._closed = False
        self._slices = QTimer(self, interval=0)
        self._slices.timeout.connect(self._work)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._order)

    def close(self) -> None:
        """Search no more."""
        self._closed = True
        self._slices.stop()
        self._rest.stop()

    @property
    def search(self) -> Search:
        """What is looked for."""
        return self._search

    @property
    def busy(self) -> bool:
        """Whether a part of the demo is still to be searched."""
        return bool(self._waiting)

    @property
    def progress(self) -> Progress:
        """How far the review of what is looked at is: the picture, or the demo as far as it was read."""
        frames = (frame for frame in self._frames() if self._finder.is_read(frame))
        return progress_in(self._finder.columns(frame) for frame in frames)

    def start(self, search: Search, *, whole_demo: bool) -> None:
        """Look for something, from the beginning."""
        self._search, self._whole_demo = search, whole_demo
        self._parts.clear()
        self._waiting = list(self._frames())
        self._told = perf_counter()
        self._work(at_once=not whole_demo)

    def again(self, frame_id: str) -> None:
        """Search one frame again, after its elements changed."""
        if frame_id in self._frames():
            if frame_id not in self._waiting:
                self._waiting.append(frame_id)
            self._work(at_once=True)

    def _frames(self) -> tuple[str, ...]:
        if self._whole_demo:
            return self._finder.frames
        frame = self._desk.view.frame
        return () if frame is None else (frame.id,)

    def _work(self, *, at_once: bool = False) -> None:
        end = perf_counter() + _SLICE_S
        while self._waiting and (at_once or perf_counter() < end):
            frame_id = self._waiting.pop(0)
            self._parts[frame_id] = self._part(frame_id)
        if self._waiting and not self._slices.isActive():
            self._slices.start()
        elif not self._waiting:
            self._slices.stop()
        now = perf_counter()
        if not self._waiting or now - self._told > _TELL_S:
            self._told = now
            parts = [self._parts[frame_id] for frame_id in self._frames() if frame_id in self._parts]
            self.listed.emit(joined(parts), self.busy)

    def _part(self, frame_id: str) -> Part:
        if self._orders.lacking(frame_id) is not None and not self._whole_demo:
            self._rest.start()
        shown = self._desk.view.shown(frame_id)
        return found_on(self._finder, self._search, self._orders, frame_id, shown=shown)

    def _order(self) -> None:
        """Work out the reading order of a crowded picture beside the window's thread."""
        frame = self._desk.view.frame
        elements = None if frame is None or self._closed else self._orders.lacking(frame.id)
        if frame is None or elements is None:
            return

        def show(ordered: list[Element]) -> None:
            self._orders.put(frame.id, elements, ordered)
            if not self._closed:
                self.again(frame.id)

        self._desk.runner.background(
            lambda: reading_order(elements), on_result=show, on_error=self._desk.messages.show_error
        )
