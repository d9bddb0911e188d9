"""Rows of the list of demos, kept ready: a library with 200,000 steps is listed without reading one of them.

Counting steps by what is in them means parsing all of them. Hence a table ``listing`` with one row a demo, which
triggers take away whenever a row of that demo changes, whoever changes it; what is missing is counted when the list is
read next, and kept. It is derived data: where it cannot be kept, everything is counted each time; and where it cannot
be read, it is thrown away and made anew.

A demo that cannot be counted, or that could not be opened, is *damaged*: its row has no head and says what is wrong.
Counting is the place to look for damage, because each record passes it once after every change; reading all of each
record then would take eight times as long, so what only shows in a record's depths is noted when the demo is opened.
"""

from __future__ import annotations

import contextlib
import functools
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from pydantic import ValidationError

from demopack.domain.demos import DemoHead, DemoSummary
from demopack.errors import DemopackError, DiskFullError, LibraryBusyError, LibraryError
from demopack.store.connection import Connection
from demopack.store.entities import find_damage, in_words, read_rows, stand_in

_T = TypeVar("_T")

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS listing (
    demo TEXT PRIMARY KEY, head TEXT NOT NULL,
    steps INTEGER NOT NULL, rationales INTEGER NOT NULL, approved INTEGER NOT NULL, doubtful INTEGER NOT NULL,
    first_frame TEXT,
    elements INTEGER NOT NULL, elements_approved INTEGER NOT NULL, elements_doubtful INTEGER NOT NULL,
    elements_rejected INTEGER NOT NULL,
    types TEXT NOT NULL, actions TEXT NOT NULL, counts TEXT NOT NULL
) STRICT
"""
_COLUMNS: Final = (
    "head", "steps", "rationales", "approved", "doubtful", "first_frame", "elements", "elements_approved",
    "elements_doubtful", "elements_rejected", "types", "actions", "counts",
)  # fmt: skip
_Row: TypeAlias = "tuple[Any, ...]"
"""The values of ``_COLUMNS``; ``counts`` has everything by type, as JSON.

A damaged demo has an empty head, and in the counts what is wrong and what is left of the head.
"""
_UNREADABLE: Final = (ValidationError, DemopackError, ValueError, KeyError, TypeError)
"""What a row that says nothing of use raises."""
_TRIGGER: Final = "CREATE TRIGGER {} AFTER {} ON entities BEGIN DELETE FROM listing WHERE demo = {}.demo; END"
_TRIGGERS: Final = {
    name: _TRIGGER.format(name, event, row)
    for name, event, row in (
        ("listing_insert", "INSERT", "new"),
        ("listing_update", "UPDATE", "new"),
        ("listing_delete", "DELETE", "old"),
    )
}
_LIST: Final = "SELECT d.id{columns} FROM demos d {join} WHERE d.deleted = ? ORDER BY d.created_at DESC, d.id"
_HEAD: Final = "SELECT json FROM entities WHERE demo = ? AND kind = 'head'"
_TEXTS: Final = "SELECT json, kind, key FROM entities WHERE demo = ?"
_STEPS: Final = """
SELECT count(*),
       coalesce(sum(json_extract(json, '$.rationale') IS NOT NULL), 0),
       coalesce(sum(json_extract(json, '$.review') = 'approved'), 0),
       coalesce(sum(json_extract(json, '$.review') = 'doubtful'), 0),
       coalesce(sum(json_valid(json) AND json_type(json, '$.action.action_type') = 'text'), 0)
FROM entities WHERE demo = ? AND kind = 'step'
"""
_FIRST: Final = """
SELECT json_extract(json, '$.before.id') FROM entities WHERE demo = ? AND kind = 'step' ORDER BY position LIMIT 1
"""
_ACTIONS: Final = """
SELECT json_extract(json, '$.action.action_type'), count(*) FROM entities WHERE demo = ? AND kind = 'step' GROUP BY 1
"""
_ELEMENTS: Final = """
SELECT json_extract(json, '$.type'), json_extract(json, '$.source'), json_extract(json, '$.review'), count(*)
FROM entities WHERE demo = ? AND kind = 'element' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""
_STATES: Final = """
SELECT s.key, s.value, count(*) FROM entities e, json_each(e.json, '$.states') s
WHERE e.demo = ? AND e.kind = 'element' AND json_extract(e.json, '$.review') <> 'rejected'
GROUP BY 1, 2 ORDER BY 1, 2
"""
_REVIEWS: Final = ("approved", "doubtful", "rejected")
_DEMOS_PER_TRANSACTION: Final = 100
"""Demos that are counted in one transaction; others who want to write wait as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCounts:
    """How many of everything a demo has.

    Attributes:
        elements: (type, source, review) and how many.
        states: (state, whether it holds) and how many elements, rejected ones aside.
        actions: kind of action and how many steps.
    """

    elements: tuple[tuple[str, str, str, int], ...] = ()
    states: tuple[tuple[str, bool, int], ...] = ()
    actions: tuple[tuple[str, int], ...] = ()


def read_summaries(connection: Connection, *, deleted: bool, damaged: bool = False) -> list[DemoSummary]:
    """Every demo that is not deleted, or instead those that are; newest first.

    Args:
        connection: to the library.
        deleted: which of the two.
        damaged: whether those that cannot be opened are among them.
    """
    found = _read(connection, _COLUMNS, _summary, deleted=deleted).values()
    return [summary for summary in found if damaged or not summary.damage]


def read_counts(connection: Connection) -> dict[str, DemoCounts]:
    """By demo that is not deleted and not damaged: how many of everything it has."""
    found = _read(connection, ("head", "counts"), _counts, deleted=False)
    return {demo: counts for demo, counts in found.items() if counts is not None}


def _read(connection: Connection, columns: Sequence[str], parse: Callable[..., _T], *, deleted: bool) -> dict[str, _T]:
    """What ``parse`` makes of these columns of each demo, by its id; from the table as far as that is right.

    Raises:
        LibraryError: something else than the table is damaged.
    """
    try:
        _prepare(connection)
        with connection.reading() as db:
            kept = _is_watched(db)
        return _parsed(connection, columns, parse, deleted=deleted, kept=kept)
    except LibraryBusyError:
        raise
    except LibraryError:
        if not connection.read_only:
            with contextlib.suppress(DiskFullError, LibraryError), connection.unsynced(wait=False) as db:
                discard_listing(db)
                _create(db)
        return _parsed(connection, columns, parse, deleted=deleted, kept=False)


def _parsed(
    connection: Connection, columns: Sequence[str], parse: Callable[..., _T], *, deleted: bool, kept: bool
) -> dict[str, _T]:
    """As :func:`_read`; ``kept`` says whether the table may be asked. Demos that it says nothing of are counted."""
    shown = f", {', '.join(columns)}" if kept else ""
    join = "LEFT JOIN listing l ON l.demo = d.id" if kept else ""
    found: dict[str, _T] = {}
    with connection.reading() as db:
        rows = db.execute(_LIST.format(columns=shown, join=join), (int(deleted),)).fetchall()
        if not all(isinstance(row[0], str) for row in rows):
            # SQLite reads rows of other tables where pages changed places, and does not notice.
            raise sqlite3.DatabaseError("database disk image is malformed")
    for demo, *row in rows:
        if row and row[0] is not None:
            with contextlib.suppress(*_UNREADABLE):
                found[demo] = parse(*row)
    missing = _counted(connection, [demo for demo, *_ in rows if demo not in found])
    places = [_COLUMNS.index(name) for name in columns]
    found |= {demo: parse(*(row[at] for at in places)) for demo, row in missing.items()}
    return {demo: found[demo] for demo, *_ in rows}


def note_damage(connection: Connection, demo: str) -> None:
    """A demo could not be opened: the list says so from now on, until a record of it changes."""
    _prepare(connection)
    if connection.read_only:
        return
    with contextlib.suppress(DemopackError), connection.unsynced() as db:
        _keep(db, {demo: _look_at_damage(db, demo)})


def _summary(*row: Any) -> DemoSummary:  # noqa: ANN401 - checked by the model
    *shown, counts = row
    return _sound(*shown) if shown[0] else _damaged(shown[1], counts)


@functools.lru_cache(maxsize=16_384)
def _sound(*shown: Any) -> DemoSummary:  # noqa: ANN401 - as above
    """The same row is the same object, so that a list that is read again is quickly seen to be the old one."""
    fields = dict(zip(_COLUMNS, shown, strict=False))
    head = DemoHead.model_validate_json(fields["head"])
    types, actions = (tuple(fields[name].split()) for name in ("types", "actions"))
    return DemoSummary.model_validate({**fields, "head": head, "types": types, "actions": actions})


@functools.lru_cache(maxsize=1024)
def _damaged(steps: int, counts: str) -> DemoSummary:
    data = json.loads(counts)
    head = DemoHead.model_validate(data["head"])
    return DemoSummary(head=head, steps=steps, rationales=0, approved=0, first_frame=None, damage=data["damage"])


def _counts(head: str, text: str) -> DemoCounts | None:
    """None of a damaged demo."""
    if not head:
        return None
    data = json.loads(text)
    return DemoCounts(
        elements=tuple((kind, source, review, count) for kind, source, review, count in data["elements"]),
        states=tuple((state, bool(value), count) for state, value, count in data["states"]),
        actions=tuple((action, count) for action, count in data["actions"]),
    )


def _count(db: sqlite3.Connection, demo: str) -> _Row:
    """One demo, from its steps and elements; or what is wrong with it."""
    try:
        return _count_sound(db, demo)
    except (sqlite3.DatabaseError, ValidationError, DemopackError, TypeError) as error:
        # In its words: the file as a whole may be damaged, too, and then nothing but repairing it helps.
        text = str(error).lower()
        if isinstance(error, sqlite3.DatabaseError) and "json" not in text and "utf-8" not in text:
            raise
        return _look_at_damage(db, demo)


def _look_at_damage(db: sqlite3.Connection, demo: str) -> _Row:
    """A demo that could not be counted: every record of it is read, to say which are damaged."""
    damage = in_words(find_damage(read_rows(db, "entities", demo), demo))
    head = stand_in(db, demo)
    (steps,) = db.execute("SELECT count(*) FROM entities WHERE demo = ? AND kind = 'step'", (demo,)).fetchone()
    counts = json.dumps({"damage": damage or "It cannot be read.", "head": head.to_json()}, separators=(",", ":"))
    return ("", steps, 0, 0, 0, None, 0, 0, 0, 0, "", "", counts)


def _count_sound(db: sqlite3.Connection, demo: str) -> _Row:
    """One demo, from its steps and elements.

    Raises:
        sqlite3.DatabaseError: a record is not JSON or no text, or the file is damaged.
        TypeError: a record is JSON, but lacks what is counted.
        ValidationError: so does the head; or ``DemopackError``.
    """
    for _ in db.execute(_TEXTS, (demo,)):
        pass  # SQLite does not look whether a text is UTF-8; fetching it does
    steps, rationales, approved, doubtful, whole = db.execute(_STEPS, (demo,)).fetchone()
    first = db.execute(_FIRST, (demo,)).fetchone()
    actions = db.execute(_ACTIONS, (demo,)).fetchall()
    elements = db.execute(_ELEMENTS, (demo,)).fetchall()
    head = db.execute(_HEAD, (demo,)).fetchone()
    if head is None or DemoHead.model_validate_json(head[0]).id != demo:
        raise TypeError("no head, or that of another demo")
    if whole < steps or not all(isinstance(value, str) for row in elements for value in row[:3]):
        raise TypeError("a record without what every record has")
    by_review = {review: sum(row[3] for row in elements if row[2] == review) for review in _REVIEWS}
    there = sum(row[3] for row in elements) - by_review["rejected"]
    counts = {"elements": elements, "states": db.execute(_STATES, (demo,)).fetchall(), "actions": actions}
    return (
        head[0], steps, rationales, approved, doubtful,
        None if first is None else first[0], there,
        by_review["approved"], by_review["doubtful"], by_review["rejected"],
        " ".join(sorted({row[0] for row in elements if row[2] != "rejected"})),
        " ".join(sorted(row[0] for row in actions)),
        json.dumps(counts, separators=(",", ":")),
    )  # fmt: skip


def _has_table(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'listing'").fetchone() is not None


def _is_watched(db: sqlite3.Connection) -> bool:
    """Whether the table is as it has to be, and every change takes the row of its demo away."""
    names = tuple(row[1] for row in db.execute("PRAGMA table_info(listing)"))
    return _triggers(db) == _TRIGGERS and names == ("demo", *_COLUMNS)


def _triggers(db: sqlite3.Connection) -> dict[str, str]:
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'listing\\_%' ESCAPE '\\'"
    return dict(db.execute(query))


def take_off_remains(connection: Connection) -> None:
    """Where there is no such table any more, or not as it has to be, its triggers would stop every change of a demo."""
    with connection.reading() as db:
        if _is_watched(db) or not (_triggers(db) or _has_table(db)):
            return
    with contextlib.suppress(LibraryBusyError, DiskFullError), connection.unsynced() as db:
        discard_listing(db)


def discard_listing(db: sqlite3.Connection) -> None:
    """Throw it away, with its triggers; part of a transaction. It is made anew when the list is read next."""
    for name in {*_TRIGGERS, *_triggers(db)}:
        db.execute(f'DROP TRIGGER IF EXISTS "{name.replace(chr(34), chr(34) * 2)}"')
    db.execute("DROP TABLE IF EXISTS listing")


def wrong_rows(db: sqlite3.Connection) -> int:
    """How many demos have a row that cannot be read, or that does not say what their records say."""
    if not (_has_table(db) or _triggers(db)):
        return 0
    if not _is_watched(db):
        return 1
    columns = ", ".join(f"CAST({name} AS BLOB)" for name in ("demo", *_COLUMNS))
    names = {demo for (demo,) in db.execute("SELECT id FROM demos")}
    rows = db.execute(f"SELECT {columns} FROM listing").fetchall()  # noqa: S608 - our own names
    return sum(not _is_right(db, row, names) for row in rows)


def _is_right(db: sqlite3.Connection, row: Sequence[bytes | None], names: set[str]) -> bool:
    try:
        demo, *said = (None if value is None else value.decode() for value in row)
        if demo not in names or said[-1] is None:
            return False
        now = _count(db, demo)
        if said[0]:
            return said == [None if value is None else str(value) for value in now]
        _damaged(int(said[1] or 0), said[-1])
        return not now[0] or bool(find_damage(read_rows(db, "entities", demo), demo))
    except _UNREADABLE:
        return False


def _prepare(connection: Connection) -> None:
    """Make table and triggers where they are missing: the first time, and after the entities were built anew."""
    if connection.read_only:
        return
    with connection.reading() as db:
        if _is_watched(db):
            return
    with contextlib.suppress(LibraryBusyError, DiskFullError), connection.unsynced(wait=False) as db:
        if not _is_watched(db):
            discard_listing(db)
            _create(db)


def _create(db: sqlite3.Connection) -> None:
    db.execute(_TABLE)
    for create in _TRIGGERS.values():
        db.execute(create)


def _counted(connection: Connection, demos: Sequence[str]) -> dict[str, _Row]:
    """Count these demos, and keep what was counted where that is possible."""
    found: dict[str, _Row] = {}
    if demos and not connection.read_only:
        with contextlib.suppress(LibraryBusyError, DiskFullError):
            for start in range(0, len(demos), _DEMOS_PER_TRANSACTION):
                # In one transaction: an edit by another program in between would be missed for good.
                with connection.unsynced(wait=False) as db:
                    some = {demo: _count(db, demo) for demo in demos[start : start + _DEMOS_PER_TRANSACTION]}
                    _keep(db, some)
                found |= some
    with connection.reading() as db:
        return found | {demo: _count(db, demo) for demo in demos if demo not in found}


def _keep(db: sqlite3.Connection, found: Mapping[str, _Row]) -> None:
    if _is_watched(db):
        marks = ", ".join("?" * (1 + len(_COLUMNS)))
        rows = [(demo, *row) for demo, row in found.items()]
        db.executemany(f"INSERT OR REPLACE INTO listing VALUES ({marks})", rows)  # noqa: S608 - only marks
