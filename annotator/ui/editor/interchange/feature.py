"""Exports the open demo's annotations, and imports others into it, beside the window's thread."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QDesktopServices

from annotator.annotation_commands import ImportAnnotations
from annotator.exchange_words import TITLES, exported_lines, foreseen_lines, import_lines
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.interchange.panel import ExchangePanel
from annotator.ui.editor.keys import Key
from annotator.words import tr
from demopack.errors import DemopackError
from demopack.interchange.arrivals import import_as_demo
from demopack.interchange.catalogue import FORMATS
from demopack.interchange.export import AnnotationLog, Foreseen, export_annotations, foresee
from demopack.interchange.form import AnnotationOptions
from demopack.interchange.importing import Annotations, ImportReport, joined_with, read_annotations
from demopack.interchange.joining import Joined
from demopack.jobs import JobControl

__all__ = ["ExchangeFeature", "export_folder"]

_TAB = "exchange"
_PAUSE_MS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """An import that was looked at and can be carried out."""

    read: Annotations
    joined: list[Joined]
    report: ImportReport


def export_folder(chosen: Path, task: str, form: str) -> Path:
    """Where an export goes: the chosen folder if it is empty or an export, else a new one in it."""
    if not chosen.exists() or (chosen / "EXPORT_LOG.json").is_file() or not any(chosen.iterdir()):
        return chosen
    name = re.sub(r"[^\w-]+", "-", task.casefold(), flags=re.ASCII).strip("-")[:48] or "demo"
    return chosen / f"{name}-{form}"


def _place(form: str, folder: Path) -> str:
    return tr("{format}, in {folder}.").format(format=TITLES[form], folder=folder)


def _show_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class ExchangeFeature(Feature):
    """The tab for annotations of other programs.

    Attributes:
        panel: what it shows.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="import_annotations", words=tr("Import annotations"), keys=("Ctrl+Shift+I",), group="Everything"),
        Key(name="export_annotations", words=tr("Export annotations"), keys=("Ctrl+Shift+E",), group="Everything"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.panel = ExchangePanel(desk.theme)
        self._plan: _Plan | None = None
        self._unknown: frozenset[str] = frozenset()
        self._asked = 0
        desk.add_tab(_TAB, tr("Exchange"), self.panel, stays=False)
        desk.add_head_action(
            "export_annotations",
            tr("Export annotations"),
            lambda: self._open("out"),
            tip=tr("For labelme, X-AnyLabeling, COCO, YOLO, CVAT, Label Studio, OmniParser (Ctrl+Shift+E)"),
        )
        desk.add_head_action(
            "import_annotations",
            tr("Import annotations"),
            lambda: self._open("into"),
            tip=tr("From those programs, as one edit (Ctrl+Shift+I)"),
        )
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
        self._ends = [desk.document.elements_changed.connect(lambda _: self._on_elements())]

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {
            "import_annotations": lambda: self._open("into"),
            "export_annotations": lambda: self._open("out"),
        }

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._later.stop()
        for end in self._ends:
            end()

    def _open(self, side: str) -> None:
        self.desk.leave()
        self.desk.show_tab(_TAB)
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
        if self.desk.session.closed or not self.panel.out.isVisible():
            return
        form, options, demo = FORMATS[self.panel.out.form], self._options(), self.desk.document.demo()
        self._asked += 1
        asked = self._asked

        def show(plan: Foreseen) -> None:
            if asked == self._asked and not self.desk.session.closed:
                self.panel.out.losses.show_lines(foreseen_lines(plan))
                self.panel.out.button.setEnabled(plan.pictures > 0)

        self.desk.runner.background(
            lambda: foresee([demo], form, options=options), on_result=show, on_error=self.desk.messages.show_error
        )

    def _export(self) -> None:
        desk, session = self.desk, self.desk.session
        desk.leave()
        form, options = FORMATS[self.panel.out.form], self._options()
        task = session.document.head.task
        chosen = desk.services.pick_new_folder(
            desk.page.window(),
            tr("Where should the annotations go?"),
            lambda chosen: export_folder(chosen, task, form.name),
        )
        if chosen is None:
            return
        folder = export_folder(chosen, task, form.name)
        button = self.panel.out.button
        button.setEnabled(False)

        def work(control: JobControl) -> AnnotationLog:
            return export_annotations(
                session.library, [session.demo_id], form, folder, options=options, control=control
            )  # fmt: skip

        def done(log: AnnotationLog) -> None:
            if not session.closed:
                self.panel.out.report.show_lines([_place(form.name, folder), *exported_lines(log)])
            desk.messages.say(
                tr("The annotations are written."),
                button=tr("Show"),
                action=lambda: _show_folder(folder),
            )

        def end() -> None:
            if not session.closed:
                button.setEnabled(True)

        # What was edited just now is written first: the export reads the library.
        desk.runner.submit(
            lambda: None,
            on_result=lambda _: self._start(tr("Writing annotations"), work, done, end),
            on_error=desk.messages.show_error,
        )

    def _start(
        self,
        title: str,
        work: Callable[[JobControl], AnnotationLog],
        done: Callable[[AnnotationLog], None],
        end: Callable[[], None],
    ) -> None:
        self.desk.runner.run(title, work, on_result=done, on_error=self.desk.messages.show_error, on_end=end)

    # In -------------------------------------------------------------------------------------------------------

    def _pick(self) -> None:
        chosen = self.desk.services.pick_folder(self.desk.page.window(), tr("Where are the annotations?"))
        if chosen is not None:
            self.panel.into.show_path(chosen)

    def _look(self) -> None:
        """Read the files and tell what they would change; nothing is changed yet."""
        into, session = self.panel.into, self.desk.session
        source = into.source
        self._plan = None
        into.show_plan((), possible=False, unknown=False)
        into.report.show_lines(())
        if source is None or session.closed:
            return
        form, theirs, demo = str(into.formats.currentData()), into.theirs.isChecked(), session.document.demo()
        self._asked += 1
        asked = self._asked

        def work(control: JobControl) -> _Plan:
            read = read_annotations(source, form=form, control=control)
            joined, report = joined_with(read, demo, theirs=theirs, control=control)
            return _Plan(read=read, joined=joined, report=report)

        def show(plan: _Plan) -> None:
            if asked == self._asked and not session.closed:
                self._plan, self._unknown = plan, frozenset(plan.report.unknown)
                lines = [f"{TITLES[plan.read.form.name]}.", *import_lines(plan.report, done=False)]
                possible = bool(plan.report.added or plan.report.changed)
                into.show_plan(lines, possible=possible, unknown=bool(plan.report.unknown))

        def fail(error: Exception) -> None:
            if asked != self._asked or session.closed:
                return
            if isinstance(error, DemopackError):
                into.show_plan([error.user_message, error.hint], possible=False, unknown=False, wrong=True)
            else:
                self.desk.messages.show_error(error)

        self.desk.runner.run(tr("Reading annotations"), work, on_result=show, on_error=fail)

    def _import(self) -> None:
        plan, into = self._plan, self.panel.into
        if plan is None:
            return
        self._plan = None
        self.desk.do(ImportAnnotations(joined=plan.joined, title=TITLES[plan.read.form.name]))
        into.show_plan((), possible=False, unknown=bool(plan.report.unknown))
        into.report.show_lines(import_lines(plan.report, done=True))

    def _make_demo(self) -> None:
        into, session, desk = self.panel.into, self.desk.session, self.desk
        source, unknown = into.source, self._unknown
        if source is None:
            return
        form = str(into.formats.currentData())
        into.new.setEnabled(False)

        def work(control: JobControl) -> ImportReport:
            read = read_annotations(source, form=form, control=control)
            read.pictures = [picture for picture in read.pictures if picture.name in unknown]
            return import_as_demo(session.library, read, control=control)

        def done(report: ImportReport) -> None:
            if not session.closed:
                into.report.show_lines(import_lines(report, done=True))
            desk.messages.say(tr("A new demo was made of the pictures; it stands in the library."))

        def end() -> None:
            if not session.closed:
                into.new.setEnabled(True)

        desk.runner.run(tr("Storing pictures"), work, on_result=done, on_error=desk.messages.show_error, on_end=end)
