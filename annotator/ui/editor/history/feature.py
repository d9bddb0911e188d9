"""Puts the history on the desk: reads the log while the tab is seen, carries jumps out, notices other windows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from PySide6.QtCore import QTimer

from annotator.document import Document
from annotator.history.changes import Changed, things_changed
from annotator.history.jumping import Jumper
from annotator.history.showing import show_changed, show_first
from annotator.history.since import BEGINNING
from annotator.history.timeline import Row
from annotator.history.watching import Watch, others_words
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.history.panel import HistoryPanel
from annotator.ui.editor.keys import Key
from annotator.words import tr
from demopack.domain.edits import Edit, LogEntry
from demopack.domain.words import shorten
from demopack.store import LogLine

__all__ = ["HistoryFeature"]

_LOOK_EVERY_MS = 1000


class HistoryFeature(Feature):
    """Every edit of the demo, and the way back to each."""

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="history", words=tr("Show or hide the history"), keys=("H",), group="Everything"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.panel = HistoryPanel(desk.theme)
        self._jumper = Jumper(desk.session, desk.runner)
        self._watch = Watch(desk.session)
        self._erasures = ""
        self._asked = 0
        desk.add_tab("history", tr("History"), self.panel)
        panel = self.panel
        panel.shown_changed.connect(self._refresh)
        panel.asked.connect(self._refresh_changes)
        panel.go_wanted.connect(self._go)
        panel.show_wanted.connect(self._show)
        panel.thing_wanted.connect(self._show_thing)
        self._ends = [
            desk.session.logged.connect(self._refresh),
            self._watch.others_edited.connect(self._tell_others),
        ]
        self._timer = QTimer(panel, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._watch.look)
        self._timer.start()

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`annotator.ui.editor.feature.Feature`."""
        return {"history": self._toggle}

    def close_view(self) -> None:
        """See :class:`annotator.ui.editor.feature.Feature`."""
        self._timer.stop()
        for end in self._ends:
            end()

    def look(self) -> None:
        """Take in now what other windows have done."""
        self._watch.look()

    def _toggle(self) -> None:
        if self.panel.isVisible():
            self.desk.show_tab("element")
            self.desk.canvas.setFocus()
            return
        self.desk.show_tab("history")
        self.panel.edit_list.setFocus()

    # Reading --------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Read what is new in the log; nothing while nobody looks."""
        session, model, known = self.desk.session, self.panel.edits, self._erasures
        if not self.panel.isVisible() or session.closed:
            return
        seq = model.seq

        def read() -> tuple[str, bool, list[LogLine]]:
            erasures = session.library.log.erasures()
            whole = erasures != known
            return erasures, whole, session.library.log.lines(session.demo_id, after=0 if whole else seq)

        self.desk.runner.newest("history", read, on_result=self._show_lines, on_error=self.desk.messages.show_error)
        self._refresh_changes()

    def _show_lines(self, found: tuple[str, bool, list[LogLine]]) -> None:
        erasures, whole, lines = found
        if self.desk.session.closed:
            return
        self._erasures = erasures
        self.panel.take_lines(lines, whole=whole)

    def _refresh_changes(self) -> None:
        session = self.desk.session
        if not (self.panel.wants_changes and self.panel.isVisible()) or session.closed:
            return
        since = self.panel.moment or BEGINNING
        self._asked += 1
        asked = self._asked

        def read() -> list[Changed]:
            changes = session.library.log.changes_since(session.demo_id, since)
            return things_changed(changes, Document(session.library.demo(session.demo_id)))

        def show(found: list[Changed]) -> None:
            if asked == self._asked and not session.closed:
                self.panel.show_changes(found)

        self.desk.runner.background(read, on_result=show, on_error=self.desk.messages.show_error)

    # Doing ----------------------------------------------------------------------------------------------------

    def _go(self, row: Row | None) -> None:
        if self._jumper.going:
            self.desk.say(tr("The history is still on its way."))
            return
        self.desk.leave()
        label = "" if row is None else row.label

        def arrived(steps: int) -> None:
            if self.desk.session.closed:
                return
            self.desk.say(_arrived_words(label, steps))
            if row is not None and steps:
                self._show(row)

        self._jumper.go(0 if row is None else row.seq, label, arrived=arrived)

    def _show(self, row: Row) -> None:
        session = self.desk.session

        def show(edit: Edit) -> None:
            if not session.closed and not show_first(self.desk.view, edit.changes):
                self.desk.say(tr("There is nothing to show: this edit was about the demo as a whole."))

        self.desk.runner.newest(
            "show",
            lambda: session.library.log.edit_at(session.demo_id, row.seq),
            on_result=show,
            on_error=self.desk.messages.show_error,
        )

    def _show_thing(self, thing: Changed) -> None:
        if not show_changed(self.desk.view, thing):
            self.desk.say(tr("There is nothing to show: this is about the demo as a whole."))

    def _tell_others(self, entries: Sequence[LogEntry]) -> None:
        if not self.desk.session.closed:
            self.desk.messages.say(others_words(entries))


def _arrived_words(label: str, steps: int) -> str:
    if not steps:
        return tr("The demo is as it was then already.")
    count, label = f"{steps:,}", shorten(label, 60)
    if not label and steps == 1:
        words = tr("The demo is as it was before its first edit; 1 edit was taken back.")
    elif not label:
        words = tr("The demo is as it was before its first edit; {count} edits were taken back.")
    elif steps == 1:
        words = tr("The demo is as it was after “{label}”; 1 edit was taken back or done again.")
    else:
        words = tr("The demo is as it was after “{label}”; {count} edits were taken back or done again.")
    return words.format(label=label, count=count)
