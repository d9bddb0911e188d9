"""The tables of ``library.db``; :mod:`demopack.store.migrations` builds them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["COLUMNS", "CREATE", "FORMAT", "MIGRATIONS", "SCHEMA_VERSION", "rebuild"]

FORMAT = "demopack-library"
SCHEMA_VERSION = 2
"""Raised with every migration that older versions could not live with."""
MIGRATIONS: Final = ("m001_initial", "m002_tiles")
"""What has to be applied, in this order."""

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
    "film": ("demo", "shown_ns", "frame", "json"),
    "entities": _ENTITY_COLUMNS,
    "originals": _ENTITY_COLUMNS,
    "log": ("demo", "seq", "op", "edit_id", "merge_key", "edit", "at"),
}
"""The columns of each table, for whoever doubts that they are there."""


def rebuild(db: sqlite3.Connection, tables: Iterable[str] = tuple(CREATE)) -> None:
    """Copy tables into new ones, in the order of their first columns, and drop the old: part of a transaction.

    With the entities goes what was derived from them, and the triggers that kept it true: :mod:`demopack.store.listing`
    makes both again.
    """
    for table in tables:
        if table == "entities":
            db.execute("DROP TABLE IF EXISTS listing")
        db.execute(CREATE[table].format(f"new_{table}"))
        db.execute(f"INSERT INTO new_{table} SELECT * FROM {table} ORDER BY 1, 2, 3")  # noqa: S608 - a literal name
        db.execute(f"DROP TABLE {table}")
        db.execute(f"ALTER TABLE new_{table} RENAME TO {table}")
