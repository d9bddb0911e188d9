"""The tables of ``library.db``, built by migrations that are recorded in the database itself."""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

__all__ = ["FORMAT", "SCHEMA_VERSION", "migrations"]

FORMAT = "demopack-library"
SCHEMA_VERSION = 1
"""Raised with every migration that older versions could not live with."""

migrations = Migrations("demopack")


@migrations()
def m001_initial(database: Database) -> None:
    """Head, entities as they are now, entities as recorded, and the log of edits."""
    db: sqlite3.Connection = database.conn
    db.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    db.execute(
        "CREATE TABLE demos (id TEXT PRIMARY KEY, created_at TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0) STRICT"
    )
    for table in ("entities", "originals"):
        db.execute(
            f"CREATE TABLE {table} (demo TEXT NOT NULL REFERENCES demos(id), kind TEXT NOT NULL, key TEXT NOT NULL, "
            "position INTEGER NOT NULL DEFAULT 0, json TEXT NOT NULL, PRIMARY KEY (demo, kind, key)) "
            "STRICT, WITHOUT ROWID"
        )
    db.execute(
        "CREATE TABLE log (demo TEXT NOT NULL REFERENCES demos(id), seq INTEGER NOT NULL, op TEXT NOT NULL, "
        "edit_id TEXT NOT NULL, merge_key TEXT, edit TEXT, at TEXT NOT NULL, PRIMARY KEY (demo, seq)) "
        "STRICT, WITHOUT ROWID"
    )
    db.execute("INSERT INTO meta VALUES ('format', ?), ('schema_version', ?)", [FORMAT, str(SCHEMA_VERSION)])
