"""Rows to records and back."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from pydantic_core import from_json

from demopack.domain.demos import Demo, DemoHead
from demopack.domain.edits import Change, Entity
from demopack.domain.elements import Element
from demopack.domain.records import not_json
from demopack.domain.steps import Step
from demopack.domain.words import shorten
from demopack.errors import BadInputError, DemopackError, LibraryError
from demopack.store.damaged_records import (
    MODELS,
    StoredRecord,
    find_damage,
    parse_record,
    read_rows,
    unreadable,
)

Table = Literal["entities", "originals"]
TABLES: Final[tuple[Table, ...]] = ("originals", "entities")
"""What is recorded goes into both; edits change only the second."""

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
_KEYS_PER_QUERY: Final = 500
"""Keys in one question; SQLite takes no more than some thousand."""
_STORE = (
    "INSERT INTO {table} (demo, kind, key, position, json) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (demo, kind, key) DO UPDATE SET position = excluded.position, json = excluded.json"
)

_Key = tuple[str, str]


def compact(data: dict[str, Any], *, what: str = "record") -> str:
    """One canonical JSON text per value, so that equal values are equal texts.

    Everything that is stored passes here, and nothing that could not be read again gets through.

    Args:
        data: the value.
        what: it is, for the error.

    Raises:
        BadInputError: it holds infinity, NaN or half a character.
    """
    try:
        text = _ENCODER.encode(data)
        text.encode()
    except ValueError as error:
        raise BadInputError(
            f"The {what} was not stored: {not_json(data) or error}.",
            details=str(error),
            hint="Nothing was changed. Correct it where it comes from, and try again.",
        ) from error
    return text


def write_entity(db: sqlite3.Connection, table: Table, demo: str, kind: str, key: str, data: dict[str, Any]) -> None:
    """Insert or replace one entity."""
    db.execute(
        _STORE.format(table=table), (demo, kind, key, int(data.get("position", 0)), compact(data, what=f"{kind} {key}"))
    )


def apply_changes(db: sqlite3.Connection, demo: str, changes: Sequence[Change], *, label: str) -> None:
    """Bring the current entities from each ``before`` to its ``after``; ``label`` says what that is, for the error.

    Raises:
        LibraryError: an entity is not what ``before`` says: it was changed elsewhere meanwhile.
    """
    stored: dict[_Key, str | dict[str, Any] | None] = dict(_stored(db, demo, changes))
    for change in changes:
        place = (change.kind, change.key)
        if not _is(change, stored.get(place)):
            raise LibraryError(
                f"“{shorten(label, 60)}” was not applied: this demo was changed elsewhere meanwhile.",
                details=f"{change.kind} {change.key}",
                hint="Everything else is saved. Look at how it is now, and repeat the edit.",
            )
        stored[place] = change.after
    last = {(change.kind, change.key): change.after for change in changes}
    gone = [(demo, *place) for place, data in last.items() if data is None]
    db.executemany("DELETE FROM entities WHERE demo = ? AND kind = ? AND key = ?", gone)
    put = (
        (demo, *place, int(data.get("position", 0)), compact(data, what=" ".join(place)))
        for place, data in last.items()
        if data is not None
    )
    db.executemany(_STORE.format(table="entities"), put)


def _stored(db: sqlite3.Connection, demo: str, changes: Sequence[Change]) -> Iterator[tuple[_Key, str]]:
    """What is stored of the entities that are changed; those that are not there are left out."""
    keys: dict[str, list[str]] = {}
    for change in changes:
        keys.setdefault(change.kind, []).append(change.key)
    for kind, found in keys.items():
        for start in range(0, len(found), _KEYS_PER_QUERY):
            some = found[start : start + _KEYS_PER_QUERY]
            places = ", ".join("?" * len(some))
            query = f"SELECT key, json FROM entities WHERE demo = ? AND kind = ? AND key IN ({places})"  # noqa: S608
            for key, text in db.execute(query, (demo, kind, *some)):
                yield (kind, key), text


def _is(change: Change, stored: str | dict[str, Any] | None) -> bool:
    """Whether what is stored, or what an earlier change of the same edit left, is what the change says was before."""
    if stored is None or change.before is None:
        return stored is None and change.before is None
    model = MODELS.get(change.kind)
    try:
        found = stored if isinstance(stored, dict) else from_json(stored)
        if found == change.before:
            return True
        # Either may have been written by an older version, whose records had fewer fields.
        return model is not None and model.model_validate(found) == model.model_validate(change.before)
    except (ValueError, DemopackError):
        return False


def read_demo(db: sqlite3.Connection, table: Table, demo: str) -> Demo | None:
    """Every entity of a demo, joined; None where there is no such demo.

    Raises:
        NewerVersionError: a record was written by a newer demopack.
        LibraryError: a record cannot be read; it is named.
    """
    # One transaction sees one moment: what it says of the log fits what it reads, whoever writes meanwhile.
    with _one_moment(db):
        rows = list(read_rows(db, table, demo))
        (log_seq,) = db.execute("SELECT coalesce(max(seq), 0) FROM log WHERE demo = ?", (demo,)).fetchone()
    return _joined(rows, demo, log_seq) if rows else None


@contextlib.contextmanager
def _one_moment(db: sqlite3.Connection) -> Generator[None]:
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def _joined(rows: Iterable[StoredRecord], demo: str, log_seq: int) -> Demo:
    head: DemoHead | None = None
    steps: list[Step] = []
    elements: dict[str, list[Element]] = {}
    parsed: set[str] = set()
    for row in rows:
        try:
            record = parse_record(row, demo)
        except ValueError as error:
            raise unreadable(replace(row, reason=str(error)), demo) from error
        if isinstance(record, DemoHead):
            head = record
        elif isinstance(record, Step):
            steps.append(record)
        elif isinstance(record, Element):
            elements.setdefault(record.frame, []).append(record)
        else:
            parsed.add(row.key)
    if head is None:
        raise unreadable(find_damage([], demo)[0], demo)
    return Demo(
        head=head,
        steps=tuple(sorted(steps, key=lambda s: s.position)),
        elements={frame: tuple(found) for frame, found in elements.items()},
        parsed=frozenset(parsed),
        log_seq=log_seq,
    )


def demo_changes(demo: Demo) -> list[Change]:
    """A whole demo as insertions, for storing one that was made elsewhere."""
    entities: tuple[Entity, ...] = (
        demo.head,
        *demo.steps,
        *(element for found in demo.elements.values() for element in found),
    )
    changes = [Change.between(None, entity) for entity in entities]
    return changes + [Change.of_parsed(frame, parsed=True) for frame in sorted(demo.parsed)]
