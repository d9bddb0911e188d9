"""The film of a demo: every different screen while it was recorded, beside the screens of its steps."""

from __future__ import annotations

import sqlite3

from demopack.domain.frames import Frame
from demopack.domain.records import Record
from demopack.store.entities import compact
from demopack.store.uses import used_frames

__all__ = ["FilmFrame", "film_only", "insert_film", "read_film"]


class FilmFrame(Record):
    """One picture of a film.

    Attributes:
        shown_ns: monotonic clock from which on it could be seen.
        frame: the picture.
    """

    shown_ns: int
    frame: Frame


def insert_film(db: sqlite3.Connection, demo: str, frame: Frame, *, shown_ns: int) -> None:
    """Add a picture to a demo's film; a second one for the same moment replaces the first."""
    db.execute(
        "INSERT OR REPLACE INTO film (demo, shown_ns, frame, json) VALUES (?, ?, ?, ?)",
        (demo, shown_ns, frame.id, compact(frame.to_json())),
    )


def read_film(db: sqlite3.Connection, demo: str) -> list[FilmFrame]:
    """A demo's film, oldest first."""
    rows = db.execute("SELECT shown_ns, json FROM film WHERE demo = ? ORDER BY shown_ns", (demo,)).fetchall()
    return [FilmFrame(shown_ns=shown, frame=Frame.model_validate_json(text)) for shown, text in rows]


def film_only(db: sqlite3.Connection, demo: str) -> set[str]:
    """The pictures that a demo's film shows and no step, head or other film ever did."""
    mine = {row[0] for row in db.execute("SELECT frame FROM film WHERE demo = ?", (demo,))}
    others = {row[0] for row in db.execute("SELECT DISTINCT frame FROM film WHERE demo <> ?", (demo,))}
    return mine - others - used_frames(db, mine)
