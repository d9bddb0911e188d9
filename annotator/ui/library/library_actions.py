"""Actions on whole demos: the list, open, delete, restore, erase for good, join takes, import what is dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox, QWidget

from annotator.replay_words import title_words
from annotator.ui.library.library_page import LibraryPage
from annotator.ui.messages import Messages
from annotator.ui.operations import Operations
from annotator.ui.recording.recording_words import count_steps
from annotator.words import tr
from demopack.domain.demos import DemoHead, DemoSummary
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
    box.setText(tr("Erase “{value}” for good?").format(value=title_words(summary.head) or tr("No task written")))
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
    """Keeps the library page up to date, does what is asked for there, and imports what is dropped on it.

    Attributes:
        consent: asks before something is erased for good.

    Signals:
        open_wanted: id of a demo to show, and the number of a step; 0 for none.
        replay_wanted: id of a demo that is to be done again on the screen.
    """

    open_wanted = Signal(str, int)
    replay_wanted = Signal(str)

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
        self._soon.timeout.connect(lambda: self.refresh() if page.isVisible() else None)
        for part in (page.cards, page.selection_bar):
            part.acted.connect(self._act)
        page.deleted_toggled.connect(self.refresh)
        page.statistics_wanted.connect(self._count)
        page.setAcceptDrops(True)
        page.installEventFilter(self)

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

    def _act(self, name: str, demo_id: str) -> None:
        """Do what an offer says."""
        calls: dict[str, Callable[[str], None]] = {
            "open": lambda demo: self.open_wanted.emit(demo, 0),
            "replay": self.replay_wanted.emit,
            "delete": self.delete,
            "restore": self._restore,
            "erase": self._erase,
            "join": self.join,
            "free": lambda demo: self._do(lambda: free_retake(self._library, demo), select=demo),
        }
        calls[name](demo_id)

    def delete(self, demo_id: str) -> None:
        """Take a demo off the list; the message has the way back."""

        def say() -> None:
            self._messages.say(tr("Demo deleted."), button=tr("Undo"), action=lambda: self._restore(demo_id))

        self._do(lambda: self._library.delete_demo(demo_id), say=say)

    def _restore(self, demo_id: str) -> None:
        """Put a deleted demo back on the list."""

        def say() -> None:
            if self._page.showing_deleted:
                self._messages.say(tr("Demo restored."))

        self._do(lambda: self._library.restore_demo(demo_id), select=demo_id, say=say)

    def _erase(self, demo_id: str) -> None:
        from tasks.forgetting import erase_demo

        summary = self._page.summary(demo_id)
        if summary is not None and self.consent(self._page.window(), summary):
            said = tr("Demo erased for good.")
            self._do(lambda: erase_demo(self._library, demo_id), say=lambda: self._messages.say(said))

    def _do(
        self, work: Callable[[], object], *, select: str | None = None, say: Callable[[], None] = lambda: None
    ) -> None:
        def done(_: object) -> None:
            self.refresh(select=select)
            say()

        self._operations.start(work, on_result=done, lane="library")

    # Takes ----------------------------------------------------------------------------------------------------

    def settle(self, demo_id: str) -> None:
        """A recording is saved: show a demo, join a take to its demo's end.

        A take that was cut off waits in the list for a person's word.
        """

        def look() -> tuple[DemoHead, bool]:
            demo = self._library.demo(demo_id)
            empty = all(step.action.action_type == "finish_goal" for step in demo.steps)
            if demo.head.take_of and empty:
                self._library.delete_demo(demo_id)
            return demo.head, empty

        def go_on(found: tuple[DemoHead, bool]) -> None:
            head, empty = found
            if head.take_of and not empty and head.status == "complete":
                self.join(demo_id)
                return
            self.refresh(select=head.take_of or demo_id)
            if not head.take_of:
                self.open_wanted.emit(demo_id, 0)
            elif empty:
                self._messages.say(tr("Nothing was recorded; the demo is as it was."))
            else:
                self._messages.say(
                    tr("The recording was cut off. The demo is as it was, the take is in the library."),
                    button=tr("Join"),
                    action=lambda: self.join(demo_id),
                )

        self._operations.start(look, on_result=go_on, lane="library")

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

        self._operations.start(work, on_result=done, lane="library")

    # Slow things ----------------------------------------------------------------------------------------------

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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: files are dragged over the page, or dropped."""
        # Qt's events of entering and moving are drops, too, by their class.
        if isinstance(event, QDropEvent):
            paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
            if paths:
                event.acceptProposedAction()
                if event.type() == QEvent.Type.Drop:
                    self._import(paths)
                return True
        return super().eventFilter(watched, event)

    def _import(self, paths: Sequence[Path]) -> None:
        def work(control: JobControl) -> ImportReport:
            from demopack.pack.import_demos import import_demos

            return import_demos(paths, self._library, control=control.wordless())

        def show(report: ImportReport) -> None:
            self.refresh()
            self._messages.say(_import_words(report))

        self._operations.run(tr("Importing"), work, on_result=show)


def _import_words(report: ImportReport) -> str:
    """What came of an import, in a sentence; how to see what was assumed."""
    count, assumed = len(report.demos), sum(len(demo.assumed) for demo in report.demos)
    if not count:
        return tr("There was no demo in it.")
    words = tr("1 demo imported.") if count == 1 else tr("{count} demos imported.").format(count=count)
    if not assumed:
        return words
    return tr("{words} Some things were assumed; “demopack import --dry-run” lists them.").format(words=words)
