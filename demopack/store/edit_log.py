"""The append-only log of edits: apply, take back, apply again, walk along it, and read it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from typing import Literal, NamedTuple

from pydantic import ValidationError

from demopack.clock import utc_now
from demopack.domain.edits import Change, Edit, LogEntry, net_changes
from demopack.domain.records import as_moment
from demopack.errors import DemopackError, LibraryError
from demopack.store.connection import Connection
from demopack.store.entities import REPAIR, apply_changes
from demopack.store.schema import count_of_erasures

Op = Literal["do", "undo", "redo"]


class LogLine(NamedTuple):
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
    op: Op
    edit_id: str
    merge_key: str | None
    at: datetime
    label: str = ""
    kind: str = ""
    name: str = ""
    things: int = 0


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

    def fold(self, db: sqlite3.Connection, demo: str, *, until: int = 1 << 62) -> UndoState:
        """Take in the further entries of a demo's log, up to a position; returns itself.

        Raises:
            LibraryError: an entry takes back or repeats what was never done.
        """
        query = "SELECT seq, op, edit_id, merge_key FROM log WHERE demo = ? AND seq > ? AND seq <= ? ORDER BY seq"
        for seq, op, edit_id, merge_key in db.execute(query, (demo, self.seq, until)):
            if op == "do":
                self.done.append((edit_id, merge_key))
                self.made[edit_id] = seq
                self.undone.clear()
            elif op == "undo" and self.done:
                self.undone.append(self.done.pop())
            elif op == "redo" and self.undone:
                self.done.append(self.undone.pop())
            else:
                raise _damaged(f"{op} at {seq}, with nothing that could be")
            self.seq = seq
        return self

    @property
    def line_in_force(self) -> list[str]:
        """The edits that are in force, oldest first."""
        return [edit for edit, _ in self.done]

    @property
    def line(self) -> list[str]:
        """The edits that undo and redo walk along, oldest first; the first ``len(done)`` of them are in force."""
        return self.line_in_force + [edit for edit, _ in reversed(self.undone)]


def read_entries(db: sqlite3.Connection, demo: str, state: UndoState, *, after: int = 0) -> list[LogEntry]:
    """The entries behind a position with their values, oldest first, as far as ``state`` was folded.

    Raises:
        LibraryError: one cannot be read.
    """
    query = "SELECT seq, op, edit_id FROM log WHERE demo = ? AND seq > ? AND seq <= ? ORDER BY seq"
    rows = db.execute(query, (demo, after, state.seq)).fetchall()
    return [LogEntry(seq=seq, op=op, edit=_read_edit(db, demo, state.made[edit])) for seq, op, edit in rows]


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
        """Apply an edit and log it; returns its position in the log. What was undone before cannot be redone now.

        Raises:
            LibraryError: the demo was changed elsewhere meanwhile; nothing was applied.
        """
        with self._connection.writing() as db:
            entries = [_write(db, demo_id, "do", edit)]
        self._wrote(demo_id, entries)
        return entries[0].seq

    def undo(self, demo_id: str) -> list[LogEntry]:
        """Take back the last edit, or all edits of the last gesture, newest first; empty when there is none."""
        with self._connection.writing() as db:
            state = self._state(db, demo_id)
            entries = _walk(db, demo_id, "undo", state, _gesture(state.done))
        return self._wrote(demo_id, entries)

    def redo(self, demo_id: str) -> list[LogEntry]:
        """Apply again what was undone last, oldest first; empty when there is nothing."""
        with self._connection.writing() as db:
            state = self._state(db, demo_id)
            entries = _walk(db, demo_id, "redo", state, _gesture(state.undone))
        return self._wrote(demo_id, entries)

    def checkout(self, demo_id: str, depth: int, *, seq: int, limit: int) -> list[LogEntry]:
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
            here = len(state.done)
            if depth < here:
                entries = _walk(db, demo_id, "undo", state, state.line_in_force[depth:][::-1][:limit])
            else:
                entries = _walk(db, demo_id, "redo", state, state.line[here:depth][:limit])
        return self._wrote(demo_id, entries)

    # Reading --------------------------------------------------------------------------------------------------

    def labels(self, demo_id: str) -> tuple[str | None, str | None]:
        """What undo and redo would do next, in the user's words; None where there is nothing."""
        with self._connection.reading() as db:
            state = self._state(db, demo_id)

            def label_of(edits: list[str]) -> str | None:
                # The label alone: the values may be as many as the elements of a whole demo.
                query = f"SELECT {_of_edit('$.label')} FROM log WHERE demo = ? AND seq = ?"  # noqa: S608 - our own
                return str(db.execute(query, (demo_id, state.made[edits[0]])).fetchone()[0] or "") if edits else None

            return label_of(_gesture(state.done)[-1:]), label_of(_gesture(state.undone)[:1])

    def entries(self, demo_id: str, *, after: int = 0) -> list[LogEntry]:
        """The log of a demo behind a position, oldest first."""
        with self._connection.reading() as db:
            return read_entries(db, demo_id, self._state(db, demo_id), after=after)

    def lines(self, demo_id: str, *, after: int = 0) -> list[LogLine]:
        """As :meth:`entries`, without the values."""
        with self._connection.reading() as db:
            rows = db.execute(_LINES, (demo_id, after))
            return [LogLine(seq, op, edit, key, _moment(at), *rest) for seq, op, edit, key, at, *rest in rows]

    def edit_at(self, demo_id: str, seq: int) -> Edit:
        """The edit that was made at a position of the log."""
        with self._connection.reading() as db:
            return _read_edit(db, demo_id, seq)

    def erasures(self) -> str:
        """Another text as soon as entries were erased from the middle of any log."""
        with self._connection.reading() as db:
            return count_of_erasures(db)

    def is_mine(self, demo_id: str, seq: int) -> bool:
        """Whether an entry was written through this object, and not by another process."""
        return seq in self._mine.get(demo_id, ())

    def changes_since(self, demo_id: str, since: datetime) -> list[Change]:
        """What became of each entity since a moment; those that are as they were are left out."""
        with self._connection.reading() as db:
            rows = db.execute("SELECT seq, at FROM log WHERE demo = ? ORDER BY seq", (demo_id,)).fetchall()
            # The first one that is late enough counts, and all behind it: a clock that was set back hides nothing.
            first = next((seq for seq, at in rows if _moment(at) >= since), None)
            if first is None:
                return []
            entries = read_entries(db, demo_id, self._state(db, demo_id), after=first - 1)
            return net_changes(change for entry in entries for change in entry.changes)

    def path_to(self, demo_id: str, seq: int) -> CheckoutPath:
        """How to come to the state right after an entry of the log; 0 is the demo before its first edit."""
        with self._connection.reading() as db:
            state = self._state(db, demo_id)
            here, there = state.line_in_force, UndoState().fold(db, demo_id, until=seq).line_in_force
            depth = len(there) if there == state.line[: len(there)] else None
            return CheckoutPath(seq=state.seq, depth=depth, steps=len(here) + len(there) - 2 * _shared(here, there))

    def changes_to(self, demo_id: str, seq: int) -> list[Change]:
        """What has to change for the demo to be as it was right after an entry of the log."""
        with self._connection.reading() as db:
            state = self._state(db, demo_id)
            here, there = state.line_in_force, UndoState().fold(db, demo_id, until=seq).line_in_force
            shared = _shared(here, there)

            def read(op: Op, edits: list[str]) -> list[Change]:
                entries = (LogEntry(seq=0, op=op, edit=_read_edit(db, demo_id, state.made[edit])) for edit in edits)
                return [change for entry in entries for change in entry.changes]

            return net_changes(read("undo", here[shared:][::-1]) + read("redo", there[shared:]))

    # ----------------------------------------------------------------------------------------------------------

    def _wrote(self, demo: str, entries: list[LogEntry]) -> list[LogEntry]:
        """Remembered once it is certain, that is behind the transaction."""
        self._mine.setdefault(demo, set()).update(entry.seq for entry in entries)
        return entries

    def _state(self, db: sqlite3.Connection, demo: str) -> UndoState:
        """The two stacks; a fold of a transaction that was rolled back is recognised by its number and thrown away."""
        erasures = count_of_erasures(db)
        if erasures != self._erasures:
            self._erasures = erasures
            self._folded.clear()
        state = self._folded.get(demo)
        if state is None or state.seq > _last_seq(db, demo):
            state = self._folded[demo] = UndoState()
        return state.fold(db, demo)


def _gesture(stack: list[tuple[str, str | None]]) -> list[str]:
    """The edit on top, or all of one gesture, in the order in which they are taken off."""
    key = stack[-1][1] if stack else None
    if key is None:
        return [edit for edit, _ in stack[-1:]]
    return [edit for edit, _ in takewhile(lambda other: other[1] == key, reversed(stack))]


def _walk(db: sqlite3.Connection, demo: str, op: Op, state: UndoState, edits: list[str]) -> list[LogEntry]:
    """Take back or apply again, one after the other."""
    return [_write(db, demo, op, _read_edit(db, demo, state.made[edit])) for edit in edits]


def _write(db: sqlite3.Connection, demo: str, op: Op, edit: Edit) -> LogEntry:
    """One entry, and what it does to the demo."""
    entry = LogEntry(seq=_last_seq(db, demo) + 1, op=op, edit=edit)
    apply_changes(db, demo, entry.changes, label=edit.label)
    text = edit.model_dump_json() if op == "do" else None
    try:
        db.execute(
            "INSERT INTO log (demo, seq, op, edit_id, merge_key, edit, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (demo, entry.seq, op, edit.id, edit.merge_key, text, utc_now().isoformat()),
        )
    except sqlite3.IntegrityError as error:
        raise LibraryError(f"There is no demo {demo!r} to edit.", details=str(error)) from error
    return entry


def _read_edit(db: sqlite3.Connection, demo: str, seq: int) -> Edit:
    """The edit that was made at a position."""
    row = db.execute("SELECT CAST(edit AS BLOB) FROM log WHERE demo = ? AND seq = ?", (demo, seq)).fetchone()
    try:
        return Edit.model_validate_json(row[0] or b"")
    except (ValidationError, DemopackError) as error:
        raise _damaged(f"entry {seq} of {demo}: {error}") from error


def _damaged(details: str) -> LibraryError:
    return LibraryError(
        "The history of a demo is damaged; the demo itself is as it was left.", details=details, hint=REPAIR
    )


def _of_edit(place: str, what: str = "json_extract") -> str:
    """A column with a part of the edit; nothing where the edit is damaged."""
    return f"CASE WHEN json_valid(edit) THEN {what}(edit, '{place}') END"


_LINES = (
    f"SELECT seq, op, edit_id, merge_key, at, coalesce({_of_edit('$.label')}, ''), "  # noqa: S608 - our own columns
    f"coalesce({_of_edit('$.provenance.kind')}, ''), coalesce({_of_edit('$.provenance.name')}, ''), "
    f"coalesce({_of_edit('$.changes', 'json_array_length')}, 0) FROM log WHERE demo = ? AND seq > ? ORDER BY seq"
)


def _moment(text: str) -> datetime:
    """A moment of the log; one that cannot be read counts as now, so that nothing is hidden by it."""
    try:
        return as_moment(datetime.fromisoformat(text))
    except ValueError:
        return utc_now()


def _shared(one: list[str], other: list[str]) -> int:
    """How many edits two lines have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _last_seq(db: sqlite3.Connection, demo: str) -> int:
    (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM log WHERE demo = ?", (demo,)).fetchone()
    return int(last)
