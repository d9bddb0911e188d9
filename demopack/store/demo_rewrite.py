"""Rewrites a demo with all that it ever was, where what was recorded itself is wrong; no edit could reach that far."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from demopack.store.entities import compact
from demopack.store.erasing import erase_pictures, finish_erasing
from demopack.store.history import History, Json, load_history, save_history
from demopack.store.step_purge import frames_of

if TYPE_CHECKING:
    from demopack.domain.frames import RgbImage
    from demopack.store.connection import Connection
    from demopack.store.pictures import PictureStore


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


def rewrite_demo(connection: Connection, pictures: PictureStore, demo: str, change: Callable[[Rewriting], None]) -> int:
    """Rewrite a demo in one transaction, and erase for good the pictures that nothing shows any more.

    Args:
        connection: to the library.
        pictures: of the library.
        demo: its id.
        change: rewrites it; what it raises leaves everything as it was.

    Returns:
        How many pictures were erased.
    """
    from demopack.domain.frames import frame_id

    with connection.writing() as db:

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
    finish_erasing(connection)
    return erased


def early_demos(connection: Connection) -> Iterator[tuple[Json, list[Json]]]:
    """Head and steps of each demo with frames that say nothing of ``pixels_per_unit``, on a screen that was scaled.

    What cannot be read is passed over.
    """
    with connection.reading() as db:
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
