"""Going to any point of the history as one job (ADR 0027), and bringing what was changed into view."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeVar

from annotator.editing import EditSession
from annotator.history.changes import ChangedRecord
from annotator.view_state import ViewState, show_frame
from annotator.words import tr
from demopack.domain.edits import Change, Edit, net_changes
from demopack.domain.elements import Element
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.domain.words import shorten
from demopack.jobs import JobControl, Progress
from demopack.store import CheckoutPath

T = TypeVar("T")
_EDITS_PER_TRANSACTION: Final = 40
"""Edits in one transaction: a commit costs more than an edit, and cancelling must not wait long."""


class Runner(Protocol):
    """What a jump needs of ``annotator.ui.operations.Operations``."""

    def run(
        self,
        title: str,
        work: Callable[[JobControl], T],
        *,
        on_result: Callable[[T], None],
        on_error: Callable[[Exception], None],
        on_progress: Callable[[Progress], None] | None = None,
        on_end: Callable[[], None] | None = None,
    ) -> object:
        """Start a job that the user can watch and cancel."""
        ...


class Jump:
    """The work of one jump, in a thread of its own; what it did is collected until the window's thread fetches it."""

    def __init__(self, session: EditSession, seq: int, label: str) -> None:
        self._log = session.library.log
        self._library, self._demo, self._seq, self._label = session.library, session.demo_id, seq, label
        self._done: deque[tuple[Sequence[Change], Sequence[int]]] = deque()

    def work(self, control: JobControl) -> int:
        """Go there; returns how many edits were taken back or applied.

        Raises:
            CancelledError: at the point that was reached by then.
            LibraryError: somebody else edits the demo meanwhile.
        """
        way = self._log.path_to(self._demo, self._seq)
        if way.depth is None:
            control.report(Progress(done=0, total=way.steps))
            return self._restore(way)
        return self._walk(way, way.depth, control)

    def take(self) -> tuple[list[Change], list[int]]:
        """What was done since this was asked last: changes and their places in the log."""
        changes: list[Change] = []
        seqs: list[int] = []
        while self._done:
            more, at = self._done.popleft()
            changes += more
            seqs += at
        return net_changes(changes), seqs

    def _walk(self, way: CheckoutPath, depth: int, control: JobControl) -> int:
        seq, done = way.seq, 0
        while done < way.steps:
            control.token.check()
            entries = self._log.checkout(self._demo, depth, seq=seq, limit=_EDITS_PER_TRANSACTION)
            changes = net_changes(change for entry in entries for change in entry.changes)
            self._done.append((changes, [entry.seq for entry in entries]))
            seq, done = seq + len(entries), done + len(entries)
            control.report(Progress(done=done, total=way.steps))
        return done

    def _restore(self, way: CheckoutPath) -> int:
        changes = self._log.changes_to(self._demo, self._seq)
        if changes:
            label = tr("Return to “{label}”").format(label=shorten(self._label, 60))
            edit = Edit(id=new_id("edit"), label=label, changes=tuple(changes), provenance=by_human())
            seq = self._library.commit(self._demo, edit)
            self._done.append((changes, [seq]))
        return way.steps


class Jumper:
    """Starts jumps of one session, one at a time.

    Attributes:
        going: whether a jump is under way.
    """

    def __init__(self, session: EditSession, runner: Runner) -> None:
        self._session = session
        self._runner = runner
        self.going = False

    def go(self, seq: int, label: str, *, arrived: Callable[[int], None]) -> None:
        """Go to the state right after an entry of the log; 0 is the demo before its first edit.

        Args:
            seq: which entry; it must be one that made an edit.
            label: what was done there, in the words of the history.
            arrived: called with the number of edits that were taken back or applied; not after a cancelled jump.
        """
        if self.going:
            return
        self.going = True
        self._session.hold(lambda: self._start(Jump(self._session, seq, label), arrived))

    def _start(self, jump: Jump, arrived: Callable[[int], None]) -> None:
        session = self._session

        def show() -> None:
            changes, seqs = jump.take()
            if seqs:
                session.follow(changes, seqs)

        def end() -> None:
            show()
            self.going = False
            session.release()

        def tell(steps: int) -> None:
            show()
            arrived(steps)

        self._runner.run(
            tr("Going through the history"),
            jump.work,
            on_result=tell,
            on_error=session.failed.emit,
            on_progress=lambda _: show(),
            on_end=end,
        )


def show_first(view: ViewState, changes: tuple[Change, ...]) -> bool:
    """Show what the first change is about that is about something on a picture; False where there is none."""
    return any(show_change(view, change) for change in changes)


def show_change(view: ViewState, change: Change) -> bool:
    """Show what a change is about; False for the demo as a whole, and where nothing is left to show it on."""
    entity = change.becomes or change.was
    if isinstance(entity, Element):
        return _show_element(view, entity.uid, entity.frame)
    if isinstance(entity, Step):
        # A step that is gone: where it was.
        return _show_step(view, entity.id, gone=sum(step.position < entity.position for step in view.document.steps))
    return change.kind == "parsed" and show_frame(view, change.key)


def show_changed(view: ViewState, changed: ChangedRecord) -> bool:
    """As :func:`show_change`, for a thing of the list of what changed."""
    if changed.kind == "element":
        return _show_element(view, changed.key, changed.frame)
    if changed.kind == "step":
        return _show_step(view, changed.key, gone=max(changed.place - 1, 0))
    return changed.kind == "parsed" and show_frame(view, changed.key)


def _show_element(view: ViewState, uid: str, frame: str) -> bool:
    element = view.document.element(uid)
    if not show_frame(view, frame if element is None else element.frame):
        return False
    view.select((uid,))
    return True


def _show_step(view: ViewState, step_id: str, *, gone: int) -> bool:
    if not view.document.steps:
        return False
    index = view.document.index_of(step_id)
    view.peek(None)
    view.go_to(gone if index is None else index)
    return True
