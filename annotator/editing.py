"""Edit session: carries commands out, on the document at once, in the library's log in order; and watches that log.

The log is the undo stack (see ``docs/adr/0004-editor-structure.md``): undo and redo ask the library what to take back,
so they reach back to the first edit ever made, also over restarts. Everything that touches the library runs on the
store's one thread, so the log has the order in which a person acted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Literal, Protocol, TypeVar

from annotator.commands import Command
from annotator.document import Document
from annotator.signals import Signal, close_signals
from annotator.words import tr
from demopack.domain.demos import Demo
from demopack.domain.edits import Change, Edit, LogEntry, net_changes
from demopack.domain.words import shorten
from demopack.errors import DemopackError
from demopack.store import Library

T = TypeVar("T")
Rewrite = Literal["defaults", "tracks", "reading"]
REWRITES: Final[tuple[Rewrite, ...]] = ("defaults", "tracks", "reading")
"""A type brings its usual states along; then it goes to all pictures of an element; then the edit is made readable."""
EditKind = Literal["done", "undone", "redone"]
_Labels = tuple[str | None, str | None]


class Store(Protocol):
    """One thread that does what it is given in order, and answers on the caller's thread."""

    def submit(
        self, work: Callable[[], T], *, on_result: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Do ``work`` later; then one of the two is called."""
        ...


class AppliedEdits:
    """How far the log is in a document: everything up to a position, and some entries behind it.

    Attributes:
        seen: everything up to here is in the document.
        own: entries behind ``seen`` that are in it too, because they were written with it; others lie between.
    """

    def __init__(self, seen: int) -> None:
        self.seen = seen
        self.own: set[int] = set()

    def wrote(self, seqs: Sequence[int]) -> None:
        """These entries are in the document now."""
        self.own.update(seqs)
        while self.seen + 1 in self.own:
            self.seen += 1
            self.own.discard(self.seen)

    def saw(self, seq: int) -> None:
        """Everything up to a position is in the document now."""
        self.seen = max(self.seen, seq)
        self.own = {one for one in self.own if one > self.seen}
        self.wrote(())


class EditSession:
    """One open demo: its document, and the way every change of it takes.

    Attributes:
        document: what the views show.
        library: where the demo lives.
        demo_id: which demo.
        store: the one thread that works with the library.
        edited: an edit, and whether it was just done, taken back or done again.
        labels_changed: what undo and redo would do next; None where there is nothing.
        saved_changed: when ``saved`` changed.
        logged: the log has grown, by this session or by somebody else.
        others_edited: what another process has done, once it was looked for; the document shows it already.
        failed: an error to show; the document agrees with the library again.
        closed: whether nobody looks at it any more.
    """

    def __init__(self, library: Library, demo: Demo, store: Store) -> None:
        self.document = Document(demo)
        self.edited: Signal[Edit, EditKind] = Signal()
        self.labels_changed: Signal[str | None, str | None] = Signal()
        self.saved_changed: Signal[[]] = Signal()
        self.logged: Signal[[]] = Signal()
        self.others_edited: Signal[Sequence[LogEntry]] = Signal()
        self.failed: Signal[Exception] = Signal()
        self._rewrites: dict[Rewrite, Callable[[Command], Command]] = {}
        self.library = library
        self.demo_id = demo.head.id
        self.store = store
        self._writing = 0
        self._stepping = False
        self._waiting: deque[Callable[[], None]] = deque()
        self._edits = 0
        self.closed = False
        self._reach = AppliedEdits(demo.log_seq)
        self._looking = False
        self._erasures: str | None = None

    @property
    def saved(self) -> bool:
        """Whether everything is written to the library."""
        return self._writing == 0 and not self._waiting

    def do(self, command: Command) -> None:
        """Carry a command out; while an undo is under way it waits for its turn."""
        for name in REWRITES:
            if name in self._rewrites:
                command = self._rewrites[name](command)
        if self._stepping:
            self._waiting.append(lambda: self._do(command))
            return
        self._do(command)

    def set_rewrite(self, name: Rewrite, rewrite: Callable[[Command], Command]) -> None:
        """Let every command go through this before it is carried out, in the order of ``REWRITES``."""
        self._rewrites[name] = rewrite

    def undo(self) -> None:
        """Take back the last edit, or the last gesture."""
        self._step(self.library.log.undo, back=True)

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._step(self.library.log.redo, back=False)

    def refresh_labels(self) -> None:
        """Ask the log what undo and redo would do; the answer comes through ``labels_changed``."""
        # A label that could not be read is no harm: the same trouble shows at the next edit.
        self.store.submit(
            lambda: self.library.log.labels(self.demo_id), on_result=self._tell_labels, on_error=lambda _: None
        )

    def reload(self) -> None:
        """Read the demo again, after something else wrote to it; edits made meanwhile are kept."""
        seen = self._edits

        def show(demo: Demo) -> None:
            if self.closed:
                return
            if self._edits != seen or self._stepping:
                self.reload()
                return
            self.document.load(demo)
            self._reach.saw(demo.log_seq)
            self.logged.emit()

        self.store.submit(lambda: self.library.demo(self.demo_id), on_result=show, on_error=self.failed.emit)
        self.refresh_labels()

    # Walking along the log ------------------------------------------------------------------------------------

    def hold(self, ready: Callable[[], None]) -> None:
        """Keep everything back that is asked for from now on, and call ``ready`` when all before it is written."""
        self._alone(lambda: self.store.submit(lambda: None, on_result=lambda _: ready(), on_error=lambda _: ready()))

    def follow(self, changes: Sequence[Change], seqs: Sequence[int]) -> None:
        """Show what was written to the log, but not through this session; the entries are those of ``seqs``."""
        self._reach.wrote(seqs)
        self._edits += 1
        self._show(_ready(changes))
        self.logged.emit()

    def release(self) -> None:
        """Go on with what was kept back."""
        self._go_on()
        self._end()
        self.refresh_labels()

    def close(self) -> None:
        """Tell nobody anything any more, nor does the document; what was begun is still written."""
        self.closed = True
        close_signals(self)
        close_signals(self.document)

    # What others write ----------------------------------------------------------------------------------------

    def look(self) -> None:
        """Take in what is new in the log; cheap enough to be asked every second.

        While edits of our own are under way nothing is taken in: the next look finds both.
        """
        if self._looking or self.closed or not self.saved:
            return
        self._looking = True
        seen = self._reach.seen

        def read() -> tuple[str, list[LogEntry]]:
            return self.library.log.erasures(), self.library.log.entries(self.demo_id, after=seen)

        def show(found: tuple[str, list[LogEntry]]) -> None:
            self._looking = False
            erasures, entries = found
            if self._erasures is not None and erasures != self._erasures and not self.closed:
                # Something was forgotten for good: places in the log may mean other entries now.
                self._reach = AppliedEdits(0)
                self.reload()
            elif entries and not self.closed and self.saved and self._reach.seen == seen:
                self._take_in(entries)
            self._erasures = erasures

        def fail(_: Exception) -> None:
            # A demo that cannot be read any more says so at the next edit.
            self._looking = False

        self.store.submit(read, on_result=show, on_error=fail)

    def _take_in(self, entries: Sequence[LogEntry]) -> None:
        own = [entry for entry in entries if entry.seq in self._reach.own]
        news = [entry for entry in entries if entry.seq not in self._reach.own]
        if _touched(own) & _touched(news):
            # Ours and theirs lie in turns on one thing: only the library knows how it ends.
            self.reload()
        else:
            self.follow([c for entry in news for c in entry.changes], [entry.seq for entry in news])
        self.refresh_labels()
        others = [entry for entry in news if not self.library.log.is_mine(self.demo_id, entry.seq)]
        if others:
            self.others_edited.emit(others)

    # ----------------------------------------------------------------------------------------------------------

    def _do(self, command: Command) -> None:
        try:
            edit = command.edit(self.document)
        except DemopackError as error:
            self.failed.emit(error)
            return
        if edit is None:
            return
        self._edits += 1
        self.document.apply(edit.changes)
        self.edited.emit(edit, "done")
        self._begin()

        def write() -> tuple[list[int], _Labels]:
            seq = self.library.commit(self.demo_id, edit)
            return [seq], self.library.log.labels(self.demo_id)

        self.store.submit(write, on_result=lambda done: self._written(*done), on_error=self._not_written)

    def _step(self, work: Callable[[str], list[LogEntry]], *, back: bool) -> None:
        def step() -> tuple[list[LogEntry], list[Change], _Labels]:
            entries = work(self.demo_id)
            changes = _ready([change for entry in entries for change in entry.changes])
            return entries, changes, self.library.log.labels(self.demo_id)

        def show(done: tuple[list[LogEntry], list[Change], _Labels]) -> None:
            entries, changes, labels = done
            self._edits += len(entries)
            if self._show(changes) and entries:
                self.edited.emit(entries[-1].edit, "undone" if back else "redone")
            self._go_on()
            self._written([entry.seq for entry in entries], labels)

        def fail(error: Exception) -> None:
            self._go_on()
            self._not_written(error)

        self._alone(lambda: self.store.submit(step, on_result=show, on_error=fail))

    def _alone(self, start: Callable[[], None]) -> None:
        """Begin something that holds everything else back, once it has its turn."""
        if self._stepping:
            self._waiting.append(lambda: self._alone(start))
            return
        self._stepping = True
        self._begin()
        start()

    def _show(self, changes: Sequence[Change]) -> bool:
        """Bring changes that the log has into the document; False where they do not fit and all is read again."""
        try:
            self.document.apply(changes)
        except KeyError:
            # An edit before this one could not be written, so the document shows something that the log never had.
            self.reload()
            return False
        return True

    def _go_on(self) -> None:
        self._stepping = False
        while self._waiting and not self._stepping:
            self._waiting.popleft()()

    def _begin(self) -> None:
        self._writing += 1
        if self._writing == 1:
            self.saved_changed.emit()

    def _end(self) -> None:
        self._writing -= 1
        if self.saved:
            self.saved_changed.emit()

    def _written(self, seqs: Sequence[int], labels: _Labels) -> None:
        self._reach.wrote(seqs)
        self._end()
        self._tell_labels(labels)
        self.logged.emit()

    def _not_written(self, error: Exception) -> None:
        """The document ran ahead of the log: what is shown must be what is stored."""
        self._end()
        self.failed.emit(error)
        self.reload()

    def _tell_labels(self, labels: _Labels) -> None:
        self.labels_changed.emit(*labels)


def _ready(changes: Sequence[Change]) -> list[Change]:
    """What they come to, with the values read that a document takes over: done where nobody waits for it."""
    found = net_changes(changes)
    for change in found:
        _ = change.was if change.after is None else change.becomes
    return found


def _touched(entries: Sequence[LogEntry]) -> set[tuple[str, str]]:
    return {(change.kind, change.key) for entry in entries for change in entry.edit.changes}


def others_words(entries: Sequence[LogEntry]) -> str:
    """One sentence about what another window did."""
    last = entries[-1]
    label = shorten(last.edit.label, 60)
    if len(entries) > 1:
        several = tr("Another window changed this demo {count} times, last: “{label}”. You see it here.")
        return several.format(count=len(entries), label=label)
    words = {
        "do": tr("Another window changed this demo: “{label}”. You see it here."),
        "undo": tr("Another window took “{label}” back. You see it here."),
        "redo": tr("Another window did “{label}” again. You see it here."),
    }
    return words[last.op].format(label=label)
