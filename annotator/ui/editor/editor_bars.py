"""The bars over and under the editor: head, foot and status."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QMenu, QProgressBar, QSizePolicy, QWidget

from annotator.document import Document
from annotator.editing import EditSession
from annotator.finding.review import ReviewProgress
from annotator.step_words import doubts_of
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.controls import Bar, ProgressLine, Segments, TitleField, flat_button, label, push_button, row, set_tip
from annotator.ui.fitting import Fitting, hiding, saying
from annotator.ui.operations import Workers
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr

_TASK_WIDTH: Final = 150
"""A task that is shorter cannot be told from others."""


class Head(Bar):
    """Back, the task, how far the review is, and the three jobs.

    Attributes:
        task: the task, to be reworded.
        buttons: of the jobs ``find``, ``write`` and ``export``.
    """

    def __init__(self, document: Document, theme: Theme) -> None:
        super().__init__("bar")
        self._document = document
        back = flat_button("back", tr("Library"), theme, action="library")
        self.task = TitleField(tr("Task"), placeholder=tr("What was the task?"))
        self.task.setToolTip(tr("The task; click to reword it"))
        self.task.setMinimumWidth(_TASK_WIDTH)
        self._bar = ProgressLine(tr("Progress"), theme)
        self._bar.setFixedWidth(120)
        self._words = label("", role="muted")
        find = push_button(
            tr("Find elements"), tr("Find the UI elements on every picture of this demo"), theme, name="find"
        )
        write = push_button(tr("Write rationales"), tr("Explain every step that has no rationale"), theme, name="write")
        privacy = flat_button("shield", tr("Look for private data"), theme, action="privacy")
        tip = tr("Write this demo as a pack, or in another program's format")
        export = push_button(tr("Export"), tip, theme, name="export", action="export")
        self.buttons = {"find": find, "write": write, "export": export}
        self._more = push_button(tr("More"), tr("Further jobs for this demo"), theme)
        self._menu = QMenu(self._more, toolTipsVisible=True)
        self._more.setMenu(self._menu)
        self._more.hide()
        row(
            back, (self.task, 1), SPACE.s, self._bar, self._words, SPACE.s, find, write, self._more, privacy, export,
            of=self, margins=(SPACE.s, SPACE.s, SPACE.m, SPACE.s),
        )  # fmt: skip
        self._told = ("", "")
        # What can be put away where the window is narrow: its tool tip, or the line beside it, says it as well.
        spare = (
            saying(self._words, lambda: self._told[0], lambda: self._told[1]),
            saying(write, write.accessibleName),
            saying(find, find.accessibleName),
            hiding(self._words),
            hiding(self._bar),
        )
        self._fitting = Fitting(self, spare, says=lambda: (self._told, self._more.isHidden()))
        document.head_changed.connect(self._show)
        for changed in (document.step_changed, document.step_inserted, document.step_removed):
            changed.connect(self._show)
        document.elements_changed.connect(self._show)
        self._show()

    def add_job(self, name: str, words: str, call: Callable[[], object], *, tip: str, key: str = "") -> None:
        """Add an entry to the menu of further jobs; ``key`` names the ``Key`` that does the same."""
        action = self._menu.addAction(words)
        action.setObjectName(name)
        set_tip(action, tip, action=key)
        action.triggered.connect(lambda: call())
        self._more.show()

    def _show(self, *_: object) -> None:
        steps = self._document.steps
        self.task.show_text(self._document.head.task)
        approved = sum(step.review == "approved" for step in steps)
        doubtful = sum(bool(doubts_of(self._document, step)) for step in steps)
        self._bar.show_progress(ReviewProgress(total=len(steps), approved=approved, doubtful=doubtful))
        words = tr("{approved}/{steps} approved").format(approved=approved, steps=len(steps))
        told = tr("{words} · {doubtful} doubtful").format(words=words, doubtful=doubtful) if doubtful else words
        self._told = (told, words)
        for part in (self._bar, self._words):
            part.setToolTip(told)
        self._fitting.fit()


class Status(Bar):
    """The lowest line: where, how large, what runs, what is saved."""

    def __init__(self, workers: Workers, session: EditSession, view: ViewState, theme: Theme) -> None:
        super().__init__("status")
        self._workers, self._view = workers, view
        self._where = label("", role="caption")
        self._size = label("", role="caption")
        self.last = label("", role="caption")
        self.last.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._job = label("", role="caption")
        self._bar = QProgressBar(textVisible=False)
        self._bar.setFixedWidth(96)
        self._bar.setAccessibleName(tr("Progress"))
        self._cancel = flat_button("close", tr("Cancel this job"), theme, call=self._cancel_job)
        self._saved = label(tr("Saved"), role="good")
        keys = label(tr("Space approve   F1 keys"), role="caption")
        said = (self._where, self._size, self._job, self._saved)
        shown = (self._where, self._size, (self.last, 1), row(self._job, self._bar, self._cancel), self._saved, keys)
        row(*shown, of=self, spacing=SPACE.l, margins=(SPACE.m, 2, SPACE.m, 2))
        self.setFixedHeight(34)
        # What runs matters more than what can be looked up elsewhere.
        spare = (hiding(keys), hiding(self._size), hiding(self._bar, wanted=lambda: not self._job.isHidden()))
        self._fitting = Fitting(self, spare, says=lambda: (*(part.text() for part in said), self._job.isHidden()))
        session.saved_changed.connect(lambda: self._saved.setText(tr("Saved") if session.saved else tr("Saving …")))
        for changed in (view.step_changed, view.frame_changed):
            changed.connect(self._show_place)
        workers.jobs_changed.connect(self._show_job)
        self._show_place()
        self._show_job()

    def _show_place(self) -> None:
        frame, count = self._view.frame, len(self._view.document.steps)
        where = tr("Step {value} of {steps}").format(value=self._view.index + 1, steps=count)
        self._where.setText(where if count else tr("No steps"))
        scale = "" if frame is None or frame.scale_factor == 1 else f" @{frame.scale_factor:g}x"
        self._size.setText("" if frame is None else f"{frame.width} x {frame.height}{scale}")

    def _show_job(self) -> None:
        jobs = self._workers.jobs
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
        for job in self._workers.jobs[-1:]:
            job.cancel()
            self._show_job()


class _Hint(QLabel):
    """Takes the room that is left, and is cut where that is too little: a mode must not move the picture."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "caption")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook."""
        room, words = self.contentsRect(), self.text()
        if self.fontMetrics().horizontalAdvance(words) <= room.width():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        cut = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, self.alignment(), cut)


_OWN_STEPS: Final = 6
"""Of the foot; what keys and the wheel do as well."""


class Foot(Bar):
    """Under the canvas: which picture, drawing, zoom.

    Attributes:
        film: shows the film.
    """

    def __init__(self, view: ViewState, canvas: Canvas, theme: Theme) -> None:
        super().__init__("footer")
        self._view, self._canvas = view, canvas
        tips = (tr("The screen before the step"), tr("The screen after the step"))
        self._side = Segments(tr("Picture"), (tr("Before"), tr("After")), tips=tips, actions=("side", "side"))
        self._draw = flat_button("draw", tr("Draw boxes, also on top of others"), theme, action="draw")
        self._draw.setCheckable(True)
        self.film = flat_button("film", tr("Every picture of this demo, as a film"), theme, action="toggle_film")
        self.film.setCheckable(True)
        self._hint = _Hint()
        less = flat_button("zoom_out", tr("Zoom out"), theme, action="zoom_out")
        self._zoom = push_button("100 %", tr("Actual size"), theme, action="actual", role="flat")
        self._zoom.setMinimumWidth(56)
        more = flat_button("zoom_in", tr("Zoom in"), theme, action="zoom_in")
        fit = flat_button("fit", tr("Whole picture"), theme, action="fit")
        self._tools = row(spacing=SPACE.xs)
        self._row = row(
            self._side, SPACE.s, self.film, self._draw, (self._hint, 1), self._tools, less, self._zoom, more, fit,
            of=self, spacing=SPACE.xs, margins=(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs),
        )  # fmt: skip
        # What keys and the wheel do as well goes first where the foot is narrow.
        self._spare = [hiding(part) for part in (less, more, self._draw, self.film, fit, self._zoom)]
        self._kept: list[QWidget] = [self._side]
        self._fitting = Fitting(self, self._spare, says=lambda: (self._needed(), len(self._spare), self._zoom.text()))
        self._side.chosen.connect(lambda: view.set_side("after" if self._side.current else "before"))
        for changed in (view.step_changed, view.frame_changed):
            changed.connect(self._show_side)
        canvas.zoom_changed.connect(lambda: self._zoom.setText(f"{canvas.viewport.scale * 100:.0f} %"))
        canvas.tool_changed.connect(self._show_tool)
        self._show_side()
        self._show_tool()

    def add_tool(self, tool: QWidget, *, stays: bool = False) -> None:
        """Add a small button; where the foot is narrow it is put away, unless it tells what nothing else does."""
        self._tools.addWidget(tool)
        if stays:
            self._kept.append(tool)
        else:
            self._spare.insert(_OWN_STEPS, hiding(tool))

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: it may be narrow; what does not fit is put away."""
        return QSize(self._needed(), super().minimumSizeHint().height())

    def _needed(self) -> int:
        margins = self._row.contentsMargins()
        kept = sum(part.sizeHint().width() + SPACE.xs for part in self._kept if not part.isHidden())
        return margins.left() + kept + margins.right() + SPACE.s + 2 * SPACE.xs

    def _show_side(self) -> None:
        step = self._view.step
        self._side.set_current(int(self._view.side == "after"))
        self._side.button(1).setEnabled(step is not None and step.after is not None)

    def _show_tool(self) -> None:
        """What a drag or a click does just now."""
        self._draw.setChecked(self._canvas.tool_name == "draw")
        self._hint.setText(self._canvas.tool.hint)
        self._hint.setToolTip(self._canvas.tool.hint)
