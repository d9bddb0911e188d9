"""Accessibility trees in a library: compressed, each once for its content, checked when it is read."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from demopack.domain.trees import WindowTree, tree_id
from demopack.errors import LibraryError
from demopack.store.entities import REPAIR

if TYPE_CHECKING:
    from demopack.store.connection import Connection

_MAX_BYTES: Final = 64_000_000
"""No tree is larger: what unpacks to more is damaged."""


def insert_tree(db: sqlite3.Connection, data: bytes) -> int:
    """Store a tree's canonical JSON, as part of a transaction; returns the bytes it took, 0 where it is there."""
    key = tree_id(data)
    if db.execute("SELECT 1 FROM trees WHERE id = ?", (key,)).fetchone():
        return 0
    packed = zlib.compress(data, 6)
    db.execute("INSERT INTO trees (id, data) VALUES (?, ?)", (key, packed))
    return len(packed)


def read_tree(db: sqlite3.Connection, key: str) -> WindowTree:
    """The tree of an id.

    Raises:
        LibraryError: it is missing or damaged.
    """
    row = db.execute("SELECT data FROM trees WHERE id = ?", (key,)).fetchone()
    if row is None:
        raise LibraryError(f"The accessibility tree {key[:12]} is missing from the library.", details=key, hint=REPAIR)
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(row[0], _MAX_BYTES)
        if not unpacking.eof or tree_id(data) != key:
            raise ValueError("the content does not match the id")
        return WindowTree.model_validate_json(data)
    except (zlib.error, TypeError, ValueError, ValidationError) as error:
        words = f"The accessibility tree {key[:12]} in the library is damaged."
        raise LibraryError(words, details=f"{key}: {error}", hint=REPAIR) from error


class StoredTrees(Mapping[str, WindowTree]):
    """The trees of some ids, each read from the library whenever it is asked for, and kept nowhere."""

    def __init__(self, connection: Connection, keys: Sequence[str]) -> None:
        """Take the library's connection and the ids, in the order in which they are gone through."""
        self._connection = connection
        self._keys = dict.fromkeys(keys)

    def __getitem__(self, key: str) -> WindowTree:
        """The tree of an id.

        Raises:
            KeyError: it is none of these.
            LibraryError: it is missing or damaged.
        """
        if key not in self._keys:
            raise KeyError(key)
        with self._connection.reading() as db:
            return read_tree(db, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def erase_trees(db: sqlite3.Connection, keys: Collection[str]) -> None:
    """Delete trees; the caller builds the table anew afterwards."""
    db.executemany("DELETE FROM trees WHERE id = ?", [(key,) for key in keys])
