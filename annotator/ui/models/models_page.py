"""The models page: four views of one thing, and the jobs between them and the disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QWidget

from annotator.model_store import KnownModel, ModelCatalog, ModelStore, place_of
from annotator.model_words import name_words, reason_words, survey_words
from annotator.step_words import FrameReference, beside_step, type_word
from annotator.ui.controls import Call, Segments, column, label, page_bar, push_button, row
from annotator.ui.messages import Messages
from annotator.ui.models.compare_view import CompareView
from annotator.ui.models.models_view import ModelsView
from annotator.ui.models.train_view import TrainView
from annotator.ui.operations import Operations
from annotator.ui.row_list import ListRow, RowList
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr
from demopack.settings import Settings
from demopack.store import Library
from models.registry import SHIPPED, ModelKind

if TYPE_CHECKING:
    from models.training.correction_order import UncertainScreen

_MAX_SUSPECTS = 60
_VIEWS = (
    (tr("In use"), tr("Which models there are, and which are used"), "models_in_use"),
    (tr("Train"), tr("Train on what you corrected"), "models_train"),
    (tr("Compare"), tr("Two models side by side"), "models_compare"),
    (tr("Correct first"), tr("The screens whose correction teaches most"), "models_correct"),
)
"""Name, tip and key of each."""
_TRAIN, _COMPARE, _CORRECT = 1, 2, 3
"""Places of three of them."""


class SuspectsView(QWidget):
    """A ranking; choosing a screen opens the editor there."""

    def __init__(
        self, pictures: ScreenshotCache, theme: Theme, *, open_at: Callable[[str, FrameReference], object], rank: Call
    ) -> None:
        """Show nothing yet; ``open_at`` opens a demo by its id, ``rank`` ranks again."""
        super().__init__()
        self._open_at = open_at
        self._places: dict[str, tuple[str, FrameReference]] = {}
        self.list = RowList(tr("Correct these first"), theme, pictures=pictures)
        self.list.opened.connect(self._open)
        self.list.clicked.connect(lambda: self._open(self.list.current))
        self.told = label("", role="muted", wraps=True)
        self.again = push_button(tr("Rank again"), tr("Look through the library once more"), theme, call=rank)
        column(
            row((self.told, 1), self.again, spacing=-1),
            (self.list, 1),
            of=self,
            spacing=SPACE.m,
            margins=(SPACE.xl, SPACE.l, SPACE.xl, SPACE.m),
        )

    def show_suspects(self, found: Sequence[tuple[UncertainScreen, str, FrameReference]]) -> None:
        """Show a new ranking."""
        self._places = {f"{one.demo} {one.frame}": (one.demo, place) for one, _, place in found}
        rows = [
            ListRow(
                key=f"{one.demo} {one.frame}",
                title=task or tr("No task written"),
                caption=tr("{place}: {reason}").format(
                    place=capital(beside_step(place.side, place.step)), reason=reason_words(one)
                ),
                badge=tr("{score:.1f} doubtful").format(score=one.score),
                tone="warning",
                frame=one.frame,
            )
            for one, task, place in found
        ]
        self.list.show_rows(rows)
        self.told.setText(
            tr("Most is learned from correcting these screens, in this order. Choose one to open it.")
            if rows
            else tr(
                "Nothing to correct: there are no elements that nobody looked at. Open a demo and find elements first."
            )
        )

    def _open(self, key: str) -> None:
        found = self._places.get(key)
        if found is not None:
            self._open_at(*found)


class ModelsPage(QWidget):
    """Reads the disk when it is shown; everything that is slow is a job.

    Signals:
        back_wanted: leave the page.
        open_wanted: id of a demo, number of a step from 1, and ``before`` or ``after``.
        saved: the new ``Settings``, when another model is in use.
    """

    back_wanted = Signal()
    open_wanted = Signal(str, int, str)
    saved = Signal(object)

    def __init__(
        self, theme: Theme, *, library: Library, services: Services, operations: Operations, messages: Messages,
        pictures: ScreenshotCache,
    ) -> None:  # fmt: skip
        super().__init__()
        self.setObjectName("page")
        self._library = library
        self._services = services
        self._operations = operations
        self._messages = messages
        self._shelf: ModelStore = services.open_shelf()
        self.models_view = ModelsView(theme, use=self.use, remove=self._remove, train=self._train, add=self._add)
        self.train_view = TrainView(
            theme, library=library, runs=services.open_runs(), operations=operations, messages=messages,
            use=self.use, made=self.read,
        )  # fmt: skip
        self.train_view.form.add_folder.clicked.connect(self._pick_folder)
        self.compare_view = CompareView(
            theme, library=library, shelf=self._shelf, operations=operations, pictures=pictures,
            open_frame=self._open_frame,
        )  # fmt: skip
        self.suspects_view = SuspectsView(pictures, theme, open_at=self._open_place, rank=self._rank)
        self._pages = QStackedWidget()
        for view in (self.models_view, self.train_view, self.compare_view, self.suspects_view):
            self._pages.addWidget(view)
        names, tips, keys = zip(*_VIEWS, strict=True)
        self.tabs = Segments(tr("Models"), names, tips=tips, actions=keys)
        self.tabs.set_current(0)
        self.tabs.chosen.connect(self.show_view)
        bar = page_bar(tr("Models"), self.back_wanted, theme, self.tabs, None)
        column(bar, (self._pages, 1), of=self, spacing=0)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence("Escape"), self, self.back_wanted.emit, context=inside)

    @property
    def current(self) -> int:
        """Which of the views is shown."""
        return self._pages.currentIndex()

    # Showing --------------------------------------------------------------------------------------------------

    def show_view(self, number: int) -> None:
        """Show one of the four views."""
        self.tabs.set_current(number)
        self._pages.setCurrentIndex(number)
        lists = (self.models_view.list, self.train_view.list, self.compare_view.first, self.suspects_view.list)
        lists[number].setFocus()
        if number == _CORRECT:
            self._rank()
        elif number == _TRAIN:
            self.train_view.look()
            self._survey()
        elif number == _COMPARE:
            self._operations.start(self._library.demos, on_result=self.compare_view.show_demos, lane="library")

    def open(self) -> None:
        """Read everything, and show the view that was shown last."""
        self.read()
        self.train_view.look()
        self.show_view(self.current)

    def read(self, select: str = "") -> None:
        """Read which models there are."""

        def show(shelf: ModelCatalog) -> None:
            self.models_view.show_models(shelf, select=select)
            self.train_view.show_models(shelf)
            self.compare_view.show_models(shelf)

        # Many megabytes are checked against the cards, so not in the library's own thread.
        self._operations.start(self._shelf.read, on_result=show)

    def _rank(self) -> None:
        self.suspects_view.told.setText(tr("Looking through the library …"))
        self._operations.start(
            lambda: self._shelf.suspects(self._library, limit=_MAX_SUSPECTS), on_result=self.suspects_view.show_suspects
        )

    def _survey(self) -> None:
        """Say what training on the library would teach; asked anew each time, as screens come by recording."""
        self._operations.run(
            tr("Counting screens to learn from"),
            lambda control: self._shelf.survey(self._library, control=control),
            on_result=lambda found: self.train_view.form.show_survey(survey_words(found)),
            newest="survey",
        )

    # Doing ----------------------------------------------------------------------------------------------------

    def use(self, kind: ModelKind, name: str) -> None:
        """Use a model from now on; an empty name for none."""
        words = (
            tr("The {kind} that came with demopack is used from now on.")
            if name == SHIPPED
            else tr("The {kind} {name} is used from now on.")
            if name
            else tr("No {kind} is used from now on.")
        )
        self._change(lambda: self._shelf.use(kind, name), words.format(kind=type_word(kind), name=name))

    def _remove(self, kind: ModelKind, name: str) -> None:
        words = tr("Removed the {kind} {name}.").format(kind=type_word(kind), name=name)
        self._change(lambda: self._shelf.remove(kind, name), words)

    def _change(self, work: Callable[[], Settings], words: str) -> None:
        def told(settings: Settings) -> None:
            self.saved.emit(settings)
            self.read()
            self._messages.say(words)

        self._operations.start(work, on_result=told, lane="library")

    def _add(self) -> None:
        chosen = self._services.pick_folder(self, tr("Which model folder?"))
        if chosen is None:
            return

        def told(model: KnownModel) -> None:
            self.read(select=f"{model.kind}/{model.name}")
            self._messages.say(
                tr("Added the {kind} {name_words}.").format(kind=type_word(model.kind), name_words=name_words(model))
            )

        self._operations.start(lambda: self._shelf.add(chosen), on_result=told)

    def _train(self, kind: ModelKind, name: str) -> None:
        self.train_view.begin_with(kind, name)
        self.show_view(_TRAIN)

    def _pick_folder(self) -> None:
        chosen = self._services.pick_folder(self, tr("What should it learn from?"))
        if chosen is not None:
            self.train_view.form.take_folder(chosen)

    def _open_place(self, demo_id: str, place: FrameReference) -> None:
        self.open_wanted.emit(demo_id, place.step, place.side)

    def _open_frame(self, demo_id: str, frame_id: str) -> None:
        self._operations.start(
            lambda: place_of(self._library.demo(demo_id), frame_id),
            on_result=partial(self._open_place, demo_id),
            lane="library",
        )
