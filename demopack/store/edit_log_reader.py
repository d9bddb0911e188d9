"""Reads the log of edits: as lines for a list, as entries, and as what it comes to between two moments."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pydantic import ValidationError

from demopack.clock import utc_now
from demopack.domain.edits import Change, Edit, LogEntry
from demopack.domain.records import as_moment
from demopack.errors import DemopackError, LibraryError
from demopack.store.damaged_records import REPAIR


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One entry of the log without its values: cheap enough to read ten thousand of them at once.

    Attributes:
        seq: position in the demo's log, from 1.
        op: ``do`` makes an edit, ``undo`` takes it back, ``redo`` applies it again.
        edit_id: the edit in question.
        merge_key: edits of one gesture share it.
        at: when this entry was written, UTC.
        label: the edit's sentence; empty unless ``op`` is ``do``, as everything that follows.
        kind: who made it: ``human``, ``model``, ``template`` or ``recorder``.
        name: their name.
        things: how many entities it changed.
    """

    seq: int
    op: Literal["do", "undo", "redo"]
    edit_id: str
    merge_key: str | None
    at: datetime
    label: str = ""
    kind: str = ""
    name: str = ""
    things: int = 0


def _of_edit(place: str, what: str = "json_extract") -> str:
    """A column with a part of the edit; nothing where the edit is damaged."""
    return f"CASE WHEN json_valid(edit) THEN {what}(edit, '{place}') END"


_LINES = (
    f"SELECT seq, op, edit_id, merge_key, at, {_of_edit('$.label')}, {_of_edit('$.provenance.kind')}, "  # noqa: S608
    f"{_of_edit('$.provenance.name')}, {_of_edit('$.changes', 'json_array_length')} FROM log "
    "WHERE demo = ? AND seq > ? ORDER BY seq"
)


def read_lines(db: sqlite3.Connection, demo: str, *, after: int = 0) -> list[LogLine]:
    """The entries behind a position, oldest first."""
    return [
        LogLine(
            seq=seq,
            op=op,
            edit_id=edit,
            merge_key=key,
            at=_moment(at),
            label=label or "",
            kind=kind or "",
            name=name or "",
            things=things or 0,
        )
        for seq, op, edit, key, at, label, kind, name, things in db.execute(_LINES, (demo, after))
    ]


def read_entries(db: sqlite3.Connection, demo: str, state: UndoState, *, after: int) -> list[LogEntry]:
    """The entries behind a position with their values, oldest first, as far as ``state`` was folded."""
    query = "SELECT seq, op, edit_id FROM log WHERE demo = ? AND seq > ? AND seq <= ? ORDER BY seq"
    rows = db.execute(query, (demo, after, state.seq))
    return [LogEntry(seq=seq, op=op, edit=read_edit(db, demo, state.made[edit])) for seq, op, edit in rows.fetchall()]


def read_edit(db: sqlite3.Connection, demo: str, seq: int) -> Edit:
    """The edit that was made at a position.

    Raises:
        LibraryError: it cannot be read.
    """
    try:
        return Edit.model_validate_json(_text(db, demo, seq, "CAST(edit AS BLOB)") or b"")
    except (ValidationError, DemopackError) as error:
        raise damaged_history(f"entry {seq} of {demo}: {error}") from error


def read_label(db: sqlite3.Connection, demo: str, seq: int) -> str:
    """Its sentence alone: the values may be as many as the elements of a whole demo."""
    return str(_text(db, demo, seq, _of_edit("$.label")) or "")


def _text(db: sqlite3.Connection, demo: str, seq: int, what: str) -> Any:  # noqa: ANN401 - a column
    query = f"SELECT {what} FROM log WHERE demo = ? AND seq = ?"  # noqa: S608 - a literal of this module
    return db.execute(query, (demo, seq)).fetchone()[0]


def read_since(db: sqlite3.Connection, demo: str, state: UndoState, since: datetime) -> Iterator[Change]:
    """Every change since a moment, in the order in which it happened, undoing and redoing included."""
    rows = db.execute("SELECT seq, at FROM log WHERE demo = ? ORDER BY seq", (demo,)).fetchall()
    # The first one that is late enough counts, and all behind it: a clock that was set back hides nothing.
    first = next((seq for seq, at in rows if _moment(at) >= since), None)
    if first is not None:
        for entry in read_entries(db, demo, state, after=first - 1):
            yield from entry.changes


def state_at(db: sqlite3.Connection, demo: str, seq: int) -> UndoState:
    """What could be undone and redone when the log had come to a position."""
    query = "SELECT seq, op, edit_id, merge_key FROM log WHERE demo = ? AND seq <= ? ORDER BY seq"
    state = UndoState()
    state.fold(db.execute(query, (demo, seq)))
    return state


def _moment(text: str) -> datetime:
    """A moment of the log; one that cannot be read counts as now, so that nothing is hidden by it."""
    try:
        return as_moment(datetime.fromisoformat(text))
    except ValueError:
        return utc_now()


def damaged_history(details: str) -> LibraryError:
    """The error for a log that cannot be read."""
    return LibraryError(
        "The history of a demo is damaged; the demo itself is as it was left.", details=details, hint=REPAIR
    )


@dataclass(slots=True, kw_only=True)
class UndoState:
    """The two stacks as the log left them.

    Attributes:
        seq: last entry that was folded in.
        done: edits in force, newest last: (edit id, merge key).
        undone: edits taken back, next to redo last.
        made: where in the log each edit was made, by its id.
    """

    seq: int = 0
    done: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    undone: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    made: dict[str, int] = field(default_factory=dict[str, int])

    def fold(self, entries: Iterable[tuple[int, str, str, str | None]]) -> None:
        """Take in further entries of the log: (seq, op, edit id, merge key).

        Raises:
            LibraryError: an entry takes back or repeats what was never done.
        """
        for seq, op, edit_id, merge_key in entries:
            if op == "do":
                self.done.append((edit_id, merge_key))
                self.made[edit_id] = seq
                self.undone.clear()
            elif op == "undo" and self.done:
                self.undone.append(self.done.pop())
            elif op == "redo" and self.undone:
                self.done.append(self.undone.pop())
            else:
                raise damaged_history(f"{op} at {seq}, with nothing that could be")
            self.seq = seq

    def next_undo(self) -> list[str]:
        """Edits to take back next, newest first: one, or all of one gesture."""
        return _gesture(self.done)

    def next_redo(self) -> list[str]:
        """Edits to apply again next, oldest first: one, or all of one gesture."""
        return _gesture(self.undone)

    @property
    def line_in_force(self) -> list[str]:
        """The edits that are in force, oldest first."""
        return [edit for edit, _ in self.done]

    @property
    def line(self) -> list[str]:
        """The edits that undo and redo walk along, oldest first; the first ``len(done)`` of them are in force."""
        return self.line_in_force + [edit for edit, _ in reversed(self.undone)]

    def towards(self, depth: int, *, limit: int) -> tuple[bool, list[str]]:
        """The next edits on the way to the first ``depth`` of the line being in force: whether back, and which."""
        here = len(self.done)
        if depth < here:
            return True, [edit for edit, _ in reversed(self.done[depth:])][:limit]
        return False, self.line[here:depth][:limit]


def _gesture(stack: list[tuple[str, str | None]]) -> list[str]:
    if not stack:
        return []
    first_id, key = stack[-1]
    ids = [first_id]
    if key is not None:
        for edit_id, other in reversed(stack[:-1]):
            if other != key:
                break
            ids.append(edit_id)
    return ids
