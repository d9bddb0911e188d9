"""Recordings of a few typed steps with pictures of their own, for tests of what the library keeps and forgets."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from demopack.clock import utc_now
from demopack.domain.actions import TypeAction
from demopack.domain.demos import DemoHead
from demopack.domain.edits import Change, Edit
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.provenance import by_human
from demopack.domain.records import Record, new_id
from demopack.domain.steps import Step
from demopack.store import Library
from demopack.store.tiles import unpack_ids

WIDTH, HEIGHT = 130, 90


def noise(seed: int) -> RgbImage:
    """A picture that shares no tile with that of another seed."""
    return np.random.default_rng(seed).integers(0, 255, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def frame(key: str, *, at_ns: int = 0) -> Frame:
    """The record of a picture of :func:`noise`."""
    return Frame(id=key, width=WIDTH, height=HEIGHT, grab_started_ns=at_ns, grab_ended_ns=at_ns)


def typed(number: int, text: str, *, before: Frame | None = None, after: Frame | None = None) -> Step:
    """Step ``number`` types a text between ``100 * number`` and ``100 * number + 50`` nanoseconds."""
    start = 100 * number
    events = tuple(InputEvent(t_ns=start + n, kind="key_down", key=char, char=char) for n, char in enumerate(text[:50]))
    return Step(
        id=f"step_{number}",
        position=1024 * number,
        action=TypeAction(text_to_type=text),
        before=before,
        after=after,
        started_ns=start,
        ended_ns=start + 50,
        events=events,
    )


def record_typing(
    library: Library, texts: Sequence[str], *, demo: str = "demo_t", seed: int = 0, **head: object
) -> str:
    """A demo with one step for each text; step n shows the pictures ``seed + n`` and ``seed + n + 1``."""
    record = DemoHead.model_validate({"id": demo, "created_at": utc_now(), **head})
    with library.begin_recording(record) as recording:
        shown = frame(recording.stage_image(noise(seed + 1)), at_ns=50)
        for number, text in enumerate(texts, start=1):
            after = frame(recording.stage_image(noise(seed + number + 1)), at_ns=100 * number + 60)
            recording.append_step(typed(number, text, before=shown, after=after))
            shown = after
        recording.finish(final_frame=shown)
    return demo


def edit(*pairs: tuple[Record | None, Record | None], label: str = "Edit", kind: str = "step") -> Edit:
    """An edit of steps, or of elements, from before to after."""
    changes: list[Change] = []
    for before, after in pairs:
        some = before or after
        assert some is not None
        data = some.to_json()
        changes.append(
            Change.model_validate(
                {
                    "kind": kind,
                    "key": data.get("id") or data["uid"],
                    "before": before and before.to_json(),
                    "after": after and after.to_json(),
                }
            )
        )
    return Edit(id=new_id("edit"), label=label, changes=tuple(changes), provenance=by_human(reason=label))


def bytes_of(folder: Path) -> bytes:
    """All files of a library, one after the other, with their names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"".join(str(path).encode() + path.read_bytes() for path in files)


def tiles_of(library: Library, frame_id: str) -> list[bytes]:
    """What is stored of a picture, as it lies in the database."""
    with closing(sqlite3.connect(library.folder / "library.db")) as db:
        (packed,) = db.execute("SELECT tiles FROM frames WHERE id = ?", (frame_id,)).fetchone()
        query = "SELECT data FROM tiles WHERE id = ?"
        return [db.execute(query, (tile,)).fetchone()[0] for tile in unpack_ids(packed).tolist()]
