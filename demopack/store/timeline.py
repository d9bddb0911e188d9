"""The timeline of a demo (every different screen while it was recorded), and which pictures are shown by something."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from demopack.domain.frames import Frame
from demopack.domain.records import Record
from demopack.errors import DemopackError, LibraryError
from demopack.store.entities import REPAIR, compact

if TYPE_CHECKING:
    from demopack.store.schema import RowMarks


class Keyframe(Record):
    """One picture of a timeline.

    Attributes:
        shown_ns: monotonic clock from which on it could be seen.
        frame: the picture.
    """

    shown_ns: int
    frame: Frame


def insert_keyframe(db: sqlite3.Connection, demo: str, frame: Frame, *, shown_ns: int) -> None:
    """Add a picture to a demo's timeline; a second one for the same moment replaces the first."""
    db.execute(
        "INSERT OR REPLACE INTO film (demo, shown_ns, frame, json) VALUES (?, ?, ?, ?)",
        (demo, shown_ns, frame.id, compact(frame.to_json())),
    )


def read_timeline(db: sqlite3.Connection, demo: str) -> list[Keyframe]:
    """A demo's timeline, oldest first.

    Raises:
        LibraryError: a picture of it is damaged.
    """
    query = "SELECT shown_ns, CAST(json AS BLOB) FROM film WHERE demo = ? ORDER BY shown_ns"
    found: list[Keyframe] = []
    for shown, data in db.execute(query, (demo,)):
        try:
            found.append(Keyframe(shown_ns=shown, frame=Frame.model_validate_json(data)))
        except (ValidationError, DemopackError) as error:
            raise LibraryError(
                f"The film of the demo {demo} is damaged; its steps are unharmed.", details=str(error), hint=REPAIR
            ) from error
    return found


def timeline_only(db: sqlite3.Connection, demo: str) -> set[str]:
    """The pictures that a demo's timeline shows and no step, head or other timeline ever did."""
    mine = {row[0] for row in db.execute("SELECT frame FROM film WHERE demo = ?", (demo,))}
    others = {row[0] for row in db.execute("SELECT DISTINCT frame FROM film WHERE demo <> ?", (demo,))}
    return mine - others - used_frames(db, mine)


_CONTENT_ID: Final = re.compile(rb'"([0-9a-f]{64})"')
"""The id of a picture or an accessibility tree as it stands in a record."""
PICTURE_ID: Final = re.compile(rb'(?<!"tree":)(?<!"tree": )"([0-9a-f]{64})"')
"""Of a picture alone."""
# As bytes, and by a pattern: so that a damaged record speaks of its pictures, too.
_FRAME_QUERIES: Final = {
    "entities": "SELECT CAST(json AS BLOB) FROM entities WHERE kind IN ('step', 'head')",
    "originals": "SELECT CAST(json AS BLOB) FROM originals WHERE kind IN ('step', 'head')",
    "log": "SELECT CAST(edit AS BLOB) FROM log WHERE edit IS NOT NULL",
}


def used_frames(db: sqlite3.Connection, candidates: set[str], *, since: RowMarks | None = None) -> set[str]:
    """Those pictures and trees that a step, a head or an edit of any demo speaks of; timelines do not count.

    A picture that only has elements, and no step that shows it, is not in use.

    Args:
        db: the library.
        candidates: that are asked about.
        since: marks older than all candidates: what was written before cannot speak of them, and is not read.
    """
    found: set[bytes] = set()
    wanted = {key.encode() for key in candidates}
    for table, query in _FRAME_QUERIES.items() if candidates else ():
        for (data,) in db.execute(f"{query} AND rowid > ?", (since.rows[table] if since is not None else -1,)):
            found.update(key for key in _CONTENT_ID.findall(data) if key in wanted)
    return {key.decode() for key in found}


def frames_named(db: sqlite3.Connection, demo: str, *, of: re.Pattern[bytes] = _CONTENT_ID) -> set[str]:
    """The pictures and trees that steps, head and edits of a demo speak of, or spoke of once.

    Args:
        db: the library.
        demo: its id.
        of: what an id looks like; :data:`PICTURE_ID` for pictures alone.
    """
    return {
        key.decode()
        for query in _FRAME_QUERIES.values()
        for (data,) in db.execute(f"{query} AND demo = ?", (demo,))
        for key in of.findall(data)
    }


def pictures_shown(db: sqlite3.Connection) -> dict[str, set[str]]:
    """By demo: the pictures of its steps, its end, its edits and its timeline."""
    shown = {
        demo: frames_named(db, demo, of=PICTURE_ID)
        for (demo,) in db.execute("SELECT id FROM demos ORDER BY created_at").fetchall()
    }
    for demo, frame in db.execute("SELECT demo, CAST(frame AS BLOB) FROM film"):
        shown.setdefault(demo, set()).add(frame.decode(errors="replace"))
    return shown
