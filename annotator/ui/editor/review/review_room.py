"""Review of a recording around one session: strips, film, menu, and what is done with steps."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QWidget

from annotator.editing import EditSession
from annotator.frame_sequence import FrameSequence
from annotator.ui.controls import Bar, label, push_button, row
from annotator.ui.editor.review.film_strip import FilmStrip
from annotator.ui.editor.review.review_strip import ReviewStrip
from annotator.ui.editor.review.split_panel import SplitPanel
from annotator.ui.editor.review.step_actions import StepActions, step_menu
from annotator.ui.editor.step_list import StepList
from annotator.ui.operations import Operations
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.steps import Step
from demopack.store.retakes import timeline_of
from demopack.store.timeline import Keyframe


class PrepareStrip(Bar):
    """Says to what the screen has to be brought first, and starts.

    Signals:
        start_wanted: id of the step after which the recording goes on; empty for the beginning.
        cancelled: everything stays as it is.
    """

    start_wanted = Signal(str)
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__("strip", parent)
        self.setAccessibleName(tr("Record again"))
        self._after = ""
        self._words = label("", role="words")
        self._more = label("", role="caption", wraps=True)
        self._start = push_button(tr("Start recording"), tr("Record again from this step on"), theme, name="record",
                                  role="main", tint="on_accent")  # fmt: skip
        self._start.clicked.connect(self._begin)
        cancel = push_button(tr("Cancel"), tr("Keep the steps as they are"), theme, keys="Esc")
        cancel.clicked.connect(self._cancel)
        row(
            self._words,
            (self._more, 1),
            self._start,
            cancel,
            of=self,
            spacing=SPACE.m,
            margins=(SPACE.l, SPACE.s, SPACE.m, SPACE.s),
        )
        self.hide()

    @property
    def words(self) -> str:
        """What is asked for; empty while nothing is."""
        return "" if self.isHidden() else f"{self._words.text()} {self._more.text()}"

    @property
    def after(self) -> str | None:
        """Id of the step after which the recording would go on; None while nothing is being prepared."""
        return None if self.isHidden() else self._after

    def ask(self, *, number: int, after: str, last: int) -> None:
        """Ask for the screen as it was before a step.

        Args:
            number: of the first step that is replaced, from 1.
            after: id of the step before it; empty for none.
            last: number of the last step that is replaced.
        """
        self._after = after
        self._words.setText(
            tr("Bring the screen to how it looks here, before step {number}, then start.").format(number=number)
        )
        steps = (
            tr("Step {number}").format(number=number)
            if number == last
            else tr("Steps {number} to {last}").format(number=number, last=last)
        )
        self._more.setText(
            tr("{steps} will be replaced by what you do. One undo brings the old steps back.").format(steps=steps)
        )
        self.show()
        self._start.setFocus(Qt.FocusReason.OtherFocusReason)

    def _begin(self) -> None:
        self.start_wanted.emit(self._after)

    def _cancel(self) -> None:
        self.hide()
        self.cancelled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc thinks better of it."""
        if event.key() == Qt.Key.Key_Escape:
            self._cancel()
        else:
            super().keyPressEvent(event)


class ReviewRoom(QObject):
    """Ties the parts together; the page only lays them out.

    Signals:
        join_wanted: join this take to its demo.
        take_wanted: id of the step after which to record again; empty for the beginning.
    """

    join_wanted = Signal()
    take_wanted = Signal(str)

    def __init__(
        self,
        session: EditSession,
        view: ViewState,
        steps: StepList,
        *,
        pictures: ScreenshotCache,
        operations: Operations,
        theme: Theme,
        page: QWidget,
    ) -> None:
        super().__init__(page)
        self._session = session
        self._view = view
        self._steps = steps
        self._operations = operations
        self._page = page
        self._film: tuple[Keyframe, ...] = ()
        self.strip = ReviewStrip(view, theme, page)
        self.prepare = PrepareStrip(theme, page)
        self.film = FilmStrip(view, pictures, theme, page)
        self.split = SplitPanel(theme, page)
        self.step_actions = StepActions(
            session, view, selected=lambda: steps.selected_ids, reel=lambda: self.film.reel, ask_split=self._ask_split
        )
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._show_reel)
        self._connect()
        self._show_reel()
        self.read_film()

    def _connect(self) -> None:
        strip, actions, document = self.strip, self.step_actions, self._session.document
        strip.outcome_chosen.connect(actions.set_outcome)
        self.prepare.start_wanted.connect(self._start_take)
        self.prepare.cancelled.connect(self._end_prepare)
        self.split.split_wanted.connect(actions.split)
        self._steps.move_wanted.connect(self._move)

        def soon(*_: object) -> None:
            self._soon.start()

        self._view.step_changed.connect(self._check_split)
        document.step_changed.connect(lambda _: self._check_split())
        document.step_changed.connect(soon)
        document.step_inserted.connect(soon)
        document.step_removed.connect(soon)
        document.head_changed.connect(soon)

    def open_menu(self, at: QPoint, actions: Mapping[str, QAction]) -> None:
        """The menu of the selected steps."""
        step_menu(self._steps, actions, self._view, selected=len(self._steps.selected_ids)).popup(at)

    def toggle_film(self) -> None:
        """Show the film, or no longer; then the step's own picture is shown again."""
        self.film.setVisible(self.film.isHidden())
        if self.film.isHidden():
            self._view.peek(None)

    def accept(self) -> None:
        """Accept the recording; a take is joined to its demo."""
        if self._session.document.head.take_of:
            self._view.leaving.emit()
            self.join_wanted.emit()
        else:
            self.step_actions.accept()

    # Recording again ------------------------------------------------------------------------------------------

    def prepare_take(self) -> None:
        """Show to what the screen has to be brought before the current step can be recorded again."""
        index, steps = self._view.index, self._session.document.steps
        if self._session.document.head.take_of or not steps:
            return
        self._view.leaving.emit()
        self._view.set_side("before")
        self._view.peek(None)
        self.strip.set_aside(aside=True)
        self.prepare.ask(number=index + 1, after=steps[index - 1].id if index else "", last=len(steps))

    def _start_take(self, after: str) -> None:
        self._end_prepare()
        self.take_wanted.emit(after)

    def _end_prepare(self) -> None:
        self.prepare.hide()
        self.strip.set_aside(aside=False)
        self._steps.setFocus()

    # Steps ----------------------------------------------------------------------------------------------------

    def _move(self, step_ids: tuple[str, ...], index: int) -> None:
        self.step_actions.move_to(step_ids, index)
        self._steps.select_ids(step_ids)

    def move_by(self, offset: int) -> None:
        """Move the selected steps up or down by one; they stay selected."""
        ids = self._steps.selected_ids
        self.step_actions.move(offset)
        self._steps.select_ids(ids)

    def _ask_split(self, step: Step) -> None:
        row = self._steps.visualRect(self._steps.currentIndex())
        self.split.ask(step, at=self._steps.viewport().mapTo(self._page, row.topRight()))

    def _check_split(self) -> None:
        """Whoever went to another step, or changed this one, is not asked about it any more."""
        asked = self.split.step
        if asked is not None and self._view.step != asked:
            self.split.leave()

    # The film -------------------------------------------------------------------------------------------------

    def read_film(self) -> None:
        """Read the film again, in the background; it is shown as soon as it is there."""
        session = self._session

        def show(film: list[Keyframe]) -> None:
            self._film = tuple(film)
            self._show_reel()

        self._operations.start(
            lambda: timeline_of(session.library, session.demo_id),
            on_result=show,
            on_error=session.failed.emit,
            lane="library",
        )

    def _show_reel(self) -> None:
        document = self._session.document
        self.film.show_reel(FrameSequence.of(document.head, document.steps, self._film))

    def walk(self, offset: int) -> None:
        """Show another picture of the film, and the film with it."""
        self.film.show()
        self.film.step_by(offset)
