"""Does to the pictures in a library what failing disks and older versions do."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Literal

from demopack.store import Library
from demopack.store.tiles import unpack_ids

Damage = Literal["garbage", "tile garbage", "truncated", "other pixels", "tile missing", "missing"]


def damage_frame(library: Library, frame_id: str, damage: Damage = "garbage") -> None:
    """Spoil one picture of a library that may be open; what spoils a tile spoils all pictures that show it."""
    with closing(sqlite3.connect(library.folder / "library.db", timeout=10)) as db, db:
        if damage == "garbage":
            db.execute("UPDATE frames SET tiles = ? WHERE id = ?", (b"no tiles", frame_id))
            return
        if damage == "missing":
            db.execute("DELETE FROM frames WHERE id = ?", (frame_id,))
            return
        (packed,) = db.execute("SELECT tiles FROM frames WHERE id = ?", (frame_id,)).fetchone()
        tile = int(unpack_ids(packed)[0])
        if damage == "tile garbage":
            db.execute("UPDATE tiles SET data = ? WHERE id = ?", (b"not a tile", tile))
        elif damage == "truncated":
            db.execute("UPDATE tiles SET data = substr(data, 1, 12) WHERE id = ?", (tile,))
        elif damage == "other pixels":
            (other,) = db.execute(
                "SELECT tiles FROM frames WHERE id <> ? AND tiles <> ?", (frame_id, packed)
            ).fetchone()
            db.execute("UPDATE frames SET tiles = ? WHERE id = ?", (other, frame_id))
        else:
            db.execute("DELETE FROM tiles WHERE id = ?", (tile,))
