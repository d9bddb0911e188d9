"""What the list of demos shows, kept ready: a library with 200,000 steps is listed without reading one of them.

Counting steps by what is in them means parsing all of them. Hence a table ``listing`` with one row a demo, which
triggers take away whenever a row of that demo changes, whoever changes it; what is missing is counted when the list is
read next, and kept. It is derived data: where it cannot be kept, everything is counted each time.
"""

from __future__ import annotations

import contextlib
import functools
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from demopack.domain.demos import DemoHead, DemoSummary
from demopack.errors import DiskFullError, LibraryBusyError
from demopack.store.connection import Connection

__all__ = ["DemoCounts", "read_counts", "read_summaries"]

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
    "head, steps, rationales, approved, doubtful, first_frame, elements, elements_approved, elements_doubtful, "
    "elements_rejected, types, actions"
)
_FIELDS: Final = tuple(_COLUMNS.split(", ")[1:-2])
_TRIGGER: Final = "CREATE TRIGGER {} AFTER {} ON entities BEGIN DELETE FROM listing WHERE demo = {}.demo; END"
_TRIGGERS: Final = {
    name: _TRIGGER.format(name, event, row)
    for name, event, row in (
        ("listing_insert", "INSERT", "new"),
        ("listing_update", "UPDATE", "new"),
        ("listing_delete", "DELETE", "old"),
    )
}
_LIST: Final = """
SELECT d.id, {columns} FROM demos d {join} WHERE d.deleted = ? ORDER BY d.created_at DESC, d.id
"""
_HEAD: Final = "SELECT json FROM entities WHERE demo = ? AND kind = 'head'"
_STEPS: Final = """
SELECT count(*),
       coalesce(sum(json_extract(json, '$.rationale') IS NOT NULL), 0),
       coalesce(sum(json_extract(json, '$.review') = 'approved'), 0),
       coalesce(sum(json_extract(json, '$.review') = 'doubtful'), 0)
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
_AT_ONCE: Final = 100
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """What is kept of a demo: the values of ``_COLUMNS``, and everything by type.

    A demo without a head has none as its first value; nothing is kept of it.
    """

    shown: tuple[Any, ...]
    counts: str


def read_summaries(connection: Connection, *, deleted: bool) -> list[DemoSummary]:
    """Every demo that is not deleted, or instead those that are; newest first."""
    _prepare(connection)
    with connection.reading() as db:
        rows = db.execute(*_query(db, deleted=deleted)).fetchall()
    missing = _counted(connection, [row[0] for row in rows if row[1] is None])
    shown = (missing[demo].shown if demo in missing else known for demo, *known in rows)
    return [_summary(*values) for values in shown if values[0] is not None]


def read_counts(connection: Connection) -> dict[str, DemoCounts]:
    """By demo that is not deleted: how many of everything it has."""
    _prepare(connection)
    with connection.reading() as db:
        ids = [row[0] for row in db.execute("SELECT id FROM demos WHERE deleted = 0")]
        kept = dict(db.execute("SELECT demo, counts FROM listing").fetchall()) if _has_table(db) else {}
    missing = _counted(connection, [demo for demo in ids if demo not in kept])
    return {demo: _counts(missing[demo].counts if demo in missing else kept[demo]) for demo in ids}


def _query(db: sqlite3.Connection, *, deleted: bool) -> tuple[str, tuple[int]]:
    kept = _has_table(db)
    columns = _COLUMNS if kept else ", ".join(["NULL"] * len(_COLUMNS.split(",")))
    join = "LEFT JOIN listing l ON l.demo = d.id" if kept else ""
    return _LIST.format(columns=columns, join=join), (int(deleted),)


@functools.lru_cache(maxsize=16_384)
def _summary(head: str, *shown: Any) -> DemoSummary:  # noqa: ANN401 - checked by the model
    """The same row is the same object, so that a list that is read again is quickly seen to be the old one."""
    *counts, types, actions = shown
    fields = dict(zip(_FIELDS, counts, strict=True))
    return DemoSummary.model_validate(
        {
            **fields,
            "head": DemoHead.model_validate_json(head),
            "types": tuple(types.split()),
            "actions": tuple(actions.split()),
        }
    )


def _counts(text: str) -> DemoCounts:
    data = json.loads(text)
    return DemoCounts(
        elements=tuple((kind, source, review, count) for kind, source, review, count in data["elements"]),
        states=tuple((state, bool(value), count) for state, value, count in data["states"]),
        actions=tuple((action, count) for action, count in data["actions"]),
    )


def _count(db: sqlite3.Connection, demo: str) -> _Row:
    """One demo, from its steps and elements."""
    steps, rationales, approved, doubtful = db.execute(_STEPS, (demo,)).fetchone()
    first = db.execute(_FIRST, (demo,)).fetchone()
    actions = db.execute(_ACTIONS, (demo,)).fetchall()
    elements = db.execute(_ELEMENTS, (demo,)).fetchall()
    by_review = {review: sum(row[3] for row in elements if row[2] == review) for review in _REVIEWS}
    there = sum(row[3] for row in elements) - by_review["rejected"]
    counts = {"elements": elements, "states": db.execute(_STATES, (demo,)).fetchall(), "actions": actions}
    head = db.execute(_HEAD, (demo,)).fetchone()
    return _Row(
        shown=(
            None if head is None else head[0], steps, rationales, approved, doubtful,
            None if first is None else first[0], there,
            by_review["approved"], by_review["doubtful"], by_review["rejected"],
            " ".join(sorted({row[0] for row in elements if row[2] != "rejected"})),
            " ".join(sorted(row[0] for row in actions)),
        ),
        counts=json.dumps(counts, separators=(",", ":")),
    )  # fmt: skip


def _has_table(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'listing'").fetchone() is not None


def _is_watched(db: sqlite3.Connection) -> bool:
    """Whether every change takes the row of its demo away."""
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'listing\\_%' ESCAPE '\\'"
    return bool(db.execute(query).fetchone()[0] == len(_TRIGGERS))


def _prepare(connection: Connection) -> None:
    """Make table and triggers where they are missing: the first time, and after the entities were built anew."""
    if connection.read_only:
        return
    with connection.reading() as db:
        if _is_watched(db):
            return
    with contextlib.suppress(LibraryBusyError, DiskFullError), connection.unsynced() as db:
        if _is_watched(db):
            return
        db.execute("DROP TABLE IF EXISTS listing")
        db.execute(_TABLE)
        for name, create in _TRIGGERS.items():
            db.execute(f"DROP TRIGGER IF EXISTS {name}")
            db.execute(create)


def _counted(connection: Connection, demos: Sequence[str]) -> dict[str, _Row]:
    """Count these demos, and keep what was counted where that is possible."""
    found: dict[str, _Row] = {}
    if demos and not connection.read_only:
        with contextlib.suppress(LibraryBusyError, DiskFullError):
            for start in range(0, len(demos), _AT_ONCE):
                found |= _count_and_keep(connection, demos[start : start + _AT_ONCE])
    with connection.reading() as db:
        return found | {demo: _count(db, demo) for demo in demos if demo not in found}


def _count_and_keep(connection: Connection, demos: Sequence[str]) -> dict[str, _Row]:
    """In one transaction: an edit by another program between counting and keeping would be missed for good."""
    with connection.unsynced() as db:
        found = {demo: _count(db, demo) for demo in demos}
        if _is_watched(db):
            marks = ", ".join("?" * (2 + len(_COLUMNS.split(","))))
            rows = [(demo, *row.shown, row.counts) for demo, row in found.items() if row.shown[0] is not None]
            db.executemany(f"INSERT OR REPLACE INTO listing VALUES ({marks})", rows)  # noqa: S608 - only marks
    return found
