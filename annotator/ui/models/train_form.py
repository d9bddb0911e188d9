"""What is asked before a training: which model, from what, how long."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from annotator.model_shelf import KINDS, Shelf
from annotator.model_words import name_words
from annotator.training_run import TrainingWish
from annotator.ui.controls import Segments, flat_button, label, push_button
from annotator.ui.models.problem import Problem
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from models.registry import SHIPPED, ModelKind

__all__ = ["TrainForm"]

_SCRATCH = "scratch"
_WIDTH = 320


class TrainForm(QScrollArea):
    """Collects a wish; starting is up to others.

    Signals:
        start_wanted: a ``TrainingWish``.
        cancel_wanted: what was begun by starting is to be left.
        folder_wanted: a folder to learn from is to be chosen.
    """

    start_wanted = Signal(object)
    cancel_wanted = Signal()
    folder_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._folders: list[str] = []
        self._names: dict[ModelKind, list[tuple[str, str]]] = {kind: [] for kind in KINDS}
        self.kind = Segments(
            tr("Kind"),
            (tr("Detector"), tr("Describer"), tr("Icons")),
            tips=(
                tr("Finds where elements are"),
                tr("Tells type, states and subtype"),
                tr("Tells what icons mean"),
            ),
        )
        self.kind.set_current(0)
        self.kind.chosen.connect(self._on_kind)
        self.library = QCheckBox(tr("Approved annotations of this library"))
        self.library.setChecked(True)
        self.library.setToolTip(tr("Screens whose elements were all reviewed, or from which an approved step begins"))
        self.add_folder = push_button(
            tr("Add a folder …"),
            tr("A set of drawn screens, another library, or a folder with a data.yaml"),
            theme,
            name="plus",
        )
        self.add_folder.clicked.connect(self.folder_wanted)
        self.minutes = QSpinBox()
        self.minutes.setRange(1, 10_000)
        self.minutes.setValue(30)
        self.minutes.setSuffix(tr(" minutes"))
        self.minutes.lineEdit().setTextMargins(SPACE.xs + 1, 0, 0, 0)
        self.minutes.setAccessibleName(tr("Time"))
        self.minutes.setToolTip(
            tr("The whole time, over all starts; more is better up to a point, and it stops by itself")
        )
        self.start_from = QComboBox()
        self.start_from.setAccessibleName(tr("Begin with"))
        self.start_from.setToolTip(tr("The model whose knowledge is trained further"))
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name"))
        self.name.setPlaceholderText(tr("Kind and date"))
        self.start = push_button(
            tr("Start training"), tr("In a process of its own; the app may be closed"), theme, role="main", name="play",
            tint="on_accent",
        )  # fmt: skip
        self.start.clicked.connect(self._start)
        self.cancel = push_button(tr("Cancel"), tr("Do not start"), theme)
        self.cancel.clicked.connect(self.cancel_wanted)
        self._told = label("", role="muted", wraps=True)
        self._problem = Problem(tr("Why it was not started"))
        self._lay_out()
        self.set_starting(starting=False)
        self._fill_start()

    @property
    def wrong(self) -> str:
        """What is wrong, as shown; empty when nothing is."""
        return self._problem.words

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

    def show_shelf(self, shelf: Shelf) -> None:
        """Offer these models to begin with."""
        self._names = {kind: [(name_words(one), one.name) for one in shelf.of(kind)] for kind in KINDS}
        self._fill_start(str(self.start_from.currentData()))

    def begin_with(self, kind: ModelKind, name: str) -> None:
        """Choose a model to begin with."""
        self.kind.set_current(KINDS.index(kind))
        self._fill_start(name)

    def take_folder(self, folder: Path) -> None:
        """Learn from a folder as well."""
        words = str(folder)
        if words not in self._folders:
            self._folders.append(words)
            self._show_folders()

    def set_starting(self, *, starting: bool, words: str = "") -> None:
        """Show that it is being started, and how far that is."""
        self.start.setEnabled(not starting)
        self.cancel.setVisible(starting)
        self._told.setText(words)
        if starting:
            self.show_wrong("")

    def show_wrong(self, words: str, hint: str = "") -> None:
        """Say why it could not be started; nothing for nothing."""
        self._problem.tell(words, hint)
        if words:
            # Only once it has its size can it be scrolled to.
            QTimer.singleShot(0, self, self._show_problem)

    def _show_problem(self) -> None:
        self.ensureWidgetVisible(self._problem)

    # ----------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setMaximumWidth(640)
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE.l)
        grid.setVerticalSpacing(SPACE.m)
        self._list = QVBoxLayout()
        self._list.setSpacing(SPACE.xs)
        sources = QWidget()
        below = QVBoxLayout(sources)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(SPACE.xs)
        below.addWidget(self.library)
        below.addLayout(self._list)
        below.addWidget(self.add_folder, 0, Qt.AlignmentFlag.AlignLeft)
        self.minutes.setFixedWidth(140)
        self.start_from.setFixedWidth(_WIDTH)
        self.name.setFixedWidth(_WIDTH)
        rows: tuple[tuple[str, QWidget], ...] = (
            (tr("Train"), self.kind),
            (tr("Learn from"), sources),
            (tr("Time"), self.minutes),
            (tr("Begin with"), self.start_from),
            (tr("Name"), self.name),
        )
        for number, (words, part) in enumerate(rows):
            named = label(words, role="muted")
            named.setMinimumHeight(28)
            grid.addWidget(named, number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(part, number, 1, Qt.AlignmentFlag.AlignLeft)
        grid.setColumnStretch(1, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE.s)
        buttons.addWidget(self.start)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self._told, 1)
        column = QVBoxLayout(inside)
        column.setContentsMargins(SPACE.xl, SPACE.l, SPACE.xl, SPACE.xl)
        column.setSpacing(SPACE.m)
        column.addWidget(label(tr("New training"), role="large"))
        column.addWidget(label(_WHAT, role="muted", wraps=True))
        column.addSpacing(SPACE.s)
        column.addLayout(grid)
        column.addSpacing(SPACE.s)
        column.addLayout(buttons)
        column.addWidget(self._problem)
        column.addStretch(1)
        self.setWidgetResizable(True)
        self.setWidget(inside)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("New training"))

    @property
    def _kind(self) -> ModelKind:
        return KINDS[self.kind.current]

    def _on_kind(self) -> None:
        self._fill_start()

    def _fill_start(self, wanted: str = "") -> None:
        self.start_from.clear()
        for words, name in self._names[self._kind]:
            self.start_from.addItem(words, name)
        self.start_from.addItem(tr("Nothing: from scratch"), _SCRATCH)
        self.start_from.setCurrentIndex(max(0, self.start_from.findData(wanted or SHIPPED)))

    def _show_folders(self) -> None:
        while (item := self._list.takeAt(0)) is not None:
            part = item.widget()
            if part is not None:
                part.hide()
                part.deleteLater()
        before: QWidget = self.library
        for folder in self._folders:
            row, away = self._folder_row(folder)
            self._list.addWidget(row)
            # What is made later would otherwise come last, whatever its place.
            QWidget.setTabOrder(before, away)
            before = away

    def _folder_row(self, folder: str) -> tuple[QWidget, QWidget]:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.s)
        name = label(folder, wraps=True)
        away = flat_button("close", tr("Do not learn from {folder}").format(folder=folder), self._theme)

        def drop() -> None:
            self._folders.remove(folder)
            self._show_folders()

        away.clicked.connect(drop)
        row.addWidget(name, 1)
        row.addWidget(away)
        return made, away

    def _start(self) -> None:
        self.start_wanted.emit(self.wish)


_WHAT = tr(
    "What you corrected teaches the models. Training goes on in a process of its own: the app may be closed, and a "
    "training that was stopped can be continued."
)
