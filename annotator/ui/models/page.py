"""The models page: four views of one thing, and the jobs between them and the disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from annotator.model_shelf import KnownModel, ModelShelf, Place, Shelf, place_of
from annotator.model_words import name_words
from annotator.type_words import type_word
from annotator.ui.controls import Segments, flat_button, label
from annotator.ui.job_runner import JobRunner
from annotator.ui.messages import Messages
from annotator.ui.models.compare_view import CompareView
from annotator.ui.models.shelf_view import ShelfView
from annotator.ui.models.suspects_view import SuspectsView
from annotator.ui.models.train_view import TrainView
from annotator.ui.pictures import Pictures
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.settings import Settings
from demopack.store import Library
from models.registry import SHIPPED, ModelKind

__all__ = ["ModelsPage"]

_SUSPECTS = 60
_NAMES = (tr("In use"), tr("Train"), tr("Compare"), tr("Correct first"))
_TRAIN, _COMPARE, _CORRECT = 1, 2, 3
"""Places of three of them."""
_TIPS = (
    tr("Which models there are, and which are used"),
    tr("Train on what you corrected"),
    tr("Two models side by side"),
    tr("The screens whose correction teaches most"),
)

T = TypeVar("T")


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
        self, theme: Theme, *, library: Library, services: Services, runner: JobRunner, messages: Messages,
        pictures: Pictures,
    ) -> None:  # fmt: skip
        super().__init__()
        self.setObjectName("page")
        self._library = library
        self._services = services
        self._runner = runner
        self._messages = messages
        self._shelf: ModelShelf = services.open_shelf()
        self.shelf_view = ShelfView(theme)
        self.train_view = TrainView(theme, library=library, runs=services.open_runs(), runner=runner, messages=messages)
        self.compare_view = CompareView(
            theme, library=library, shelf=self._shelf, runner=runner, messages=messages, pictures=pictures
        )
        self.suspects_view = SuspectsView(pictures, theme)
        self._pages = QStackedWidget()
        for view in (self.shelf_view, self.train_view, self.compare_view, self.suspects_view):
            self._pages.addWidget(view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_bar(theme))
        layout.addWidget(self._pages, 1)
        self._connect()

    @property
    def current(self) -> int:
        """Which of the views is shown."""
        return self._pages.currentIndex()

    def _make_bar(self, theme: Theme) -> QWidget:
        bar = QWidget()
        bar.setObjectName("bar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        back = flat_button("back", tr("Back"), theme, keys="Esc")
        back.clicked.connect(self.back_wanted)
        tips = [tr("{tip} (Ctrl+{number})").format(tip=tip, number=number) for number, tip in enumerate(_TIPS, start=1)]
        self.tabs = Segments(tr("Models"), _NAMES, tips=tips)
        self.tabs.set_current(0)
        self.tabs.chosen.connect(self.show_view)
        row = QHBoxLayout(bar)
        row.setContentsMargins(SPACE.m, SPACE.m, SPACE.xl, SPACE.m)
        row.setSpacing(SPACE.s)
        row.addWidget(back)
        row.addWidget(label(tr("Models"), role="title"))
        row.addSpacing(SPACE.m)
        row.addWidget(self.tabs)
        row.addStretch(1)
        return bar

    def _connect(self) -> None:
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence("Escape"), self, self.back_wanted.emit, context=inside)
        self.shelf_view.use_wanted.connect(self.use)
        self.shelf_view.remove_wanted.connect(self._remove)
        self.shelf_view.add_wanted.connect(self._add)
        self.shelf_view.train_wanted.connect(self._train)
        self.train_view.use_wanted.connect(self.use)
        self.train_view.models_changed.connect(self.read)
        self.train_view.folder_wanted.connect(self._pick_folder)
        self.compare_view.open_wanted.connect(self._open_frame)
        self.suspects_view.open_wanted.connect(self._open_place)
        self.suspects_view.look_wanted.connect(self._rank)

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """What the keys of this page do, by their names."""
        views = ("models_in_use", "models_train", "models_compare", "models_correct")
        shown = {name: partial(self.show_view, number) for number, name in enumerate(views)}
        return {**shown, "leave_models": self.back_wanted.emit}

    # Showing --------------------------------------------------------------------------------------------------

    def show_view(self, number: int) -> None:
        """Show one of the four views."""
        self.tabs.set_current(number)
        self._pages.setCurrentIndex(number)
        self._focus_view()
        if number == _CORRECT:
            self._rank()
        elif number == _TRAIN:
            self.train_view.look()
        elif number == _COMPARE:
            self._submit(self._library.demos, self.compare_view.show_demos)

    def _focus_view(self) -> None:
        wanted = (self.shelf_view.list, self.train_view.list, self.compare_view.first, self.suspects_view.list)
        wanted[self.current].setFocus()

    def open(self) -> None:
        """Read everything, and show the view that was shown last."""
        self.read()
        self.train_view.look()
        self.show_view(self.current)

    def read(self, select: str = "") -> None:
        """Read which models there are."""

        def show(shelf: Shelf) -> None:
            self.shelf_view.show_shelf(shelf, select=select)
            self.train_view.show_shelf(shelf)
            self.compare_view.show_shelf(shelf)

        # Many megabytes are checked against the cards, so not in the library's own thread.
        self._runner.background(self._shelf.read, on_result=show, on_error=self._messages.show_error)

    def _submit(self, work: Callable[[], T], on_result: Callable[[T], None]) -> None:
        self._runner.submit(work, on_result=on_result, on_error=self._messages.show_error)

    def _rank(self) -> None:
        self.suspects_view.show_looking()
        self._runner.background(
            lambda: self._shelf.suspects(self._library, limit=_SUSPECTS),
            on_result=self.suspects_view.show_suspects,
            on_error=self._messages.show_error,
        )

    # Doing ----------------------------------------------------------------------------------------------------

    def use(self, kind: ModelKind, name: str) -> None:
        """Use a model from now on; an empty name for none."""

        def told(settings: Settings) -> None:
            self.saved.emit(settings)
            self.read()
            words = (
                tr("The {kind} that came with demopack is used from now on.").format(kind=type_word(kind))
                if name == SHIPPED
                else tr("The {kind} {name} is used from now on.").format(kind=type_word(kind), name=name)
                if name
                else tr("No {kind} is used from now on.").format(kind=type_word(kind))
            )
            self._messages.say(words)

        self._submit(lambda: self._shelf.use(kind, name), told)

    def _remove(self, kind: ModelKind, name: str) -> None:
        def told(settings: Settings) -> None:
            self.saved.emit(settings)
            self.read()
            self._messages.say(tr("Removed the {kind} {name}.").format(kind=type_word(kind), name=name))

        self._submit(lambda: self._shelf.remove(kind, name), told)

    def _add(self) -> None:
        chosen = self._services.pick_folder(self, tr("Which model folder?"))
        if chosen is None:
            return

        def told(model: KnownModel) -> None:
            self.read(select=f"{model.kind}/{model.name}")
            self._messages.say(
                tr("Added the {kind} {name_words}.").format(kind=type_word(model.kind), name_words=name_words(model))
            )

        self._runner.background(lambda: self._shelf.add(chosen), on_result=told, on_error=self._messages.show_error)

    def _train(self, kind: ModelKind, name: str) -> None:
        self.train_view.begin_with(kind, name)
        self.show_view(_TRAIN)

    def _pick_folder(self) -> None:
        chosen: Path | None = self._services.pick_folder(self, tr("What should it learn from?"))
        if chosen is not None:
            self.train_view.form.take_folder(chosen)

    def _open_place(self, demo_id: str, place: Place) -> None:
        self.open_wanted.emit(demo_id, place.step, place.side)

    def _open_frame(self, demo_id: str, frame_id: str) -> None:
        self._submit(
            lambda: place_of(self._library.demo(demo_id), frame_id), lambda place: self._open_place(demo_id, place)
        )
