"""The append-only log of edits: apply, take back, apply again."""

from __future__ import annotations

import sqlite3

from demopack.clock import utc_now
from demopack.domain.edits import Edit, LogEntry
from demopack.errors import LibraryError
from demopack.store.connection import Connection
from demopack.store.entities import apply_changes
from demopack.store.undo import UndoState

__all__ = ["EditLog"]


class EditLog:
    """Edits of all demos of one library. Each method is one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        # Folded as far as was read; more may be appended by another process, which the sequence numbers tell. Entries
        # may also be erased from the middle, which the number of erasures tells.
        self._folded: dict[str, UndoState] = {}
        self._erasures = ""

    def commit(self, demo_id: str, edit: Edit) -> int:
        """Apply an edit and log it; returns its position in the log."""
        with self._connection.writing() as db:
            apply_changes(db, demo_id, edit.changes)
            return self._append(db, demo_id, "do", edit, text=edit.model_dump_json())

    def undo(self, demo_id: str) -> list[Edit]:
        """Take back the last gesture, newest edit first."""
        with self._connection.writing() as db:
            edits = [self._edit(db, demo_id, key) for key in self._state(db, demo_id).next_undo()]
            for edit in edits:
                apply_changes(db, demo_id, [change.reversed() for change in reversed(edit.changes)])
                self._append(db, demo_id, "undo", edit)
        return edits

    def redo(self, demo_id: str) -> list[Edit]:
        """Apply the last undone gesture again, oldest edit first."""
        with self._connection.writing() as db:
            edits = [self._edit(db, demo_id, key) for key in self._state(db, demo_id).next_redo()]
            for edit in edits:
                apply_changes(db, demo_id, edit.changes)
                self._append(db, demo_id, "redo", edit)
        return edits

    def labels(self, demo_id: str) -> tuple[str | None, str | None]:
        """What undo and redo would do next; None where there is nothing."""
        with self._connection.reading() as db:
            state = self._state(db, demo_id)
            back, forward = state.next_undo(), state.next_redo()
            return (
                self._edit(db, demo_id, back[-1]).label if back else None,
                self._edit(db, demo_id, forward[0]).label if forward else None,
            )

    def history(self, demo_id: str) -> list[LogEntry]:
        """The whole log of a demo, oldest first."""
        with self._connection.reading() as db:
            rows = db.execute(
                "SELECT l.seq, l.op, d.edit FROM log l JOIN log d ON d.demo = l.demo AND d.edit_id = l.edit_id "
                "AND d.op = 'do' WHERE l.demo = ? ORDER BY l.seq",
                (demo_id,),
            ).fetchall()
        return [LogEntry(seq=seq, op=op, edit=Edit.model_validate_json(text)) for seq, op, text in rows]

    def _edit(self, db: sqlite3.Connection, demo: str, edit_id: str) -> Edit:
        query = "SELECT edit FROM log WHERE demo = ? AND edit_id = ? AND op = 'do'"
        return Edit.model_validate_json(db.execute(query, (demo, edit_id)).fetchone()[0])

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


def _last_seq(db: sqlite3.Connection, demo: str) -> int:
    (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM log WHERE demo = ?", (demo,)).fetchone()
    return int(last)
