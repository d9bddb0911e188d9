"""The film of a demo: every different screen while it was recorded, beside the screens of its steps."""

from __future__ import annotations

import sqlite3

from pydantic import ValidationError

from demopack.domain.frames import Frame
from demopack.domain.records import Record
from demopack.errors import DemopackError, LibraryError
from demopack.store.damage import REPAIR
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
    """A demo's film, oldest first.

    Raises:
        LibraryError: a picture of it is damaged.
    """
    query = "SELECT shown_ns, CAST(json AS BLOB) FROM film WHERE demo = ? ORDER BY shown_ns"
    found: list[FilmFrame] = []
    for shown, data in db.execute(query, (demo,)):
        try:
            found.append(FilmFrame(shown_ns=shown, frame=Frame.model_validate_json(data)))
        except (ValidationError, DemopackError) as error:
            raise LibraryError(
                f"The film of the demo {demo} is damaged; its steps are unharmed.", details=str(error), hint=REPAIR
            ) from error
    return found


def film_only(db: sqlite3.Connection, demo: str) -> set[str]:
    """The pictures that a demo's film shows and no step, head or other film ever did."""
    mine = {row[0] for row in db.execute("SELECT frame FROM film WHERE demo = ?", (demo,))}
    others = {row[0] for row in db.execute("SELECT DISTINCT frame FROM film WHERE demo <> ?", (demo,))}
    return mine - others - used_frames(db, mine)
