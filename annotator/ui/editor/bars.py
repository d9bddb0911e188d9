"""The bars over and under the editor: head and status."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QProgressBar, QPushButton, QSizePolicy, QWidget

from annotator.document import Document
from annotator.ui.controls import TitleField, flat_button, label, push_button
from annotator.ui.editor.step_model import doubts_of
from annotator.ui.fitting import Fitting, Step, hiding, saying
from annotator.ui.job_runner import JobRunner
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["Head", "Status"]

_TASK_WIDTH: Final = 150
"""A task that is shorter cannot be told from others."""


class _Progress(QWidget):
    """One short line: approved, doubtful, the rest."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._parts = (0, 0, 1)
        self.setFixedSize(120, 6)

    def show_parts(self, approved: int, doubtful: int, total: int) -> None:
        self._parts = (approved, doubtful, max(total, 1))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        approved, doubtful, total = self._parts
        palette, painter = self._theme.palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        width = float(self.width())
        for share, colour in (
            (total, palette.track),
            (approved + doubtful, palette.warning),
            (approved, palette.success),
        ):
            if share:
                painter.setBrush(QColor(colour))
                painter.drawRoundedRect(0, 0, round(width * share / total), self.height(), 3, 3)


class Head(QWidget):
    """Back, the task, how far the review is, and the three jobs.

    Signals:
        back_wanted: to the library.
        task_written: the task in other words.
        find_wanted: find elements.
        write_wanted: write rationales.
        privacy_wanted: look for what may be private.
        export_wanted: write a pack.
    """

    back_wanted = Signal()
    task_written = Signal(str)
    find_wanted = Signal()
    write_wanted = Signal()
    privacy_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, document: Document, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._document = document
        back = flat_button("back", tr("Library"), theme, keys="Ctrl+L")
        back.clicked.connect(self.back_wanted)
        self._task = TitleField(tr("Task"), placeholder=tr("What was the task?"))
        self._task.setToolTip(tr("The task; click to reword it"))
        self._task.committed.connect(self.task_written)
        self._task.setMinimumWidth(_TASK_WIDTH)
        self._bar = _Progress(theme)
        self._words = label("", role="muted")
        find = push_button(
            tr("Find elements"), tr("Find the UI elements on every picture of this demo"), theme, name="find"
        )
        find.clicked.connect(self.find_wanted)
        write = push_button(tr("Write rationales"), tr("Explain every step that has no rationale"), theme, name="write")
        write.clicked.connect(self.write_wanted)
        privacy = flat_button("shield", tr("Look for private data"), theme, keys="Ctrl+Shift+P")
        privacy.clicked.connect(self.privacy_wanted)
        export = push_button(tr("Export"), tr("Write this demo as a pack"), theme, name="export")
        export.clicked.connect(self.export_wanted)
        self._jobs = {"find": find, "write": write, "export": export}
        self._more = push_button(tr("More"), tr("Further jobs for this demo"), theme)
        self._menu = QMenu(self._more)
        self._menu.setToolTipsVisible(True)
        self._more.setMenu(self._menu)
        self._more.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.s, SPACE.s, SPACE.m, SPACE.s)
        row.setSpacing(SPACE.s)
        row.addWidget(back)
        row.addWidget(self._task, 1)
        row.addSpacing(SPACE.s)
        row.addWidget(self._bar)
        row.addWidget(self._words)
        row.addSpacing(SPACE.s)
        for button in (find, write, self._more, privacy, export):
            row.addWidget(button)
        self._told = ("", "")
        self._fitting = Fitting(self, self._spare(), says=lambda: (self._told, self._more.isHidden()))
        self._ends = [
            document.head_changed.connect(self._show),
            document.step_changed.connect(lambda _: self._show()),
            document.step_inserted.connect(lambda _: self._show()),
            document.step_removed.connect(lambda _: self._show()),
            document.elements_changed.connect(lambda _: self._show()),
        ]
        self._show()

    def _spare(self) -> list[Step]:
        """What can be put away where the window is narrow: its tool tip, or the line beside it, says it as well."""
        find, write = self._jobs["find"], self._jobs["write"]
        return [
            saying(self._words, lambda: self._told[0], lambda: self._told[1]),
            saying(write, write.accessibleName),
            saying(find, find.accessibleName),
            hiding(self._words),
            hiding(self._bar),
        ]

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        for end in self._ends:
            end()

    def add_job(self, name: str, words: str, call: Callable[[], object], *, tip: str) -> None:
        """Add an entry to the menu of further jobs."""
        action = self._menu.addAction(words)
        action.setObjectName(name)
        action.setToolTip(tip)
        action.triggered.connect(lambda: call())
        self._more.show()

    def button(self, job: str) -> QPushButton:
        """The button of a job: ``find``, ``write`` or ``export``."""
        return self._jobs[job]

    def set_running(self, job: str, *, running: bool) -> None:
        """A job that runs cannot be started again."""
        self._jobs[job].setEnabled(not running)

    def _show(self) -> None:
        steps = self._document.steps
        self._task.show_text(self._document.head.task)
        approved = sum(step.review == "approved" for step in steps)
        doubtful = sum(bool(doubts_of(self._document, step)) for step in steps)
        self._bar.show_parts(approved, doubtful, len(steps))
        words = tr("{approved}/{steps} approved").format(approved=approved, steps=len(steps))
        told = tr("{words} · {doubtful} doubtful").format(words=words, doubtful=doubtful) if doubtful else words
        self._told = (told, words)
        self._words.setText(told)
        for part in (self._bar, self._words):
            part.setToolTip(told)
        self._fitting.fit()


class Status(QWidget):
    """The lowest line: where, how large, what runs, what is saved."""

    def __init__(self, runner: JobRunner, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._runner = runner
        self._where = label("", role="caption")
        self._size = label("", role="caption")
        self._last = label("", role="caption")
        self._last.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._job = label("", role="caption")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(96)
        self._bar.setAccessibleName(tr("Progress"))
        self._cancel = flat_button("close", tr("Cancel this job"), theme)
        self._cancel.clicked.connect(self._cancel_job)
        self._saved = label(tr("Saved"), role="good")
        keys = label(tr("Space approve   F1 keys"), role="caption")
        said = (self._where, self._size, self._job, self._saved)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, 2, SPACE.m, 2)
        row.setSpacing(SPACE.l)
        row.addWidget(self._where)
        row.addWidget(self._size)
        row.addWidget(self._last, 1)
        job = QHBoxLayout()
        job.setSpacing(SPACE.s)
        for part in (self._job, self._bar, self._cancel):
            job.addWidget(part)
        row.addLayout(job)
        row.addWidget(self._saved)
        row.addWidget(keys)
        self.setFixedHeight(34)
        # What runs matters more than what can be looked up elsewhere.
        spare = (hiding(keys), hiding(self._size), hiding(self._bar, wanted=lambda: not self._job.isHidden()))
        self._fitting = Fitting(self, spare, says=lambda: (*(part.text() for part in said), self._job.isHidden()))
        runner.jobs_changed.connect(self._show_job)
        self._show_job()

    def close_view(self) -> None:
        """Stop following."""
        self._runner.jobs_changed.disconnect(self._show_job)

    def show_place(self, where: str, size: str) -> None:
        """Step and picture."""
        self._where.setText(where)
        self._size.setText(size)

    def show_saved(self, *, saved: bool) -> None:
        """Whether everything is written."""
        self._saved.setText(tr("Saved") if saved else tr("Saving …"))

    def show_last(self, words: str) -> None:
        """What was done last."""
        self._last.setText(words)

    def _show_job(self) -> None:
        jobs = self._runner.jobs
        for part in (self._job, self._bar, self._cancel):
            part.setVisible(bool(jobs))
        if not jobs:
            return
        job = jobs[-1]
        progress = job.progress
        others = f" (+{len(jobs) - 1})" if len(jobs) > 1 else ""
        self._job.setText((progress.text or job.title) + others)
        self._bar.setRange(0, progress.total)
        self._bar.setValue(progress.done)
        self._cancel.setEnabled(not job.token.cancelled)

    def _cancel_job(self) -> None:
        for job in self._runner.jobs[-1:]:
            job.cancel()
            self._show_job()
