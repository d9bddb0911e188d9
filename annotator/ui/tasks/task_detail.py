"""One task: its words and plan, which can be corrected, its document, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from annotator.task_words import STATE_WORDS, history_lines, origin_words, performed_words, spoken_task
from annotator.ui.controls import (
    LineField,
    TextField,
    column,
    discard,
    label,
    push_button,
    row,
    scroll_area,
    show_words,
)
from annotator.ui.tasks.task_list import TONES
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr
from demopack.domain.tasks import Task

_ANSWERS = {"yes": tr("yes"), "no": tr("no"), "unsure": tr("unsure")}
_ROLES = {"danger": "warning", "warning": "warning", "success": "good"}


class AskedBar(QFrame):
    """What is asked after a recording: was the task done?

    Signals:
        done: it was.
        refused: it cannot be done, and why.
        later: ask again at another time.
    """

    done = Signal()
    refused = Signal(str)
    later = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("card")
        self.words = label("", role="words", wraps=True)
        self.reason = LineField(tr("Why it cannot be done"), placeholder=tr("Why it cannot be done"))
        self.yes = push_button(
            tr("It is done"), tr("The recording becomes the execution of this task"), theme, role="main"
        )
        self.no = push_button(tr("Cannot be done"), tr("Keep with the task why it cannot be done"), theme)
        self.wait = push_button(tr("Ask later"), tr("Put the task at the end of the queue"), theme)
        self.yes.clicked.connect(self.done)
        self.no.clicked.connect(lambda: self.refused.emit(self.reason.text()))
        self.reason.returnPressed.connect(lambda: self.refused.emit(self.reason.text()))
        self.wait.clicked.connect(self.later)
        margins = (SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        column(self.words, row(self.yes, self.wait, None), row((self.reason, 1), self.no), of=self, margins=margins)
        self.hide()

    def ask(self, words: str, *, can_be_done: bool) -> None:
        """Ask; ``can_be_done`` where something was recorded."""
        self.words.setText(words)
        self.reason.clear()
        self.yes.setVisible(can_be_done)
        self.show()
        (self.yes if can_be_done else self.wait).setFocus()


class TaskDetail(QWidget):
    """What is known of one task.

    Attributes:
        shown: the task; None for none.
        asked: what is asked after it was recorded.

    Signals:
        changed: the task as it was, and with other words.
        record_wanted: do it now.
        open_wanted: id of the demo that came out.
        aside_wanted: set it aside, or take it back in.
    """

    changed = Signal(object, object)
    record_wanted = Signal()
    open_wanted = Signal(str)
    aside_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.shown: Task | None = None
        self.asked = AskedBar(theme)
        self._state = label("", role="caption")
        self._origin = label("", role="muted", wraps=True)
        self._found = label("", role="warning", wraps=True)
        self.task = TextField(tr("Task"), placeholder=tr("What is to be done?"))
        self.task.setFixedHeight(58)
        self.plan = TextField(tr("Plan"), placeholder=tr("One step a line"))
        self.plan.setFixedHeight(150)
        self.task.committed.connect(self._take_task)
        self.plan.committed.connect(self._take_plan)
        self.record = push_button(
            tr("Record this task"), tr("Open its document and record"), theme, name="record", role="main",
            action="record_task",
        )  # fmt: skip
        self.open = push_button(tr("Open the demo"), tr("Show what was recorded"), theme, call=self._open_demo)
        self.aside = push_button("", tr("No filter takes it back; one undo does"), theme, call=self.aside_wanted)
        self._more = column(spacing=SPACE.xs)
        self._parts: list[QWidget] = []
        inside = QWidget()
        column(
            self.asked,
            row(self._state, None),
            self._origin,
            self._found,
            SPACE.s,
            label(tr("Task"), role="heading"),
            self.task,
            SPACE.xs,
            label(tr("Plan, one step a line"), role="heading"),
            self.plan,
            SPACE.xs,
            row(self.record, self.open, self.aside, None),
            self._more,
            None,
            of=inside,
            margins=(SPACE.xl, SPACE.l, SPACE.xl, SPACE.l),
        )
        area = scroll_area(inside, tr("The task"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        column(area, of=self, spacing=0)

    def show_task(self, task: Task | None, template: str = "") -> None:
        """Show another task, or the same as it is now."""
        old = self.shown
        if task is None or old is None or task.id != old.id:
            old = None
            self.asked.hide()
            for field in (self.task, self.plan):
                field.clearFocus()
        self.setVisible(task is not None)
        self.shown = task
        if task is None:
            return
        self._state.setText(capital(STATE_WORDS[task.state]))
        self._state.setProperty("role", _ROLES.get(TONES[task.state], "caption"))
        self._state.style().polish(self._state)
        self._origin.setText(origin_words(task))
        show_words(self._found, "\n".join(spoken_task(finding.reason) for finding in task.findings or ()))
        # What is being typed stays where it only says the same in other lines.
        if old is None or old.task != task.task:
            self.task.show_text(task.task)
        if old is None or old.plan != task.plan:
            self.plan.show_text("\n".join(task.plan))
        self.open.setVisible(bool(task.demo))
        self.aside.setVisible(task.state in {"collected", "kept", "filtered_out"})
        self.aside.setText(tr("Restore") if task.state == "filtered_out" else tr("Set aside"))
        self._show_more(task, template)

    def _show_more(self, task: Task, template: str) -> None:
        discard(self._parts)
        self._parts = []
        made, verdict = task.instantiation, task.verdict
        document = (made.template or made.document if made is not None else "") or template
        if document:
            self._say(tr("Document"), [label(PurePath(document).name)])
        if made is not None and made.request and made.request != task.task:
            self._say(tr("On this document"), [label(made.request, wraps=True)])
        if task.feasibility is not None and task.feasibility.thought:
            self._say(tr("Whether it can be done"), [label(task.feasibility.thought, wraps=True)])
        if made is not None and made.steps:
            signs = {True: "✓", False: "✗", None: "·"}
            lines = [f"{signs[step.success]}  {n}. {performed_words(step)}" for n, step in enumerate(made.steps, 1)]
            roles = {True: "", False: "warning", None: "muted"}
            parts = [
                label(line, role=roles[step.success], wraps=True) for line, step in zip(lines, made.steps, strict=True)
            ]
            tried = any(step.success is not None for step in made.steps)
            self._say(tr("Run") if tried else tr("Steps on this document"), parts)
        if verdict is not None:
            done = {step.subtask for step in (made.steps if made is not None else ())}  # rules say no more of these
            scores = [f"{score.name}: {_ANSWERS[score.met]}" for score in verdict.sub_scores if score.name not in done]
            self._say(
                capital(STATE_WORDS[task.state]),
                [
                    label(spoken_task(verdict.reason), wraps=True),
                    *(label(line, role="muted", wraps=True) for line in scores),
                ],
            )
        self._say(tr("History"), [label(line, role="muted", wraps=True) for line in history_lines(task)])

    def _say(self, heading: str, parts: Sequence[QLabel]) -> None:
        title = label(heading, role="heading")
        title.setContentsMargins(0, SPACE.m, 0, 0)
        for part in (title, *parts):
            self._more.addWidget(part)
            self._parts.append(part)

    def flush(self) -> None:
        """Hand over what is being typed."""
        self.task.flush()
        self.plan.flush()

    def _take_task(self, words: str) -> None:
        task = self.shown
        if task is not None and words.strip() and words.strip() != task.task:
            written = task.written
            kept = written.but(query="") if written is not None and written.plan else None
            self._change(task, task.but(task=" ".join(words.split()), written=kept))

    def _take_plan(self, words: str) -> None:
        task = self.shown
        plan = tuple(line.strip() for line in words.splitlines() if line.strip())
        if task is not None and plan != task.plan:
            written = task.written
            kept = written.but(plan=False) if written is not None and written.query else None
            self._change(task, task.but(plan=plan, written=kept))

    def _change(self, old: Task, new: Task) -> None:
        self.shown = new
        self.changed.emit(old, new)

    def _open_demo(self) -> None:
        if self.shown is not None and self.shown.demo:
            self.open_wanted.emit(self.shown.demo)
