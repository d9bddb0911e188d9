"""Which pictures are shown by something."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from demopack.store.schema import Marks

__all__ = ["frames_named", "used_frames"]

_FRAME_ID: Final = re.compile(rb'"([0-9a-f]{64})"')
# As bytes, and by a pattern: so that a damaged record speaks of its pictures, too.
_SPEAKING: Final = {
    "entities": "SELECT CAST(json AS BLOB) FROM entities WHERE kind IN ('step', 'head')",
    "originals": "SELECT CAST(json AS BLOB) FROM originals WHERE kind IN ('step', 'head')",
    "log": "SELECT CAST(edit AS BLOB) FROM log WHERE edit IS NOT NULL",
}


def used_frames(db: sqlite3.Connection, candidates: set[str], *, since: Marks | None = None) -> set[str]:
    """Those pictures that a step, a head or an edit of any demo speaks of; films do not count.

    A picture that only has elements, and no step that shows it, is not in use.

    Args:
        db: the library.
        candidates: that are asked about.
        since: marks older than all candidates: what was written before cannot speak of them, and is not read.
    """
    found: set[bytes] = set()
    wanted = {key.encode() for key in candidates}
    for table, query in _SPEAKING.items() if candidates else ():
        for (data,) in db.execute(f"{query} AND rowid > ?", (since.rows[table] if since is not None else -1,)):
            found.update(key for key in _FRAME_ID.findall(data) if key in wanted)
    return {key.decode() for key in found}


def frames_named(db: sqlite3.Connection, demo: str) -> set[str]:
    """The pictures that steps, head and edits of a demo speak of, or spoke of once."""
    return {
        key.decode()
        for query in _SPEAKING.values()
        for (data,) in db.execute(f"{query} AND demo = ?", (demo,))
        for key in _FRAME_ID.findall(data)
    }
