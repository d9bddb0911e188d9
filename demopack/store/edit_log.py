"""The append-only log of edits: apply, take back, apply again, and walk along it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from demopack.clock import utc_now
from demopack.domain.edits import Change, Edit, LogEntry, net_changes
from demopack.errors import LibraryError
from demopack.store.connection import Connection
from demopack.store.edit_log_reader import (
    LogLine,
    UndoState,
    read_edit,
    read_entries,
    read_label,
    read_lines,
    read_since,
    state_at,
)
from demopack.store.entities import apply_changes


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutPath:
    """The way to the state that a demo had at a point of its log.

    Attributes:
        seq: how far the log goes now; whoever checks it out says so, and is refused when it has grown.
        depth: how many edits of the line are then in force; None where undo and redo do not lead there.
        steps: edits to take back and to apply.
    """

    seq: int
    depth: int | None
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedRange:
    """What one transaction of a checkout undid or redid.

    Attributes:
        changes: what it came to, one change for each entity.
        seq: how far the log goes now.
        steps: edits that were taken back or applied.
    """

    changes: tuple[Change, ...]
    seq: int
    steps: int


class EditLog:
    """Edits of all demos of one library. Each method is one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        # Folded as far as was read; more may be appended by another process, which the sequence numbers tell. Entries
        # may also be erased from the middle, which the number of erasures tells.
        self._folded: dict[str, UndoState] = {}
        self._erasures = ""
        self._mine: dict[str, set[int]] = {}

    # Writing --------------------------------------------------------------------------------------------------

    def commit(self, demo_id: str, edit: Edit) -> int:
        """Apply an edit and log it; returns its position in the log."""
        with self._connection.writing() as db:
            apply_changes(db, demo_id, edit.changes, label=edit.label)
            seq = self._append(db, demo_id, "do", edit, text=edit.model_dump_json())
        self._wrote(demo_id, seq)
        return seq

    def undo(self, demo_id: str) -> list[LogEntry]:
        """Take back the last gesture, newest edit first."""
        return self._taken(demo_id, "undo", lambda state: state.next_undo())

    def redo(self, demo_id: str) -> list[LogEntry]:
        """Apply the last undone gesture again, oldest edit first."""
        return self._taken(demo_id, "redo", lambda state: state.next_redo())

    def _taken(
        self, demo: str, op: Literal["undo", "redo"], choose: Callable[[UndoState], list[str]]
    ) -> list[LogEntry]:
        with self._connection.writing() as db:
            entries = [self._take(db, demo, op, edit) for edit in choose(self._state(db, demo))]
        self._wrote(demo, *(entry.seq for entry in entries))
        return entries

    def checkout(self, demo_id: str, depth: int, *, seq: int, limit: int) -> AppliedRange:
        """Undo or redo up to ``limit`` edits towards the first ``depth`` edits of the line being in force.

        Raises:
            LibraryError: the log has gone on behind ``seq``: somebody else edits the demo. Nothing was done.
        """
        with self._connection.writing() as db:
            state = self._state(db, demo_id)
            if state.seq != seq:
                raise LibraryError(
                    "This demo was changed elsewhere meanwhile; the history stopped where it was by then.",
                    hint="Nothing is lost. Choose the place in the history again.",
                )
            back, edits = state.towards(depth, limit=limit)
            entries = [self._take(db, demo_id, "undo" if back else "redo", edit) for edit in edits]
        self._wrote(demo_id, *(entry.seq for entry in entries))
        changes = net_changes(change for entry in entries for change in entry.changes)
        return AppliedRange(changes=tuple(changes), seq=entries[-1].seq if entries else seq, steps=len(entries))

    # Reading --------------------------------------------------------------------------------------------------

    def labels(self, demo_id: str) -> tuple[str | None, str | None]:
        """What undo and redo would do next; None where there is nothing."""
        with self._connection.reading() as db:
            state = self._state(db, demo_id)
            back, forward = state.next_undo(), state.next_redo()
            return (
                read_label(db, demo_id, state.made[back[-1]]) if back else None,
                read_label(db, demo_id, state.made[forward[0]]) if forward else None,
            )

    def entries(self, demo_id: str, *, after: int = 0) -> list[LogEntry]:
        """The log of a demo behind a position, oldest first."""
        with self._connection.reading() as db:
            return read_entries(db, demo_id, self._state(db, demo_id), after=after)

    def lines(self, demo_id: str, *, after: int = 0) -> list[LogLine]:
        """As :meth:`entries`, without the values."""
        with self._connection.reading() as db:
            return read_lines(db, demo_id, after=after)

    def edit_at(self, demo_id: str, seq: int) -> Edit:
        """The edit that was made at a position of the log."""
        with self._connection.reading() as db:
            return read_edit(db, demo_id, seq)

    def erasures(self) -> str:
        """Another text as soon as entries were erased from the middle of any log."""
        with self._connection.reading() as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'erasures'").fetchone()
            return "" if row is None else str(row[0])

    def is_mine(self, demo_id: str, seq: int) -> bool:
        """Whether an entry was written through this object, and not by another process."""
        return seq in self._mine.get(demo_id, ())

    def changes_since(self, demo_id: str, since: datetime) -> list[Change]:
        """What became of each entity since a moment; those that are as they were are left out."""
        with self._connection.reading() as db:
            return net_changes(read_since(db, demo_id, self._state(db, demo_id), since))

    def path_to(self, demo_id: str, seq: int) -> CheckoutPath:
        """How to come to the state right after an entry of the log; 0 is the demo before its first edit."""
        with self._connection.reading() as db:
            state = self._state(db, demo_id)
            there, line = state_at(db, demo_id, seq).line_in_force, state.line
            here = len(state.done)
            if there == line[: len(there)]:
                return CheckoutPath(seq=state.seq, depth=len(there), steps=abs(here - len(there)))
            shared = _shared(line[:here], there)
            return CheckoutPath(seq=state.seq, depth=None, steps=here + len(there) - 2 * shared)

    def changes_to(self, demo_id: str, seq: int) -> list[Change]:
        """What has to change for the demo to be as it was right after an entry of the log."""
        with self._connection.reading() as db:
            state = self._state(db, demo_id)
            here, there = state.line_in_force, state_at(db, demo_id, seq).line_in_force
            shared = _shared(here, there)

            def read(edits: list[str], op: Literal["undo", "redo"]) -> list[Change]:
                entries = (LogEntry(seq=0, op=op, edit=read_edit(db, demo_id, state.made[e])) for e in edits)
                return [change for entry in entries for change in entry.changes]

            return net_changes([*read(here[shared:][::-1], "undo"), *read(there[shared:], "redo")])

    # ----------------------------------------------------------------------------------------------------------

    def _take(self, db: sqlite3.Connection, demo: str, op: Literal["undo", "redo"], edit_id: str) -> LogEntry:
        edit = read_edit(db, demo, self._folded[demo].made[edit_id])
        entry = LogEntry(seq=_last_seq(db, demo) + 1, op=op, edit=edit)
        apply_changes(db, demo, entry.changes, label=edit.label)
        self._append(db, demo, op, edit)
        return entry

    def _append(self, db: sqlite3.Connection, demo: str, op: str, edit: Edit, *, text: str | None = None) -> int:
        seq = _last_seq(db, demo) + 1
        try:
            db.execute(
                "INSERT INTO log (demo, seq, op, edit_id, merge_key, edit, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (demo, seq, op, edit.id, edit.merge_key, text, utc_now().isoformat()),
            )
        except sqlite3.IntegrityError as error:
            raise LibraryError(f"There is no demo {demo!r} to edit.", details=str(error)) from error
        return seq

    def _wrote(self, demo: str, *seqs: int) -> None:
        """Remembered once it is certain, that is behind the transaction."""
        self._mine.setdefault(demo, set()).update(seqs)

    def _state(self, db: sqlite3.Connection, demo: str) -> UndoState:
        """The two stacks; a fold of a transaction that was rolled back is recognised by its number and thrown away."""
        row = db.execute("SELECT value FROM meta WHERE key = 'erasures'").fetchone()
        if row is not None and row[0] != self._erasures:
            self._erasures = row[0]
            self._folded.clear()
        state = self._folded.get(demo)
        if state is None or state.seq > _last_seq(db, demo):
            state = self._folded[demo] = UndoState()
        query = "SELECT seq, op, edit_id, merge_key FROM log WHERE demo = ? AND seq > ? ORDER BY seq"
        state.fold(db.execute(query, (demo, state.seq)))
        return state


def _shared(one: list[str], other: list[str]) -> int:
    """How many edits two lines have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _last_seq(db: sqlite3.Connection, demo: str) -> int:
    (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM log WHERE demo = ?", (demo,)).fetchone()
    return int(last)
