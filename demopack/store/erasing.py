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
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from demopack.errors import LibraryBusyError
from demopack.store.history import load_history, save_history
from demopack.store.schema import RowMarks, count_of_erasures, rebuild, rebuild_since
from demopack.store.step_purge import forget, frames_of, related
from demopack.store.timeline import frames_named, used_frames

if TYPE_CHECKING:
    from demopack.store.connection import Connection
    from demopack.store.pictures import PictureStore


def erase_recorded(
    connection: Connection,
    pictures: PictureStore,
    demo: str,
    ids: Collection[str],
    marks: RowMarks,
    *,
    since_ns: int | None,
) -> bool:
    """As :func:`erase_steps`, for a demo all of whose rows are newer than the marks; :func:`finish_erasing` comes next.

    Pictures that are older than the marks stay: there was a demo that showed them, and erasing that makes marks void.

    Returns:
        Whether the marks held, and it was done.
    """
    with connection.writing() as db:
        if count_of_erasures(db) != marks.erasures:
            return False
        query, first = "SELECT 1 FROM frames WHERE id = ? AND key > ?", marks.rows["frames"]
        shown = _erase_in(db, demo, ids, since_ns=since_ns)
        candidates = {frame for frame in shown if db.execute(query, (frame, first)).fetchone()}
        erase_pictures(db, pictures, candidates, since=marks)
        rebuild_since(db, marks)
        count_erasure(db)
    return True


def erase_steps(
    connection: Connection, pictures: PictureStore, demo: str, ids: Collection[str], *, since_ns: int | None = None
) -> None:
    """See ``Library.forget_steps``."""
    with connection.writing() as db:
        candidates: set[str] = set()
        takes = _joined_takes(db, demo)
        # A joined take still holds each step as it was before it was split or merged.
        whole = set(ids) | related(load_history(db, demo), ids) if takes else set(ids)
        for other in {demo, *takes, *_demos_with(db, ids)}:
            # The clock of a retake is its own: a point in time is meant for the given demo alone.
            meant, since = (whole, None) if other in takes else (ids, since_ns if other == demo else None)
            candidates |= _erase_in(db, other, meant, since_ns=since)
        erase_pictures(db, pictures, candidates)
        rebuild(db)
        count_erasure(db)
    finish_erasing(connection)


def erase_demo(connection: Connection, pictures: PictureStore, demo: str) -> None:
    """See ``Library.erase_demo``."""
    with connection.writing() as db:
        candidates: set[str] = set()
        for other in {demo, *_joined_takes(db, demo)}:
            candidates |= frames_named(db, other)
            candidates |= {row[0] for row in db.execute("SELECT frame FROM film WHERE demo = ?", (other,))}
            for table in ("entities", "originals", "log", "film"):
                db.execute(f"DELETE FROM {table} WHERE demo = ?", (other,))  # noqa: S608 - a literal name
            db.execute("DELETE FROM demos WHERE id = ?", (other,))
        erase_pictures(db, pictures, candidates)
        rebuild(db)
        count_erasure(db)
    finish_erasing(connection)


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


def _demos_with(db: sqlite3.Connection, ids: Iterable[str]) -> set[str]:
    """Demos that hold one of these steps: a retake keeps what was joined from it."""
    return {demo for key in ids for (demo,) in db.execute(_DEMOS_WITH, (key, key))}


_DEMOS_WITH = """
SELECT demo FROM originals WHERE kind = 'step' AND key = ?
UNION SELECT demo FROM entities WHERE kind = 'step' AND key = ?
"""


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
    for span in spans:
        where = "demo = ? AND shown_ns > ? AND shown_ns < ?"
        bounds = (demo, span.after_ns, span.before_ns if span.before_ns is not None else 1 << 62)
        candidates |= {row[0] for row in db.execute(f"SELECT frame FROM film WHERE {where}", bounds)}  # noqa: S608
        db.execute(f"DELETE FROM film WHERE {where}", bounds)  # noqa: S608 - a literal condition
    return candidates


def erase_pictures(
    db: sqlite3.Connection, pictures: PictureStore, candidates: set[str], *, since: RowMarks | None = None
) -> int:
    """Erase those pictures that nothing shows any more; returns how many.

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
    return len(dead)


def count_erasure(db: sqlite3.Connection) -> None:
    """Tell those who remember row ids, here and in other programs, and the next one to open the library."""
    db.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'erasures'")
    db.execute("INSERT OR REPLACE INTO meta VALUES ('erasing', '1')")
