"""Carries commands out: on the document at once, in the library's log in order.

The log is the undo stack (see ``docs/adr/0004-editor-structure.md``): undo and redo ask the library what to take back,
so they reach back to the first edit ever made, also over restarts. Everything that touches the library runs on the
store's one thread, so the log has the order in which a person acted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Literal, Protocol, TypeVar

from annotator.commands import Command
from annotator.document import Document
from annotator.signals import Signal
from demopack.domain.demos import Demo
from demopack.domain.edits import Edit
from demopack.errors import DemopackError
from demopack.store import Library

__all__ = ["EditKind", "EditSession", "Store"]

T = TypeVar("T")
EditKind = Literal["done", "undone", "redone"]


class Store(Protocol):
    """One thread that does what it is given in order, and answers on the caller's thread."""

    def submit(
        self, work: Callable[[], T], *, on_result: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Do ``work`` later; then one of the two is called."""
        ...


class EditSession:
    """One open demo: its document, and the way every change of it takes.

    Attributes:
        document: what the views show.
        edited: an edit, and whether it was just done, taken back or done again.
        labels_changed: what undo and redo would do next; None where there is nothing.
        saved_changed: when ``saved`` changed.
        failed: an error to show; the document agrees with the library again.
    """

    def __init__(self, library: Library, demo: Demo, store: Store) -> None:
        self.document = Document(demo)
        self.edited: Signal[Edit, EditKind] = Signal()
        self.labels_changed: Signal[str | None, str | None] = Signal()
        self.saved_changed: Signal[[]] = Signal()
        self.failed: Signal[Exception] = Signal()
        self._library = library
        self._demo_id = demo.head.id
        self._store = store
        self._writing = 0
        self._stepping = False
        self._waiting: deque[Callable[[], None]] = deque()
        self._edits = 0
        self._closed = False

    @property
    def demo_id(self) -> str:
        """Which demo."""
        return self._demo_id

    @property
    def library(self) -> Library:
        """Where the demo lives."""
        return self._library

    @property
    def closed(self) -> bool:
        """Whether nobody looks at it any more."""
        return self._closed

    @property
    def saved(self) -> bool:
        """Whether everything is written to the library."""
        return self._writing == 0 and not self._waiting

    def do(self, command: Command) -> None:
        """Carry a command out; while an undo is under way it waits for its turn."""
        if self._stepping:
            self._waiting.append(lambda: self._do(command))
            return
        self._do(command)

    def undo(self) -> None:
        """Take back the last edit, or the last gesture."""
        self._step(self._library.undo, back=True)

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._step(self._library.redo, back=False)

    def refresh_labels(self) -> None:
        """Ask the log what undo and redo would do; the answer comes through ``labels_changed``."""
        self._store.submit(
            lambda: self._library.undo_labels(self._demo_id), on_result=self._tell_labels, on_error=self._ignore
        )

    def reload(self) -> None:
        """Read the demo again, after something else wrote to it; edits made meanwhile are kept."""
        seen = self._edits

        def show(demo: Demo) -> None:
            if self._closed:
                return
            if self._edits != seen or self._stepping:
                self.reload()
                return
            self.document.load(demo)

        self._store.submit(lambda: self._library.demo(self._demo_id), on_result=show, on_error=self._tell)
        self.refresh_labels()

    def close(self) -> None:
        """Tell nobody anything any more; what was begun is still written."""
        self._closed = True

    # ----------------------------------------------------------------------------------------------------------

    def _do(self, command: Command) -> None:
        try:
            edit = command.edit(self.document)
        except DemopackError as error:
            self._tell(error)
            return
        if edit is None:
            return
        self._edits += 1
        self.document.apply(edit.changes)
        self.edited.emit(edit, "done")
        self._begin()

        def write() -> tuple[str | None, str | None]:
            self._library.commit(self._demo_id, edit)
            return self._library.undo_labels(self._demo_id)

        self._store.submit(write, on_result=self._written, on_error=self._not_written)

    def _step(self, work: Callable[[str], list[Edit]], *, back: bool) -> None:
        if self._stepping:
            self._waiting.append(lambda: self._step(work, back=back))
            return
        self._stepping = True
        self._begin()

        def step() -> tuple[list[Edit], tuple[str | None, str | None]]:
            return work(self._demo_id), self._library.undo_labels(self._demo_id)

        def show(done: tuple[list[Edit], tuple[str | None, str | None]]) -> None:
            edits, labels = done
            self._edits += len(edits)
            self._follow(edits, back=back)
            self._go_on()
            self._written(labels)

        def fail(error: Exception) -> None:
            self._go_on()
            self._not_written(error)

        self._store.submit(step, on_result=show, on_error=fail)

    def _follow(self, edits: list[Edit], *, back: bool) -> None:
        try:
            for edit in edits:
                changes = [change.reversed() for change in reversed(edit.changes)] if back else list(edit.changes)
                self.document.apply(changes)
        except KeyError:
            # An edit before this one could not be written, so the document shows something that the log never had.
            self.reload()
            return
        for edit in edits[-1:]:
            self.edited.emit(edit, "undone" if back else "redone")

    def _go_on(self) -> None:
        self._stepping = False
        while self._waiting and not self._stepping:
            self._waiting.popleft()()

    def _begin(self) -> None:
        self._writing += 1
        if self._writing == 1 and not self._closed:
            self.saved_changed.emit()

    def _end(self) -> None:
        self._writing -= 1
        if self.saved and not self._closed:
            self.saved_changed.emit()

    def _written(self, labels: tuple[str | None, str | None]) -> None:
        self._end()
        self._tell_labels(labels)

    def _not_written(self, error: Exception) -> None:
        """The document ran ahead of the log: what is shown must be what is stored."""
        self._end()
        self._tell(error)
        self.reload()

    def _tell_labels(self, labels: tuple[str | None, str | None]) -> None:
        if not self._closed:
            self.labels_changed.emit(*labels)

    def _tell(self, error: Exception) -> None:
        if not self._closed:
            self.failed.emit(error)

    def _ignore(self, error: Exception) -> None:
        """A label that could not be read is no harm: the same trouble shows at the next edit."""
        del error
