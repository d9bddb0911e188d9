"""Everything for looking a recording over, around one session: strips, film, menu, and the wishes about steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from annotator.editing import EditSession
from annotator.film import Reel, Shown
from annotator.ui.editor.review.film_strip import FilmStrip
from annotator.ui.editor.review.prepare import PrepareStrip
from annotator.ui.editor.review.split_panel import SplitPanel
from annotator.ui.editor.review.step_menu import step_menu
from annotator.ui.editor.review.step_wishes import StepWishes
from annotator.ui.editor.review.strip import ReviewStrip
from annotator.ui.editor.step_list import StepList
from annotator.ui.job_runner import JobRunner
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from demopack.domain.steps import Step
from demopack.store.film import FilmFrame
from demopack.store.joined import film_of

__all__ = ["ReviewRoom"]


class ReviewRoom(QObject):
    """Ties the parts together; the page only lays them out.

    Signals:
        discard_wanted: delete the demo.
        join_wanted: join this take to its demo.
        take_wanted: id of the step after which to record again; empty for the beginning.
    """

    discard_wanted = Signal()
    join_wanted = Signal()
    take_wanted = Signal(str)

    def __init__(
        self,
        session: EditSession,
        view: ViewState,
        steps: StepList,
        *,
        pictures: Pictures,
        runner: JobRunner,
        theme: Theme,
        page: QWidget,
    ) -> None:
        super().__init__(page)
        self._session = session
        self._view = view
        self._steps = steps
        self._runner = runner
        self._page = page
        self._film: tuple[Shown, ...] = ()
        self.strip = ReviewStrip(view, theme, page)
        self.prepare = PrepareStrip(theme, page)
        self.film = FilmStrip(view, pictures, theme, page)
        self.split = SplitPanel(theme, page)
        self.wishes = StepWishes(
            session, view, selected=lambda: steps.selected_ids, reel=lambda: self.film.reel, ask_split=self._ask_split
        )
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._show_reel)
        self._connect()
        self._show_reel()
        self.read_film()

    def _connect(self) -> None:
        strip, wishes, document = self.strip, self.wishes, self._session.document
        strip.outcome_chosen.connect(wishes.set_outcome)
        strip.doubt_wanted.connect(wishes.next_doubt)
        strip.rerecord_wanted.connect(self.prepare_take)
        strip.discard_wanted.connect(self.discard_wanted)
        strip.accept_wanted.connect(self.accept)
        self.prepare.start_wanted.connect(self._start_take)
        self.prepare.cancelled.connect(self._end_prepare)
        self.film.use_wanted.connect(wishes.use_frame)
        self.split.split_wanted.connect(wishes.split)
        self._steps.move_wanted.connect(self._move)

        def soon(*_: object) -> None:
            self._soon.start()

        self._ends = [
            self._view.step_changed.connect(self._check_split),
            document.step_changed.connect(lambda _: self._check_split()),
            document.step_changed.connect(soon),
            document.step_inserted.connect(soon),
            document.step_removed.connect(soon),
            document.head_changed.connect(soon),
        ]

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        self._soon.stop()
        for end in self._ends:
            end()
        self.strip.close_view()
        self.film.close_view()

    def calls(self) -> dict[str, Callable[[], object]]:
        """What the keys of this room do, by name."""
        wishes, film = self.wishes, self.film
        return {
            "delete_step": wishes.delete,
            "delete_in_list": wishes.delete,
            "next_doubt": wishes.next_doubt,
            "move_up": partial(self._move_by, -1),
            "move_down": partial(self._move_by, 1),
            "split_step": wishes.ask_to_split,
            "merge_steps": wishes.merge,
            "insert_step": wishes.insert,
            "rerecord": self.prepare_take,
            "accept": self.accept,
            "toggle_review": self.strip.toggle,
            "toggle_film": self.toggle_film,
            "play": film.toggle_play,
            "film_back": partial(self._walk, -1),
            "film_on": partial(self._walk, 1),
            "use_before": partial(wishes.use_frame, "before"),
            "use_after": partial(wishes.use_frame, "after"),
        }

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
            self.wishes.accept()

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
        self.wishes.move_to(step_ids, index)
        self._steps.select_ids(step_ids)

    def _move_by(self, offset: int) -> None:
        ids = self._steps.selected_ids
        self.wishes.move(offset)
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

        def show(film: list[FilmFrame]) -> None:
            if not session.closed:
                self._film = tuple(Shown(frame=one.frame, at_ns=one.shown_ns) for one in film)
                self._show_reel()

        self._runner.submit(
            lambda: film_of(session.library, session.demo_id), on_result=show, on_error=session.failed.emit
        )

    def _show_reel(self) -> None:
        document = self._session.document
        self.film.show_reel(Reel.of(document.head, document.steps, self._film))

    def _walk(self, offset: int) -> None:
        self.film.show()
        self.film.step_by(offset)
