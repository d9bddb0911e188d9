"""Erases for good: when it is done, no file of the library holds a byte of what was erased.

SQLite's ``secure_delete`` overwrites what is deleted where it lies, but not the copies that it left behind when it
moved rows from one page to another. Hence two rules. Tables with private text are built anew when something is erased:
their old pages are then freed whole, and those SQLite does overwrite. Tiles, which are many times larger, are never
moved in the first place: rows are added at the end only, never change their size, and are overwritten in place with
zeros.

While a recording runs it knows from where on everything is its own: then only the rows from there on are built anew,
and only they are looked through for what still shows a picture, however large the library is.
"""

from __future__ import annotations

import copy
import sqlite3
from collections.abc import Collection
from typing import TYPE_CHECKING

from demopack.errors import LibraryBusyError
from demopack.store.history import load_history, save_history
from demopack.store.schema import RowMarks, count_of_erasures, rebuild, rebuild_since
from demopack.store.step_purge import forget, frames_of, related
from demopack.store.timeline import frames_named, used_frames

if TYPE_CHECKING:
    from demopack.store.connection import Connection
    from demopack.store.pictures import PictureStore


def erase_steps(
    connection: Connection,
    pictures: PictureStore,
    demo: str,
    ids: Collection[str],
    *,
    since_ns: int | None = None,
    marks: RowMarks | None = None,
) -> bool:
    """See ``Library.forget_steps``; :func:`finish_erasing` comes next.

    Args:
        connection: to the library.
        pictures: of the library.
        demo: its id.
        ids: of its steps.
        since_ns: pictures grabbed at this time or later go, too.
        marks: older than all rows of the demo: where they still hold, no more is looked through than what is newer.

    Returns:
        Whether there were marks, and they held.
    """
    with connection.writing() as db:
        if marks is not None and count_of_erasures(db) != marks.erasures:
            marks = None  # somebody else has erased something meanwhile
        candidates: set[str] = set()
        if marks is not None:
            # Pictures that are older stay: there was a demo that showed them, and erasing that makes marks void.
            query = "SELECT 1 FROM frames WHERE id = ? AND key > ?"
            shown = _erase_in(db, demo, ids, since_ns=since_ns)
            candidates = {frame for frame in shown if db.execute(query, (frame, marks.rows["frames"])).fetchone()}
        else:
            takes = _joined_takes(db, demo)
            # A joined take still holds each step as it was before it was split or merged.
            whole = set(ids) | related(load_history(db, demo), ids) if takes else set(ids)
            with_them = {other for key in ids for (other,) in db.execute(_DEMOS_WITH, (key, key))}
            for other in {demo, *takes, *with_them}:
                # The clock of a retake is its own: a point in time is meant for the given demo alone.
                meant, since = (whole, None) if other in takes else (ids, since_ns if other == demo else None)
                candidates |= _erase_in(db, other, meant, since_ns=since)
        erase_pictures(db, pictures, candidates, since=marks)
    return marks is not None


_DEMOS_WITH = """
SELECT demo FROM originals WHERE kind = 'step' AND key = ?
UNION SELECT demo FROM entities WHERE kind = 'step' AND key = ?
"""
"""Demos that hold a step: a retake keeps what was joined from it."""


def erase_demo(connection: Connection, pictures: PictureStore, demo: str) -> None:
    """See ``Library.erase_demo``; :func:`finish_erasing` comes next."""
    with connection.writing() as db:
        candidates: set[str] = set()
        for other in {demo, *_joined_takes(db, demo)}:
            candidates |= frames_named(db, other)
            candidates |= {row[0] for row in db.execute("SELECT frame FROM film WHERE demo = ?", (other,))}
            for table in ("entities", "originals", "log", "film"):
                db.execute(f"DELETE FROM {table} WHERE demo = ?", (other,))  # noqa: S608 - a literal name
            db.execute("DELETE FROM demos WHERE id = ?", (other,))
        erase_pictures(db, pictures, candidates)


def finish_erasing(connection: Connection) -> None:
    """Empty the write-ahead log, in which erased content may still stand; also after a crash in between.

    Raises:
        LibraryBusyError: another process kept reading.
    """
    with connection.reading() as db:
        (pending,) = db.execute("SELECT value FROM meta WHERE key = 'erasing'").fetchone() or ("0",)
    if pending == "0":
        return
    if not connection.flush_log():
        raise LibraryBusyError(
            "It is forgotten and no program can show it any more, but traces are left in a file of the library, "
            "because another program is reading it.",
            hint="Close other demopack programs, then open the library again: that removes them.",
        )
    with connection.writing() as db:
        db.execute("UPDATE meta SET value = '0' WHERE key = 'erasing'")


def _joined_takes(db: sqlite3.Connection, demo: str) -> set[str]:
    query = (
        "SELECT d.id FROM demos d CROSS JOIN entities h ON h.demo = d.id AND h.kind = 'head' AND h.key = d.id "
        "WHERE d.deleted = 1 AND CASE WHEN json_valid(h.json) THEN json_extract(h.json, '$.take_of') = ? END"
    )
    return {row[0] for row in db.execute(query, (demo,))}


def _erase_in(db: sqlite3.Connection, demo: str, ids: Collection[str], *, since_ns: int | None) -> set[str]:
    """Take steps out of one demo; returns the pictures that it showed before."""
    old = load_history(db, demo)
    new = copy.deepcopy(old)
    spans = forget(new, ids, since_ns=since_ns)
    save_history(db, old, new)
    candidates = frames_of(old)
    for after_ns, before_ns in spans:
        forgotten = "DELETE FROM film WHERE demo = ? AND shown_ns > ? AND shown_ns < ? RETURNING frame"
        candidates |= {frame for (frame,) in db.execute(forgotten, (demo, after_ns, before_ns))}
    return candidates


def erase_pictures(
    db: sqlite3.Connection, pictures: PictureStore, candidates: set[str], *, since: RowMarks | None = None
) -> int:
    """Erase those pictures that nothing shows any more, and what was written of them; returns how many.

    The end of each erasure, in its transaction: what elements said of a picture stands in tables that are built anew.

    Args:
        db: the library, in a transaction of the caller's.
        pictures: of the library.
        candidates: that may have to go.
        since: marks that are older than all of them.
    """
    dead = candidates - used_frames(db, candidates, since=since)
    films = "SELECT DISTINCT frame FROM film WHERE rowid > ?"
    dead -= {row[0] for row in db.execute(films, (since.rows["film"] if since is not None else -1,))}
    if dead:
        pictures.erase(db, dead, since=since)
    if since is None:
        rebuild(db)
    else:
        rebuild_since(db, since)
    count_erasure(db)
    return len(dead)


def count_erasure(db: sqlite3.Connection) -> None:
    """Tell those who remember row ids, here and in other programs, and the next one to open the library."""
    db.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'erasures'")
    db.execute("INSERT OR REPLACE INTO meta VALUES ('erasing', '1')")
