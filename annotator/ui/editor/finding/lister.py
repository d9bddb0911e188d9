"""Fills the list: this picture at once, a whole demo in slices that leave the window alive."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from annotator.finding.finder import Finder, Search
from annotator.finding.order import Orders
from annotator.finding.review import Progress, demo_progress
from annotator.finding.rows import Row, rows_of
from annotator.ui.editor.feature import Desk
from demopack.domain.elements import Element, reading_order

__all__ = ["Lister"]

_SLICE_S: Final = 0.008
_REST_MS: Final = 300
"""How long a crowded picture has to rest before its reading order is worked out again."""


class Lister(QObject):
    """Searches the open demo, and keeps what it found for each frame.

    Signals:
        listed: the rows, and whether more are still to come.
    """

    listed = Signal(list, bool)

    def __init__(self, desk: Desk, finder: Finder, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._finder = finder
        self._orders = Orders(desk.document)
        self._search = finder.understand("")
        self._whole_demo = False
        self._by_frame: dict[str, list[Row]] = {}
        self._waiting: list[tuple[int, str]] = []
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
        """How far the review of what is looked at is: the picture, or the demo."""
        return demo_progress(self._desk.document, self._frames())

    def start(self, search: Search, *, whole_demo: bool) -> None:
        """Look for something, from the beginning."""
        self._search, self._whole_demo = search, whole_demo
        self._by_frame.clear()
        self._waiting = list(enumerate(self._frames()))
        self._work(at_once=not whole_demo)

    def again(self, frame_id: str) -> None:
        """Search one frame again, after its elements changed."""
        frames = self._frames()
        if frame_id in frames:
            place = frames.index(frame_id)
            if (place, frame_id) not in self._waiting:
                self._waiting.append((place, frame_id))
            self._work(at_once=True)

    def _frames(self) -> tuple[str, ...]:
        if self._whole_demo:
            return self._finder.frames
        frame = self._desk.view.frame
        return () if frame is None else (frame.id,)

    def _work(self, *, at_once: bool = False) -> None:
        end = perf_counter() + _SLICE_S
        while self._waiting and (at_once or perf_counter() < end):
            place, frame_id = self._waiting.pop(0)
            self._by_frame[frame_id] = self._rows(place, frame_id)
        if self._waiting:
            self._slices.start()
        else:
            self._slices.stop()
        rows = [row for frame_id in self._frames() for row in self._by_frame.get(frame_id, ())]
        self.listed.emit(rows, self.busy)

    def _rows(self, place: int, frame_id: str) -> list[Row]:
        shows: Callable[[Element], bool] = self._desk.view.shows
        if self._orders.lacking(frame_id) is not None and not self._whole_demo:
            self._rest.start()
        return rows_of(self._finder, self._search, self._orders, frame_id, frame=place, shows=shows)

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
