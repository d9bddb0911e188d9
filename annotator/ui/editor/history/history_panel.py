"""The tab: choices on top, the list of edits or of what changed, and what can be done with the chosen row."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QDateTime, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QDateTimeEdit,
    QLineEdit,
    QStackedWidget,
    QWidget,
)

from annotator.history.changes import ChangedRecord
from annotator.history.timeline import SINCE, HistoryRow, Since, moment_of
from annotator.ui.controls import Segments, column, combo_box, label, push_button, row
from annotator.ui.editor.history.history_lists import ChangeList, EditTable
from annotator.ui.editor.history.history_models import ChangesModel, HistoryModel
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.clock import utc_now
from demopack.store import LogLine

_TYPING_MS = 150


class HistoryPanel(QWidget):
    """Two lists behind one another: every edit, and what changed since a moment.

    Signals:
        shown_changed: the tab is seen now, or no longer.
        asked: another moment, or the other list: what changed is wanted anew.
        go_wanted: a gesture, or None for the beginning: go back to it, or forward.
        show_wanted: a gesture: show what it was about.
        thing_wanted: a thing that changed: show it.
    """

    shown_changed = Signal()
    asked = Signal()
    go_wanted = Signal(object)
    show_wanted = Signal(object)
    thing_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._opened = utc_now()
        self.edits = HistoryModel(self)
        self.changes = ChangesModel(self)
        self.mode = Segments(
            tr("History"),
            (tr("Edits"), tr("What changed")),
            tips=(tr("Every edit, newest first"), tr("What is not as it was, and what it was")),
        )
        self.mode.set_current(0)
        self.words = QLineEdit()
        self.words.setAccessibleName(tr("Words to look for in the history"))
        self.words.setPlaceholderText(tr("Find in the history"))
        self.words.setToolTip(tr("Show only rows that hold these words"))
        self.words.setClearButtonEnabled(True)
        choices = [(text, name) for name, text in SINCE.items()]
        self.since = combo_box(tr("Since when"), tr("How far to look back"), choices)
        self.from_time = QDateTimeEdit(QDateTime.currentDateTime())
        self.from_time.setAccessibleName(tr("Since this time"))
        self.from_time.setToolTip(tr("Look back to this time"))
        self.from_time.setCalendarPopup(True)
        self.from_time.hide()
        self.edit_list = EditTable(tr("Edits"), self.edits, theme)
        self.edit_list.setToolTip(
            tr("A click shows what an edit was about. Go here, or Enter, goes back to it, or forward.")
        )
        self.change_list = ChangeList(tr("What changed"), self.changes, theme)
        self._count = label("", role="caption", wraps=True)
        self.go = push_button(
            tr("Go here"), tr("Make the demo as it was right after this edit"), theme, name="restore", keys="Return"
        )
        self.show_it = push_button(tr("Show"), tr("Show what it was about on the picture"), theme, name="target")
        self._typing = QTimer(self, interval=_TYPING_MS, singleShot=True)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._lists = QStackedWidget()
        self._lists.addWidget(self.edit_list)
        self._lists.addWidget(self.change_list)
        choices = (row(self.mode, None), self.words, self.since, self.from_time, self._count)
        column(
            column(*choices, margins=(SPACE.m, SPACE.m, SPACE.m, SPACE.s)),
            (self._lists, 1),
            row(self.go, self.show_it, None, margins=(SPACE.m, SPACE.s, SPACE.m, SPACE.s)),
            of=self,
            spacing=0,
        )

    def _connect(self) -> None:
        self.mode.chosen.connect(self._on_mode)
        self._typing.timeout.connect(self.narrow)
        self.words.textChanged.connect(self._typing.start)
        self.since.activated.connect(self._on_since)
        self.from_time.dateTimeChanged.connect(self._on_since)
        self.edit_list.acted.connect(self._go_to)
        self.edit_list.looked_at.connect(self._on_show)
        self.change_list.acted.connect(self._show_thing)
        self.go.clicked.connect(self._on_go)
        self.show_it.clicked.connect(self._on_show)
        for one in (self.edit_list, self.change_list):
            one.selectionModel().currentChanged.connect(self._on_current)
            one.model().modelReset.connect(self._on_current)
        self._on_current()

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
        self.tell_count()

    def show_changes(self, found: Sequence[ChangedRecord]) -> None:
        """Show what changed."""
        self.changes.show(found)
        self.tell_count()

    def tell_count(self) -> None:
        """Say how many rows there are."""
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

    def take_lines(self, lines: Sequence[LogLine], *, whole: bool) -> None:
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
        self.tell_count()

    # ----------------------------------------------------------------------------------------------------------

    def _on_mode(self) -> None:
        self._lists.setCurrentIndex(self.mode.current)
        self._on_current()
        self.tell_count()
        self.asked.emit()

    def _on_since(self) -> None:
        self.from_time.setVisible(self.since.currentData() == "chosen")
        self.narrow()
        self.asked.emit()

    def _on_current(self) -> None:
        place = self._place()
        row = None if self.wants_changes or place is None else self.edits.row_at(place)
        self.go.setVisible(not self.wants_changes)
        self.go.setEnabled(place is not None)
        self.show_it.setEnabled(place is not None and (self.wants_changes or row is not None))

    def _place(self) -> int | None:
        shown = self.change_list if self.wants_changes else self.edit_list
        index = shown.currentIndex()
        return index.row() if index.isValid() else None

    def _on_go(self) -> None:
        place = self._place()
        if place is not None:
            self._go_to(place)

    def _go_to(self, place: int) -> None:
        self.go_wanted.emit(self.edits.row_at(place))

    def _show_thing(self, place: int) -> None:
        self.thing_wanted.emit(self.changes.thing_at(place))

    def _on_show(self, *_: object) -> None:
        place = self._place()
        if place is None:
            return
        if self.wants_changes:
            self._show_thing(place)
            return
        row: HistoryRow | None = self.edits.row_at(place)
        if row is not None:
            self.show_wanted.emit(row)

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's hook: only a tab that is seen reads the log."""
        super().showEvent(event)
        self.shown_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt's hook: nobody looks any more."""
        super().hideEvent(event)
        self.shown_changed.emit()
