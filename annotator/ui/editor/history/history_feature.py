"""Puts the history into the editor: reads the log while the tab is seen, carries jumps out, notices other windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QTimer

from annotator.document import Document
from annotator.editing import LogWatch, others_words
from annotator.history.changes import ChangedRecord, things_changed
from annotator.history.jumping import Jumper, show_changed, show_first
from annotator.history.timeline import BEGINNING, HistoryRow
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.history.history_panel import HistoryPanel
from annotator.ui.keys.key import Key
from annotator.words import tr
from demopack.domain.edits import Edit, LogEntry
from demopack.domain.words import shorten
from demopack.store import LogLine

_LOOK_EVERY_MS = 1000


class HistoryFeature(Feature):
    """Every edit of the demo, and the way back to each."""

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.panel = HistoryPanel(context.theme)
        self._jumper = Jumper(context.session, context.operations.of_owner())
        self._watch = LogWatch(context.session)
        self._erasures = ""
        context.add_tab("history", tr("History"), self.panel)
        panel = self.panel
        panel.shown_changed.connect(self._refresh)
        panel.asked.connect(self._refresh_changes)
        panel.go_wanted.connect(self._go)
        panel.show_wanted.connect(self._show)
        panel.thing_wanted.connect(self._show_thing)
        context.session.logged.connect(self._refresh)
        self._watch.others_edited.connect(self._tell_others)
        self._timer = QTimer(panel, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._watch.look)
        self._timer.start()

    def look(self) -> None:
        """Take in now what other windows have done."""
        self._watch.look()

    def _toggle(self) -> None:
        if self.panel.isVisible():
            self.context.show_tab("element")
            self.context.canvas.setFocus()
            return
        self.context.show_tab("history")
        self.panel.edit_list.setFocus()

    # Reading --------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Read what is new in the log; nothing while nobody looks."""
        session, model, known = self.context.session, self.panel.edits, self._erasures
        if not self.panel.isVisible():
            return
        seq = model.seq

        def read() -> tuple[str, bool, list[LogLine]]:
            erasures = session.library.log.erasures()
            whole = erasures != known
            return erasures, whole, session.library.log.lines(session.demo_id, after=0 if whole else seq)

        self.context.operations.start(read, on_result=self._show_lines, lane="library", newest="history")
        self._refresh_changes()

    def _show_lines(self, found: tuple[str, bool, list[LogLine]]) -> None:
        erasures, whole, lines = found
        self._erasures = erasures
        self.panel.take_lines(lines, whole=whole)

    def _refresh_changes(self) -> None:
        session = self.context.session
        if not (self.panel.wants_changes and self.panel.isVisible()):
            return
        since = self.panel.moment or BEGINNING

        def read() -> list[ChangedRecord]:
            changes = session.library.log.changes_since(session.demo_id, since)
            return things_changed(changes, Document(session.library.demo(session.demo_id)))

        self.context.operations.start(read, on_result=self.panel.show_changes, newest="changes")

    # Doing ----------------------------------------------------------------------------------------------------

    def _go(self, row: HistoryRow | None) -> None:
        if self._jumper.going:
            self.context.say(tr("The history is still on its way."))
            return
        self.context.leave()
        label = "" if row is None else row.label

        def arrived(steps: int) -> None:
            self.context.say(_arrived_words(label, steps))
            if row is not None and steps:
                self._show(row)

        self._jumper.go(0 if row is None else row.seq, label, arrived=arrived)

    def _show(self, row: HistoryRow) -> None:
        session = self.context.session

        def show(edit: Edit) -> None:
            if not show_first(self.context.view, edit.changes):
                self.context.say(tr("There is nothing to show: this edit was about the demo as a whole."))

        self.context.operations.start(
            lambda: session.library.log.edit_at(session.demo_id, row.seq), on_result=show, lane="library", newest="show"
        )

    def _show_thing(self, thing: ChangedRecord) -> None:
        if not show_changed(self.context.view, thing):
            self.context.say(tr("There is nothing to show: this is about the demo as a whole."))

    def _tell_others(self, entries: Sequence[LogEntry]) -> None:
        self.context.messages.say(others_words(entries))

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("history", tr("Show or hide the history"), ("H",), "Everything", call=_toggle),
    )


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
