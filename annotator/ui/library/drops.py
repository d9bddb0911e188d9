"""What is dropped on the library is imported: packs, and demos of other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from annotator.ui.job_runner import JobRunner
from annotator.ui.messages import Messages
from annotator.words import tr
from demopack.jobs import JobControl
from demopack.store import Library

if TYPE_CHECKING:
    from demopack.importing.report import ImportReport

__all__ = ["DropImports", "said_of"]


def _import(paths: Sequence[Path], library: Library, control: JobControl) -> ImportReport:
    from demopack.importing.run import import_demos

    return import_demos(paths, library, control=control)


class DropImports(QObject):
    """Takes files and folders that are dropped on a page, and imports them beside the window's thread.

    Attributes:
        work: imports; tests put their own in its place.
    """

    def __init__(
        self, library: Library, page: QWidget, *, runner: JobRunner, messages: Messages, done: Callable[[], object]
    ) -> None:
        """Listen to a page.

        Args:
            library: where the demos go.
            page: what things are dropped on.
            runner: runs the import, with progress and cancel.
            messages: says what came of it.
            done: called when demos were stored.
        """
        super().__init__(page)
        self.work: Callable[[Sequence[Path], Library, JobControl], ImportReport] = _import
        self._library, self._runner, self._messages, self._done = library, runner, messages, done
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
            self._messages.say(said_of(report))

        self._runner.run(
            tr("Importing"),
            lambda control: self.work(paths, self._library, control),
            on_result=show,
            on_error=self._messages.show_error,
        )


def said_of(report: ImportReport) -> str:
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
