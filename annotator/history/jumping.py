"""Going to any point of the history as one job (ADR 0027), and bringing what was changed into view."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

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
        walked: deque[_Walked] = deque()

        def show(_: Progress | None = None) -> None:
            found = [walked.popleft() for _ in range(len(walked))]
            if found:
                changes = net_changes(change for more, _ in found for change in more)
                session.follow(changes, [seq for _, at in found for seq in at])

        def end() -> None:
            show()
            self.going = False
            session.release()

        def tell(steps: int) -> None:
            show()
            arrived(steps)

        def work(control: JobControl) -> int:
            return _jump(session, seq, label, control, walked)

        self._run(
            tr("Going through the history"),
            work,
            on_result=tell,
            on_error=session.failed.emit,
            on_progress=show,
            on_end=end,
        )


_Walked: TypeAlias = tuple[Sequence[Change], Sequence[int]]


def _jump(session: EditSession, seq: int, label: str, control: JobControl, walked: deque[_Walked]) -> int:
    """Go there, and add what was done on the way; returns how many edits were taken back or applied.

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
            walked.append((changes, [session.library.commit(demo, edit)]))
        return way.steps
    at, steps = way.seq, 0
    while steps < way.steps:
        control.token.check()
        entries = log.checkout(demo, way.depth, seq=at, limit=_EDITS_PER_TRANSACTION)
        changes = net_changes(change for entry in entries for change in entry.changes)
        walked.append((changes, [entry.seq for entry in entries]))
        at, steps = at + len(entries), steps + len(entries)
        control.report(Progress(done=steps, total=way.steps))
    return steps


def show_first(view: ViewState, changes: tuple[Change, ...]) -> bool:
    """Show what the first change is about that is about something on a picture; False where there is none."""
    return any(show_change(view, change) for change in changes)


def show_change(view: ViewState, change: Change) -> bool:
    """Show what a change is about; False for the demo as a whole, and where nothing is left to show it on."""
    match change.becomes or change.was:
        case Element() as element:
            now = view.document.element(element.uid) or element
            if not show_frame(view, now.frame):
                return False
            view.select((now.uid,))
        case Step() as step:
            steps = view.document.steps
            if not steps:
                return False
            index = view.document.index_of(step.id)
            view.peek(None)
            # A step that is gone: where it was.
            view.go_to(sum(one.position < step.position for one in steps) if index is None else index)
        case _:
            return change.kind == "parsed" and show_frame(view, change.key)
    return True
