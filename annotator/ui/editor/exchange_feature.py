"""Exports the open demo's annotations, and imports others into it, beside the window's thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QTimer

from annotator.annotation_exchange import TITLES, ImportAnnotations, exported_lines, foreseen_lines, import_lines
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.exchange_panel import ExchangePanel
from annotator.ui.keys.key import Key
from annotator.ui.services import target_folder
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
from demopack.codecs.boxes.base import AnnotationOptions
from demopack.codecs.boxes.catalogue import FORMATS
from demopack.errors import DemopackError
from demopack.jobs import JobControl

_TAB = "exchange"
_PAUSE_MS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """An import that was looked at and can be carried out."""

    read: DecodedAnnotations
    joined: list[FrameMerge]
    report: AnnotationImportReport


def _place(form: str, folder: Path) -> str:
    return tr("{format}, in {folder}.").format(format=TITLES[form], folder=folder)


class ExchangeFeature(Feature):
    """The tab for annotations of other programs.

    Attributes:
        panel: what it shows.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.panel = ExchangePanel(context.theme)
        self._plan: _Plan | None = None
        self._unknown: frozenset[str] = frozenset()
        context.add_tab(_TAB, tr("Exchange"), self.panel, stays=False)
        out = tr("For labelme, X-AnyLabeling, COCO, YOLO, CVAT, Label Studio, OmniParser")
        for name, side, words, tip in (
            ("export_annotations", "out", tr("Export annotations"), out),
            ("import_annotations", "into", tr("Import annotations"), tr("From those programs, as one edit")),
        ):
            context.add_head_action(name, words, partial(self._open, side), tip=tip, key=name)
        panel = self.panel
        panel.shown.connect(self._foresee)
        panel.out.changed.connect(self._foresee)
        panel.out.wanted.connect(self._export)
        panel.into.pick_wanted.connect(self._pick)
        panel.into.changed.connect(self._look)
        panel.into.wanted.connect(self._import)
        panel.into.new_wanted.connect(self._make_demo)
        # While boxes are dragged nothing is counted; a moment after the last edit everything is.
        self._later = QTimer(panel, interval=_PAUSE_MS, singleShot=True)
        self._later.timeout.connect(self._foresee)
        context.document.elements_changed.connect(lambda _: self._on_elements())

    def _open(self, side: str) -> None:
        self.context.leave()
        self.context.show_tab(_TAB)
        self.panel.show_side(side)
        (self.panel.into.path if side == "into" else self.panel.out.formats).setFocus()

    def _on_elements(self) -> None:
        if self.panel.out.isVisible():
            self._later.start()

    # Out ------------------------------------------------------------------------------------------------------

    def _options(self) -> AnnotationOptions:
        out = self.panel.out
        return AnnotationOptions(rejected=out.rejected.isChecked(), pictures=out.pictures.isChecked())

    def _foresee(self, *_: object) -> None:
        """Tell what an export would lose; the newest answer counts."""
        if not self.panel.out.isVisible():
            return
        form, options, demo = FORMATS[self.panel.out.form], self._options(), self.context.document.demo()

        def show(plan: ExportPreview) -> None:
            self.panel.out.losses.show_lines(foreseen_lines(plan))
            self.panel.out.button.setEnabled(plan.pictures > 0)

        self.context.operations.start(
            lambda: preview_export([demo], form, options=options), on_result=show, newest="foreseen"
        )

    def _export(self) -> None:
        context, session = self.context, self.context.session
        context.leave()
        form, options = FORMATS[self.panel.out.form], self._options()
        task = session.document.head.task
        chosen = context.services.pick_new_folder(
            context.page.window(),
            tr("Where should the annotations go?"),
            lambda chosen: target_folder(chosen, task, form.name),
        )
        if chosen is None:
            return
        folder = target_folder(chosen, task, form.name)
        button = self.panel.out.button
        button.setEnabled(False)

        def work(control: JobControl) -> AnnotationLog:
            return export_annotations(
                session.library, [session.demo_id], form, folder, options=options, control=control
            )  # fmt: skip

        def show(log: AnnotationLog) -> None:
            self.panel.out.report.show_lines([_place(form.name, folder), *exported_lines(log)])

        def announce(_: AnnotationLog) -> None:
            context.messages.say_written(tr("The annotations are written."), folder)

        def start(_: None) -> None:
            context.operations.run(
                tr("Writing annotations"),
                work,
                on_result=show,
                announce=announce,
                on_end=lambda: button.setEnabled(True),
            )

        # What was edited just now is written first: the export reads the library.
        context.operations.start(lambda: None, on_result=start, lane="library")

    # In -------------------------------------------------------------------------------------------------------

    def _pick(self) -> None:
        chosen = self.context.services.pick_folder(self.context.page.window(), tr("Where are the annotations?"))
        if chosen is not None:
            self.panel.into.show_path(chosen)

    def _look(self) -> None:
        """Read the files and tell what they would change; nothing is changed yet."""
        into, session = self.panel.into, self.context.session
        source = into.source
        self._plan = None
        into.show_plan((), possible=False, unknown=False)
        into.report.show_lines(())
        if source is None:
            return
        form, theirs, demo = str(into.formats.currentData()), into.theirs.isChecked(), session.document.demo()

        def work(control: JobControl) -> _Plan:
            read = read_annotations(source, form=form, control=control)
            joined, report = merge_with_demo(read, demo, theirs=theirs, control=control)
            return _Plan(read=read, joined=joined, report=report)

        def show(plan: _Plan) -> None:
            self._plan, self._unknown = plan, frozenset(plan.report.unknown)
            lines = [f"{TITLES[plan.read.form.name]}.", *import_lines(plan.report, done=False)]
            possible = bool(plan.report.added or plan.report.changed)
            into.show_plan(lines, possible=possible, unknown=bool(plan.report.unknown))

        def fail(error: Exception) -> None:
            if isinstance(error, DemopackError):
                into.show_plan([error.user_message, error.hint], possible=False, unknown=False, wrong=True)
            else:
                self.context.messages.show_error(error)

        self.context.operations.run(tr("Reading annotations"), work, on_result=show, on_error=fail, newest="plan")

    def _import(self) -> None:
        plan, into = self._plan, self.panel.into
        if plan is None:
            return
        self._plan = None
        self.context.do(ImportAnnotations(joined=plan.joined, title=TITLES[plan.read.form.name]))
        into.show_plan((), possible=False, unknown=bool(plan.report.unknown))
        into.report.show_lines(import_lines(plan.report, done=True))

    def _make_demo(self) -> None:
        into, session, context = self.panel.into, self.context.session, self.context
        source, unknown = into.source, self._unknown
        if source is None:
            return
        form = str(into.formats.currentData())
        into.new.setEnabled(False)

        def work(control: JobControl) -> AnnotationImportReport:
            read = read_annotations(source, form=form, control=control)
            read.pictures = [picture for picture in read.pictures if picture.name in unknown]
            return import_as_demo(session.library, read, control=control)

        context.operations.run(
            tr("Storing pictures"),
            work,
            on_result=lambda report: into.report.show_lines(import_lines(report, done=True)),
            announce=lambda _: context.messages.say(
                tr("A new demo was made of the pictures; it stands in the library.")
            ),
            on_end=lambda: into.new.setEnabled(True),
        )

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("import_annotations", tr("Import annotations"), ("Ctrl+Shift+I",), "Everything",
            call=lambda self: self._open("into")),
        Key("export_annotations", tr("Export annotations"), ("Ctrl+Shift+E",), "Everything",
            call=lambda self: self._open("out")),
    )  # fmt: skip
