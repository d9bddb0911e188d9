"""Services of other packages for the app, and what a recording and an export are asked with."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QFileDialog, QGridLayout, QLabel, QLineEdit, QWidget

from annotator.app_desktop import AppDesktop
from annotator.words import tr
from demopack.file_names import slug
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library
from recorder.area import EVERYTHING, CaptureArea

if TYPE_CHECKING:
    from subprocess import Popen

    from annotator.model_store import ModelStore
    from annotator.replay_run import ReplayPlan, ReplayRun, ReplayWatch, RowsOutcome
    from annotator.training_runs import TrainingRuns
    from demopack.codecs.sets.base import ExportLog, ExportOptions, Format
    from demopack.domain.demos import DemoHead
    from models.vision.box_reader import WorkerBoxReader
    from recorder.event_filter import OwnWindows
    from recorder.hotkeys import HotkeyListener
    from recorder.selftest import CheckResult
    from recorder.session import RecordingSession
    from tasks.assignments import TaskAssignment


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingPlan:
    """One recording that is wanted.

    Attributes:
        task: what is going to be done, in the person's words; may be empty.
        app: the main application; empty to let the recorder find out.
        area: what part of the screen is captured.
        hold_text: whether typed text is held back where programs do not tell which fields hold passwords; None for what
            the settings say.
        film: whether every distinct picture is kept; None for what the settings say.
        take_of: demo whose end is recorded again; empty for a new demo.
        take_after: step of that demo after which it goes on.
        steps: how the task can be done, in words; shown beside the recording.
        note: below them.
    """

    task: str = ""
    app: str = ""
    area: CaptureArea = EVERYTHING
    hold_text: bool | None = None
    film: bool | None = None
    take_of: str = ""
    take_after: str = ""
    steps: tuple[str, ...] = ()
    note: str = ""


class NewFolderDialog(QFileDialog):
    """A dialog in which a folder is chosen, or named that will be made.

    ``place`` tells where something goes when a folder is chosen; that is shown while one is looked for.
    """

    def __init__(self, parent: QWidget | None, title: str, place: Callable[[Path], Path]) -> None:
        super().__init__(parent, title, str(Path.home()))
        self._place = place
        # The desktops' own dialogs take only folders that are there already.
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setOption(QFileDialog.Option.ShowDirsOnly)
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setLabelText(QFileDialog.DialogLabel.Accept, tr("Write here"))
        self.told = QLabel()
        self.told.setWordWrap(True)
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        layout.addWidget(self.told, layout.rowCount(), 0, 1, -1)
        field = self.findChild(QLineEdit)
        assert field is not None
        self.field = field
        field.textChanged.connect(self._tell)
        self.directoryEntered.connect(self._tell)
        self._tell()

    @property
    def chosen(self) -> Path:
        """The folder that is named, whether it is there or not."""
        # Not what the dialog calls selected: that stays what was selected before while a new name is typed.
        return Path(self.directory().absolutePath()) / self.field.text().strip()

    def accept(self) -> None:
        """Take the folder; one that is not there is taken where it can be made."""
        if not self.chosen.exists() and self.chosen.parent.is_dir():
            QDialog.accept(self)
            return
        super().accept()

    def _tell(self) -> None:
        self.told.setText(tr("It will be written to {folder}.").format(folder=self._place(self.chosen)))


class Services:
    """What the app asks of other packages, each imported when it is first used; tests put their own in their place.

    All pages of a window hold the same one, so that what is set on one counts on the others.

    Attributes:
        settings: what the user set, as it is now: looked up when it is used.
        desktop: the recording desktop, and whether recordings are made in it.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.desktop = AppDesktop()
        # They outlive the app; without a name for them their ends would be waited for.
        self._launched: list[Popen[bytes]] = []

    def find(self, library: Library, demo_id: str, settings: Settings, control: JobControl) -> str:
        """Find elements on every picture of a demo; returns what to tell the user."""
        from models.vision.demo_parsing import parse_demo
        from models.vision.finder import open_finder

        with open_finder(settings.vision) as finder:
            report = parse_demo(library, demo_id, finder, control=control)
        if not report.frames:
            return tr("Every picture had been searched before.")
        found = (
            tr("Found {elements} elements on 1 picture; {bound} steps have a target.")
            if report.frames == 1
            else tr("Found {elements} elements on {frames} pictures; {bound} steps have a target.")
        )
        words = found.format(elements=report.elements, frames=report.frames, bound=report.bound)
        if report.unbound:
            words += tr(" Look at step {join}.").format(join=", ".join(map(str, report.unbound[:8])))
        if report.silent:
            words += tr(" {names} tells nothing about its controls: they were found in the pictures alone.").format(
                names=", ".join(report.silent)
            )
        return words

    def write(self, library: Library, demo_id: str, settings: Settings, control: JobControl) -> str:
        """Write rationales; returns what to tell the user."""
        from models.language.rationale_run import write_demos
        from models.language.template import TemplateWriter

        del settings
        (report,) = write_demos(library, [demo_id], TemplateWriter(), control=control)
        if not report.written:
            return tr("Every step had a rationale.")
        words = tr("Wrote {written} rationales.").format(written=report.written)
        if report.warned:
            words += tr(" Look at step {join}: it says what cannot be found on the screen.").format(
                join=", ".join(map(str, report.warned[:8]))
            )
        return words

    def export(
        self,
        library: Library,
        demo_ids: Sequence[str],
        out: Path,
        control: JobControl,
        *,
        form: Format | None = None,
        options: ExportOptions | None = None,
    ) -> str:
        """Write demos as a pack, or in a format; returns what to tell the user."""
        control = control.wordless()
        if form is not None:
            from demopack.codecs.sets.base import ExportOptions
            from demopack.pack.export import export_formats, packs_of

            with packs_of(library, demo_ids, (), out, control=control) as packs:
                done = export_formats(packs, [form], out, options=options or ExportOptions(), control=control)
            return _exported_words(tr(form.title), done[out], out)
        from demopack.pack import export_pack

        summary = export_pack(library, demo_ids, out, control=control)
        warnings = tr(", {warnings} warnings").format(warnings=len(summary.warnings)) if summary.warnings else ""
        return tr("Pack written: {steps} steps in {folder}{warnings}.").format(
            steps=summary.counts.steps, folder=summary.path, warnings=warnings
        )

    def pick_folder(self, parent: QWidget, title: str) -> Path | None:
        """Ask for a folder; None when the user thinks better of it."""
        chosen = QFileDialog.getExistingDirectory(parent, title, str(Path.home()))
        return Path(chosen) if chosen else None

    def pick_files(self, parent: QWidget, title: str) -> list[Path]:
        """Ask for files of tasks; none when the user thinks better of it."""
        from demopack.codecs.tasks.files import ENDINGS

        known = " ".join(f"*{ending}" for ending in (*ENDINGS, ".zip"))
        chosen, _ = QFileDialog.getOpenFileNames(parent, title, str(Path.home()), f"{tr('Tasks')} ({known})")
        return [Path(name) for name in chosen]

    def open_task(self, given: TaskAssignment) -> None:
        """Open the document of a task where it will be recorded.

        Raises:
            DemopackError: its program cannot be started.
        """
        display = self.desktop.display() if given.document is not None else None
        given.open({**os.environ, **({} if display is None else {"DISPLAY": display})})

    def pick_new_folder(self, parent: QWidget, title: str, place: Callable[[Path], Path]) -> Path | None:
        """Ask for a folder that need not be there yet; ``place`` tells where what is written would go."""
        dialog = NewFolderDialog(parent, title, place)
        try:
            return dialog.chosen if dialog.exec() else None
        finally:
            dialog.deleteLater()

    def open_recorder(
        self, library: Library, settings: Settings, plan: RecordingPlan, own: OwnWindows
    ) -> RecordingSession:
        """Prepare a recording."""
        from recorder.session import RecordingSession

        chosen = settings.recorder
        if plan.film is not None:
            chosen = chosen.model_copy(update={"timeline": plan.film})
        if plan.hold_text is not None:
            privacy = chosen.privacy.model_copy(update={"hold_unknown": plan.hold_text})
            chosen = chosen.model_copy(update={"privacy": privacy})
        display = self.desktop.display()
        return RecordingSession(
            library,
            display=display,
            settings=chosen,
            task=plan.task,
            app=plan.app,
            area=plan.area,
            take_of=plan.take_of,
            take_after=plan.take_after,
            # Windows of ours lie elsewhere than the desktop that is recorded.
            own_windows=own if display is None else None,
        )

    def replay(
        self, library: Library, plan: ReplayPlan, settings: Settings, watch: ReplayWatch, control: JobControl
    ) -> ReplayRun | RowsOutcome:
        """Do a demo again on this screen; see :func:`annotator.replay_run.run_replay`."""
        from annotator.replay_run import run_replay

        return run_replay(library, plan, settings, watch, control)

    def self_test(
        self, folder: Path, settings: Settings, on_result: Callable[[CheckResult], None]
    ) -> list[CheckResult]:
        """Try out what a recording into a folder needs; each result is told as it comes, in the caller's thread."""
        from recorder.selftest import run_selftest

        if self.desktop.wanted and not self.desktop.is_open:
            return []  # a window that opens by itself would take the keyboard from whoever writes the task
        display = self.desktop.display()
        return run_selftest(library=folder, settings=settings.recorder, display=display, on_result=on_result)

    def launch_program(self, program: str) -> bool:
        """Open a browser, named as for ``demopack launch``, so that it tells what it shows; whether it does.

        Raises:
            DemopackError: it cannot be started, or nobody can be asked.
        """
        from demopack.settings import profiles_folder
        from recorder.browsers import launch, wait_until_told

        process = launch(program, [], profiles=profiles_folder())
        self._launched.append(process)
        return wait_until_told(process)

    def window_titles(self) -> list[str]:
        """The windows that can be recorded by themselves, topmost first."""
        from recorder.backends import has_x11

        if not has_x11():
            # The windows of these systems cannot be asked yet; a part of the title can be written.
            return []
        from recorder.backends.x11.windows import client_titles

        return client_titles(self.desktop.display())

    def key_taken(self, key: str) -> bool:
        """Whether another program holds a key."""
        from recorder.backends.x11.key_grab import KeyGrab

        with contextlib.closing(KeyGrab({"tried": key})) as grab:
            return bool(grab.taken)

    def open_hotkeys(self, settings: Settings, on_hotkey: Callable[[str], None]) -> HotkeyListener:
        """Listen for global keys while nothing records; the callback comes from another thread."""
        from recorder.hotkeys import HotkeyListener

        return HotkeyListener({"start_stop": settings.recorder.hotkeys.start_stop}, on_hotkey)

    def open_shelf(self) -> ModelStore:
        """The models that there are."""
        from annotator.model_store import ModelStore

        return ModelStore()

    def open_runs(self) -> TrainingRuns:
        """The trainings that there are."""
        from annotator.training_runs import TrainingRuns

        return TrainingRuns()

    def open_reader(self, settings: Settings) -> WorkerBoxReader | None:
        """What reads the text of one element and guesses what an icon means; None where nothing can."""
        from models.vision.box_reader import open_box_reader

        return open_box_reader(settings.vision)


def _exported_words(title: str, log: ExportLog, folder: Path) -> str:
    """What came of an export: as much as fits into a line; the README.md beside it says the rest."""
    if not log.rows_out and log.left_out:
        return tr("{format} is empty: {why}.").format(format=title, why=tr(log.left_out[0].why))
    counted = {
        "steps": tr("{format}: {number} of {total} steps in {folder}."),
        "pictures": tr("{format}: {number} of {total} pictures in {folder}."),
        "elements": tr("{format}: {number} of {total} elements in {folder}."),
    }[log.rows]
    words = counted.format(format=title, number=log.rows_out, total=log.rows_in, folder=folder)
    return words + (tr(" Its README.md says what is missing.") if log.left_out or log.lost else "")


def export_name(head: DemoHead, form: str) -> str:
    """The name of a folder for a demo as a ``pack``, or in another form.

    It is made of the task where nothing private stands in it, else of the time at which the demo began.
    """
    from demopack.redaction.recognisers import recognise

    name = "" if recognise(head.task) else slug(head.task)[:48].strip("-")
    return f"{name or head.created_at.astimezone().strftime('demo-%Y-%m-%d-%H%M')}-{form}"


def target_folder(chosen: Path, head: DemoHead, form: str) -> Path:
    """The folder for a demo as a ``pack``, or in another form, named so.

    It is the chosen folder if that is empty or was written so before, else a new one in it, see :func:`export_name`.
    """
    mark = "pack.json" if form == "pack" else "EXPORT_LOG.json"
    if not chosen.exists() or (chosen / mark).is_file() or not any(chosen.iterdir()):
        return chosen
    return chosen / export_name(head, form)
