"""Actions on whole demos: the list, delete, restore, erase for good, join takes, import what is dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QFileSystemWatcher, QMimeData, QObject, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMessageBox, QWidget

from annotator.ui.library.library_page import LibraryPage
from annotator.ui.messages import Messages
from annotator.ui.operations import Operations
from annotator.ui.recording.recording_words import count_steps
from annotator.words import tr
from demopack.domain.demos import DemoSummary
from demopack.jobs import JobControl
from demopack.store import Library
from demopack.store.retakes import free_retake, join_retake, recently_deleted

if TYPE_CHECKING:
    from demopack.pack.import_demos import ImportReport

_REFRESH_MS = 400


def ask_to_erase(parent: QWidget, summary: DemoSummary) -> bool:
    """Ask for the person's consent: this is the one thing that cannot be taken back."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(tr("Erase for good"))
    box.setText(tr("Erase “{value}” for good?").format(value=summary.head.task or tr("No task written")))
    box.setInformativeText(
        tr(
            "Its {steps} and every picture that no other demo shows are removed from the disk. "
            "Nothing can bring them back."
        ).format(steps=count_steps(summary.steps))
    )
    erase = box.addButton(tr("Erase for good"), QMessageBox.ButtonRole.DestructiveRole)
    keep = box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    box.exec()
    return box.clickedButton() is erase


class LibraryActions(QObject):
    """Keeps the library page up to date, and does what is asked for there.

    Attributes:
        consent: asks before something is erased for good.

    Signals:
        open_wanted: id of a demo to show, and the number of a step; 0 for none.
    """

    open_wanted = Signal(str, int)

    def __init__(self, library: Library, page: LibraryPage, *, operations: Operations, messages: Messages) -> None:
        super().__init__(page)
        self.consent: Callable[[QWidget, DemoSummary], bool] = ask_to_erase
        self._library = library
        self._page = page
        self._operations = operations
        self._messages = messages
        self._watcher = QFileSystemWatcher([str(library.folder)], self)
        self._soon = QTimer(self, interval=_REFRESH_MS, singleShot=True)
        # The write-ahead log appears, grows and goes with every writer, this one or another.
        self._watcher.directoryChanged.connect(self._soon.start)
        self._soon.timeout.connect(self._refresh_if_shown)
        page.acted.connect(self.act)
        page.deleted_toggled.connect(self.refresh)
        page.statistics_wanted.connect(self._count)

    def close(self) -> None:
        """Stop watching."""
        self._soon.stop()
        self._watcher.directoryChanged.disconnect(self._soon.start)

    def refresh(self, *, select: str | None = None) -> None:
        """Read the list again."""
        deleted = self._page.showing_deleted

        def read() -> list[DemoSummary]:
            return recently_deleted(self._library) if deleted else self._library.demos(damaged=True)

        def show(demos: list[DemoSummary]) -> None:
            if deleted == self._page.showing_deleted:
                self._page.show_demos(demos, select=select)

        self._operations.start(read, on_result=show, lane="library", newest="demos")

    def act(self, name: str, demo_id: str) -> None:
        """Do what an offer says."""
        calls: dict[str, Callable[[str], None]] = {
            "delete": self.delete,
            "restore": self.restore,
            "erase": self._erase,
            "join": self.join,
            "free": self._free,
        }
        calls[name](demo_id)

    def delete(self, demo_id: str) -> None:
        """Take a demo off the list; the message has the way back."""

        def done(_: object) -> None:
            self.refresh()
            self._messages.say(tr("Demo deleted."), button=tr("Undo"), action=lambda: self.restore(demo_id))

        self._do(lambda: self._library.delete_demo(demo_id), done)

    def restore(self, demo_id: str) -> None:
        """Put a deleted demo back on the list."""

        def done(_: object) -> None:
            self.refresh(select=demo_id)
            if self._page.showing_deleted:
                self._messages.say(tr("Demo restored."))

        self._do(lambda: self._library.restore_demo(demo_id), done)

    def join(self, take_id: str) -> None:
        """Put a take in the place of its demo's old end, and show the demo there."""

        def work() -> tuple[str, int, str]:
            head = self._library.demo(take_id).head
            edit = join_retake(self._library, take_id)
            steps = [step.id for step in self._library.demo(head.take_of).steps]
            number = steps.index(head.take_after) + 2 if head.take_after in steps else 1
            return head.take_of, number, edit.label

        def done(joined: tuple[str, int, str]) -> None:
            demo_id, number, words = joined
            self.refresh(select=demo_id)
            self.open_wanted.emit(demo_id, number)
            self._messages.say(tr("{words}: done. One undo brings the old steps back.").format(words=words))

        self._do(work, done)

    def _count(self) -> None:
        """The figures of the library; with thousands of demos it takes a while and can be cancelled."""
        # Imported here, because the first window needs none of it.
        from annotator.finding.statistics import library_statistics

        def fail(error: Exception) -> None:
            self._page.close_statistics()
            self._messages.show_error(error)

        self._operations.run(
            tr("Counting the library"),
            lambda control: library_statistics(self._library, control=control),
            on_result=self._page.figures.show_statistics,
            on_error=fail,
            on_progress=lambda progress: self._page.figures.show_waiting(
                tr("Counting: {done} of {total} demos").format(done=progress.done, total=progress.total)
            ),
        )

    def _free(self, take_id: str) -> None:
        def done(_: object) -> None:
            self.refresh(select=take_id)

        self._do(lambda: free_retake(self._library, take_id), done)

    def _erase(self, demo_id: str) -> None:
        summary = self._page.summary(demo_id)
        if summary is None or not self.consent(self._page.window(), summary):
            return

        def done(_: object) -> None:
            self.refresh()
            self._messages.say(tr("Demo erased for good."))

        self._do(lambda: self._library.erase_demo(demo_id), done)

    def _do(self, work: Callable[[], object], done: Callable[..., None]) -> None:
        self._operations.start(work, on_result=done, lane="library")

    def _refresh_if_shown(self) -> None:
        if self._page.isVisible():
            self.refresh()


def _import(paths: Sequence[Path], library: Library, control: JobControl) -> ImportReport:
    from demopack.pack.import_demos import import_demos

    return import_demos(paths, library, control=control)


class DropImports(QObject):
    """Takes files and folders that are dropped on a page, and imports them beside the window's thread.

    Attributes:
        work: imports; tests put their own in its place.
    """

    def __init__(
        self, library: Library, page: QWidget, *, operations: Operations, messages: Messages, done: Callable[[], object]
    ) -> None:
        """Listen to a page.

        Args:
            library: where the demos go.
            page: what things are dropped on.
            operations: runs the import, with progress and cancel.
            messages: says what came of it.
            done: called when demos were stored.
        """
        super().__init__(page)
        self.work: Callable[[Sequence[Path], Library, JobControl], ImportReport] = _import
        self._library, self._operations, self._messages, self._done = library, operations, messages, done
        page.setAcceptDrops(True)
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: files are dragged over the page, or dropped."""
        if isinstance(event, QDragEnterEvent) and _paths(event.mimeData()):
            event.acceptProposedAction()
            return True
        if isinstance(event, QDropEvent) and (paths := _paths(event.mimeData())):
            event.acceptProposedAction()
            self.take(paths)
            return True
        return super().eventFilter(watched, event)

    def take(self, paths: Sequence[Path]) -> None:
        """Import these."""

        def show(report: ImportReport) -> None:
            self._done()
            self._messages.say(import_words(report))

        self._operations.run(tr("Importing"), lambda control: self.work(paths, self._library, control), on_result=show)


def import_words(report: ImportReport) -> str:
    """What came of an import, in a sentence; how to see what was assumed."""
    count, assumed = len(report.demos), sum(len(demo.assumed) for demo in report.demos)
    if not count:
        return tr("There was no demo in it.")
    words = tr("1 demo imported.") if count == 1 else tr("{count} demos imported.").format(count=count)
    if not assumed:
        return words
    return tr("{words} Some things were assumed; “demopack import --dry-run” lists them.").format(words=words)


def _paths(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
