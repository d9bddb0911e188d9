"""Exports the open demo's annotations, and imports others into it, beside the window's thread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from annotator.annotation_exchange import TITLES, ImportAnnotations, exported_lines, foreseen_lines, import_lines
from annotator.ui.controls import LineField, Segments, check_box, column, combo_box, label, line, push_button, row
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import Lines, part, scrolled
from annotator.ui.keys.key import Key
from annotator.ui.services import target_folder
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.annotations.export import AnnotationLog, ExportPreview, export_annotations, preview_export
from demopack.annotations.importing import (
    AnnotationImportReport,
    DecodedAnnotations,
    import_as_demo,
    merge_with_demo,
    read_annotations,
)
from demopack.annotations.merging import FrameMerge
from demopack.codecs.boxes.base import AnnotationFormat, AnnotationOptions
from demopack.codecs.boxes.catalogue import FORMATS
from demopack.jobs import JobControl

_TAB = "exchange"
_PAUSE_MS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """An import that was looked at and can be carried out."""

    read: DecodedAnnotations
    joined: list[FrameMerge]
    report: AnnotationImportReport


def _formats(name: str, *, first: str = "") -> QComboBox:
    formats = [(TITLES[form.name], form.name) for form in FORMATS.values()]
    return combo_box(name, name, [(first, ""), *formats] if first else formats)


class ExportSide(QWidget):
    """Where to, in which format, what would be lost, and what was written."""

    def __init__(self, context: EditorContext) -> None:
        super().__init__()
        self._context, theme = context, context.theme
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
            call=self._export,
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
        self.rejected.toggled.connect(self.foresee)
        self.pictures.toggled.connect(self.foresee)
        # While boxes are dragged nothing is counted; a moment after the last edit everything is.
        self._later = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._later.timeout.connect(self.foresee)
        context.document.elements_changed.connect(lambda _: self._later.start() if self.isVisible() else None)
        self._choose()

    def _choose(self, *_: object) -> None:
        form = self._chosen()[0]
        self._about.setText(form.files.replace(" beside ", tr(" beside ")))
        self.rejected.setEnabled(form.capabilities.rejected)
        self.foresee()

    def _chosen(self) -> tuple[AnnotationFormat, AnnotationOptions]:
        options = AnnotationOptions(rejected=self.rejected.isChecked(), pictures=self.pictures.isChecked())
        return FORMATS[str(self.formats.currentData())], options

    def foresee(self, *_: object) -> None:
        """Tell what an export would lose; the newest answer counts."""
        if not self.isVisible():
            return
        form, options = self._chosen()
        demo = self._context.document.demo()

        def show(plan: ExportPreview) -> None:
            self.losses.show_lines(foreseen_lines(plan))
            self.button.setEnabled(plan.pictures > 0)

        self._context.operations.start(
            lambda: preview_export([demo], form, options=options), on_result=show, newest="foreseen"
        )

    def _export(self) -> None:
        context, session = self._context, self._context.session
        context.leave()
        form, options = self._chosen()
        head = session.document.head
        chosen = context.services.pick_new_folder(
            context.page.window(),
            tr("Where should the annotations go?"),
            lambda chosen: target_folder(chosen, head, form.name),
        )
        if chosen is None:
            return
        folder = target_folder(chosen, head, form.name)
        button = self.button
        button.setEnabled(False)

        def work(control: JobControl) -> AnnotationLog:
            return export_annotations(
                session.library, [session.demo_id], form, folder, options=options, control=control.wordless()
            )  # fmt: skip

        def show(log: AnnotationLog) -> None:
            place = tr("{format}, in {folder}.").format(format=TITLES[form.name], folder=folder)
            self.report.show_lines([place, *exported_lines(log)])

        def start(_: None) -> None:
            context.operations.run(
                tr("Writing annotations"),
                work,
                on_result=show,
                announce=lambda _: context.messages.say_written(tr("The annotations are written."), folder),
                on_end=lambda: button.setEnabled(True),
            )

        # What was edited just now is written first: the export reads the library.
        context.operations.start(lambda: None, on_result=start, lane="library")


class ImportSide(QWidget):
    """Where from, what would happen, and what happened."""

    def __init__(self, context: EditorContext) -> None:
        super().__init__()
        self._context, theme = context, context.theme
        self._plan: _Plan | None = None
        self._unknown: frozenset[str] = frozenset()
        self.path = LineField(tr("File or folder"), placeholder=tr("File or folder"))
        self.path.setToolTip(tr("The file or folder with the annotations"))
        pick = push_button(
            tr("Choose …"), tr("Choose a folder with annotations"), theme, name="folder", call=self._pick
        )
        self.formats = _formats(tr("Format of the import"), first=tr("Format: by its content"))
        self.theirs = check_box(
            tr("Change also what a person made"),
            tr("Without it what was drawn, approved or rejected here stays as it is"),
        )
        self.plan = Lines(tr("Before: what would happen"), tr("What would happen"))
        self.button = push_button(
            tr("Import"), tr("Take it in as one edit; undo takes it back"), theme, role="main", call=self._import
        )
        self.new = push_button(
            tr("Make a new demo of it"),
            tr("Store its pictures and boxes as a demo of their own"),
            theme,
            call=self._make_demo,
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
        for chosen in (self.path.committed, self.formats.currentIndexChanged, self.theirs.toggled):
            chosen.connect(lambda: self._look())

    def _source(self) -> Path | None:
        text = self.path.text().strip()
        return Path(text).expanduser() if text else None

    def _show_plan(self, lines: Iterable[str], *, possible: bool, unknown: bool) -> None:
        """What would happen; ``unknown`` pictures are not of this demo."""
        self.plan.show_lines(lines)
        self.button.setEnabled(possible)
        self.new.setVisible(unknown)

    def _pick(self) -> None:
        chosen = self._context.services.pick_folder(self._context.page.window(), tr("Where are the annotations?"))
        if chosen is not None:
            self.path.show_text(str(chosen))
            self._look()

    def _look(self) -> None:
        """Read the files and tell what they would change; nothing is changed yet."""
        session = self._context.session
        source = self._source()
        self._plan = None
        self._show_plan((), possible=False, unknown=False)
        self.report.show_lines(())
        if source is None:
            return
        form, theirs, demo = str(self.formats.currentData()), self.theirs.isChecked(), session.document.demo()

        def work(control: JobControl) -> _Plan:
            control = control.wordless()
            read = read_annotations(source, form=form, control=control)
            joined, report = merge_with_demo(read, demo, theirs=theirs, control=control)
            return _Plan(read=read, joined=joined, report=report)

        def show(plan: _Plan) -> None:
            self._plan, self._unknown = plan, frozenset(plan.report.unknown)
            lines = [f"{TITLES[plan.read.form.name]}.", *import_lines(plan.report, done=False)]
            possible = bool(plan.report.added or plan.report.changed)
            self._show_plan(lines, possible=possible, unknown=bool(plan.report.unknown))

        self._context.operations.run(
            tr("Reading annotations"),
            work,
            on_result=show,
            on_error=lambda error: self.plan.show_error(error, self._context.messages),
            newest="plan",
        )

    def _import(self) -> None:
        plan = self._plan
        if plan is None:
            return
        self._plan = None
        self._context.do(ImportAnnotations(joined=plan.joined, title=TITLES[plan.read.form.name]))
        self._show_plan((), possible=False, unknown=bool(plan.report.unknown))
        self.report.show_lines(import_lines(plan.report, done=True))

    def _make_demo(self) -> None:
        session, context = self._context.session, self._context
        source, unknown = self._source(), self._unknown
        if source is None:
            return
        form = str(self.formats.currentData())
        self.new.setEnabled(False)

        def work(control: JobControl) -> AnnotationImportReport:
            control = control.wordless()
            read = read_annotations(source, form=form, control=control)
            read.pictures = [picture for picture in read.pictures if picture.name in unknown]
            return import_as_demo(session.library, read, control=control)

        context.operations.run(
            tr("Storing pictures"),
            work,
            on_result=lambda report: self.report.show_lines(import_lines(report, done=True)),
            announce=lambda _: context.messages.say(
                tr("A new demo was made of the pictures; it stands in the library.")
            ),
            on_end=lambda: self.new.setEnabled(True),
        )


def _margins(*widgets: QWidget) -> QVBoxLayout:
    return column(*widgets, margins=(SPACE.m, SPACE.s, SPACE.m, SPACE.m))


class ExchangeFeature(Feature):
    """The tab for annotations of other programs: export and import, one of them shown.

    Attributes:
        out: export.
        into: import.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        tips = (tr("Export annotations"), tr("Import annotations"))
        actions = ("export_annotations", "import_annotations")
        self._sides = Segments(tr("Direction"), (tr("Export"), tr("Import")), tips=tips, actions=actions)
        self.out, self.into = ExportSide(context), ImportSide(context)
        top = row(self._sides, None, margins=(SPACE.m, SPACE.m, SPACE.m, SPACE.s))
        inside = QWidget()
        column(top, line(), self.out, self.into, of=inside, spacing=0)
        self._sides.chosen.connect(self._show_side)
        self._show_side(0)
        context.panel.add_tab(_TAB, tr("Exchange"), scrolled(inside), stays=False)
        out = tr("For labelme, X-AnyLabeling, COCO, YOLO, CVAT, Label Studio, OmniParser")
        for name, side, words, tip in (
            ("export_annotations", 0, tr("Export annotations"), out),
            ("import_annotations", 1, tr("Import annotations"), tr("From those programs, as one edit")),
        ):
            context.head.add_job(name, words, partial(self._open, side), tip=tip, key=name)

    def _open(self, side: int) -> None:
        self.context.leave()
        self.context.panel.show_tab(_TAB)
        self._show_side(side)
        (self.into.path if side else self.out.formats).setFocus()

    def _show_side(self, side: int) -> None:
        self._sides.set_current(side)
        self.out.setVisible(not side)
        self.into.setVisible(bool(side))
        self.out.foresee()

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("import_annotations", tr("Import annotations"), ("Ctrl+Shift+I",), "Everything",
            call=lambda self: self._open(1)),
        Key("export_annotations", tr("Export annotations"), ("Ctrl+Shift+E",), "Everything",
            call=lambda self: self._open(0)),
    )  # fmt: skip
