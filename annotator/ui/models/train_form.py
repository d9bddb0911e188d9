"""Form of a new training: which model, from what, how long."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QScrollArea, QSpinBox, QWidget

from annotator.model_store import TRAINABLE, ModelCatalog
from annotator.model_words import name_words
from annotator.training_runs import TrainingWish
from annotator.ui.controls import (
    Call,
    Segments,
    check_box,
    column,
    combo_box,
    discard,
    flat_button,
    label,
    push_button,
    row,
    table,
)
from annotator.ui.messages import Problem
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from models.registry import SHIPPED, ModelKind

_SCRATCH = "scratch"
_WIDTH = 320


class TrainForm(QScrollArea):
    """Collects a wish; starting is up to others.

    Signals:
        start_wanted: a ``TrainingWish``.
    """

    start_wanted = Signal(object)

    def __init__(self, theme: Theme, *, cancel: Call) -> None:
        """Make the fields; ``cancel`` leaves what was begun by starting."""
        super().__init__()
        self._theme = theme
        self._folders: list[str] = []
        self._rows: list[QWidget] = []
        self._shelf: ModelCatalog | None = None
        self.kind = Segments(
            tr("Kind"),
            (tr("Detector"), tr("Describer")),
            tips=(tr("Finds where elements are"), tr("Tells type, states and subtype")),
        )
        self.kind.set_current(0)
        self.kind.chosen.connect(lambda: self._fill_start())
        self.library = check_box(
            tr("Approved and reported screens of this library"),
            tr("Screens that were reviewed, from which an approved step begins, or that their programs reported"),
            on=True,
        )
        self._teaches = label("", role="muted", wraps=True)
        self._teaches.setObjectName("teaches")
        self.library.toggled.connect(self._teaches.setVisible)
        self.add_folder = push_button(
            tr("Add a folder …"),
            tr("A set of labelled screens, another library, or a folder with a data.yaml"),
            theme,
            name="plus",
        )
        self.minutes = QSpinBox()
        self.minutes.setRange(1, 10_000)
        self.minutes.setValue(30)
        self.minutes.setSuffix(tr(" minutes"))
        self.minutes.lineEdit().setTextMargins(SPACE.xs + 1, 0, 0, 0)
        self.minutes.setAccessibleName(tr("Time"))
        self.minutes.setToolTip(
            tr("The whole time, over all starts; more is better up to a point, and it stops by itself")
        )
        self.start_from = combo_box(
            tr("Begin with"), tr("The model whose knowledge is trained further"), focus=Qt.FocusPolicy.WheelFocus
        )
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name"))
        self.name.setPlaceholderText(tr("Kind and date"))
        self.start = push_button(
            tr("Start training"),
            tr("In a process of its own; the app may be closed"),
            theme,
            role="main",
            name="play",
            call=lambda: self.start_wanted.emit(self.wish),
        )
        self.cancel = push_button(tr("Cancel"), tr("Do not start"), theme, call=cancel)
        self._told = label("", role="muted", wraps=True)
        self.problem = Problem(tr("Why it was not started"))
        self._lay_out()
        self.set_starting(starting=False)
        self._fill_start()

    @property
    def wish(self) -> TrainingWish:
        """What is chosen."""
        return TrainingWish(
            kind=self._kind,
            name=self.name.text().strip(),
            library=self.library.isChecked(),
            folders=tuple(self._folders),
            minutes=self.minutes.value(),
            start_from=str(self.start_from.currentData()),
        )

    def show_models(self, shelf: ModelCatalog) -> None:
        """Offer these models to begin with."""
        self._shelf = shelf
        self._fill_start(str(self.start_from.currentData()))

    def begin_with(self, kind: ModelKind, name: str) -> None:
        """Choose a model to begin with."""
        self.kind.set_current(TRAINABLE.index(kind))
        self._fill_start(name)

    def take_folder(self, folder: Path) -> None:
        """Learn from a folder as well."""
        words = str(folder)
        if words not in self._folders:
            self._folders.append(words)
            self._show_folders()

    def show_survey(self, words: str) -> None:
        """Say what the screens of the library would teach."""
        self._teaches.setText(words)

    def set_starting(self, *, starting: bool, words: str = "") -> None:
        """Show that it is being started, and how far that is."""
        self.start.setEnabled(not starting)
        self.cancel.setVisible(starting)
        self._told.setText(words)
        if starting:
            self.show_wrong("")

    def show_wrong(self, words: str, hint: str = "") -> None:
        """Say why it could not be started; nothing for nothing."""
        self.problem.tell(words, hint)
        if words:
            # Only once it has its size can it be scrolled to.
            QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(self.problem))

    # ----------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setMaximumWidth(640)
        self._list = column(spacing=SPACE.xs)
        sources = QWidget()
        column(
            self.library,
            self._teaches,
            self._list,
            (self.add_folder, 0, Qt.AlignmentFlag.AlignLeft),
            of=sources,
            spacing=SPACE.xs,
        )
        self.minutes.setFixedWidth(140)
        self.start_from.setFixedWidth(_WIDTH)
        self.name.setFixedWidth(_WIDTH)
        words = (tr("Train"), tr("Learn from"), tr("Time"), tr("Begin with"), tr("Name"))
        parts = (self.kind, sources, self.minutes, self.start_from, self.name)
        names = [label(name, role="muted") for name in words]
        grid = table(zip(names, parts, strict=True), below=SPACE.m)
        for name, part in zip(names, parts, strict=True):
            name.setMinimumHeight(28)
            grid.setAlignment(name, Qt.AlignmentFlag.AlignTop)
            if part is not sources:  # its words take as many lines as they need where it has the whole width
                grid.setAlignment(part, Qt.AlignmentFlag.AlignLeft)
        grid.setColumnStretch(1, 1)
        column(
            label(tr("New training"), role="large"),
            label(_WHAT, role="muted", wraps=True),
            SPACE.s,
            grid,
            SPACE.s,
            row(self.start, self.cancel, (self._told, 1)),
            self.problem,
            None,
            of=inside,
            spacing=SPACE.m,
            margins=(SPACE.xl, SPACE.l, SPACE.xl, SPACE.xl),
        )
        self.setWidgetResizable(True)
        self.setWidget(inside)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("New training"))

    @property
    def _kind(self) -> ModelKind:
        return TRAINABLE[self.kind.current]

    def _fill_start(self, wanted: str = "") -> None:
        self.start_from.clear()
        for one in [] if self._shelf is None else self._shelf.of(self._kind):
            self.start_from.addItem(name_words(one), one.name)
        self.start_from.addItem(tr("Nothing: from scratch"), _SCRATCH)
        self.start_from.setCurrentIndex(max(0, self.start_from.findData(wanted or SHIPPED)))

    def _show_folders(self) -> None:
        discard(self._rows)
        self._rows = []
        before: QWidget = self.library
        for folder in self._folders:
            tip = tr("Do not learn from {folder}").format(folder=folder)
            away = flat_button("close", tip, self._theme, call=partial(self._drop, folder))
            entry = QWidget()
            row((label(folder, wraps=True), 1), away, of=entry)
            self._list.addWidget(entry)
            self._rows.append(entry)
            # What is made later would otherwise come last, whatever its place.
            QWidget.setTabOrder(before, away)
            before = away

    def _drop(self, folder: str, *_: object) -> None:
        self._folders.remove(folder)
        self._show_folders()


_WHAT = tr(
    "What you corrected teaches the models. Training goes on in a process of its own: the app may be closed, and a "
    "training that was stopped can be continued."
)
