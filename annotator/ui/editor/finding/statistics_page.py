"""The statistics of the open demo, in the picture's place."""

from __future__ import annotations

from collections.abc import Callable

from annotator.finding.gathering import demo_work
from annotator.finding.statistics import Statistics, counts_of, statistics
from annotator.ui.editor.feature import Desk
from annotator.ui.statistics.view import StatisticsView
from annotator.words import tr

__all__ = ["StatisticsPage"]


class StatisticsPage:
    """Made when it is first wanted, counted anew each time it is shown.

    Args:
        desk: the editor.
        search: shows the elements behind a figure.
    """

    def __init__(self, desk: Desk, *, search: Callable[[str], None]) -> None:
        self._desk = desk
        self._search = search
        self._view: StatisticsView | None = None
        self._closed = False

    @property
    def view(self) -> StatisticsView | None:
        """The page; None before it was first wanted."""
        return self._view

    @property
    def shown(self) -> bool:
        """Whether it stands in the picture's place."""
        return self._view is not None and self._view.isVisible()

    def close(self) -> None:
        """Show nothing any more."""
        self._closed = True

    def toggle(self) -> None:
        """Show the figures, or the picture again."""
        if self.shown:
            self._desk.replace_canvas(None)
            return
        if self._view is None:
            self._view = StatisticsView(self._desk.theme, heading=tr("Statistics of this demo"), searchable=True)
            self._view.closed.connect(lambda: self._desk.replace_canvas(None))
            self._view.search_wanted.connect(self._show_behind)
        self._desk.leave()
        self._view.show_waiting()
        self._desk.replace_canvas(self._view)
        self._view.setFocus()
        # Behind what is still to be written, or the log would lack the newest edits.
        self._desk.runner.submit(
            lambda: None, on_result=lambda _: self._count(), on_error=self._desk.messages.show_error
        )

    def _count(self) -> None:
        if self._closed:
            return
        session, demo = self._desk.session, self._desk.document.demo()

        def count() -> Statistics:
            counts, steps = counts_of(demo)
            made, time = demo_work(session.library, session.demo_id)
            return statistics(counts, steps=steps, made=made, time=time)

        self._desk.runner.background(count, on_result=self._show, on_error=self._desk.messages.show_error)

    def _show(self, found: Statistics) -> None:
        if not self._closed and self._view is not None:
            self._view.show_statistics(found)

    def _show_behind(self, text: str) -> None:
        self._desk.replace_canvas(None)
        self._search(text)
