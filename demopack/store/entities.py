"""Rows to records and back. Each is read by itself, so that one that is damaged costs no other."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal, cast

from pydantic import ValidationError
from pydantic_core import from_json

from demopack.domain.demos import Demo, DemoHead
from demopack.domain.edits import MODELS, Change
from demopack.domain.elements import Element
from demopack.domain.records import Record, as_moment, not_json
from demopack.domain.steps import Step
from demopack.domain.words import shorten
from demopack.errors import BadInputError, CorruptFrameError, DemopackError, LibraryError, NewerVersionError

REPAIR: Final = "`demopack repair` mends what can be mended."
"""The hint of errors about a damaged record."""
UNKNOWN_MOMENT: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for when a demo was recorded, where nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRecord:
    """A record as it lies in the library, read in any state.

    Attributes:
        kind: ``head``, ``step``, ``element`` or ``parsed``, unless that is what is damaged.
        key: of the entity.
        number: of a step among the steps, from 1; 0 for everything else.
        data: its JSON, as bytes: not even that they are UTF-8 is certain.
        raw: kind and key as they lie in the library.
        reason: what is wrong with it, as the end of a sentence; empty where that is not known, or nothing.
    """

    kind: str
    key: str
    number: int = 0
    data: bytes = b""
    raw: tuple[bytes, bytes] = (b"", b"")
    reason: str = ""

    def __str__(self) -> str:
        if self.number:
            return f"Step {self.number} {self.reason}."
        what = "head" if self.kind == "head" else f"{self.kind} {shorten(self.key, 40)}"
        return f"The {what} {self.reason}."


def read_rows(db: sqlite3.Connection, table: str, demo: str) -> Iterator[StoredRecord]:
    """The rows of a demo in ``entities`` or ``originals``, in order, whatever is in them."""
    query = (
        "SELECT CAST(kind AS BLOB), CAST(key AS BLOB), CAST(json AS BLOB) "  # noqa: S608 - a literal name
        f"FROM {table} WHERE demo = ? ORDER BY position, key"
    )
    number = 0
    for columns in db.execute(query, (demo,)):
        # Where pages of the file changed places there is nothing in a column that is never empty.
        kind, key, data = (column or b"" for column in columns)
        name = kind.decode(errors="replace")
        number += name == "step"
        yield StoredRecord(
            kind=name,
            key=key.decode(errors="replace"),
            number=number if name == "step" else 0,
            data=data,
            raw=(kind, key),
        )


def parse_record(row: StoredRecord, demo: str) -> Record | None:
    """What a row says; None for one of the kind ``parsed``, whose key says everything.

    Raises:
        ValueError: it cannot be read; the text is the end of a sentence.
    """
    model = MODELS.get(row.kind)
    if row.kind == "parsed":
        return None
    if model is None:
        raise ValueError(f"is of a kind that nobody knows, {shorten(row.kind, 20)!r}")
    try:
        record = model.model_validate_json(row.data)
    except (ValidationError, DemopackError) as error:
        raise ValueError(_reason(row.data, error)) from error
    identity = record.uid if isinstance(record, Element) else record.id
    if identity != (demo if row.kind == "head" else row.key):
        raise ValueError(f"says that it is {shorten(identity, 40)!r}")
    return record


def find_damage(rows: Iterable[StoredRecord], demo: str) -> list[StoredRecord]:
    """The records of a demo that cannot be read, each with the reason; where its head is missing, that too."""
    found: list[StoredRecord] = []
    headless = True
    for row in rows:
        headless = headless and row.kind != "head"
        try:
            parse_record(row, demo)
        except ValueError as error:
            found.append(replace(row, reason=str(error)))
    if headless:
        found.insert(0, StoredRecord(kind="head", key=demo, reason="is missing"))
    return found


def in_words(found: Sequence[StoredRecord]) -> str:
    """One sentence or two for a person; empty where nothing is damaged."""
    if not found:
        return ""
    more = len(found) - 1
    return str(found[0]) + (f" {more} more {'record is' if more == 1 else 'records are'} damaged." if more else "")


def stand_in(db: sqlite3.Connection, demo: str) -> DemoHead:
    """The head of a damaged demo for the list: as it stands, as recorded, or what is known without either."""
    for table in ("entities", "originals"):
        with contextlib.suppress(sqlite3.DatabaseError, ValueError):
            for row in read_rows(db, table, demo):
                record = parse_record(row, demo) if row.kind == "head" else None
                if isinstance(record, DemoHead):
                    return record
    created = UNKNOWN_MOMENT
    with contextlib.suppress(sqlite3.DatabaseError, ValueError, TypeError):
        (text,) = db.execute("SELECT created_at FROM demos WHERE id = ?", (demo,)).fetchone()
        created = as_moment(datetime.fromisoformat(text))
    return DemoHead(id=demo, created_at=created, status="partial")


def unreadable(record: StoredRecord, demo: str) -> DemopackError:
    """The error for whoever wants to read the demo."""
    if record.reason == _NEWER:
        return NewerVersionError(f"The {record.kind} {record.key} {_NEWER}.", hint="Update demopack.")
    return LibraryError(
        f"The demo {demo} is damaged. {record}",
        details=f"{record.kind} {record.key}",
        hint=f"Every other demo is safe. {REPAIR}",
    )


_NEWER = "was written by a newer demopack"


def _reason(data: bytes, error: ValidationError | DemopackError) -> str:
    try:
        plain: object = json.loads(data.decode())
    except UnicodeDecodeError:
        return "is no text"
    except (ValueError, RecursionError):
        return "is not JSON" if data else "is empty"
    version = cast("dict[str, object]", plain).get("schema_version", 1) if isinstance(plain, dict) else 1
    if isinstance(version, int) and version > 1:
        return _NEWER
    if isinstance(error, DemopackError):
        return f"is wrong: {error.user_message.removesuffix('.')}"
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"is wrong{f' at {shorten(place, 60)}' if place else ''}: {first['msg']}"


@contextlib.contextmanager
def naming_the_step(demo: Demo) -> Generator[None]:
    """Around work on a demo's pictures.

    Raises:
        CorruptFrameError: as it came, with the demo and the steps that the picture belongs to.
    """
    try:
        yield
    except CorruptFrameError as error:
        where = demo.shown_by(error.frame_id)
        if not where:
            raise
        raise CorruptFrameError(
            f"{error.user_message.removesuffix('.')}: it shows the screen {where} of {demo.head.id}.",
            frame_id=error.frame_id,
            details=error.details,
            hint=error.hint,
        ) from error


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


def write_entity(
    db: sqlite3.Connection, demo: str, kind: str, key: str, data: dict[str, Any], *, tables: Iterable[Table] = TABLES
) -> None:
    """Insert or replace one entity, both as recorded and as it stands unless a table is named."""
    values = (demo, kind, key, int(data.get("position", 0)), compact(data, what=f"{kind} {key}"))
    for table in tables:
        db.execute(_STORE.format(table=table), values)


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
