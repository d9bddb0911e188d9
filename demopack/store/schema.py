"""The tables of ``library.db``, built by migrations that are recorded in the database itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

__all__ = ["CREATE", "FORMAT", "SCHEMA_VERSION", "migrations"]

FORMAT = "demopack-library"
SCHEMA_VERSION = 2
"""Raised with every migration that older versions could not live with."""

_ENTITIES: Final = (
    "CREATE TABLE {} (demo TEXT NOT NULL REFERENCES demos(id), kind TEXT NOT NULL, key TEXT NOT NULL, "
    "position INTEGER NOT NULL DEFAULT 0, json TEXT NOT NULL, PRIMARY KEY (demo, kind, key)) STRICT, WITHOUT ROWID"
)
CREATE: Final[Mapping[str, str]] = {
    "entities": _ENTITIES,
    "originals": _ENTITIES,
    "log": (
        "CREATE TABLE {} (demo TEXT NOT NULL REFERENCES demos(id), seq INTEGER NOT NULL, op TEXT NOT NULL, "
        "edit_id TEXT NOT NULL, merge_key TEXT, edit TEXT, at TEXT NOT NULL, PRIMARY KEY (demo, seq)) "
        "STRICT, WITHOUT ROWID"
    ),
    "frames": (
        "CREATE TABLE {} (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, width INTEGER NOT NULL, "
        "height INTEGER NOT NULL, side INTEGER NOT NULL, tiles BLOB NOT NULL) STRICT"
    ),
    "film": (
        "CREATE TABLE {} (demo TEXT NOT NULL REFERENCES demos(id), shown_ns INTEGER NOT NULL, frame TEXT NOT NULL, "
        "json TEXT NOT NULL, PRIMARY KEY (demo, shown_ns)) STRICT, WITHOUT ROWID"
    ),
}
"""How a table that may hold something private is made, by its name: erasing builds these anew."""

migrations = Migrations("demopack")


@migrations()
def m001_initial(database: Database) -> None:
    """Head, entities as they are now, entities as recorded, and the log of edits."""
    db: sqlite3.Connection = database.conn
    db.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    db.execute(
        "CREATE TABLE demos (id TEXT PRIMARY KEY, created_at TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0) STRICT"
    )
    for table in ("entities", "originals", "log"):
        db.execute(CREATE[table].format(table))
    db.execute("INSERT INTO meta VALUES ('format', ?), ('schema_version', '1')", [FORMAT])


@migrations()
def m002_tiles(database: Database) -> None:
    """Pictures as tiles in the database itself, and the film. Pictures of version 1 stay where they are, as PNG files.

    Rows of ``tiles`` are only ever added at the end or overwritten in place, so that SQLite never moves one: see
    :mod:`demopack.store.erasing`.
    """
    db: sqlite3.Connection = database.conn
    db.execute("CREATE TABLE tiles (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT")
    for table in ("frames", "film"):
        db.execute(CREATE[table].format(table))
    db.execute("INSERT INTO meta VALUES ('erasures', '0')")
    db.execute("UPDATE meta SET value = '2' WHERE key = 'schema_version'")
