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
import json
import sqlite3
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from demopack.errors import LibraryBusyError
from demopack.store.entities import compact
from demopack.store.history import History, Json, forget, frames_of, load_history, related, save_history
from demopack.store.schema import RowMarks, count_of_erasures, rebuild, rebuild_since
from demopack.store.timeline import frames_named, used_frames

if TYPE_CHECKING:
    from demopack.domain.frames import RgbImage
    from demopack.store.connection import Connection
    from demopack.store.pictures import PictureStore


def erase_steps(
    pictures: PictureStore,
    demo: str,
    ids: Collection[str],
    *,
    since_ns: int | None = None,
    marks: RowMarks | None = None,
) -> bool:
    """See ``Library.forget_steps``; :func:`finish_erasing` comes next.

    Args:
        pictures: of the library.
        demo: its id.
        ids: of its steps.
        since_ns: pictures grabbed at this time or later go, too.
        marks: older than all rows of the demo: where they still hold, no more is looked through than what is newer.

    Returns:
        Whether there were marks, and they held.
    """
    with pictures.connection.writing() as db:
        if marks is not None and count_of_erasures(db) != marks.erasures:
            marks = None  # somebody else has erased something meanwhile
        candidates: set[str] = set()
        if marks is not None:
            # Pictures that are older stay: there was a demo that showed them, and erasing that makes marks void.
            query = "SELECT 1 FROM frames WHERE id = ? AND key > ? UNION SELECT 1 FROM trees WHERE id = ? AND key > ?"
            shown = _erase_in(db, demo, ids, since_ns=since_ns)
            rows = marks.rows
            candidates = {
                one for one in shown if db.execute(query, (one, rows["frames"], one, rows["trees"])).fetchone()
            }
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


def erase_demo(pictures: PictureStore, demo: str) -> None:
    """See ``Library.erase_demo``; :func:`finish_erasing` comes next."""
    with pictures.connection.writing() as db:
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


@dataclass(kw_only=True)
class Rewriting:
    """A demo that is being rewritten.

    Attributes:
        history: every version of everything; to be changed in place.
        timeline: the JSON of each keyframe by the time from which on it could be seen, oldest first; to be changed in
            place.
        get_image: the picture of an id, shape (height, width, 3), uint8.
        put_image: stores a picture; returns its id.
    """

    history: History
    timeline: dict[int, Json] = field(default_factory=dict[int, Json])
    get_image: Callable[[str], RgbImage]
    put_image: Callable[[RgbImage], str]


def rewrite_demo(pictures: PictureStore, demo: str, change: Callable[[Rewriting], None]) -> int:
    """Rewrite a demo with all that it ever was, and erase for good the pictures that nothing shows any more.

    Args:
        pictures: of the library.
        demo: its id.
        change: rewrites it; what it raises leaves everything as it was.

    Returns:
        How many pictures were erased.

    Raises:
        LibraryError: the library may not be written; nothing was changed.
    """
    from demopack.domain.frames import frame_id

    with pictures.connection.writing() as db:

        def put_image(image: RgbImage) -> str:
            key = frame_id(image)
            pictures.insert(db, key, image)
            return key

        old = load_history(db, demo)
        film = db.execute("SELECT shown_ns, json FROM film WHERE demo = ? ORDER BY shown_ns", (demo,))
        timeline: dict[int, Json] = {shown: json.loads(text) for shown, text in film}
        before = frames_of(old) | {row["id"] for row in timeline.values()}
        rewriting = Rewriting(
            history=copy.deepcopy(old),
            timeline=dict(timeline),
            get_image=pictures.get_image,
            put_image=put_image,
        )
        change(rewriting)
        save_history(db, old, rewriting.history)
        db.execute("DELETE FROM film WHERE demo = ?", (demo,))
        rows = ((demo, shown, frame["id"], compact(frame)) for shown, frame in rewriting.timeline.items())
        db.executemany("INSERT INTO film (demo, shown_ns, frame, json) VALUES (?, ?, ?, ?)", rows)
        after = frames_of(rewriting.history) | {row["id"] for row in rewriting.timeline.values()}
        erased = erase_pictures(db, pictures, before - after)
    finish_erasing(pictures.connection)
    return erased


def early_demos(pictures: PictureStore) -> Iterator[tuple[Json, list[Json]]]:
    """Head and steps, as plain JSON, of each demo with frames that an early version wrote on a scaled screen.

    They say nothing of ``pixels_per_unit``. Deleted demos are among them; what cannot be read is passed over.
    """
    with pictures.connection.reading() as db:
        rows = db.execute(_EARLY).fetchall()
        for demo, steps in groupby(rows, key=itemgetter(0)):
            query = "SELECT CAST(json AS BLOB) FROM originals WHERE demo = ? AND kind = 'head'"
            head = next((_parsed(text) for (text,) in db.execute(query, (demo,))), None)
            found = [step for _, text in steps if (step := _parsed(text)) is not None]
            if head is not None and found:
                yield head, found


_EARLY = """
SELECT demo, CAST(json AS BLOB) FROM originals
WHERE kind = 'step' AND (instr(json, '"pixels_per_unit"') = 0 OR instr(json, '"pixels_per_unit":null') > 0)
  AND instr(replace(json, '"scale_factor":1.0', ''), '"scale_factor"') > 0
ORDER BY demo, position
"""


def _parsed(data: bytes) -> Json | None:
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return cast("Json", found) if isinstance(found, dict) else None
