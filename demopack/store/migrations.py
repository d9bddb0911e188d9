"""Brings a library's tables up to date; which migrations were applied is recorded in the database itself.

Imported only where something has to be done: the tool behind it brings numpy along, and a list must be quick.
"""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from demopack.store.schema import CREATE, FORMAT, rebuild
from demopack.store.source_migration import tell_sources_apart

migrations = Migrations("demopack")


def migrate(raw: sqlite3.Connection) -> None:
    """Apply what is missing, in one transaction: of two programs that open a library at once, one does it."""
    raw.execute("BEGIN IMMEDIATE")
    try:
        migrations.apply(Database(raw, execute_plugins=False))
        raw.execute("COMMIT")
    except BaseException:
        if raw.in_transaction:
            raw.execute("ROLLBACK")
        raise


@migrations()
def m001_initial(database: Database) -> None:
    """Head, entities as they are now, entities as recorded, and the log of edits."""
    db: sqlite3.Connection = database.conn
    db.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    db.execute(
        "CREATE TABLE demos (id TEXT PRIMARY KEY, created_at TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0) STRICT"
    )
    for table in ("entities", "originals", "log"):
        db.execute(CREATE[table].format(table) + ", WITHOUT ROWID")
    db.execute("INSERT INTO meta VALUES ('format', ?), ('schema_version', '1')", [FORMAT])


@migrations()
def m002_tiles(database: Database) -> None:
    """Pictures as tiles in the database itself, and the timeline. Pictures of version 1 stay as PNG files.

    The other tables get row ids: without, SQLite gives each row of more than 2 KB a page, or several, of its own.

    Rows of ``tiles`` are only ever added at the end or overwritten in place, so that SQLite never moves one: see
    :mod:`demopack.store.erasing`.
    """
    db: sqlite3.Connection = database.conn
    db.execute("CREATE TABLE tiles (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT")
    for table in ("frames", "film"):
        db.execute(CREATE[table].format(table))
    rebuild(db, ["entities", "originals", "log"])
    db.execute("INSERT INTO meta VALUES ('erasures', '0')")
    db.execute("UPDATE meta SET value = '2' WHERE key = 'schema_version'")


@migrations()
def m003_sources(database: Database) -> None:
    """Rules and carried boxes are sources of their own; versions before this one cannot read them."""
    tell_sources_apart(database.conn)
    database.conn.execute("UPDATE meta SET value = '3' WHERE key = 'schema_version'")
