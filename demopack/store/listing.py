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
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from pydantic import ValidationError

from demopack.domain.demos import DemoHead, DemoSummary
from demopack.domain.records import Record
from demopack.domain.steps import Step
from demopack.errors import DemopackError, DiskFullError, LibraryBusyError, LibraryError
from demopack.store.connection import Connection
from demopack.store.entities import find_damage, in_words, read_rows, stand_in

_T = TypeVar("_T")
_Column: TypeAlias = Literal["overview", "figures"]

_TABLE: Final = """
CREATE TABLE listing (demo TEXT PRIMARY KEY, overview TEXT NOT NULL, figures TEXT NOT NULL) STRICT
"""


_COLUMNS: Final[tuple[_Column, ...]] = get_args(_Column)
_EARLIER_COLUMNS: Final = (
    (
        "demo", "head", "steps", "rationales", "approved", "doubtful", "first_frame", "elements", "elements_approved",
        "elements_doubtful", "elements_rejected", "types", "actions", "counts",
    ),
    ("demo", "summary", "counts"),
    ("demo", "summary", "figures"),
)  # fmt: skip
"""As versions before this one kept it; another name of a column tells what is in it."""
_Row: TypeAlias = tuple[str, str]
"""A ``DemoSummary`` and ``DemoCounts`` as JSON, as the table has them; the second is empty for a damaged demo."""
_UNREADABLE: Final = (DemopackError, ValueError, TypeError, AttributeError)
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
_LIST: Final = "SELECT d.id, {column} FROM demos d {join} WHERE d.deleted = ? ORDER BY d.created_at DESC, d.id"
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
_WHOLE_STEPS: Final = "SELECT json FROM entities WHERE demo = ? AND kind = 'step' ORDER BY position"
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
_DRAWN: Final = """
SELECT json_extract(json, '$.type'), count(DISTINCT coalesce(json_extract(json, '$.track_id'), key))
FROM entities WHERE demo = ? AND kind = 'element' AND json_extract(json, '$.source') = 'human'
AND json_extract(json, '$.review') <> 'rejected' GROUP BY 1 ORDER BY 1
"""
_STATES: Final = """
SELECT s.key, s.value, count(*) FROM entities e, json_each(e.json, '$.states') s
WHERE e.demo = ? AND e.kind = 'element' AND json_extract(e.json, '$.review') <> 'rejected'
GROUP BY 1, 2 ORDER BY 1, 2
"""
_DEMOS_PER_TRANSACTION: Final = 100
"""Demos that are counted in one transaction; others who want to write wait as long."""


class DemoCounts(Record):
    """How many of everything a demo has.

    Attributes:
        elements: (type, source, review) and how many.
        drawn: type and how many elements a person drew, rejected ones aside; with its copies on other pictures, which
            have its track, each is one.
        states: (state, whether it holds) and how many elements, rejected ones aside.
        actions: kind of action and how many steps.
    """

    elements: tuple[tuple[str, str, str, int], ...] = ()
    drawn: tuple[tuple[str, int], ...] = ()
    states: tuple[tuple[str, bool, int], ...] = ()
    actions: tuple[tuple[str, int], ...] = ()


def read_summaries(connection: Connection, *, deleted: bool, damaged: bool = False) -> list[DemoSummary]:
    """See ``Library.demos``."""
    found = _read(connection, "overview", _summary, deleted=deleted).values()
    return [summary for summary in found if damaged or not summary.damage]


def read_counts(connection: Connection) -> dict[str, DemoCounts]:
    """See ``Library.counts``."""
    found = _read(connection, "figures", _counts, deleted=False)
    return {demo: counts for demo, counts in found.items() if counts is not None}


def _read(connection: Connection, column: _Column, parse: Callable[[str], _T], *, deleted: bool) -> dict[str, _T]:
    """What ``parse`` makes of this column of each demo, by its id; from the table as far as that is right.

    Raises:
        LibraryError: something else than the table is damaged.
    """
    try:
        prepare_listing(connection)
        with connection.reading() as db:
            kept = _is_watched(db)
        return _parsed(connection, column, parse, deleted=deleted, kept=kept)
    except LibraryBusyError:
        raise
    except LibraryError:
        if not connection.read_only:
            with contextlib.suppress(DiskFullError, LibraryError), connection.unsynced(wait=False) as db:
                _make_anew(db)
        return _parsed(connection, column, parse, deleted=deleted, kept=False)


def _parsed(
    connection: Connection, column: _Column, parse: Callable[[str], _T], *, deleted: bool, kept: bool
) -> dict[str, _T]:
    """As :func:`_read`; ``kept`` says whether the table may be asked. Demos that it says nothing of are counted."""
    join = "LEFT JOIN listing l ON l.demo = d.id" if kept else ""
    found: dict[str, _T] = {}
    with connection.reading() as db:
        query = _LIST.format(column=column if kept else "NULL", join=join)
        rows = db.execute(query, (int(deleted),)).fetchall()
        if not all(isinstance(demo, str) for demo, _ in rows):
            # SQLite reads rows of other tables where pages changed places, and does not notice.
            raise sqlite3.DatabaseError("database disk image is malformed")
    for demo, text in rows:
        if text is not None:
            with contextlib.suppress(*_UNREADABLE):
                found[demo] = parse(text)
    missing = _counted(connection, [demo for demo, _ in rows if demo not in found])
    found |= {demo: parse(row[_COLUMNS.index(column)]) for demo, row in missing.items()}
    return {demo: found[demo] for demo, _ in rows}


def note_damage(connection: Connection, demo: str) -> None:
    """A demo could not be opened: the list says so from now on, until a record of it changes."""
    prepare_listing(connection)
    if connection.read_only:
        return
    with contextlib.suppress(DemopackError), connection.unsynced() as db:
        _keep(db, {demo: _look_at_damage(db, demo)})


@functools.lru_cache(maxsize=16_384)
def _summary(text: str) -> DemoSummary:
    """The same row is the same object, so that a list that is read again is quickly seen to be the old one."""
    return DemoSummary.model_validate_json(text)


def _counts(text: str) -> DemoCounts | None:
    """None of a damaged demo."""
    return DemoCounts.model_validate_json(text) if text else None


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
    damage = damage or "It cannot be read."
    summary = DemoSummary(head=head, steps=steps, rationales=0, approved=0, first_frame=None, damage=damage)
    return summary.model_dump_json(), ""


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
    by_hand = any(source == "human" for _, source, *_ in elements)
    drawn = db.execute(_DRAWN, (demo,)).fetchall() if by_hand else []
    states = db.execute(_STATES, (demo,)).fetchall()
    counts = DemoCounts.model_validate({"elements": elements, "drawn": drawn, "states": states, "actions": actions})
    (text,) = db.execute(_HEAD, (demo,)).fetchone() or (b"",)
    head = DemoHead.model_validate_json(text)
    if head.id != demo or whole < steps:
        raise TypeError("the head of another demo, or a record without what every record has")
    verified = False
    if head.proof is not None:
        verified = head.proof.holds_for(
            [Step.model_validate_json(json) for (json,) in db.execute(_WHOLE_STEPS, (demo,))]
        )
    by_review = Counter[str]()
    for _, _, review, number in elements:
        by_review[review] += number
    summary = DemoSummary(
        head=head,
        steps=steps,
        rationales=rationales,
        approved=approved,
        first_frame=None if first is None else first[0],
        doubtful=doubtful,
        elements=by_review.total() - by_review["rejected"],
        elements_approved=by_review["approved"],
        elements_doubtful=by_review["doubtful"],
        elements_rejected=by_review["rejected"],
        types=tuple(sorted({row[0] for row in elements if row[2] != "rejected"})),
        actions=tuple(sorted(row[0] for row in actions)),
        verified=verified,
    )
    return summary.model_dump_json(), counts.model_dump_json()


def _is_watched(db: sqlite3.Connection) -> bool:
    """Whether the table is as it has to be, and every change takes the row of its demo away."""
    return _triggers(db) == _TRIGGERS and _columns(db) == ("demo", *_COLUMNS)


def _columns(db: sqlite3.Connection) -> tuple[str, ...]:
    return tuple(row[1] for row in db.execute("PRAGMA table_info(listing)"))


def _triggers(db: sqlite3.Connection) -> dict[str, str]:
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'listing\\_%' ESCAPE '\\'"
    return dict(db.execute(query))


def discard_listing(db: sqlite3.Connection) -> None:
    """Throw it away, with its triggers; part of a transaction. It is made anew when the list is read next."""
    for name in {*_TRIGGERS, *_triggers(db)}:
        db.execute(f'DROP TRIGGER IF EXISTS "{name.replace(chr(34), chr(34) * 2)}"')
    db.execute("DROP TABLE IF EXISTS listing")


def wrong_rows(db: sqlite3.Connection) -> int:
    """How many demos have a row that cannot be read, or that does not say what their records say."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name LIKE 'listing%'").fetchone() is None:
        return 0  # neither the table nor a trigger
    if not _is_watched(db):
        # As versions before this one kept it, it is no damage: it is made anew when the library is opened.
        return int(_columns(db) not in _EARLIER_COLUMNS)
    names = {demo for (demo,) in db.execute("SELECT id FROM demos")}
    query = "SELECT CAST(demo AS BLOB), CAST(overview AS BLOB), CAST(figures AS BLOB) FROM listing"
    return sum(not _is_right(db, row, names) for row in db.execute(query).fetchall())


def _is_right(db: sqlite3.Connection, row: Sequence[bytes], names: set[str]) -> bool:
    try:
        demo, summary, counts = (value.decode() for value in row)
        if demo not in names:
            return False
        # What was noted when the demo was opened may be worded otherwise.
        noted = not counts and bool(DemoSummary.model_validate_json(summary).damage)
        return _count(db, demo) == (summary, counts) or (
            noted and bool(find_damage(read_rows(db, "entities", demo), demo))
        )
    except _UNREADABLE:
        return False


def prepare_listing(connection: Connection) -> None:
    """Make table and triggers where they are missing: the first time, and after the entities were built anew.

    Also where they are not as they have to be: triggers without their table would stop every change of a demo.
    """
    if connection.read_only:
        return
    with connection.reading() as db:
        if _is_watched(db):
            return
        stops_changes = bool(_triggers(db))
    with contextlib.suppress(LibraryBusyError, DiskFullError), connection.unsynced(wait=stops_changes) as db:
        if not _is_watched(db):
            _make_anew(db)


def _make_anew(db: sqlite3.Connection) -> None:
    discard_listing(db)
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
        db.executemany("INSERT OR REPLACE INTO listing VALUES (?, ?, ?)", [(demo, *row) for demo, row in found.items()])
