"""The tables of ``library.db``."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

FORMAT = "demopack-library"
SCHEMA_VERSION = 4
OLDEST_VERSION = 2
"""That is read; what came before was never released."""
"""Raised with every migration that older versions could not live with; ``meta`` holds that of a library."""

_ENTITIES: Final = (
    "CREATE TABLE {} (demo TEXT NOT NULL REFERENCES demos(id), kind TEXT NOT NULL, key TEXT NOT NULL, "
    "position INTEGER NOT NULL DEFAULT 0, json TEXT NOT NULL, PRIMARY KEY (demo, kind, key)) STRICT"
)
CREATE: Final[Mapping[str, str]] = {
    "entities": _ENTITIES,
    "originals": _ENTITIES,
    "log": (
        "CREATE TABLE {} (demo TEXT NOT NULL REFERENCES demos(id), seq INTEGER NOT NULL, op TEXT NOT NULL, "
        "edit_id TEXT NOT NULL, merge_key TEXT, edit TEXT, at TEXT NOT NULL, PRIMARY KEY (demo, seq)) STRICT"
    ),
    "frames": (
        "CREATE TABLE {} (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, width INTEGER NOT NULL, "
        "height INTEGER NOT NULL, side INTEGER NOT NULL, tiles BLOB NOT NULL) STRICT"
    ),
    "trees": "CREATE TABLE {} (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, data BLOB NOT NULL) STRICT",
    "film": (
        "CREATE TABLE {} (demo TEXT NOT NULL REFERENCES demos(id), shown_ns INTEGER NOT NULL, frame TEXT NOT NULL, "
        "json TEXT NOT NULL, PRIMARY KEY (demo, shown_ns)) STRICT"
    ),
}
"""How a table that may hold something private is made, by its name; :func:`rebuild` builds these anew."""
_ENTITY_COLUMNS: Final = ("demo", "kind", "key", "position", "json")
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "demos": ("id", "created_at", "deleted"),
    "tiles": ("id", "data"),
    "frames": ("key", "id", "width", "height", "side", "tiles"),
    "trees": ("key", "id", "data"),
    "film": ("demo", "shown_ns", "frame", "json"),
    "entities": _ENTITY_COLUMNS,
    "originals": _ENTITY_COLUMNS,
    "log": ("demo", "seq", "op", "edit_id", "merge_key", "edit", "at"),
}
"""The columns of each table, for whoever doubts that they are there."""


def create_tables(db: sqlite3.Connection) -> None:
    """Make the tables of a new library: part of a transaction."""
    db.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    db.execute(
        "CREATE TABLE demos (id TEXT PRIMARY KEY, created_at TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0) STRICT"
    )
    # Its rows are only ever added at the end or overwritten in place, so that SQLite never moves one: see
    # demopack.store.erasing. The others have row ids, because without SQLite gives each row of more than 2 KB a page.
    db.execute("CREATE TABLE tiles (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT")
    for table, create in CREATE.items():
        db.execute(create.format(table))
    meta = {"format": FORMAT, "schema_version": str(SCHEMA_VERSION), "erasures": "0"}
    db.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    note_migrations(db)


def note_migrations(db: sqlite3.Connection) -> None:
    """Say where earlier programs look for it, which make the tables otherwise, that everything was applied."""
    columns = "(id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT, UNIQUE (migration_set, name))"
    db.execute(f"CREATE TABLE IF NOT EXISTS _sqlite_migrations {columns}")
    names = ("m001_initial", "m002_tiles", "m003_sources", "m004_trees")
    query = "INSERT OR IGNORE INTO _sqlite_migrations (migration_set, name) VALUES ('demopack', ?)"
    db.executemany(query, [(name,) for name in names])


def rebuild(db: sqlite3.Connection) -> None:
    """Copy what may be private into new tables, in the order of their first columns: part of a transaction.

    With the entities goes what was derived from them, and the triggers that kept it true: :mod:`demopack.store.listing`
    makes both again.
    """
    db.execute("DROP TABLE IF EXISTS listing")
    for table, create in CREATE.items():
        db.execute(create.format(f"new_{table}"))
        db.execute(f"INSERT INTO new_{table} SELECT * FROM {table} ORDER BY 1, 2, 3")  # noqa: S608 - a literal name
        db.execute(f"DROP TABLE {table}")
        db.execute(f"ALTER TABLE new_{table} RENAME TO {table}")


_PRIVATE: Final[Mapping[str, str]] = {
    "entities": "json = CAST(zeroblob(length(CAST(json AS BLOB))) AS TEXT)",
    "originals": "json = CAST(zeroblob(length(CAST(json AS BLOB))) AS TEXT)",
    "log": "edit = CAST(zeroblob(length(CAST(edit AS BLOB))) AS TEXT)",
    "frames": "tiles = zeroblob(length(tiles))",
    "trees": "data = zeroblob(length(data))",
    "film": "json = CAST(zeroblob(length(CAST(json AS BLOB))) AS TEXT)",
}
"""Overwrites what is private in a row without changing its size, so that SQLite does it in place."""
_REBUILT_BYTES: Final = 100_000
"""Bytes of rows that are built anew together with those behind a mark. SQLite moves rows between three neighbouring
pages at a time, and these fill at least twelve."""
_ON_ITS_PAGE: Final = 1000
"""Of a long row, so many bytes at least lie on its own page; the rest goes on elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowMarks:
    """How far a library went at a moment: everything newer has a higher number.

    Attributes:
        erasures: of the library, then; after a further one row ids may be other ones, and the marks are void.
        rows: the highest row id by table.
        tile: likewise of the tiles.
    """

    erasures: str
    rows: Mapping[str, int]
    tile: int


def count_of_erasures(db: sqlite3.Connection) -> str:
    """Another text after each erasure: row ids, and places in logs, that were remembered before are void then."""
    (count,) = db.execute("SELECT value FROM meta WHERE key = 'erasures'").fetchone()
    return str(count)


def take_marks(db: sqlite3.Connection) -> RowMarks:
    """The marks of now; part of a transaction."""

    def last(table: str) -> int:
        (found,) = db.execute(f"SELECT coalesce(max(rowid), 0) FROM {table}").fetchone()  # noqa: S608 - a literal name
        return int(found)

    return RowMarks(erasures=count_of_erasures(db), rows={table: last(table) for table in CREATE}, tile=last("tiles"))


def rebuild_since(db: sqlite3.Connection, marks: RowMarks) -> None:
    """As :func:`rebuild`, for the rows behind marks and some before them; takes as long as these are many.

    What is overwritten in place first can be moved by SQLite as it likes: it leaves zeros behind. The pages are then
    given back, which overwrites them whole, and the rows come back with their old row ids.
    """
    for table in CREATE:
        first = _well_before(db, table, marks.rows[table])
        names = ", ".join(COLUMNS[table])
        db.execute(f"CREATE TEMP TABLE tail AS SELECT rowid AS place, {names} FROM {table} WHERE rowid > {first}")  # noqa: S608
        db.execute(f"UPDATE {table} SET {_PRIVATE[table]} WHERE rowid > {first}")  # noqa: S608 - our own names
        db.execute(f"DELETE FROM {table} WHERE rowid > {first}")  # noqa: S608
        own, place = ("", "") if names.startswith("key, ") else ("rowid, ", "place, ")
        db.execute(f"INSERT INTO {table} ({own}{names}) SELECT {place}{names} FROM temp.tail ORDER BY temp.tail.place")  # noqa: S608
        db.execute("DROP TABLE temp.tail")


def _well_before(db: sqlite3.Connection, table: str, mark: int) -> int:
    """The row id behind which everything is built anew."""
    column = _PRIVATE[table].split(" = ")[0]
    size = 0
    query = f"SELECT rowid, coalesce(length({column}), 0) FROM {table} WHERE rowid <= ? ORDER BY rowid DESC"  # noqa: S608
    for row, length in db.execute(query, (mark,)):
        size += min(length, _ON_ITS_PAGE)
        if size > _REBUILT_BYTES:
            return int(row)
    return -1
