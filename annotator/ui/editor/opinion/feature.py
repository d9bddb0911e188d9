"""Compares the open demo with another person's work, shows each difference, and decides it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Literal

from PySide6.QtCore import QTimer

from annotator.opinion.agreement import agreement_lines
from annotator.opinion.book import Book
from annotator.opinion.commands import Adjudicate
from annotator.opinion.differences import Difference
from annotator.opinion.sources import Opinion, read_opinion
from annotator.type_words import moments_of
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.ui.editor.opinion.layer import OpinionLayer
from annotator.ui.editor.opinion.model import DifferencesModel
from annotator.ui.editor.opinion.panel import OpinionPanel
from annotator.words import capital, tr
from demopack.errors import DemopackError

__all__ = ["OpinionFeature"]

_TAB = "opinion"
_PAUSE_MS = 300


class OpinionFeature(Feature):
    """The tab with the differences, and the other one's box on the picture.

    Attributes:
        panel: the tab.
        layer: the other one's box.
        book: every difference; None until two are compared.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            name="take_theirs",
            words=tr("Take their opinion, in the list"),
            keys=("Return",),
            group="Find and review",
            scope="shown",
        ),
        Key(
            name="keep_mine",
            words=tr("Keep my opinion, in the list"),
            keys=("Shift+Return",),
            group="Find and review",
            scope="shown",
        ),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.book: Book | None = None
        self._model = DifferencesModel(self._place)
        self.panel = OpinionPanel(desk.theme, self._model)
        self.layer = OpinionLayer(desk.theme)
        self._looked: Difference | None = None
        self._asked = 0
        desk.add_tab(_TAB, tr("Second opinion"), self.panel, stays=False)
        desk.add_head_action(
            "second_opinion",
            tr("Compare with another person"),
            self._open,
            tip=tr("Where their work on the same pictures differs, and who was right"),
        )
        desk.canvas.add_layer(self.layer)
        panel = self.panel
        panel.source_chosen.connect(self._compare)
        panel.pick_wanted.connect(self._pick)
        panel.kind_chosen.connect(self._show)
        panel.row_chosen.connect(self._look_at)
        panel.decided.connect(self._decide)
        panel.all_decided.connect(self._decide_all)
        # Many pictures may change in one edit; the list is made once, when all have.
        self._later = QTimer(panel, interval=0, singleShot=True)
        self._later.timeout.connect(self._show)
        # The figures are about all pictures: they may come a moment after the list.
        self._figures = QTimer(panel, interval=_PAUSE_MS, singleShot=True)
        self._figures.timeout.connect(self._show_figures)
        self._ends = [
            desk.document.elements_changed.connect(self._on_elements),
            desk.view.frame_changed.connect(self._on_frame),
        ]

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._later.stop()
        self._figures.stop()
        for end in self._ends:
            end()

    # Comparing ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.desk.leave()
        self.desk.show_tab(_TAB)
        self.panel.path.setFocus()

    def _pick(self) -> None:
        chosen = self.desk.services.pick_folder(self.desk.page.window(), tr("Whose work should be compared?"))
        if chosen is not None:
            self.panel.show_path(chosen)

    def _compare(self) -> None:
        source, session = self.panel.source, self.desk.session
        self.book = None
        self.panel.show_nothing(())
        if source is None or session.closed:
            return
        demo = session.document.demo()
        self._asked += 1
        asked = self._asked

        def show(opinion: Opinion) -> None:
            if asked == self._asked and not session.closed:
                self.book = Book(opinion, session.document.elements)
                self._show_figures()
                self._show()
                self.panel.list.setFocus()

        def fail(error: Exception) -> None:
            if asked != self._asked or session.closed:
                return
            if isinstance(error, DemopackError):
                self.panel.show_nothing([error.user_message, error.hint], wrong=True)
            else:
                self.desk.messages.show_error(error)

        self.desk.runner.run(
            tr("Comparing"),
            lambda control: read_opinion(source, demo, control=control),
            on_result=show,
            on_error=fail,
        )

    def _show(self) -> None:
        book = self.book
        if book is None or self.desk.session.closed:
            return
        self.panel.show_differences(book.all(self.panel.kind), book.counts())

    def _show_figures(self) -> None:
        book = self.book
        if book is not None and not self.desk.session.closed:
            self.panel.said.show_lines([f"{book.opinion.name}.", *agreement_lines(book.agreement())])

    def _on_elements(self, frame_id: str) -> None:
        if self.book is not None and self.book.refresh(frame_id):
            self._later.start()
            self._figures.start()

    def _place(self, frame_id: str) -> str:
        shown = moments_of(self.desk.document.steps, frame_id)
        return capital(shown) or tr("On the last picture")

    # One difference -------------------------------------------------------------------------------------------

    def _look_at(self, one: Difference | None) -> None:
        """Show the picture, my element selected and theirs drawn over it."""
        self._looked = one
        desk = self.desk
        if one is None:
            self.layer.show(None)
            desk.canvas.update()
            return
        _show_frame(desk, one.frame)
        desk.view.select(() if one.mine is None else (one.mine.uid,))
        self._on_frame()

    def _on_frame(self) -> None:
        one, frame = self._looked, self.desk.view.frame
        here = one is not None and frame is not None and frame.id == one.frame and one.theirs is not None
        self.layer.show(one.theirs.box if here and one is not None and one.theirs is not None else None)
        self.desk.canvas.update()

    def _decide(self, choice: Literal["theirs", "mine"]) -> None:
        one = self._model.at(self.panel.list.currentIndex().row())
        if one is not None:
            self.desk.do(Adjudicate(differences=[one], choice=choice))

    def _decide_all(self, choice: Literal["theirs", "mine"]) -> None:
        if self.book is not None:
            self.desk.do(Adjudicate(differences=self.book.all(self.panel.kind), choice=choice))

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {}


def _show_frame(desk: Desk, frame_id: str) -> None:
    """Show a picture: the current step's, or else the first step's that has it."""
    view = desk.view
    if view.frame is not None and view.frame.id == frame_id:
        return
    for side in ("before", "after"):
        for index, step in enumerate(desk.document.steps):
            frame = step.before if side == "before" else step.after
            if frame is not None and frame.id == frame_id:
                view.peek(None)
                view.go_to(index)
                view.set_side(side)
                return
