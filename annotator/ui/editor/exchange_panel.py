"""The tab: export and import side by side, each with what is lost told before and what came of it after."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from annotator.annotation_exchange import TITLES
from annotator.ui.controls import LineField, Segments, check_box, column, combo_box, label, line, push_button, row
from annotator.ui.editor.panels.panel_section import part, scrolled
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.codecs.boxes.catalogue import FORMATS


class Lines(QWidget):
    """Sentences under a heading; hidden while there are none."""

    def __init__(self, heading: str, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.words = label("", role="fact", wraps=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setAccessibleName(name)
        self.setLayout(part(heading, self.words))
        self.hide()

    def show_lines(self, lines: Iterable[str], *, role: str = "fact") -> None:
        """Show sentences, one a line; none hides everything."""
        text = "\n".join(lines)
        self.words.setProperty("role", role)
        style = self.words.style()
        style.unpolish(self.words)
        style.polish(self.words)
        self.words.setText(text)
        self.setVisible(bool(text))


def _formats(name: str, *, first: str = "") -> QComboBox:
    formats = [(TITLES[form.name], form.name) for form in FORMATS.values()]
    return combo_box(name, name, [(first, ""), *formats] if first else formats)


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
        self.rejected = check_box(
            tr("Rejected elements, too"), tr("Write them where the format can tell them from the others")
        )
        self.pictures = check_box(tr("With the pictures"), tr("Write every picture beside its boxes"), on=True)
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
        column(
            part(tr("Format"), self.formats, self._about, self.rejected, self.pictures),
            self.losses,
            _margins(self.button),
            self.report,
            None,
            of=self,
            spacing=0,
        )
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
        self.rejected.setEnabled(form.capabilities.rejected)
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
        self.theirs = check_box(
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
        column(
            part(tr("From"), row((self.path, 1), pick), self.formats, self.theirs),
            self.plan,
            _margins(self.button, self.new),
            self.report,
            None,
            of=self,
            spacing=0,
        )
        pick.clicked.connect(self.pick_wanted)
        for chosen in (self.path.committed, self.formats.currentIndexChanged, self.theirs.toggled):
            chosen.connect(lambda: self.changed.emit())
        self.button.clicked.connect(self.wanted)
        self.new.clicked.connect(self.new_wanted)

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
    return column(*widgets, margins=(SPACE.m, SPACE.s, SPACE.m, SPACE.m))


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
        tips = (tr("Export annotations"), tr("Import annotations"))
        actions = ("export_annotations", "import_annotations")
        self._sides = Segments(tr("Direction"), (tr("Export"), tr("Import")), tips=tips, actions=actions)
        self.out, self.into = ExportSide(theme), ImportSide(theme)
        top = row(self._sides, None, margins=(SPACE.m, SPACE.m, SPACE.m, SPACE.s))
        inside = QWidget()
        column(top, line(), self.out, self.into, of=inside, spacing=0)
        column(scrolled(inside), of=self)
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
