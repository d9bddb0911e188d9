"""The page of tasks: the list with its search, one task beside it, the statistics; what is done with them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QSplitter, QStackedWidget, QWidget

from annotator.task_words import STATE_WORDS, short_source, spoken_task_error
from annotator.ui.controls import column, combo_box, flat_button, label, page_bar, push_button, row, set_tip
from annotator.ui.icons import icon
from annotator.ui.messages import Messages
from annotator.ui.operations import Operations
from annotator.ui.recording.recording_words import count_steps
from annotator.ui.services import Services
from annotator.ui.tasks.funnel_view import FunnelView, TaskFigures
from annotator.ui.tasks.task_detail import TaskDetail
from annotator.ui.tasks.task_list import PAGE, TaskList, TaskListModel
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import number_words, tr
from demopack.domain.provenance import by_human
from demopack.domain.tasks import FilterFinding, Task
from demopack.store import Library
from tasks.assignments import TaskAssignment, assign, finish, postpone, refuse, waiting_tasks
from tasks.bank import TaskBank, TaskQuery, TaskRow

_LIST, _EMPTY, _NOTHING, _FIGURES = 0, 1, 2, 3
_MAX_CHOICES = 60
"""Programs and sources in a filter; the search finds the others."""


class TasksPage(QWidget):
    """The task bank of the library, which is opened when the page is first shown.

    Attributes:
        list: the tasks.
        detail: the current one.

    Signals:
        back_wanted: leave the page.
        open_wanted: id of a demo.
        record_wanted: a ``TaskAssignment`` that is to be recorded.
    """

    back_wanted = Signal()
    open_wanted = Signal(str)
    record_wanted = Signal(object)

    def __init__(
        self, theme: Theme, *, library: Library, services: Services, operations: Operations, messages: Messages
    ) -> None:
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self._library, self._services = library, services
        self._operations, self._messages = operations, messages
        self._bank: TaskBank | None = None
        self._query = TaskQuery()
        self._recorded: tuple[TaskAssignment, str] | None = None
        self._coming = ""  # the task that is read, to be shown
        self.detail = TaskDetail(theme)
        self._model = TaskListModel(self._read_page, self)
        self.list = TaskList(self._model, theme)
        self.list.current_changed.connect(self._show_current)
        self.list.opened.connect(self.detail.task.setFocus)
        self.list.aside_wanted.connect(self.set_aside)
        self.detail.changed.connect(self._correct)
        self.detail.open_wanted.connect(self.open_wanted)
        self.detail.aside_wanted.connect(self.set_aside)
        self.detail.asked.done.connect(self._finish)
        self.detail.asked.refused.connect(self._refuse)
        self.detail.asked.later.connect(self._postpone)
        self.detail.show_task(None)
        bar = self._make_bar()
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        self.list.setMinimumWidth(300)
        self.detail.setMinimumWidth(380)
        split.addWidget(self.list)
        split.addWidget(self.detail)
        split.setSizes([480, 620])
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 4)
        self._nothing = label(tr("No task fits this search."), role="muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.figures = FunnelView(theme, close=self.close_statistics)
        self._pages = QStackedWidget()
        for part in (split, self._make_empty(), self._nothing, self.figures):
            self._pages.addWidget(part)
        self._pages.setMinimumHeight(1)
        column(bar, self._filters, (self._pages, 1), of=self, spacing=0)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence("Escape"), self, self._escape, context=inside)

    def _make_bar(self) -> QWidget:
        self._count = label("", role="muted")
        self.search = QLineEdit()
        self.search.setAccessibleName(tr("Search tasks"))
        self.search.setPlaceholderText(tr("Search tasks"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("search", self._theme, tint="muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(lambda: self.read())
        self.search.returnPressed.connect(self.list.setFocus)
        set_tip(self.search, tr("Words of task and plan, each as it begins"), action="search_tasks")
        self._filters = QWidget()
        self._filters.setObjectName("panel")
        self._state = self._filter(tr("State"), tr("All states"))
        self._app = self._filter(tr("Program"), tr("All programs"))
        self._source = self._filter(tr("Source"), tr("All sources"))
        for state, words in STATE_WORDS.items():
            self._state.addItem(words, state)
        row(
            (self.search, 1), self._state, self._app, self._source, of=self._filters,
            margins=(SPACE.l, SPACE.s, SPACE.l, SPACE.s),
        )  # fmt: skip
        theme = self._theme
        figures = flat_button("statistics", tr("Statistics"), theme, action="task_figures")
        add = push_button(tr("Import …"), tr("Bring in tasks from files"), theme, action="import_tasks")
        self.next = push_button(
            tr("Next task"), tr("Show the task that waits for a person"), theme, name="record", action="next_task",
            role="main",
        )  # fmt: skip
        return page_bar(tr("Tasks"), self.back_wanted, theme, self._count, None, figures, add, self.next)

    def _filter(self, name: str, every: str) -> QComboBox:
        made = combo_box(name, name, [(every, "")], call=lambda: self.read(), focus=Qt.FocusPolicy.StrongFocus)
        made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        made.setMinimumContentsLength(14)
        made.view().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        return made

    def _make_empty(self) -> QWidget:
        page = QWidget()
        picture = QLabel()
        picture.setPixmap(icon("steps", self._theme, tint="muted").pixmap(QSize(72, 72)))
        words = label(tr("No tasks yet"), role="large")
        more = label(
            tr("Import what is to be done: manuals and how-to pages, lists of search queries, tables, tasks of UFO."),
            role="muted",
        )
        for part in (picture, words, more):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.first = push_button(
            tr("Import tasks …"), tr("Bring in tasks from files"), self._theme, role="main", action="import_tasks"
        )
        first = (self.first, 0, Qt.AlignmentFlag.AlignCenter)
        column(None, None, picture, words, more, SPACE.m, first, None, None, None, of=page, spacing=SPACE.m)
        return page

    # Reading --------------------------------------------------------------------------------------------------

    def _open_bank(self) -> TaskBank:
        """The bank; called on the library's thread alone."""
        if self._bank is None:
            self._bank = TaskBank.open(self._library.folder)
        return self._bank

    def close_bank(self) -> None:
        """Close the file, when no thread reads it any more."""
        if self._bank is not None:
            self._bank.close()
            self._bank = None

    def open(self) -> None:
        """Read everything."""
        if self._bank is None:
            self._tell(tr("Reading the tasks …"))
        self._read_choices()
        self.read(then=self.list.setFocus)

    def read(self, *, keeps: bool = False, then: Callable[[], object] = lambda: None) -> None:
        """Read which tasks are meant, and the one that is shown.

        Args:
            keeps: it stays beside the list where it is none of these any more; else the next one of the list is shown.
            then: called when they are shown.
        """
        query = TaskQuery(
            words=self.search.text(),
            state=self._state.currentData() or "",
            app=self._app.currentData() or "",
            source=self._source.currentData() or "",
        )
        again = query == self._query
        self._query = query
        shown = "" if self.detail.shown is None else self.detail.shown.id

        def look() -> tuple[int, list[TaskRow], int, Task | None]:
            bank = self._open_bank()
            found = bank.count(query)
            every = found if query == TaskQuery() else bank.count()
            return found, bank.rows(query, limit=PAGE), every, bank.find(shown)

        def show(found: tuple[int, list[TaskRow], int, Task | None]) -> None:
            count, first, total, task = found
            place = max(self.list.currentIndex().row(), 0) if again else 0
            (self._model.refresh if again else self._model.begin)(count, first)
            self._count.setText(
                "" if not total else number_words(total) if count == total
                else tr("{shown} of {total}").format(shown=number_words(count), total=number_words(total))
            )  # fmt: skip
            self.next.setEnabled(total > 0)
            if self._pages.currentIndex() != _FIGURES:
                self._filters.setVisible(total > 0)
                self._nothing.setText(tr("No task fits this search."))
                self._pages.setCurrentIndex(_LIST if count else _NOTHING if total else _EMPTY)
            if self.detail.shown is not None and self.detail.shown.id == shown:
                self.detail.show_task(task)
            if count and not keeps and not self.list.currentIndex().isValid():
                self.list.setCurrentIndex(self._model.index(min(place, count - 1)))
            then()
            if not total:
                self.first.setFocus()

        def failed(error: Exception) -> None:
            self._tell(tr("The tasks cannot be read."))
            self._messages.show_error(spoken_task_error(error))

        self._operations.start(look, on_result=show, on_error=failed, lane="library", newest="tasks")

    def _tell(self, words: str) -> None:
        """Words in the place of the list."""
        self._nothing.setText(words)
        self._pages.setCurrentIndex(_NOTHING)

    def _read_page(self, start: int) -> None:
        query = self._query

        def show(rows: list[TaskRow]) -> None:
            if query == self._query:
                self._model.fill(start, rows)

        self._operations.start(
            lambda: self._open_bank().rows(query, offset=start, limit=PAGE), on_result=show, lane="library"
        )

    def _read_choices(self) -> None:
        def look() -> tuple[dict[str, int], dict[str, int]]:
            bank = self._open_bank()
            return bank.counts("app"), bank.counts("source")

        def show(found: tuple[dict[str, int], dict[str, int]]) -> None:
            for box, counts in zip((self._app, self._source), found, strict=True):
                box.blockSignals(True)  # noqa: FBT003 - Qt's own
                kept = box.currentData()
                while box.count() > 1:
                    box.removeItem(1)
                for name in list(counts)[:_MAX_CHOICES]:
                    if name:
                        box.addItem(short_source(name), name)
                        box.setItemData(box.count() - 1, name, Qt.ItemDataRole.ToolTipRole)
                box.setCurrentIndex(max(box.findData(kept), 0))
                box.blockSignals(False)  # noqa: FBT003 - Qt's own

        self._operations.start(look, on_result=show, lane="library", newest="choices")

    def _show_current(self, name: str) -> None:
        if name and (self.detail.shown is None or name != self.detail.shown.id):
            self.detail.flush()
            self.show_task(name)
        elif not self._model.rowCount():
            self.detail.show_task(None)

    def show_task(self, name: str, then: Callable[[], object] = lambda: None) -> None:
        """Show a task beside the list, whether it is in the list or not."""
        self._coming = name

        def show(task: Task | None) -> None:
            self._coming = ""
            self.detail.show_task(task)
            then()

        def failed(error: Exception) -> None:
            self._coming = ""
            self.detail.show_task(None)
            self._messages.show_error(spoken_task_error(error))

        self._operations.start(
            lambda: self._open_bank().find(name), on_result=show, on_error=failed, lane="library", newest="task"
        )

    # Statistics -----------------------------------------------------------------------------------------------

    def open_statistics(self) -> None:
        """Show the statistics, or the tasks again."""
        if self._pages.currentIndex() == _FIGURES:
            self.close_statistics()
            return

        def look() -> TaskFigures | None:
            bank = self._open_bank()
            whole = bank.funnel()
            if not whole:
                return None
            return TaskFigures(whole=whole[""], by_app=bank.funnel("app"), by_source=bank.funnel("source"))

        def show(found: TaskFigures | None) -> None:
            if found is None:
                self.close_statistics()
            else:
                self.figures.show_figures(found)

        self.figures.show_waiting()
        self._filters.hide()
        self._pages.setCurrentWidget(self.figures)
        self.figures.setFocus()

        self._operations.start(look, on_result=show, lane="library", newest="figures")

    def close_statistics(self) -> None:
        """Show the tasks again."""
        self._pages.setCurrentIndex(_LIST)
        self.read()
        self.list.setFocus()

    def _escape(self) -> None:
        if self._pages.currentIndex() == _FIGURES:
            self.close_statistics()
        elif self.search.hasFocus() and self.search.text():
            self.search.clear()
        else:
            self.back_wanted.emit()

    # Changing -------------------------------------------------------------------------------------------------

    def import_files(self) -> None:
        """Ask for files, and bring in their tasks."""
        paths = self._services.pick_files(self, tr("Which files tell what is to be done?"))
        if paths:
            self.collect(paths)

    def collect(self, paths: list[Path]) -> None:
        """Bring in the tasks of files; what cannot be read is left out and counted."""
        from demopack.codecs.tasks.files import TaskFileOptions
        from tasks.collecting import CollectionReport, collect_files

        def show(report: CollectionReport) -> None:
            words = tr("{count} tasks added, {known} known already.")
            words = words.format(count=len(report.added), known=report.known)
            left = len(report.reading.without_steps) + len(report.reading.ignored) + len(report.reading.skipped)
            if left:
                words += tr(" {count} could not be read.").format(count=left)
            self._messages.say(words, button=tr("Undo") if report.added else "", action=self.undo)
            self.open()

        self._operations.run(
            tr("Importing tasks"),
            lambda control: collect_files(
                paths, self._open_bank(), TaskFileOptions(skip_bad=True), provenance=by_human(), control=control
            ),
            on_result=show,
            lane="library",
        )

    def _correct(self, old: Task, new: Task) -> None:
        self._change(old, new, f"Correct “{old.id}”", keeps=True)

    def _change(
        self, old: Task, new: Task, what: str, then: Callable[[], object] = lambda: None, *, keeps: bool = False
    ) -> None:
        """Store a task in the place of what it was, and show it; ``keeps`` as in :meth:`read`."""

        def done(_: int) -> None:
            self.read(keeps=keeps)
            then()

        def failed(error: Exception) -> None:
            self._messages.show_error(spoken_task_error(error))
            self.show_task(old.id)

        self._operations.start(
            lambda: self._open_bank().change([(old, new)], label=what, provenance=by_human()),
            on_result=done,
            on_error=failed,
            lane="library",
        )

    def set_aside(self) -> None:
        """Set the task aside, or take back in what was left out."""
        self.detail.flush()
        if self._coming:  # a quick key is for the row that was chosen, not for the one before
            self.show_task(self._coming, self.set_aside)
            return
        task = self.detail.shown
        if task is None or task.state not in {"collected", "kept", "filtered_out"}:
            return
        if task.state == "filtered_out":
            self._change(task, task.but(findings=()), f"Restore “{task.id}”")
            return
        aside = FilterFinding(rule="set_aside", reason="A person set it aside.")
        say = partial(self._messages.say, tr("Task set aside."), button=tr("Undo"), action=self.undo)
        self._change(task, task.but(findings=(*(task.findings or ()), aside)), f"Set “{task.id}” aside", say)

    def undo(self) -> None:
        """Take back the last command on the bank."""
        self._step(lambda bank: bank.undo())

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._step(lambda bank: bank.redo())

    def _step(self, call: Callable[[TaskBank], object]) -> None:
        self.detail.flush()

        def done(_: object) -> None:
            self._read_choices()
            self.read()

        self._operations.start(lambda: call(self._open_bank()), on_result=done, lane="library")

    # A person does it -----------------------------------------------------------------------------------------

    def show_next(self) -> None:
        """Show the task that waits for a person."""

        def show(task: Task | None) -> None:
            if task is None:
                self._messages.say(tr("No task is waiting."))
                return
            self._pages.setCurrentIndex(_LIST)
            self.detail.show_task(task)
            self.list.setCurrentIndex(self._model.place(task.id))
            self.detail.record.setFocus()

        self.detail.flush()
        self._coming = ""
        self._operations.start(
            lambda: next(waiting_tasks(self._open_bank()), None), on_result=show, lane="library", newest="task"
        )

    def record(self) -> None:
        """Copy the document of the task, open it, and record."""
        self.detail.flush()
        if self._coming:
            self.show_task(self._coming, self.record)
            return
        task = self.detail.shown
        if task is None:
            return

        def look() -> TaskAssignment:
            given = assign(task, self._library.folder)
            self._services.open_task(given)
            return given

        def failed(error: Exception) -> None:
            self._messages.show_error(spoken_task_error(error))

        self._operations.start(look, on_result=self.record_wanted.emit, on_error=failed, lane="urgent")

    def ask_about(self, given: TaskAssignment, demo_id: str, steps: int) -> None:
        """A recording came to its end: ask whether the task was done."""
        self._recorded = (given, demo_id)
        recorded = tr("Recorded: {count_steps}. Is the task done?").format(count_steps=count_steps(steps))
        words = recorded if steps else tr("Nothing was recorded.")
        self._pages.setCurrentIndex(_LIST)
        self.show_task(given.task.id, lambda: self.detail.asked.ask(words, can_be_done=steps > 0))

    def _finish(self) -> None:
        if self._recorded is None:
            return
        demo_id = self._recorded[1]
        self._end(lambda given: finish(given, self._library.demo(demo_id)), tr("Task done."))

    def _refuse(self, reason: str) -> None:
        if not reason.strip():
            self.detail.asked.reason.setFocus()
            return
        if self._recorded is not None:
            demo_id = self._recorded[1]
            self._end(lambda given: refuse(given.task, reason, demo_id), tr("Kept why it cannot be done."))

    def _postpone(self) -> None:
        if self._recorded is not None:
            self._end(lambda given: postpone(given.task), tr("It is at the end of the queue."))

    def _end(self, make: Callable[[TaskAssignment], Task], words: str) -> None:
        """Store what came of a task, as it is by now; where that fails the answer can be given again."""
        recorded, self._recorded = self._recorded, None
        if recorded is None:
            return
        given = recorded[0]
        self.detail.asked.hide()
        self.list.setFocus()
        self._messages.say(tr("Storing the result …"))

        def store() -> Task:
            bank = self._open_bank()
            old = bank.get(given.task.id)
            new = make(dataclasses.replace(given, task=old))
            bank.change([(old, new)], label=f"Record “{old.id}”", provenance=by_human())
            return new

        def done(_: Task) -> None:
            self._messages.say(words, button=tr("Next task"), action=self.show_next)
            self.read(keeps=True)

        def failed(error: Exception) -> None:
            self._recorded = recorded
            self.detail.asked.show()
            self._messages.show_error(spoken_task_error(error))

        self._operations.start(store, on_result=done, on_error=failed, lane="library")
