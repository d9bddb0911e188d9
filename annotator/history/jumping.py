"""Going to any point of the history as one job (ADR 0027), and bringing what was changed into view."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from annotator.commands import make_edit
from annotator.editing import EditSession
from annotator.view_state import ViewState, show_frame
from annotator.words import tr
from demopack.domain.edits import Change, net_changes
from demopack.domain.elements import Element
from demopack.domain.steps import Step
from demopack.domain.words import shorten
from demopack.jobs import JobControl, Progress

_EDITS_PER_TRANSACTION: Final = 40
"""Edits in one transaction: a commit costs more than an edit, and cancelling must not wait long."""


class Jumper:
    """Starts jumps of one session, one at a time.

    Attributes:
        going: whether a jump is under way.
    """

    def __init__(self, session: EditSession, run: Callable[..., object]) -> None:
        """Jump with ``run``, which starts a job as ``annotator.ui.operations.Operations.run`` does."""
        self._session = session
        self._run = run
        self.going = False

    def go(self, seq: int, label: str, *, arrived: Callable[[int], None]) -> None:
        """Go to the state right after an entry of the log; 0 is the demo before its first edit.

        Args:
            seq: which entry; it must be one that made an edit.
            label: what was done there, in the words of the history.
            arrived: called with the number of edits that were taken back or applied; not after a cancelled jump.
        """
        if not self.going:
            self.going = True
            self._session.hold(lambda: self._start(seq, label, arrived))

    def _start(self, seq: int, label: str, arrived: Callable[[int], None]) -> None:
        session = self._session
        # What the job did, collected until the window's thread fetches it: changes and their places in the log.
        walked: deque[tuple[Sequence[Change], Sequence[int]]] = deque()

        def show() -> None:
            changes: list[Change] = []
            seqs: list[int] = []
            while walked:
                more, at = walked.popleft()
                changes += more
                seqs += at
            if seqs:
                session.follow(net_changes(changes), seqs)

        def seen(_: Progress) -> None:
            show()

        def end() -> None:
            show()
            self.going = False
            session.release()

        def tell(steps: int) -> None:
            show()
            arrived(steps)

        def work(control: JobControl) -> int:
            return _jump(session, seq, label, control, lambda changes, seqs: walked.append((changes, seqs)))

        self._run(
            tr("Going through the history"),
            work,
            on_result=tell,
            on_error=session.failed.emit,
            on_progress=seen,
            on_end=end,
        )


def _jump(
    session: EditSession,
    seq: int,
    label: str,
    control: JobControl,
    done: Callable[[Sequence[Change], Sequence[int]], None],
) -> int:
    """Go there, and tell what was ``done``; returns how many edits were taken back or applied.

    Raises:
        CancelledError: at the point that was reached by then.
        LibraryError: somebody else edits the demo meanwhile.
    """
    log, demo = session.library.log, session.demo_id
    way = log.path_to(demo, seq)
    if way.depth is None:
        control.report(Progress(done=0, total=way.steps))
        changes = log.changes_to(demo, seq)
        edit = make_edit(tr("Return to “{label}”").format(label=shorten(label, 60)), changes)
        if edit is not None:
            done(changes, [session.library.commit(demo, edit)])
        return way.steps
    at, steps = way.seq, 0
    while steps < way.steps:
        control.token.check()
        entries = log.checkout(demo, way.depth, seq=at, limit=_EDITS_PER_TRANSACTION)
        changes = net_changes(change for entry in entries for change in entry.changes)
        done(changes, [entry.seq for entry in entries])
        at, steps = at + len(entries), steps + len(entries)
        control.report(Progress(done=steps, total=way.steps))
    return steps


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
