"""Puts the history into the editor: reads the log while the tab is seen, carries jumps out, notices other windows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import ClassVar

from PySide6.QtCore import QDateTime, QTimer
from PySide6.QtWidgets import (
    QDateTimeEdit,
    QLineEdit,
    QStackedWidget,
)

from annotator.document import Document
from annotator.editing import others_words
from annotator.history.changes import ChangedRecord, things_changed
from annotator.history.jumping import Jumper, show_change, show_first
from annotator.history.timeline import BEGINNING, SINCE, HistoryRow, Since, moment_of
from annotator.ui.controls import Segments, column, combo_box, label, push_button, row
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.history.history_lists import ChangesModel, HistoryModel, HistoryTable
from annotator.ui.editor.panels.panel_section import TabPage
from annotator.ui.keys.key import Key
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.clock import utc_now
from demopack.domain.edits import Edit
from demopack.domain.words import shorten
from demopack.store import LogLine

_LOOK_EVERY_MS = 1000
_TYPING_MS = 150


class HistoryFeature(Feature):
    """Two lists behind one another: every edit, with the way back to each, and what changed since a moment.

    Attributes:
        tab: what is shown; the log is read while it is seen.
        edits: the gestures.
        changes: what changed.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self._jumper = Jumper(context.session, context.operations.of_owner().run)
        self._erasures = ""
        self.tab = TabPage()
        self.tab.seen.connect(self._refresh)
        self._opened = utc_now()
        self.edits = HistoryModel(self)
        self.changes = ChangesModel(self)
        self.mode = Segments(
            tr("History"),
            (tr("Edits"), tr("What changed")),
            tips=(tr("Every edit, newest first"), tr("What is not as it was, and what it was")),
        )
        self.mode.set_current(0)
        self.words = QLineEdit(placeholderText=tr("Find in the history"), clearButtonEnabled=True)
        self.words.setAccessibleName(tr("Words to look for in the history"))
        self.words.setToolTip(tr("Show only rows that hold these words"))
        choices = [(text, name) for name, text in SINCE.items()]
        self.since = combo_box(tr("Since when"), tr("How far to look back"), choices)
        self.from_time = QDateTimeEdit(QDateTime.currentDateTime(), calendarPopup=True)
        self.from_time.setAccessibleName(tr("Since this time"))
        self.from_time.setToolTip(tr("Look back to this time"))
        self.from_time.hide()
        self.edit_list = HistoryTable(tr("Edits"), self.edits, context.theme, act=self._go_to, fixed=True)
        self.edit_list.setToolTip(
            tr("A click shows what an edit was about. Go here, or Enter, goes back to it, or forward.")
        )
        self.change_list = HistoryTable(
            tr("What changed"), self.changes, context.theme, act=self._show_thing, fixed=False
        )
        self._count = label("", role="caption", wraps=True)
        self.go = push_button(
            tr("Go here"),
            tr("Make the demo as it was right after this edit"),
            context.theme,
            name="restore",
            keys="Return",
            call=lambda: self._go_to(self.edit_list.currentIndex().row()),
        )
        self.show_it = push_button(
            tr("Show"), tr("Show what it was about on the picture"), context.theme, name="target", call=self._on_show
        )
        self._typing = QTimer(self, interval=_TYPING_MS, singleShot=True)
        self._lists = QStackedWidget()
        self._lists.addWidget(self.edit_list)
        self._lists.addWidget(self.change_list)
        above = (row(self.mode, None), self.words, self.since, self.from_time, self._count)
        column(
            column(*above, margins=(SPACE.m, SPACE.m, SPACE.m, SPACE.s)),
            (self._lists, 1),
            row(self.go, self.show_it, None, margins=(SPACE.m, SPACE.s, SPACE.m, SPACE.s)),
            of=self.tab,
            spacing=0,
        )
        self.mode.chosen.connect(self._on_mode)
        self._typing.timeout.connect(self.narrow)
        self.words.textChanged.connect(self._typing.start)
        self.since.activated.connect(self._on_since)
        self.from_time.dateTimeChanged.connect(self._on_since)
        self.edit_list.clicked.connect(self._on_show)
        self.change_list.clicked.connect(self._on_show)
        for one in (self.edit_list, self.change_list):
            one.selectionModel().currentChanged.connect(self._on_current)
            one.model().modelReset.connect(self._on_current)
        self._on_current()
        context.panel.add_tab("history", tr("History"), self.tab)
        context.session.logged.connect(self._refresh)
        context.session.others_edited.connect(lambda entries: context.messages.say(others_words(entries)))
        timer = QTimer(self, interval=_LOOK_EVERY_MS)
        timer.timeout.connect(context.session.look)
        timer.start()

    def _toggle(self) -> None:
        if self.tab.isVisible():
            self.context.panel.show_tab("element")
            self.context.canvas.setFocus()
            return
        self.context.panel.show_tab("history")
        self.edit_list.setFocus()

    # What is asked for ----------------------------------------------------------------------------------------

    @property
    def wants_changes(self) -> bool:
        """Whether the list of what changed is shown."""
        return self.mode.current == 1

    @property
    def moment(self) -> datetime | None:
        """How far back to look; None for everything."""
        chosen = datetime.fromtimestamp(self.from_time.dateTime().toSecsSinceEpoch(), tz=UTC)
        name: Since = self.since.currentData()
        return moment_of(name, now=utc_now().astimezone(), opened=self._opened, chosen=chosen)

    def narrow(self) -> None:
        """Apply words and moment to the lists."""
        self._typing.stop()
        self.edits.narrow(self.words.text(), self.moment)
        self.changes.narrow(self.words.text())
        self._tell_count()

    def _tell_count(self) -> None:
        if self.wants_changes:
            count = self.changes.rowCount()
            words = {0: tr("Nothing is different from then."), 1: tr("1 thing is different.")}
            self._count.setText(words.get(count, tr("{count} things are different.").format(count=f"{count:,}")))
            return
        shown, total = self.edits.rowCount() - 1, self.edits.total
        words = {0: tr("Nothing was edited yet."), 1: tr("1 edit")}
        some = tr("{shown} of {total} edits").format(shown=f"{shown:,}", total=f"{total:,}")
        self._count.setText(
            some if self.edits.filtered else words.get(total, tr("{total} edits").format(total=f"{total:,}"))
        )

    def _show_lines(self, lines: Sequence[LogLine], *, whole: bool) -> None:
        """Show further lines of the log, or these instead of all others; the current row stays the current one."""
        index = self.edit_list.currentIndex()
        row = self.edits.row_at(index.row()) if index.isValid() else None
        if whole:
            self.edits.restart(lines)
        else:
            self.edits.extend([line for line in lines if line.seq > self.edits.seq])
        if not self.edit_list.currentIndex().isValid():
            place = self.edits.place_of(0 if row is None else row.seq) if index.isValid() else -1
            place = place if place >= 0 else self.edits.place_of_here()
            self.edit_list.setCurrentIndex(self.edits.index(max(place, 0)))
        self._tell_count()

    def _on_mode(self) -> None:
        self._lists.setCurrentIndex(self.mode.current)
        self._on_current()
        self._tell_count()
        self._refresh_changes()

    def _on_since(self) -> None:
        self.from_time.setVisible(self.since.currentData() == "chosen")
        self.narrow()
        self._refresh_changes()

    def _on_current(self) -> None:
        place = self._place()
        self.go.setVisible(not self.wants_changes)
        self.go.setEnabled(place >= 0)
        self.show_it.setEnabled(place >= 0 and (self.wants_changes or self.edits.row_at(place) is not None))

    def _place(self) -> int:
        """The current row of the list that is shown; -1 for none."""
        return (self.change_list if self.wants_changes else self.edit_list).currentIndex().row()

    def _go_to(self, place: int) -> None:
        self.go_back(self.edits.row_at(place))

    def _show_thing(self, place: int) -> None:
        if not show_change(self.context.view, self.changes.thing_at(place).change):
            self.context.say(tr("There is nothing to show: this is about the demo as a whole."))

    def _on_show(self, *_: object) -> None:
        place = self._place()
        if place >= 0 and self.wants_changes:
            self._show_thing(place)
        elif place >= 0 and (row := self.edits.row_at(place)) is not None:
            self._show(row)

    # Reading --------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Read what is new in the log; nothing while nobody looks."""
        session, model, known = self.context.session, self.edits, self._erasures
        if not self.tab.isVisible():
            return
        seq = model.seq

        def read() -> tuple[str, bool, list[LogLine]]:
            erasures = session.library.log.erasures()
            whole = erasures != known
            return erasures, whole, session.library.log.lines(session.demo_id, after=0 if whole else seq)

        def show(found: tuple[str, bool, list[LogLine]]) -> None:
            self._erasures, whole, lines = found
            self._show_lines(lines, whole=whole)

        self.context.operations.start(read, on_result=show, lane="library", newest="history")
        self._refresh_changes()

    def _refresh_changes(self) -> None:
        session = self.context.session
        if not (self.wants_changes and self.tab.isVisible()):
            return
        since = self.moment or BEGINNING

        def read() -> list[ChangedRecord]:
            changes = session.library.log.changes_since(session.demo_id, since)
            return things_changed(changes, Document(session.library.demo(session.demo_id)))

        def show(found: list[ChangedRecord]) -> None:
            self.changes.show(found, words=self.words.text())
            self._tell_count()

        self.context.operations.start(read, on_result=show, newest="changes")

    # Doing ----------------------------------------------------------------------------------------------------

    def go_back(self, row: HistoryRow | None) -> None:
        """Make the demo as it was right after a gesture, None for the beginning; or go forward to it."""
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
