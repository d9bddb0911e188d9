"""Which pictures are shown by something."""

from __future__ import annotations

import re
import sqlite3
from typing import Final

__all__ = ["used_frames"]

_FRAME_ID: Final = re.compile(r'"([0-9a-f]{64})"')
_SPEAKING: Final = (
    "SELECT json FROM entities WHERE kind IN ('step', 'head')",
    "SELECT json FROM originals WHERE kind IN ('step', 'head')",
    "SELECT edit FROM log WHERE edit IS NOT NULL",
)


def used_frames(db: sqlite3.Connection, candidates: set[str]) -> set[str]:
    """Those pictures that a step, a head or an edit of any demo speaks of; films do not count.

    A picture that only has elements, and no step that shows it, is not in use.
    """
    found: set[str] = set()
    for query in _SPEAKING if candidates else ():
        for (text,) in db.execute(query):
            found.update(key for key in _FRAME_ID.findall(text) if key in candidates)
    return found
