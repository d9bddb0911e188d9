"""The task bank of a library: ``tasks.db`` beside ``library.db``, with the same append-only log of edits.

What is listed, counted and searched comes from a table and an index of words that are derived from the records.
Triggers note which of them an edit has changed; these are brought up to date before the next reading.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

from pydantic import ValidationError

from demopack.clock import utc_now
from demopack.domain.edits import Change, Edit, LogEntry
from demopack.domain.provenance import Provenance
from demopack.domain.records import new_id
from demopack.domain.tasks import Task, TaskState
from demopack.errors import BadInputError, DemopackError, LibraryBusyError, LibraryError
from demopack.jobs import JobControl
from demopack.store.connection import Connection, open_database
from demopack.store.edit_log import EditLog, LogLine
from demopack.store.erasing import count_erasure, finish_erasing
from demopack.store.history import History, load_history, save_history
from demopack.store.library import Library

_T = TypeVar("_T")
FILE: Final = "tasks.db"
_BANK: Final = "tasks"
"""Stands in the tables where a library has the id of a demo."""
_PER_EDIT: Final = 500
"""Tasks of one entry of the log; the entries of one command are undone together."""
Group: TypeAlias = Literal["state", "app", "source", "kind", "rule"]
FunnelStage: TypeAlias = Literal[
    "collected", "kept", "planned", "instantiated", "feasible", "executed", "complete"
]  # fmt: skip
"""How far tasks come, in order."""
_DERIVED: Final = """
CREATE TABLE IF NOT EXISTS task_rows (
  number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, state TEXT NOT NULL, app TEXT NOT NULL, kind TEXT NOT NULL,
  source TEXT NOT NULL, task TEXT NOT NULL, steps INTEGER NOT NULL, rules TEXT NOT NULL, demo TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS task_states ON task_rows (state, number);
CREATE INDEX IF NOT EXISTS task_apps ON task_rows (app, number);
CREATE INDEX IF NOT EXISTS task_sources ON task_rows (source, number);
CREATE INDEX IF NOT EXISTS task_kinds ON task_rows (kind, number);
CREATE INDEX IF NOT EXISTS task_rules ON task_rows (rules, state, app, kind);
CREATE VIRTUAL TABLE IF NOT EXISTS task_words USING fts5 (
  task, plan, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 5', detail = none, columnsize = 0);
CREATE TABLE IF NOT EXISTS task_stale (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE) STRICT;
CREATE TRIGGER IF NOT EXISTS task_insert AFTER INSERT ON entities
  BEGIN INSERT INTO task_stale (key) SELECT new.key WHERE new.key NOT IN (SELECT key FROM task_stale); END;
CREATE TRIGGER IF NOT EXISTS task_update AFTER UPDATE ON entities
  BEGIN INSERT INTO task_stale (key) SELECT new.key WHERE new.key NOT IN (SELECT key FROM task_stale); END;
CREATE TRIGGER IF NOT EXISTS task_delete AFTER DELETE ON entities
  BEGIN INSERT INTO task_stale (key) SELECT old.key WHERE old.key NOT IN (SELECT key FROM task_stale); END;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    """A task in a list.

    Attributes:
        number: its place in the order in which tasks came in, from 1.
        id: of the task.
        state: how far it came.
        app: the program; empty when unknown.
        kind: of its source.
        source: the file or address that it came from.
        task: what is to be done.
        steps: of its plan.
        rules: that it breaks, if it was filtered out.
        demo: in which it was done; empty before.
    """

    number: int
    id: str
    state: TaskState
    app: str
    kind: str
    source: str
    task: str
    steps: int
    rules: tuple[str, ...] = ()
    demo: str = ""

    def to_json(self) -> dict[str, object]:
        """For ``--json``."""
        return {**asdict(self), "rules": list(self.rules)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskQuery:
    """Which tasks are meant; every condition has to hold.

    Attributes:
        state: how far they came; empty for any, as each of the following.
        app: their program.
        kind: of their source.
        source: the file or address that they came from.
        rule: that they break.
        words: all of which stand in task or plan, each as it begins.
    """

    state: str = ""
    app: str = ""
    kind: str = ""
    source: str = ""
    rule: str = ""
    words: str = ""

    def where(self, *, alone: bool = False) -> tuple[str, list[str]]:
        """Table and condition in SQL, and the values of the condition.

        Args:
            alone: no column is asked for, so that the index of words may do without the rows.
        """
        parts: list[str] = []
        values: list[str] = []
        table = "task_rows"
        if words := _words(self.words):
            # In this order: for each row of a state its words would be searched again.
            table = "task_words CROSS JOIN task_rows ON number = task_words.rowid"
            if alone and self == TaskQuery(words=self.words):
                table = "task_words"
            parts.append("task_words MATCH ?")
            values.append(words)
        for column in ("state", "app", "kind", "source"):
            if value := getattr(self, column):
                parts.append(f"{column} = ?")
                values.append(value)
        if self.rule:
            parts.append("(' ' || rules || ' ') LIKE ?")
            values.append(f"% {self.rule} %")
        return f"{table} WHERE {' AND '.join(parts) or '1'}", values


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAddition:
    """What became of tasks that were to be added.

    Attributes:
        added: ids of the new ones, in order.
        known: how many were in the bank already.
        ids: of all of them, in order, as they are called in the bank.
    """

    added: tuple[str, ...]
    known: int
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasedTasks:
    """What was taken out of a bank for good.

    Attributes:
        gone: ids of the tasks, sorted; their harder forms are among them.
        renewed: ids of those that stay without what was judged of a demo, sorted.
    """

    gone: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()


class TaskBank:
    """Tasks and their history. Safe between threads; several processes may share one.

    Attributes:
        folder: the library.
    """

    def __init__(self, folder: Path, connection: Connection) -> None:
        self.folder = folder
        self._connection = connection
        self._log = EditLog(connection)

    @classmethod
    def open(cls, folder: Path, *, create: bool = True, timeout_s: float = 10.0) -> TaskBank:
        """Open the bank of a library; it is made with the first task, and the library with it where ``create`` says so.

        Raises:
            NotALibraryError: the folder holds something else.
            NewerVersionError: a newer demopack wrote it.
            LibraryBusyError: another process kept it locked for ``timeout_s`` seconds.
        """
        Library.open(folder, create=create, timeout_s=timeout_s).close()
        connection = open_database(folder, create=True, timeout_s=timeout_s, name=FILE)
        try:
            if not connection.read_only:
                with connection.writing() as db:
                    _create_derived(db)
            bank = cls(folder, connection)
            with contextlib.suppress(LibraryBusyError):
                bank._finish_erasing()
        except BaseException:
            connection.close()
            raise
        return bank

    def close(self) -> None:
        """Close the file; calling it twice is harmless."""
        self._connection.close()

    def __enter__(self) -> TaskBank:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Writing ----------------------------------------------------------------------------------------------------

    def add(
        self,
        tasks: Iterable[Task],
        *,
        label: str,
        provenance: Provenance,
        control: JobControl | None = None,
        gesture: str = "",
    ) -> TaskAddition:
        """Add tasks that are not in the bank; one command, which one undo takes back.

        A task whose id another one has gets a new one. One that says the same as a task of the bank is known.

        Args:
            tasks: to be added, read one after the other.
            label: a sentence for the history.
            provenance: who adds them.
            control: progress and cancelling; what was added before stays.
            gesture: what is written under the same one is undone together; a command of its own when empty.

        Raises:
            LibraryError: it cannot be written.
            CancelledError: it was stopped.
        """
        control = control or JobControl()
        added: list[str] = []
        ids: list[str] = []
        known, key = 0, gesture or new_id("gesture")
        for batch in _portions(tasks):
            control.step(len(added) + known, 0, label)
            fresh: dict[str, Task] = {}
            for task in batch:
                name, is_known = self._id_for(task, fresh)
                ids.append(name)
                if is_known:
                    known += 1
                else:
                    fresh[name] = task if name == task.id else task.but(id=name)
            if fresh:
                self._commit([Change.between(None, task) for task in fresh.values()], label, provenance, key)
                added += fresh
        return TaskAddition(added=tuple(added), known=known, ids=tuple(ids))

    def _id_for(self, task: Task, fresh: Mapping[str, Task]) -> tuple[str, bool]:
        """The id that a task gets, and whether the bank has one of it that says the same."""
        name, number = task.id, 2
        while (other := fresh.get(name) or self.find(name)) is not None:
            if _same(task, other):
                return name, True
            name, number = f"{task.id}_{number}", number + 1
        return name, False

    def change(
        self, pairs: Iterable[tuple[Task, Task]], *, label: str, provenance: Provenance, gesture: str = ""
    ) -> int:
        """Put new values in the place of old ones; one command, which one undo takes back.

        Args:
            pairs: each task as it was read, and as it is to be; equal ones are passed over.
            label: a sentence for the history.
            provenance: who does it.
            gesture: as for :meth:`add`.

        Returns:
            How many were changed.

        Raises:
            LibraryError: one was changed elsewhere meanwhile; those before it are changed.
        """
        key, count = gesture or new_id("gesture"), 0
        for batch in _portions(((old, new) for old, new in pairs if old != new)):
            self._commit([Change.between(old, new) for old, new in batch], label, provenance, key)
            count += len(batch)
        return count

    def remove(self, tasks: Iterable[Task], *, label: str, provenance: Provenance) -> int:
        """Take tasks out of the bank; undo brings them back. Returns how many."""
        key, count = new_id("gesture"), 0
        for batch in _portions(tasks):
            self._commit([Change.between(task, None) for task in batch], label, provenance, key)
            count += len(batch)
        return count

    def erase(self, ids: Collection[str], *, demo: str = "", keep_demo: bool = False) -> ErasedTasks:
        """Take tasks out for good: when this returns, no file of the bank holds a word of them, and no undo does.

        Their harder forms go with them. Of a command that changed others too, that part stays and can be undone.

        Args:
            ids: of the tasks, also of such that were removed before.
            demo: tasks that were made of this demo go, too, and those that were done in it lose verdict and history.
            keep_demo: a part of that demo stays, and tasks go on naming it.

        Raises:
            BadInputError: an id is of no task; nothing was erased.
            LibraryBusyError: another process is writing, and nothing was erased; or another one kept reading, and
                traces are left until the bank is opened next. The message says which.
        """
        with self._connection.writing() as db:
            old = load_history(db, _BANK)
            gone, done = _touched(old, set(ids), demo)
            if unknown := set(ids) - {key for _, key, _ in old.versions()}:
                raise BadInputError(
                    f"There is no task {min(unknown)!r}.", hint="`demopack tasks list` shows them with their ids."
                )
            if not gone and not done:
                return ErasedTasks()
            new = replace(old, now=dict(old.now), recorded=dict(old.recorded))
            new.drop(lambda _kind, key, _data: key in gone)
            new.drop_changes(lambda _kind, key, _data: key in done)
            for place, data in new.now.items():
                if place[1] in done:
                    task = Task.model_validate(data)
                    new.now[place] = _undone(task, keep_demo=keep_demo).to_json()
            save_history(db, old, new)
            count_erasure(db)
        self._finish_erasing()
        return ErasedTasks(gone=tuple(sorted(gone)), renewed=tuple(sorted(done)))

    def _finish_erasing(self) -> None:
        """Build index and file anew where something was erased; also after a crash in between."""
        if self._connection.read_only:
            return
        with self._connection.reading() as db:
            (pending,) = db.execute("SELECT value FROM meta WHERE key = 'erasing'").fetchone() or ("0",)
        if pending == "0":
            return
        self._refresh()
        with self._connection.writing() as db:
            # Words of what is gone stand in the index until it is merged.
            db.execute("INSERT INTO task_words (task_words) VALUES ('optimize')")
        self._connection.vacuum()
        finish_erasing(self._connection)

    def undo(self) -> list[LogEntry]:
        """Take back the last command; empty when there is none."""
        return self._log.undo(_BANK)

    def redo(self) -> list[LogEntry]:
        """Do again what was taken back last; empty when there is nothing."""
        return self._log.redo(_BANK)

    def _commit(self, changes: Sequence[Change], label: str, provenance: Provenance, key: str) -> None:
        edit = Edit(id=new_id("edit"), label=label, changes=tuple(changes), provenance=provenance, merge_key=key)
        self._log.commit(_BANK, edit)

    # Reading ----------------------------------------------------------------------------------------------------

    def history(self) -> list[LogLine]:
        """Every edit, oldest first."""
        return self._log.lines(_BANK)

    def get(self, name: str) -> Task:
        """A task by its id, or an unambiguous beginning of it.

        Raises:
            BadInputError: no task or several fit.
            LibraryError: it is damaged.
        """
        found = self.find(name)
        if found is not None:
            return found
        with self._connection.reading() as db:
            query = "SELECT key FROM entities WHERE demo = ? AND kind = 'task' AND key >= ? AND key < ? LIMIT 3"
            keys = [row[0] for row in db.execute(query, (_BANK, name, f"{name}\U0010ffff"))] if name else []
        if len(keys) == 1 and (task := self.find(keys[0])) is not None:
            return task
        what = f"Several tasks begin with {name!r}: {', '.join(keys)}." if keys else f"There is no task {name!r}."
        raise BadInputError(what, hint="`demopack tasks list` shows them with their ids.")

    def find(self, key: str) -> Task | None:
        """A task by its whole id; None where there is none.

        Raises:
            LibraryError: it is damaged.
        """
        with self._connection.reading() as db:
            found = db.execute(
                "SELECT CAST(json AS BLOB) FROM entities WHERE demo = ? AND kind = 'task' AND key = ?", (_BANK, key)
            ).fetchone()
        return None if found is None else _parsed(key, found[0])

    def tasks(self, query: TaskQuery | None = None) -> Iterator[Task]:
        """Every task that is meant, in the order in which they came in; it may be changed meanwhile.

        Raises:
            LibraryError: one is damaged.
        """
        last = 0
        while True:
            rows = self.rows(query, after=last, limit=_PER_EDIT)
            if not rows:
                return
            last = rows[-1].number
            for row in rows:
                task = self.find(row.id)
                if task is not None:
                    yield task

    def rows(
        self, query: TaskQuery | None = None, *, after: int = 0, offset: int = 0, limit: int = -1
    ) -> list[TaskRow]:
        """Tasks for a list, in the order in which they came in.

        Args:
            query: which; None for all.
            after: only those behind this number.
            offset: so many are passed over.
            limit: at most so many; -1 for all.
        """
        self._refresh()
        query = query or TaskQuery()
        where, values = query.where()
        number = "task_words.rowid" if _words(query.words) else "number"
        text = (
            "SELECT number, key, state, app, kind, source, task_rows.task, steps, rules, demo "  # noqa: S608 - our names
            f"FROM {where} AND {number} > ? ORDER BY {number} LIMIT ? OFFSET ?"
        )
        with self._connection.reading() as db:
            found = db.execute(text, (*values, after, limit, offset)).fetchall()
        return [
            TaskRow(
                number=number, id=key, state=state, app=app, kind=kind, source=source, task=task, steps=steps,
                rules=tuple(rules.split()), demo=demo,
            )
            for number, key, state, app, kind, source, task, steps, rules, demo in found
        ]  # fmt: skip

    def count(self, query: TaskQuery | None = None) -> int:
        """How many tasks are meant."""
        self._refresh()
        where, values = (query or TaskQuery()).where(alone=True)
        with self._connection.reading() as db:
            (found,) = db.execute(f"SELECT count(*) FROM {where}", values).fetchone()  # noqa: S608
        return int(found)

    def counts(self, group: Group, query: TaskQuery | None = None) -> dict[str, int]:
        """How many of the tasks that are meant there are of each state, program, source or rule, most first."""
        self._refresh()
        where, values = (query or TaskQuery()).where()
        column = "rules" if group == "rule" else group
        text = f"SELECT {column}, count(*) FROM {where} GROUP BY 1 ORDER BY 2 DESC, 1"  # noqa: S608
        with self._connection.reading() as db:
            found: list[tuple[str, int]] = db.execute(text, values).fetchall()
        if group != "rule":
            return dict(found)
        sums: dict[str, int] = {}
        for rules, count in found:
            for rule in rules.split():
                sums[rule] = sums.get(rule, 0) + count
        return dict(sorted(sums.items(), key=lambda one: (-one[1], one[0])))

    def funnel(self, group: Literal["app", "source"] | None = None) -> dict[str, dict[FunnelStage, int]]:
        """How many tasks came through each stage, in all (under an empty name) or of each program or source.

        A task counts in every stage up to the one that it reached; what failed with a demo was executed.
        """
        self._refresh()
        name = "''" if group is None else group
        past = "state NOT IN ('collected', 'filtered_out')"
        failed_before = "(state = 'stage_failed' AND demo = '')"
        made = f"{past} AND state <> 'kept' AND NOT {failed_before}"
        reached: dict[FunnelStage, str] = {
            "collected": "1",
            "kept": past,
            "planned": f"{past} AND (steps > 0 OR state <> 'kept')",
            "instantiated": made,
            "feasible": f"{made} AND state <> 'infeasible'",
            "executed": f"{made} AND state NOT IN ('infeasible', 'instantiated')",
            "complete": "state = 'complete'",
        }
        sums = ", ".join(f"sum({condition})" for condition in reached.values())
        text = f"SELECT {name}, {sums} FROM task_rows GROUP BY 1 ORDER BY 2 DESC, 1"  # noqa: S608 - our names
        with self._connection.reading() as db:
            found = db.execute(text).fetchall()
        return {row[0]: {stage: int(count) for stage, count in zip(reached, row[1:], strict=True)} for row in found}

    def _refresh(self) -> None:
        """Bring the derived tables up to date with the records."""
        if self._connection.read_only:
            return
        while True:
            with self._connection.reading() as db:
                if db.execute("SELECT 1 FROM task_stale LIMIT 1").fetchone() is None:
                    return
            with self._connection.unsynced() as db:
                keys = [
                    row[0] for row in db.execute("SELECT key FROM task_stale ORDER BY number LIMIT ?", (_PER_EDIT,))
                ]
                for key in keys:
                    _derive(db, key)
                db.executemany("DELETE FROM task_stale WHERE key = ?", [(key,) for key in keys])


def _create_derived(db: sqlite3.Connection) -> None:
    if not db.execute("SELECT 1 FROM demos WHERE id = ?", (_BANK,)).fetchone():
        db.execute("INSERT INTO demos (id, created_at) VALUES (?, ?)", (_BANK, utc_now().isoformat()))
    known = {
        name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE name IN ('task_delete', 'task_rules')")
    }
    if "task_rules" not in known:  # the latest of them
        for statement in _statements(_DERIVED):
            db.execute(statement)
    if "task_delete" not in known:
        db.execute("INSERT OR IGNORE INTO task_stale (key) SELECT key FROM entities WHERE kind = 'task' ORDER BY rowid")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one: ``executescript`` would end the transaction."""
    found = ""
    for line in script.splitlines(keepends=True):
        found += line
        if sqlite3.complete_statement(found):
            yield found
            found = ""


def _derive(db: sqlite3.Connection, key: str) -> None:
    """Make the derived rows of one record anew."""
    old = db.execute("SELECT number FROM task_rows WHERE key = ?", (key,)).fetchone()
    row = db.execute(
        "SELECT CAST(json AS BLOB) FROM entities WHERE demo = ? AND kind = 'task' AND key = ?", (_BANK, key)
    ).fetchone()
    if old is not None:
        db.execute("DELETE FROM task_words WHERE rowid = ?", old)
        if row is None:
            db.execute("DELETE FROM task_rows WHERE number = ?", old)
    if row is None:
        return
    try:
        task = _parsed(key, row[0])
    except LibraryError:
        return  # told to whoever opens it
    rules = " ".join(dict.fromkeys(finding.rule for finding in task.findings or ()))
    values = (
        task.state, task.app, task.source.kind, task.source.name, task.task, len(task.plan), rules, task.demo,
    )  # fmt: skip
    db.execute(
        "INSERT INTO task_rows (key, state, app, kind, source, task, steps, rules, demo)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
        " state = excluded.state, app = excluded.app, kind = excluded.kind,"
        " source = excluded.source, task = excluded.task, steps = excluded.steps, rules = excluded.rules,"
        " demo = excluded.demo",
        (key, *values),
    )
    (number,) = db.execute("SELECT number FROM task_rows WHERE key = ?", (key,)).fetchone()
    db.execute("INSERT INTO task_words (rowid, task, plan) VALUES (?, ?, ?)", (number, task.task, "\n".join(task.plan)))


def _parsed(key: str, data: bytes) -> Task:
    try:
        return Task.model_validate_json(data)
    except (ValidationError, DemopackError) as error:
        raise LibraryError(
            f"The task {key} is damaged; every other one is safe.",
            details=str(error),
            hint="Remove it, or import it anew.",
        ) from error


def _touched(history: History, gone: set[str], demo: str) -> tuple[set[str], set[str]]:
    """The tasks that go, with those made of a demo and all harder forms; and those that were done in the demo."""
    origins: dict[str, set[str]] = {}
    done: set[str] = set()
    for _, key, data in history.versions():
        source: dict[str, Any] = data.get("source") or {}
        if demo and source.get("kind") == "demo" and source.get("id") == demo:
            gone.add(key)
        if demo and data.get("demo") == demo:
            done.add(key)
        origins.setdefault(data.get("evolved_from") or "", set()).add(key)
    new = set(gone)
    while new := {form for key in new for form in origins.get(key, ())} - gone:
        gone |= new
    return gone, done - gone


def _undone(task: Task, *, keep_demo: bool) -> Task:
    """A task without what came of its execution."""
    made = task.instantiation
    execution = task.stages.get("execute")
    if execution is not None and execution.by == "person":
        made = None  # its steps are those of the demo
    elif made is not None:
        made = made.but(steps=tuple(step.but(success=None, matched_text=None) for step in made.steps))
    stages = {stage: one for stage, one in task.stages.items() if stage not in {"execute", "execute_eval"}}
    return task.but(demo=task.demo if keep_demo else "", verdict=None, instantiation=made, stages=stages)


def _same(one: Task, other: Task) -> bool:
    """Whether a task that comes in says what one of the bank does, whatever was done with that since."""
    told = ("app", "source", "evolved_from")
    made = one.instantiation is None or _planned(one) == _planned(other)
    same = made and all(getattr(one, name) == getattr(other, name) for name in told)
    return same and _as_it_came(one) == _as_it_came(other)


def _planned(task: Task) -> list[object]:
    """What is to be done on the document."""
    made = task.instantiation
    return [] if made is None else [made.request, *((s.function, s.control_text, s.args) for s in made.steps)]


def _as_it_came(task: Task) -> tuple[str, tuple[str, ...]]:
    """Task and plan without what a model wrote."""
    written = task.written
    if written is None:
        return task.task, task.plan
    return written.query or task.task, () if written.plan else task.plan


def _words(text: str) -> str:
    """A search as FTS5 writes it: each word as it begins, all of them."""
    return " ".join(f'"{word.replace(chr(34), "")}"*' for word in text.split() if word.strip('"'))


def _portions(items: Iterable[_T]) -> Iterator[list[_T]]:
    """Items in the portions in which they are written."""
    left = iter(items)
    while portion := list(islice(left, _PER_EDIT)):
        yield portion
