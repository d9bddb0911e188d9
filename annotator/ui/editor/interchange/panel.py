"""The tab: export and import side by side, each with what is lost told before and what came of it after."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from annotator.exchange_words import TITLES
from annotator.ui.controls import LineField, Segments, label, line, push_button
from annotator.ui.editor.interchange.parts import Lines
from annotator.ui.editor.panels.base import part, scrolled
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.interchange.catalogue import FORMATS

__all__ = ["ExchangePanel", "ExportSide", "ImportSide"]


def _formats(name: str, *, first: str = "") -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if first:
        made.addItem(first, "")
    for form in FORMATS.values():
        made.addItem(TITLES[form.name], form.name)
    return made


def _check(words: str, tip: str, *, on: bool = False) -> QCheckBox:
    made = QCheckBox(words)
    made.setToolTip(tip)
    made.setAccessibleName(words)
    made.setAccessibleDescription(tip)
    made.setChecked(on)
    return made


class ExportSide(QWidget):
    """Where to, in which format, and what would be lost.

    Signals:
        changed: another choice; what would be lost must be told anew.
        wanted: write it.
    """

    changed = Signal()
    wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.formats = _formats(tr("Format of the export"))
        self._about = label("", role="caption", wraps=True)
        self.rejected = _check(
            tr("Rejected elements, too"), tr("Write them where the format can tell them from the others")
        )
        self.pictures = _check(tr("With the pictures"), tr("Write every picture beside its boxes"), on=True)
        self.losses = Lines(tr("Before: what would be lost"), tr("What would be lost"))
        self.button = push_button(
            tr("Export …"),
            tr("Choose a folder and write the annotations into it"),
            theme,
            name="export",
            role="main",
            tint="on_accent",
        )
        self.report = Lines(tr("After: what was written"), tr("What was written"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(part(tr("Format"), self.formats, self._about, self.rejected, self.pictures))
        column.addWidget(self.losses)
        column.addLayout(_margins(self.button))
        column.addWidget(self.report)
        column.addStretch(1)
        self.formats.currentIndexChanged.connect(self._choose)
        self.rejected.toggled.connect(self.changed)
        self.pictures.toggled.connect(self.changed)
        self.button.clicked.connect(self.wanted)
        self._choose()

    @property
    def form(self) -> str:
        """Name of the format."""
        return str(self.formats.currentData())

    def _choose(self, *_: object) -> None:
        form = FORMATS[self.form]
        self._about.setText(form.files.replace(" beside ", tr(" beside ")))
        self.rejected.setEnabled(form.carrier.rejected)
        self.changed.emit()


class ImportSide(QWidget):
    """Where from, what would happen, and what happened.

    Signals:
        changed: another choice; what would happen must be told anew.
        pick_wanted: choose a folder.
        wanted: take it in.
        new_wanted: make a demo of its pictures.
    """

    changed = Signal()
    pick_wanted = Signal()
    wanted = Signal()
    new_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.path = LineField(tr("File or folder"), placeholder=tr("File or folder"))
        self.path.setToolTip(tr("The file or folder with the annotations"))
        pick = push_button(tr("Choose …"), tr("Choose a folder with annotations"), theme, name="folder")
        self.formats = _formats(tr("Format of the import"), first=tr("Format: by its content"))
        self.theirs = _check(
            tr("Change also what a person made"),
            tr("Without it what was drawn, approved or rejected here stays as it is"),
        )
        self.plan = Lines(tr("Before: what would happen"), tr("What would happen"))
        self.button = push_button(tr("Import"), tr("Take it in as one edit; undo takes it back"), theme, role="main")
        self.new = push_button(
            tr("Make a new demo of it"), tr("Store its pictures and boxes as a demo of their own"), theme
        )
        self.report = Lines(tr("After: what happened"), tr("What happened"))
        self.button.setEnabled(False)
        self.new.hide()
        row = QHBoxLayout()
        row.setSpacing(SPACE.s)
        row.addWidget(self.path, 1)
        row.addWidget(pick)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(part(tr("From"), row, self.formats, self.theirs))
        column.addWidget(self.plan)
        column.addLayout(_margins(self.button, self.new))
        column.addWidget(self.report)
        column.addStretch(1)
        pick.clicked.connect(self.pick_wanted)
        self.path.committed.connect(self._choose)
        self.formats.currentIndexChanged.connect(self._choose)
        self.theirs.toggled.connect(self._choose)
        self.button.clicked.connect(self.wanted)
        self.new.clicked.connect(self.new_wanted)

    def _choose(self, *_: object) -> None:
        self.changed.emit()

    @property
    def source(self) -> Path | None:
        """The file or folder; None while there is none."""
        text = self.path.text().strip()
        return Path(text).expanduser() if text else None

    def show_path(self, path: Path) -> None:
        """Take a path that was chosen elsewhere."""
        self.path.show_text(str(path))
        self.changed.emit()

    def show_plan(self, lines: Iterable[str], *, possible: bool, unknown: bool, wrong: bool = False) -> None:
        """What would happen.

        Args:
            lines: in sentences.
            possible: whether there is anything to take in.
            unknown: whether there are pictures that this demo does not show.
            wrong: whether the lines say what is wrong with the files.
        """
        self.plan.show_lines(lines, role="error" if wrong else "fact")
        self.button.setEnabled(possible)
        self.new.setVisible(unknown)


def _margins(*widgets: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setContentsMargins(SPACE.m, SPACE.s, SPACE.m, SPACE.m)
    column.setSpacing(SPACE.s)
    for widget in widgets:
        column.addWidget(widget)
    return column


class ExchangePanel(QWidget):
    """Both sides, one of them shown.

    Attributes:
        out: export.
        into: import.

    Signals:
        shown: which side: ``out`` or ``into``.
    """

    shown = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._sides = Segments(tr("Direction"), (tr("Export"), tr("Import")), tips=("Ctrl+Shift+E", "Ctrl+Shift+I"))
        self.out, self.into = ExportSide(theme), ImportSide(theme)
        top = QHBoxLayout()
        top.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.s)
        top.addWidget(self._sides)
        top.addStretch(1)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(line())
        column.addWidget(self.out)
        column.addWidget(self.into)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolled(inside))
        self._sides.chosen.connect(self._turn)
        self.show_side("out")

    def _turn(self, index: int) -> None:
        self.show_side("into" if index else "out")

    @property
    def side(self) -> str:
        """Which side is shown."""
        return "into" if self._sides.current else "out"

    def show_side(self, side: str) -> None:
        """Show one side."""
        into = side == "into"
        self._sides.set_current(int(into))
        self.out.setVisible(not into)
        self.into.setVisible(into)
        self.shown.emit(side)
