"""What is done with whole demos: read the list, delete, restore, erase for good, join takes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from annotator.ui.job_runner import JobRunner
from annotator.ui.library.page import LibraryPage
from annotator.ui.messages import Messages
from annotator.words import tr
from demopack.domain.demos import DemoSummary
from demopack.store import Library
from demopack.store.joined import recently_deleted
from demopack.store.takes import free_take, join_take

__all__ = ["LibraryActions", "ask_to_erase"]

_REFRESH_MS = 400


def ask_to_erase(parent: QWidget, summary: DemoSummary) -> bool:
    """Ask for the person's consent: this is the one thing that cannot be taken back."""
    steps = tr("1 step") if summary.steps == 1 else tr("{steps} steps").format(steps=summary.steps)
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(tr("Erase for good"))
    box.setText(tr("Erase “{value}” for good?").format(value=summary.head.task or tr("No task written")))
    box.setInformativeText(
        tr(
            "Its {steps} and every picture that no other demo shows are removed from the disk. "
            "Nothing can bring them back."
        ).format(steps=steps)
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

    def __init__(self, library: Library, page: LibraryPage, *, runner: JobRunner, messages: Messages) -> None:
        super().__init__(page)
        self.consent: Callable[[QWidget, DemoSummary], bool] = ask_to_erase
        self._library = library
        self._page = page
        self._runner = runner
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

        self._runner.newest("demos", read, on_result=show, on_error=self._messages.show_error)

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
            edit = join_take(self._library, take_id)
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
        from annotator.finding.gathering import library_statistics

        def fail(error: Exception) -> None:
            self._page.close_statistics()
            self._messages.show_error(error)

        self._runner.run(
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

        self._do(lambda: free_take(self._library, take_id), done)

    def _erase(self, demo_id: str) -> None:
        summary = self._page.summary(demo_id)
        if summary is None or not self.consent(self._page.window(), summary):
            return

        def done(_: object) -> None:
            self.refresh()
            self._messages.say(tr("Demo erased for good."))

        self._do(lambda: self._library.erase_demo(demo_id), done)

    def _do(self, work: Callable[[], object], done: Callable[..., None]) -> None:
        self._runner.submit(work, on_result=done, on_error=self._messages.show_error)

    def _refresh_if_shown(self) -> None:
        if self._page.isVisible():
            self.refresh()
